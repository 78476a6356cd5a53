"""The files of a complete run, made from its verdicts and pytest's JSON report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmark.archive import run_folder, seal
from benchmark.archive.recompute import FROM_MANIFEST
from benchmark.asking import record_file
from benchmark.asking.judge_check import calibration_of
from benchmark.asking.manifest import Manifest
from benchmark.core import files
from benchmark.core.plain import plain
from benchmark.core.provenance import Versions
from benchmark.core.records import Record, Verdict
from benchmark.report import beside, formats, pages, step_summary
from benchmark.results.summary import Head, Results, Summary
from benchmark.run import manifest
from benchmark.run.plan import Plan


def write(
    plan: Plan,
    begun: Manifest,
    verdicts: tuple[Verdict, ...],
    broken: Sequence[str],
    json_report: dict[str, Any],
) -> tuple[Manifest, list[str]]:
    """Every file. The completed manifest, and the names of what was written; or InvalidInput."""
    for path, torn in plan.torn.items():
        record_file.set_aside_torn(path, torn)
    summary, records = Summary.of(verdicts), _records(json_report)
    completed = manifest.end(plan, begun, summary.counts, window(records))
    results = Results.of_run(_head(plan.root, completed, summary), summary)
    _without_paths(json_report, str(plan.root))
    shown_beside = _beside(plan, records, broken, completed)
    texts = {  # the report is for programs, and takes a third of the time without an indent
        "report.json": files.to_json(json_report, indent=None),
        "results.json": files.to_json(plain(results)),
        "results.md": pages.markdown(results, verdicts),
        **pages.pages(results, verdicts, shown_beside),
        **formats.files(results, verdicts),
    }
    for name, text in texts.items():
        files.write_text(plan.folder / name, text)
    sealed = seal_run(plan, completed)  # last, for it seals the folder
    step_summary.append(texts["results.md"])
    return completed, [*dict.fromkeys(name.partition("/")[0] for name in texts), *sealed]


def seal_run(plan: Plan, completed: Manifest) -> list[str]:
    """Put every question file, the reviews if there are any, and what this track used into the
    run's folder, and seal it; the names of what was written."""
    sources = [
        *(Path(s.path) for s in plan.sets),
        *([plan.review_file] if plan.review_file.exists() else []),
        *([plan.root / seal.DECLINE] if completed.decline else []),
        *([plan.root / seal.PROMPT] if completed.judge else []),
    ]
    return seal.publish(plan.folder, plan.root, sources, plan.target)


def _beside(
    plan: Plan, records: Mapping[str, Record], broken: Sequence[str], completed: Manifest
) -> beside.Beside:
    return beside.gather(
        plan.track,
        plan.questions,
        records,
        earlier=run_folder.earlier(plan.root, plan.id),
        broken=tuple(broken),
        changed_pages=completed.changed_pages,
    )


def _records(json_report: dict[str, Any]) -> dict[str, Record]:
    metadata = (test.get("metadata", {}) for test in json_report["tests"])
    lines = (line for some in metadata for line in some.get("records", ()))
    return {line["id"]: record_file.record_of(line) for line in lines}


def window(records: Mapping[str, Record]) -> tuple[str, ...]:
    """First and last moment at which a question was asked, UTC."""
    asked = sorted(record.asked_at for record in records.values())
    return (asked[0], asked[-1]) if asked else ()


def _head(root: Path, made: Manifest, summary: Summary) -> Head:
    """What was tested, when and with what: the head of every report."""
    last = made.sessions[-1] if made.sessions else Versions()
    return Head(
        **{name: getattr(made, name) for name in FROM_MANIFEST},
        window=made.window or (),
        platform_version=", ".join(summary.versions) or "undisclosed",
        question_sets=made.questions,
        judge_check=calibration_of(root, made.judge),
        suite=last.suite,
        git=last.git,
        concurrency=tuple(sorted({session.concurrency for session in made.sessions})),
        asked_again=tuple(sorted({name for s in made.sessions for name in s.asked_again})),
        record=made.record or {},
    )


def _without_paths(value: Any, root: str) -> None:
    """Published files carry no path of the machine; what was asked and answered stays."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if key == "metadata":
            continue
        if isinstance(inner, (dict, list)):
            _without_paths(inner, root)
        elif isinstance(inner, str) and root in inner:
            value[key] = "." if inner == root else inner.replace(root + "/", "")
