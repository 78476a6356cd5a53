"""Every Eval Ever 0.3.0 (https://github.com/evaleval/every_eval_ever): an aggregate file and its
instance-level file.

A result is one measure over one set and language, as a proportion after review; a graded measure
has a second one, the mean score. Each answer that counts in a result is one instance of it. The
files lie where that project's datastore has them, so `every_eval_ever/data` can be handed in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchmark.core.messages import why
from benchmark.core.plain import plain
from benchmark.core.records import Measure, Span, Verdict
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
    """A file's name inside the run's folder, down to `COLLECTION/DEVELOPER/MODEL/UUID`."""
    return f"{FOLDER}/{_stored(value, ending)}"


def _stored(value: Results, ending: str) -> str:
    return f"data/{COLLECTION}/{model(value)}/{common.uuid_of(value.run, FOLDER)}{ending}"


def model(value: Results) -> str:
    """DEVELOPER/MODEL. A run named by its quarter alone is the vendor's own, and no other is."""
    if value.is_vendors:
        return "slatech/assistant"
    full_name = (value.model and value.model.name) or value.target.name
    developer, _, name = full_name.rpartition("/")
    unnamed = "rehearsal" if value.target.rehearsal else "undisclosed"
    return f"{_part(developer) or unnamed}/{_part(name) or 'unnamed'}"


def _part(text: str) -> str:
    """A part of a path that every file system takes."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")


def aggregate(value: Results, verdicts: Sequence[Verdict]) -> str:
    """The aggregate file; it names the instance-level file's place, digest and number of rows."""
    rows = [row for row in results.table(verdicts) if row.of]
    log = {
        "schema_version": VERSION,
        "evaluation_id": _evaluation(value),
        "evaluation_timestamp": common.window(value)[0],
        "retrieved_timestamp": _retrieved(value),
        "source_metadata": _source(value),
        "eval_library": {"name": common.SUITE, "version": str(value.suite)},
        "model_info": _model(value),
        "evaluation_results": [result for row in rows for result in _results(value, row)],
        "detailed_evaluation_results": _samples(value, instances(value, verdicts)),
    }
    return json_text(log, indent=1) + "\n"


def _samples(value: Results, lines: str) -> dict[str, Any]:
    return {
        "format": "jsonl",
        "file_path": _stored(value, "_samples.jsonl"),
        "hash_algorithm": "sha256",
        "checksum": hashlib.sha256(lines.encode()).hexdigest(),
        "total_rows": lines.count("\n"),
    }


def instances(value: Results, verdicts: Sequence[Verdict]) -> str:
    """The instance-level file: a JSON line for each answer and each result that it counts in."""
    names = {"evaluation_id": _evaluation(value), "model_id": model(value)}
    head = {"schema_version": VERSION, **names}
    lines = (line for v in verdicts for m in common.counted(v) for line in _instances(v, m))
    return "".join(json_text(head | line) + "\n" for line in lines)


def _retrieved(value: Results) -> str:
    return str(common.milliseconds(common.window(value)[1]) // 1000)


def _evaluation(value: Results) -> str:
    return f"{COLLECTION}/{model(value)}/{_retrieved(value)}"


def _source(value: Results) -> dict[str, Any]:
    is_first = value.is_vendors or value.target.rehearsal
    details = {"run": value.run, "label": common.label(value), "verified": "no"}
    judge = {"judge": json_text(plain(value.judge))} if value.judge else {}
    return {
        "source_name": f"{common.SUITE}, {value.run}",
        "source_type": "evaluation_run",
        "source_organization_name": common.PUBLISHER,
        "source_organization_url": common.PUBLISHER_URL,
        "evaluator_relationship": "first_party" if is_first else "other",
        "additional_details": details | judge,
    }


def _model(value: Results) -> dict[str, Any]:
    others = "self_deployed" if value.target.rehearsal else "unknown"
    return {
        "name": value.target.label,
        "id": model(value),
        "developer": model(value).partition("/")[0],
        "additional_details": {
            "deployment_type": "externally_managed" if value.is_vendors else others,
            "model_availability": "unknown",
            "version": value.platform_version,
        },
    }


def _results(value: Results, row: Row) -> Iterator[dict[str, Any]]:
    lower, upper = row.interval or (0.0, 1.0)
    interval = {"lower": lower, "upper": upper, "confidence_level": 0.95, "method": "Wilson score"}
    uncertainty = {"confidence_interval": interval, "num_samples": row.of}
    yield _result(value, row, RATE, {"score": row.reviewed / row.of, "uncertainty": uncertainty})
    if row.mean_score is not None:
        yield _result(value, row, MEAN, {"score": row.mean_score})


def _result(value: Results, row: Row, kind: str, score: dict[str, Any]) -> dict[str, Any]:
    questions, (unit, most) = value.question_sets[row.site], _SCALES[kind]
    version = {"version": questions.version, "sha256": questions.sha256}
    source = {"dataset_name": row.site, "source_type": "other", "additional_details": version}
    return {
        "evaluation_result_id": f"{row.site}/{row.language}/{row.measure}/{kind}",
        "evaluation_name": f"{row.site} {row.language} {row.measure}",
        "source_data": source,
        "metric_config": {
            "metric_id": f"{COLLECTION}.{row.measure}.{kind}",
            "metric_name": row.measure,
            "metric_kind": kind,
            "metric_unit": unit,
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": most,
        },
        "score_details": score | {"details": _details(value, row)},
    }


def _details(value: Results, row: Row) -> dict[str, str]:
    """Strings, as the schema has it: counts before and after review, and the run's label."""
    shares = {name: f"{getattr(row, name)}/{row.of}" for name in ("mechanical", "reviewed")}
    counted = {name: str(getattr(row, name)) for name in ("delivered", "faults")}
    return {**shares, **counted, "label": common.label(value)}


def _instances(v: Verdict, m: Measure) -> Iterator[dict[str, Any]]:
    yield _instance(v, m, RATE, float(v.reviewed[m.name] is True))
    if m.score is not None:
        yield _instance(v, m, MEAN, m.score)


def _instance(v: Verdict, m: Measure, kind: str, score: float) -> dict[str, Any]:
    q, reference = v.question, list(v.question.references)
    hashed = (q.question + "".join(reference)).encode(errors="replace")
    mechanical = {"mechanical": str(m.value), "reason": why(m, v)}
    return {
        "evaluation_name": f"{q.set} {q.language} {m.name}",
        "evaluation_result_id": f"{q.set}/{q.language}/{m.name}/{kind}",
        "sample_id": q.id,
        "sample_hash": hashlib.sha256(hashed).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": q.question, "reference": reference},
        "output": {"raw": [v.answer] if v.delivered else []},
        "answer_attribution": [_attribution(v, m, span) for span in m.spans],
        "evaluation": {"score": score, "is_correct": v.reviewed[m.name] is True},
        "performance": {"latency_ms": v.latency_ms},
        "error": None if v.delivered else m.reason,
        "metadata": {"kind": q.kind, "language": q.language, **mechanical},
    }


def _attribution(v: Verdict, m: Measure, span: Span) -> dict[str, Any]:
    return {
        "turn_idx": 0,
        "source": "output.raw",
        "extracted_value": v.answer[span.start : span.end],
        "extraction_method": m.name,
        "is_terminal": True,
    }
