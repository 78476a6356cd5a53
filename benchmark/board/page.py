"""The board: models by suite. Pass rate and mean grade stand apart, each with its sample size;
nothing is blended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmark.board.shelf import Shelf
from benchmark.report.tables import interval
from benchmark.results.counts import Row
from benchmark.results.summary import Results


def board(shelf: Shelf) -> str:
    """The board's HTML: one table of the model runs, one of the site runs."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["interval"] = interval
    runs = shelf.runs()
    names = {suite.set: suite.name for suite in shelf.suites()}
    return made.get_template("board.html").render(
        models=[_model(run) for run in runs if run.model],
        sites=[run for run in runs if not run.model],
        suites=names,
    )


def _model(run: Results) -> dict[str, Any]:
    """A run with the graded rows of each suite."""
    rows: dict[str, list[Row]] = {}
    for row in filter(_is_graded, run.totals):
        rows.setdefault(row.site, []).append(row)
    return {"run": run, "rows": rows}


def _is_graded(row: Row) -> bool:
    """Whether it is a total of a suite in a measure that grades: one that gives a score, or an
    exact match."""
    is_of_suite = bool(row.site) and not row.language
    return (
        is_of_suite and row.measure not in ("delivered", "complete") and bool(row.of or row.faults)
    )
