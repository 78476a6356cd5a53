"""Results to Markdown and pages (jinja2: autoescape on, an undefined name is an error). No
arithmetic in here."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from benchmark.core.messages import why
from benchmark.core.records import Span, Verdict
from benchmark.report import escape, i18n, reasons
from benchmark.report.beside import Beside
from benchmark.report.cards import GROUPS
from benchmark.report.i18n import Texts
from benchmark.report.tables import as_markdown, grid, markdown_text
from benchmark.report.view import View
from benchmark.results import rates, repeats
from benchmark.results.summary import Results

_TEMPLATES = Path(__file__).parent / "templates"
SECTIONS = ("results", "rates", "charts", "lost", "answers")
REASONED = ("undelivered", "faulty", "stale")  # losses that are listed with their reasons
HEADLINE = ("answered_right", "wrongly_declined", "answered_wrong", "rightly_declined")
# No request to another host, no inline script, nothing embedded, no form that is sent. The style is
# named by its digest, so that each page is styled wherever it lies, and the script is the one file
# beside it.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'sha256-{}'; base-uri 'none'; form-action"
    " 'none'"
)


def pages(
    results: Results, verdicts: Sequence[Verdict], beside: Beside | None = None
) -> dict[str, str]:
    """The results pages by their relative names: a choice of languages, each language's page, and
    their script.

    `beside` is what stands in no verdict."""
    made, view = _environment(), View(results, verdicts, beside or Beside())
    css, languages = (_TEMPLATES / "pages/results.css").read_text("utf-8"), i18n.load()
    shared = {
        "view": view,
        "languages": list(languages.values()),
        "css": Markup(css),
        "csp": _POLICY.format(base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()),
        "sections": SECTIONS,
        "reasoned": REASONED,
        "headline": HEADLINE,
        "outcomes": rates.OUTCOMES,
        "groups": GROUPS,
    }
    page = made.get_template("pages/results.html")
    return {
        "index.html": made.get_template("pages/index.html").render(shared),
        **{f"{name}/index.html": page.render(shared, t=t) for name, t in languages.items()},
        "assets/results.js": (_TEMPLATES / "pages/results.js").read_text("utf-8"),
    }


def markdown(results: Results, verdicts: Sequence[Verdict]) -> str:
    """`results.md`: the header, the table and the questions that did not pass."""
    context = {
        "run": results,
        "verdicts": verdicts,
        "failed": [v for v in verdicts if v.failed],
        "dates": " to ".join(results.window),
        "why": why,
        "judged": list(repeats.lines(results.judging, results.repeats)),
        "table": "\n".join(as_markdown(grid(verdicts))),
    }
    return _environment().get_template("results.md").render(context)


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=lambda name: name != "results.md",
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(md=markdown_text, reason=reasons.translated, highlighted=_highlighted)
    made.filters.update(shown=escape.shown, plain=escape.plain, slug=escape.slug)
    return made


def _highlighted(answer: str, spans: Sequence[tuple[Span, str]], t: Texts) -> Markup:
    return escape.highlighted(answer, [(span, t.name("measure", name)) for span, name in spans])
