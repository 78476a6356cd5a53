"""A row a question: CSV for spreadsheets, JSON lines for programs. The lines are lossless, the
cells are made safe."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from benchmark.core.plain import plain
from benchmark.core.records import Measure, Verdict
from benchmark.report.formats import common
from benchmark.report.formats.safe import cell, json_text
from benchmark.results.counts import measure_names
from benchmark.results.summary import QuestionResult, Results

BOM = "\ufeff"  # without it Excel reads UTF-8 as the machine's own code page, and Hebrew as noise


def as_jsonl(value: Results, verdicts: Sequence[Verdict]) -> str:
    """One JSON object a line: question, answer, sources, and each measure before and after
    review."""
    return "".join(json_text(_line(value, v)) + "\n" for v in verdicts)


def as_csv(value: Results, verdicts: Sequence[Verdict]) -> str:
    """RFC 4180 with every cell quoted; a value that does not apply is an empty cell."""
    names = measure_names(verdicts)
    lines = [_cells(value, v, names) for v in verdicts]
    table = io.StringIO()
    writer = csv.writer(table, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([cell(name) for name in lines[0]] if lines else [])
    writer.writerows([[_as_cell(given) for given in line.values()] for line in lines])
    return BOM + table.getvalue()


def _as_cell(given: Any) -> str:
    """Numbers and truth values as they are; text defused."""
    if given is None:
        return ""
    return cell(given) if isinstance(given, str) else str(given).lower()


def _head(value: Results, v: Verdict) -> dict[str, Any]:
    q = v.question
    run = {"run": value.run, "label": "; ".join(common.labels(value)), "target": value.target.name}
    return {
        **run,
        "id": q.id,
        "set": q.set,
        "language": q.language,
        "kind": q.kind,
        "question": q.question,
    }


def _state(v: Verdict) -> dict[str, Any]:
    state = {name: getattr(v, name) for name in ("asked", "delivered", "faulty", "stale", "read")}
    return {"outcome": common.outcome(v), **state, "latency_ms": v.latency_ms, "version": v.version}


def _line(value: Results, v: Verdict) -> dict[str, Any]:
    review = {"reviewer": v.review.reviewer, "reason": v.review.reason} if v.review else None
    spans = {m.name: [list(span) for span in m.spans] for m in v.measures if m.spans}
    answer = {"answer": v.answer if v.delivered else None, "sources": list(v.sources)}
    measured = {"measures": plain(QuestionResult.of(v).measures), "spans": spans}
    return {**_head(value, v), **answer, **_state(v), **measured, "review": review}


def _cells(value: Results, v: Verdict, names: Sequence[str]) -> dict[str, Any]:
    by_name = {name: Measure(name, None, "") for name in names} | {m.name: m for m in v.measures}
    review = {
        "reviewer": v.review.reviewer if v.review else "",
        "review_reason": v.review.reason if v.review else "",
    }
    answer = {"answer": v.answer, "sources": " ".join(v.sources)}
    measures = {
        key: given for name in names for key, given in _measure(v, name, by_name[name]).items()
    }
    return {**_head(value, v), **answer, **_state(v), **measures, **review}


def _measure(v: Verdict, name: str, m: Measure) -> dict[str, Any]:
    applies = m.value is not None or bool(m.fault)
    return {
        f"{name}.reviewed": v.reviewed.get(name),
        f"{name}.mechanical": m.value,
        f"{name}.score": m.score,
        f"{name}.fault": m.fault,
        f"{name}.reason": m.reason if applies else "",
    }
