"""Results to Markdown and pages. No arithmetic in here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from markupsafe import Markup

from benchmark.core.messages import why
from benchmark.core.records import Measure, Verdict
from benchmark.report import i18n, reasons
from benchmark.report.beside import Beside
from benchmark.report.escape import highlighted, is_linked
from benchmark.report.i18n import Texts
from benchmark.report.tables import grid
from benchmark.report.templating import TEMPLATES, environment, styled
from benchmark.report.view import View
from benchmark.results import rates, repeats
from benchmark.results.summary import Results


def pages(
    value: Results, verdicts: Sequence[Verdict], beside: Beside | None = None
) -> dict[str, str]:
    """The results pages by their relative names: a choice of languages, each language's page, and
    their script. `value` is the head and summary of a run as in `results.json`."""
    templates, languages = environment(), i18n.load()
    templates.filters.update(reason=reasons.translated, highlighted=_highlighted)
    templates.filters.update(is_linked=is_linked)
    shared = {
        "view": View(value, verdicts, beside or Beside()),
        "languages": list(languages.values()),
        "outcomes": rates.OUTCOMES,
        **styled(TEMPLATES / "pages/results.css", script=True),
    }
    page = templates.get_template("pages/results.html")
    return {
        "index.html": templates.get_template("pages/index.html").render(shared),
        **{f"{name}/index.html": page.render(shared, t=t) for name, t in languages.items()},
        "assets/results.js": (TEMPLATES / "pages/results.js").read_text("utf-8"),
    }


def markdown(value: Results, verdicts: Sequence[Verdict]) -> str:
    """`results.md`: the header, the table and the questions that did not pass."""
    judged = list(repeats.lines(value.judging, value.repeats))
    context = {"run": value, "verdicts": verdicts, "why": why, "grid": grid(verdicts)}
    return environment().get_template("results.md").render(context, judged=judged)


def _highlighted(answer: str, measures: Sequence[Measure], t: Texts) -> Markup:
    return highlighted(answer, measures, partial(t.name, "measure"))
