"""A comparison as Markdown, and as one HTML page that opens from anywhere."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from benchmark.core.records import Verdict
from benchmark.report import compare_text as text
from benchmark.report.escape import highlighted
from benchmark.report.templating import TEMPLATES, environment, styled
from benchmark.results.comparison import Comparison, measured


def page(comparison: Comparison) -> str:
    """`compare.html`: no script, no request; every question and answer in its own direction."""
    return _rendered("compare.html", comparison, **styled(TEMPLATES / "compare.css"))


def markdown(comparison: Comparison) -> str:
    """A table of changes, then each flip with both answers side by side."""
    return _rendered("compare.md", comparison)


def _rendered(template: str, comparison: Comparison, **more: Any) -> str:
    tables = {"All": comparison.totals, "By site and language": comparison.cells}
    return (environment().get_template(template)).render(
        more,
        comparison=comparison,
        head=text.head(comparison),
        tables={title: text.rows(changes) for title, changes in tables.items()},
        scores=text.scores(comparison.scores),
        method=text.METHOD,
        groups=text.groups(comparison),
        marked=_marked,
        sides=text.sides,
        why=text.why,
    )


def _marked(verdict: Verdict, measure: str) -> Markup:
    """The answer with what this measure found in it."""
    return highlighted(verdict.answer, [measured(verdict, measure)])
