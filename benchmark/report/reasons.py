"""A measure's reasons in the reader's language, each quotation in its own direction."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from benchmark.core.reasons import SEPARATOR, Reason, shortened
from benchmark.core.records import Measure
from benchmark.report.escape import shown
from benchmark.report.i18n import Texts


def translated(measure: Measure, t: Texts) -> Markup:
    """Why a measure has its value. A run of the first form holds English words alone."""
    if not measure.reasons:
        return Markup('<bdi lang="en">{}</bdi>').format(shown(measure.reason))
    return Markup(SEPARATOR).join(_in_words(reason, t) for reason in measure.reasons)


def _in_words(reason: Reason, t: Texts) -> Markup:
    values = {name: _value(name, value, t) for name, value in reason.args.items()}
    return t.filled(shortened(t.texts[f"reason.{reason.code}"], reason.args), values)


def _value(name: str, value: Any, t: Texts) -> Any:
    if isinstance(value, dict):
        return _in_words(Reason(**value), t)
    if isinstance(value, list):
        return Markup(", ").join(t("reason.quoted", text=text) for text in value)
    if name == "least":
        return t.percent(value)
    if name == "script":
        return t.name("script", value)
    return t.number(value, 1) if isinstance(value, float) else value
