"""The board: models by suite. Pass rate and mean grade stand apart, each with its sample size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmark.board.shelf import Shelf
from benchmark.report.templating import environment, styled
from benchmark.results.counts import Row
from benchmark.results.summary import Results

_FOLDER = Path(__file__).parent / "templates"


def board(shelf: Shelf) -> str:
    """The board's HTML: one table of the model runs, one of the site runs."""
    runs = shelf.runs()
    context = {
        "models": [_model(run) for run in runs if run.model],
        "sites": [run for run in runs if not run.model],
        "suites": {suite.set: suite.name for suite in shelf.suites()},
        **styled(_FOLDER / "board.css"),
    }
    return environment(_FOLDER).get_template("board.html").render(context)


def _model(run: Results) -> dict[str, Any]:
    """A run with the graded rows of each suite."""
    rows: dict[str, list[Row]] = {}
    for row in filter(_is_graded, run.totals):
        rows.setdefault(row.site, []).append(row)
    return {"run": run, "rows": rows}


def _is_graded(row: Row) -> bool:
    """Whether it is a suite's total of a measure that grades: by a score, or an exact match."""
    is_suite, grades = row.site and not row.language, row.measure not in ("delivered", "complete")
    return bool(is_suite and grades and (row.of or row.faults))
