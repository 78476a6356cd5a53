"""Results to Markdown and HTML (jinja2: autoescape on, an undefined name is an error). No arithmetic in here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from benchmark import results
from benchmark.data import Measure, Verdict
from benchmark.tables import as_markdown, grid, interval, markdown_text
from benchmark.telling import printable

NAMES = {
    "en": "English",
    "he": "Hebrew",
    "ru": "Russian",
    "ar": "Arabic",
    "med": "clinic (med)",
    "biz": "office (biz)",
    "": "all",
}


def highlighted(answer: str, spans: Sequence[tuple[int, int, str]]) -> Markup:
    """The answer with its matched stretches marked."""
    pieces, done = [], 0
    for start, end, what in sorted(spans):
        if start >= done and end > start:
            pieces += [escape(answer[done:start]), Markup('<mark title="{}">{}</mark>').format(what, answer[start:end])]
            done = end
    return Markup("").join([*pieces, escape(answer[done:])])


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=lambda name: name != "results.md",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(md=markdown_text, interval=interval, printable=printable)
    made.globals.update(names=NAMES, highlighted=highlighted, cell=results.row)
    return made


def _context(value: dict[str, Any], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "run": value,
        "verdicts": verdicts,
        "cells": results.cells(verdicts),
        "measures": results.measure_names(verdicts),
        "failed": [v for v in verdicts if fails(v)],
        "passed": [v for v in verdicts if not fails(v)],
        "spans": _spans,
        "dates": " to ".join(value["window"]),
        "table": "\n".join(as_markdown(grid(verdicts))),
    }


def fails(verdict: Verdict) -> bool:
    return not verdict.faulty and any(value is False for value in verdict.reviewed.values())


def _spans(measures: Sequence[Measure]) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, f"{m.name}: {span.what}") for m in measures for span in m.spans]


def markdown(value: dict[str, Any], verdicts: Sequence[Verdict]) -> str:
    """`results.md`: the header, the table and the questions that did not pass."""
    return _environment().get_template("results.md").render(_context(value, verdicts))


def page(value: dict[str, Any], verdicts: Sequence[Verdict]) -> str:
    """`index.html`: the same with every answer."""
    return _environment().get_template("results.html").render(_context(value, verdicts))
