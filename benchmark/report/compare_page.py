"""A comparison as one HTML page that opens from anywhere (jinja2: autoescape on, an undefined name
is an error)."""

from __future__ import annotations

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from benchmark.core.records import Verdict
from benchmark.report import compare_text as text
from benchmark.report import escape
from benchmark.results.comparison import Comparison, measured

_QUOTED = re.compile("(“[^”]*”)")
_RIGHT_TO_LEFT = ("he", "ar")


def page(comparison: Comparison) -> str:
    """`compare.html`: no script, no request to anywhere; every question and answer in its own
    direction."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(shown=escape.shown, quoted=_quoted)
    environment.globals.update(direction=_direction, marked=_marked, why=text.why)
    return environment.get_template("compare.html").render(
        comparison=comparison,
        head=text.head(comparison),
        tables=[
            ("All", text.rows(comparison.totals)),
            ("By site and language", text.rows(comparison.cells)),
        ],
        scores=text.scores(comparison.scores),
        method=text.METHOD,
        groups=text.groups(comparison),
    )


def _direction(said: str, language: str) -> str:
    return escape.direction(said, "rtl" if language in _RIGHT_TO_LEFT else "ltr")


def _marked(verdict: Verdict, measure: str) -> Markup:
    """The answer with what this measure found in it."""
    return escape.highlighted(
        verdict.answer, [(span, measure) for span in measured(verdict, measure).spans]
    )


def _quoted(reason: str) -> Markup:
    """An English reason; what it quotes of an answer or a page has a direction of its own."""
    pieces = _QUOTED.split(reason)
    return Markup("").join(
        Markup("<bdi>{}</bdi>").format(escape.shown(piece)) if n % 2 else escape.shown(piece)
        for n, piece in enumerate(pieces)
    )
