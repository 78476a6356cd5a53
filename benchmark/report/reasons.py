"""A measure's reason in the reader's language. The reasons of the results are English; those whose
form is known here (`texts/reasons.json`) are said in the page's language, each quoted part
isolated, and all others stand as they are."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from markupsafe import Markup

from benchmark.report.escape import shown
from benchmark.report.i18n import Texts

_FORMS = Path(__file__).parent / "texts" / "reasons.json"


@cache
def forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Key of the text, and how the English reason reads."""
    return tuple(
        (key, re.compile(form, re.DOTALL))
        for key, form in json.loads(_FORMS.read_text("utf-8")).items()
    )


def translated(reason: str, t: Texts) -> Markup:
    """The whole reason in the page's language, or the whole of it as it is, marked as English."""
    said, at = [], 0
    while at < len(reason):
        found = next(
            ((key, match) for key, form in forms() if (match := form.match(reason, at))), None
        )
        if found is None:
            return Markup('<bdi lang="en">{}</bdi>').format(shown(reason))
        said.append(_said(*found, t))
        at = found[1].end()
    return Markup("").join(said)


def _said(key: str, match: re.Match[str], t: Texts) -> Markup:
    return t(key, **{name: _value(name, value, t) for name, value in match.groupdict().items()})


def _value(name: str, value: str, t: Texts) -> str | Markup:
    if name == "least":
        return t.percent(int(value) / 100)
    return t.name("script", value) if name == "script" else value
