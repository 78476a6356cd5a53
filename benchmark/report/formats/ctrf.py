"""CTRF, the Common Test Report Format (https://ctrf.io), specification 0.0.0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from benchmark.core.plain import plain
from benchmark.core.records import Verdict
from benchmark.report.formats import common
from benchmark.report.formats.safe import json_text
from benchmark.results.counts import cells
from benchmark.results.summary import QuestionResult, Results

SPECIFICATION = "0.0.0"
_STATUSES = ("passed", "failed", "skipped", "pending", "other")


def text(value: Results, verdicts: Sequence[Verdict]) -> str:
    first, last = common.window(value)
    start, stop = common.milliseconds(first), common.milliseconds(last)
    extra = {"run": value.run, "status": value.status, "rehearsal": value.target.rehearsal}
    report = {
        "reportFormat": "CTRF",
        "specVersion": SPECIFICATION,
        "reportId": common.uuid_of(value.run, "ctrf"),
        "timestamp": last,
        "generatedBy": f"{common.SUITE} {value.suite}",
        "results": {
            "tool": {"name": common.SUITE, "version": str(value.suite)},
            "summary": {**_summary(verdicts), "start": start, "stop": stop},
            "tests": [_test(v) for v in verdicts],
            "environment": _environment(value),
        },
        "extra": extra,
    }
    return json_text(report, indent=1) + "\n"


def _summary(verdicts: Sequence[Verdict]) -> dict[str, int]:
    outcomes = Counter(map(common.outcome, verdicts))
    by_status = {status: outcomes[status] for status in _STATUSES}
    return {"tests": len(verdicts), **by_status, "suites": len(cells(verdicts))}


def _test(v: Verdict) -> dict[str, Any]:
    """`duration` is the latency of the answer, in whole milliseconds, as the schema has it."""
    message, measures = common.message(v), plain(QuestionResult.of(v).measures)
    answer = v.answer if v.delivered else None
    return {
        "name": v.question.id,
        "status": common.outcome(v),
        "duration": round(v.latency_ms or 0),
        "suite": [v.question.set, v.question.language],
        "tags": [v.question.kind],
        **({"message": message} if message else {}),
        "parameters": {"question": v.question.question},
        "extra": {"answer": answer, "measures": measures, "stale": v.stale},
    }


def _environment(value: Results) -> dict[str, Any]:
    name = f"{value.run} ({common.label(value)})"
    app = {"appName": value.target.label, "appVersion": value.platform_version}
    commit = {"commit": value.git.commit} if value.git and value.git.commit else {}
    return {"reportName": name, **app, **commit}
