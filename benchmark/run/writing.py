"""The files of a complete run, made from its verdicts and pytest's JSON report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmark.archive import seal
from benchmark.asking import manifest
from benchmark.asking.manifest import Manifest
from benchmark.core import files
from benchmark.core.records import Verdict
from benchmark.report import beside, formats, pages, step_summary
from benchmark.results import counts
from benchmark.run.plan import Plan
from benchmark.run.reports import calibrated


def write(
    plan: Plan,
    made: Manifest,
    verdicts: tuple[Verdict, ...],
    broken: Sequence[str],
    json_report: dict[str, Any],
) -> tuple[Manifest, list[str]]:
    """Write every file. The completed manifest, and the names of what was written; InvalidInput if
    it cannot be."""
    summary = counts.summary(verdicts)
    made = manifest.end(plan, made, summary["counts"], window(json_report))
    value = {**header(plan, made, summary), **summary}
    _without_paths(json_report, str(plan.root))
    texts = {
        "report.json": files.to_json(
            json_report, indent=None
        ),  # for programs, and a third of the time
        "results.json": files.to_json(value),
        "results.md": pages.markdown(value, verdicts),
        **pages.pages(
            value, verdicts, beside.gather(plan, json_report["tests"], broken, made.values)
        ),
        **formats.files(value, verdicts),
    }
    for name, text in texts.items():
        files.write_text(plan.folder / name, text)
    sealed = seal.publish(plan, made)  # last, for it seals the folder
    step_summary.append(texts["results.md"])
    return made, [*dict.fromkeys(name.partition("/")[0] for name in texts), *sealed]


def window(json_report: dict[str, Any]) -> list[str]:
    """First and last moment at which a question was asked, UTC."""
    lines = [
        line
        for test in json_report["tests"]
        for line in test.get("metadata", {}).get("records", ())
    ]
    asked = sorted(line["asked_at"] for line in lines)
    return [asked[0], asked[-1]] if asked else []


def header(plan: Plan, made: Manifest, summary: dict[str, Any]) -> dict[str, Any]:
    """What was tested, when and with what: the head of every report."""
    values = made.values
    sessions = values.get("sessions", [])
    last = sessions[-1] if sessions else {}
    return {
        "run": plan.run,
        "quarter": plan.quarter,
        "target": values["target"],
        "window": values["window"],
        "platform_version": ", ".join(summary["versions"]) or "undisclosed",
        "question_sets": values["questions"],
        "decline": values.get("decline"),
        "model": values.get("model"),
        "judge": values.get("judge"),
        "judge_check": calibrated(plan.root, made),
        "rules": values["rules"],
        "suite": last.get("suite"),
        "git": last.get("git"),
        "concurrency": sorted({session["concurrency"] for session in sessions}),
        "asked_again": sorted({name for session in sessions for name in session["asked_again"]}),
        "record": values["record"],
    }


def _without_paths(value: Any, root: str) -> None:
    """Published files carry no path of the machine they were made on; what was asked and answered
    stays as it is."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if key == "metadata":
            continue
        if isinstance(inner, (dict, list)):
            _without_paths(inner, root)
        elif isinstance(inner, str) and root in inner:
            value[key] = "." if inner == root else inner.replace(root + "/", "")
