"""Every Eval Ever 0.3.0 (https://github.com/evaleval/every_eval_ever): an aggregate file and its
instance-level file.

A result is one measure over one set and language, as a proportion after review; a graded measure
has a second one, the mean score. Each answer that counts in a result is one instance of it. The two
files lie where that project's datastore has them, so that the folder `every_eval_ever/data` can be
handed in as it is."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchmark.core.messages import why
from benchmark.core.plain import plain
from benchmark.core.provenance import AskedSet
from benchmark.core.records import Measure, Verdict
from benchmark.report.formats import common
from benchmark.report.formats.safe import json_text
from benchmark.results import counts as results
from benchmark.results.counts import Row
from benchmark.results.summary import Results

VERSION = "0.3.0"
FOLDER = "every_eval_ever"
COLLECTION = "slatech-answer-quality"
RATE, MEAN = "pass_rate", "mean_score"
_SCALES = {RATE: ("proportion", 1), MEAN: ("points", 100)}  # unit, and the most


def path(value: Results, ending: str) -> str:
    """A file's name inside the run's folder: `every_eval_ever/data/COLLECTION/DEVELOPER/MODEL/UUID`
    and the ending."""
    return f"{FOLDER}/{_stored(value, ending)}"


def _stored(value: Results, ending: str) -> str:
    return f"data/{COLLECTION}/{model(value)}/{common.uuid_of(value.run, FOLDER)}{ending}"


def model(value: Results) -> str:
    """DEVELOPER/MODEL. A run named by its quarter alone is the vendor's own; no other passes for
    it."""
    if value.is_vendors:
        return "slatech/assistant"
    given = (value.model and value.model.name) or value.target.name
    developer, _, name = given.rpartition("/")
    unnamed = "rehearsal" if value.target.rehearsal else "undisclosed"
    return f"{_part(developer) or unnamed}/{_part(name) or 'unnamed'}"


def _part(text: str) -> str:
    """A part of a path that every file system takes."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")


def aggregate(value: Results, verdicts: Sequence[Verdict]) -> str:
    """The aggregate file; it names the instance-level file's place, digest and number of rows."""
    samples = instances(value, verdicts)
    log = {
        "schema_version": VERSION,
        "evaluation_id": _evaluation(value),
        "evaluation_timestamp": common.window(value)[0],
        "retrieved_timestamp": _retrieved(value),
        "source_metadata": _source(value),
        "eval_library": {"name": common.SUITE, "version": str(value.suite)},
        "model_info": _model(value),
        "evaluation_results": [
            one for row in results.table(verdicts) if row.of for one in _results(value, row)
        ],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": _stored(value, "_samples.jsonl"),
            "hash_algorithm": "sha256",
            "checksum": hashlib.sha256(samples.encode()).hexdigest(),
            "total_rows": samples.count("\n"),
        },
    }
    return json_text(log, indent=1) + "\n"


def instances(value: Results, verdicts: Sequence[Verdict]) -> str:
    """The instance-level file: a JSON line for each answer and each result that it counts in."""
    lines = [line for v in verdicts for m in common.counted(v) for line in _instances(value, v, m)]
    return "".join(json_text(line) + "\n" for line in lines)


def _retrieved(value: Results) -> str:
    return str(common.milliseconds(common.window(value)[1]) // 1000)


def _evaluation(value: Results) -> str:
    return f"{COLLECTION}/{model(value)}/{_retrieved(value)}"


def _result(measure: str, site: str, language: str, kind: str) -> str:
    return f"{site}/{language}/{measure}/{kind}"


def _source(value: Results) -> dict[str, Any]:
    is_first = value.is_vendors or value.target.rehearsal
    return {
        "source_name": f"{common.SUITE}, {value.run}",
        "source_type": "evaluation_run",
        "source_organization_name": common.PUBLISHER,
        "source_organization_url": common.PUBLISHER_URL,
        "evaluator_relationship": "first_party" if is_first else "other",
        "additional_details": {
            "run": value.run,
            "label": "; ".join(common.labels(value)),
            "verified": "no",
        }
        | ({"judge": json_text(plain(value.judge))} if value.judge else {}),
    }


def _model(value: Results) -> dict[str, Any]:
    is_vendor, is_rehearsal = value.is_vendors, value.target.rehearsal
    deployment = (
        "externally_managed" if is_vendor else "self_deployed" if is_rehearsal else "unknown"
    )
    return {
        "name": value.target.label,
        "id": model(value),
        "developer": model(value).partition("/")[0],
        "additional_details": {
            "deployment_type": deployment,
            "model_availability": "unknown",
            "version": value.platform_version,
        },
    }


def _results(value: Results, row: Row) -> Iterator[dict[str, Any]]:
    lower, upper = row.interval or (0.0, 1.0)
    interval = {"lower": lower, "upper": upper, "confidence_level": 0.95, "method": "Wilson score"}
    uncertainty = {"confidence_interval": interval, "num_samples": row.of}
    yield _one(value, row, RATE, {"score": row.reviewed / row.of, "uncertainty": uncertainty})
    if row.mean_score is not None:
        yield _one(value, row, MEAN, {"score": row.mean_score})


def _one(value: Results, row: Row, kind: str, score: dict[str, Any]) -> dict[str, Any]:
    return {
        "evaluation_result_id": _result(row.measure, row.site, row.language, kind),
        "evaluation_name": f"{row.site} {row.language} {row.measure}",
        "source_data": _questions(row.site, value.question_sets[row.site]),
        "metric_config": {
            "metric_id": f"{COLLECTION}.{row.measure}.{kind}",
            "metric_name": row.measure,
            "metric_kind": kind,
            "metric_unit": _SCALES[kind][0],
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": _SCALES[kind][1],
        },
        "score_details": score | {"details": _details(value, row)},
    }


def _questions(name: str, questions: AskedSet) -> dict[str, Any]:
    details = {"version": questions.version, "sha256": questions.sha256}
    return {"dataset_name": name, "source_type": "other", "additional_details": details}


def _details(value: Results, row: Row) -> dict[str, str]:
    """Strings, as the schema has it: the counts before and after review, and what must stand beside
    them."""
    counts = {"mechanical": f"{row.mechanical}/{row.of}", "reviewed": f"{row.reviewed}/{row.of}"}
    return counts | {
        "delivered": str(row.delivered),
        "faults": str(row.faults),
        "label": "; ".join(common.labels(value)),
    }


def _instances(value: Results, v: Verdict, m: Measure) -> Iterator[dict[str, Any]]:
    passes = v.reviewed[m.name] is True
    yield _instance(value, v, m, RATE, float(passes))
    if m.score is not None:
        yield _instance(value, v, m, MEAN, m.score)


def _instance(value: Results, v: Verdict, m: Measure, kind: str, score: float) -> dict[str, Any]:
    q, reference = v.question, list(v.question.references)
    about = {
        "kind": q.kind,
        "language": q.language,
        "mechanical": str(m.value),
        "reason": why(m, v),
    }
    return {
        "schema_version": VERSION,
        "evaluation_id": _evaluation(value),
        "model_id": model(value),
        "evaluation_name": f"{q.set} {q.language} {m.name}",
        "evaluation_result_id": _result(m.name, q.set, q.language, kind),
        "sample_id": q.id,
        "sample_hash": (
            hashlib.sha256((q.question + "".join(reference)).encode(errors="replace")).hexdigest()
        ),
        "interaction_type": "single_turn",
        "input": {"raw": q.question, "reference": reference},
        "output": {"raw": [v.answer] if v.delivered else []},
        "answer_attribution": [_attribution(v, m, start, end) for start, end, _ in m.spans],
        "evaluation": {"score": score, "is_correct": v.reviewed[m.name] is True},
        "performance": {"latency_ms": v.latency_ms},
        "error": None if v.delivered else m.reason,
        "metadata": about,
    }


def _attribution(v: Verdict, m: Measure, start: int, end: int) -> dict[str, Any]:
    return {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": v.answer[start:end],
        "extraction_method": m.name,
        "is_terminal": True,
    }
