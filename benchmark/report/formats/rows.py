"""A row a question: CSV for spreadsheets, its cells made safe; lossless JSON lines for programs."""

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
    """A JSON object a line: question, answer, sources, each measure before and after review."""
    return "".join(json_text(_line(value, v)) + "\n" for v in verdicts)


def as_csv(value: Results, verdicts: Sequence[Verdict]) -> str:
    """RFC 4180 with every cell quoted; a value that does not apply is an empty cell."""
    names = measure_names(verdicts)
    rows = [_cells(value, v, names) for v in verdicts]
    table = io.StringIO()
    writer = csv.writer(table, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([cell(name) for name in rows[0]] if rows else [])
    writer.writerows([_as_cell(content) for content in row.values()] for row in rows)
    return BOM + table.getvalue()


def _as_cell(content: Any) -> str:
    """Numbers and truth values as they are; text defused."""
    if content is None:
        return ""
    return cell(content) if isinstance(content, str) else str(content).lower()


def _head(value: Results, v: Verdict) -> dict[str, Any]:
    run = {"run": value.run, "label": common.label(value), "target": value.target.name}
    names = ("id", "set", "language", "kind", "question")
    return run | {name: getattr(v.question, name) for name in names}


def _state(v: Verdict) -> dict[str, Any]:
    names = ("asked", "delivered", "faulty", "stale", "read", "latency_ms", "version")
    return {"outcome": common.outcome(v)} | {name: getattr(v, name) for name in names}


def _line(value: Results, v: Verdict) -> dict[str, Any]:
    answer = {"answer": v.answer if v.delivered else None, "sources": list(v.sources)}
    spans = {m.name: [list(span) for span in m.spans] for m in v.measures if m.spans}
    measured = {"measures": plain(QuestionResult.of(v).measures), "spans": spans}
    review = {"reviewer": v.review.reviewer, "reason": v.review.reason} if v.review else None
    return {**_head(value, v), **answer, **_state(v), **measured, "review": review}


def _cells(value: Results, v: Verdict, names: Sequence[str]) -> dict[str, Any]:
    answer = {"answer": v.answer, "sources": " ".join(v.sources)}
    by_name = {name: Measure(name, None, "") for name in names} | {m.name: m for m in v.measures}
    measures = {key: x for name in names for key, x in _measure(v, by_name[name]).items()}
    reviewer, reason = (v.review.reviewer, v.review.reason) if v.review else ("", "")
    review = {"reviewer": reviewer, "review_reason": reason}
    return {**_head(value, v), **answer, **_state(v), **measures, **review}


def _measure(v: Verdict, m: Measure) -> dict[str, Any]:
    reason = m.reason if m.value is not None or m.fault else ""
    before = {"reviewed": v.reviewed.get(m.name), "mechanical": m.value}
    columns = {**before, "score": m.score, "fault": m.fault, "reason": reason}
    return {f"{m.name}.{column}": content for column, content in columns.items()}
