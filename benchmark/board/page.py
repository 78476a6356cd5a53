"""The board: models by suite. Pass rate and mean grade stand apart, each with its sample size; nothing is blended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmark.board.shelf import Shelf
from benchmark.tables import interval


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
        models=[_model(run) for run in runs if run.get("model")],
        sites=[run for run in runs if not run.get("model")],
        suites=names,
    )


def _model(run: dict[str, Any]) -> dict[str, Any]:
    """A run with the graded rows of each suite."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in _graded(run):
        rows.setdefault(row["site"], []).append(row)
    return {"run": run, "rows": rows}


def _graded(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Totals of a suite in the measures that grade: those that give a score, or an exact match."""
    for row in run["totals"]:
        if (
            row["site"]
            and not row["language"]
            and row["measure"] not in ("delivered", "complete")
            and (row["of"] or row["faults"])
        ):
            yield row
