"""The words of the pages in each language: data in `texts/*.json`, a missing one is an error.

`texts` are sentences with {places}; `names` are what measures, sites, kinds and the like are
called, by their key in the results, where a key without a name (a site to come, a foreign suite)
stands for itself. Dates, numbers and plural forms are CLDR's, through Babel."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal
from markupsafe import Markup, escape

from benchmark.core.reasons import ENGLISH
from benchmark.report.escape import plain, shown

LANGUAGES = ("en", "he", "ru")
_FOLDER = Path(__file__).parent / "texts"
_FORMAT = re.compile(r"[:!][^{}]*}")


class MissingText(LookupError):
    """A text that a page needs and a language does not have."""


@dataclass(frozen=True)
class Texts:
    """One language's words. Calling it gives HTML with each value isolated; `plain` gives text."""

    language: str
    locale: Locale
    texts: Mapping[str, Any]
    names: Mapping[str, Mapping[str, str]]

    @property
    def direction(self) -> str:
        return str(self.locale.text_direction)

    def __call__(self, key: str, /, **values: Any) -> Markup:
        return self.filled(self._text(key, values), values)

    def filled(self, template: str, values: Mapping[str, Any]) -> Markup:
        """A template as HTML, each value in it isolated."""
        return Markup(template).format(**{name: self._isolated(v) for name, v in values.items()})

    def plain(self, key: str, /, **values: Any) -> str:
        plain_values = {name: plain(self.number(value)) for name, value in values.items()}
        return self._text(key, values).format(**plain_values)

    def _text(self, key: str, values: Mapping[str, Any]) -> str:
        """The sentence; where it has plural forms, the one for the value called `n`."""
        text = self.texts.get(key)
        if isinstance(text, dict):
            text = text.get(self.locale.plural_form(values["n"]))
        if not isinstance(text, str):
            raise MissingText(f"{self.language}.json has no text {key!r}")
        return text

    def _isolated(self, value: Any) -> Markup:
        if isinstance(value, Markup):
            return value
        return Markup("<bdi>{}</bdi>").format(shown(self.number(value)))

    def name(self, of: str, key: str) -> str:
        """What something is called; its key, which may be foreign text, where it has no name."""
        return self.names[of].get(key) or plain(key)

    def number(self, value: Any, digits: int = 0) -> str:
        """A number as the language writes it; anything else as text."""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            form = "#,##0" + ("." + "0" * digits if digits else "")
            return format_decimal(round(value, digits), form, locale=self.locale)
        return str(value)

    def percent(self, share: float) -> Markup:
        """A fraction in whole percent."""
        return self._percent(self.number(100 * share))

    def interval(self, bounds: tuple[float, float] | None) -> Markup:
        """A 95% interval in whole percent; a dash where nothing was counted."""
        return self._percent(self._range(*(100 * end for end in bounds))) if bounds else Markup("–")

    def _percent(self, number: str) -> Markup:
        return _number(f"{number}\u00a0%" if self.locale.language == "ru" else f"{number}%")

    def _range(self, low: float, high: float) -> str:
        return f"{self.number(low)}–{self.number(high)}"

    def milliseconds(self, value: float) -> Markup:
        return self("unit.ms", n=value)

    def range(self, low: float, high: float) -> Markup:
        return self("unit.ms.range", range=_number(self._range(low, high)))

    def window(self, times: Sequence[str]) -> Markup:
        """First and last moment of a run, UTC; what is not a time is shown as it stands."""
        try:
            moments = [datetime.fromisoformat(time.replace("Z", "+00:00")) for time in times]
        except ValueError:
            return Markup(" – ").join(times)
        days = [escape(format_date(moment, "long", locale=self.locale)) for moment in moments]
        clocks = [f"{moment:%H:%M:%S}" for moment in moments]
        if len(set(days)) == 1:
            days, clocks = days[:1], ["–".join(clocks)]
        ends = zip(days, clocks, strict=True)
        return Markup(" – ").join(day + ", " + _number(f"{clock} UTC") for day, clock in ends)


def _number(text: str) -> Markup:
    """Numbers, ranges and fractions run left to right in every language."""
    return Markup('<span class="number" dir="ltr">{}</span>').format(text)


@cache
def load() -> dict[str, Texts]:
    """Every language. MissingText lists what one has and another does not."""
    files = {language: _FOLDER / f"{language}.json" for language in LANGUAGES}
    values = {language: json.loads(file.read_text("utf-8")) for language, file in files.items()}
    # The English words of reasons are the scoring's own, without formats of numbers.
    english = {f"reason.{code}": _FORMAT.sub("}", words) for code, words in ENGLISH.items()}
    values["en"]["texts"] |= english
    if missing := missing_keys(values):
        raise MissingText("; ".join(missing))
    for value in values.values():
        value["locale"] = Locale.parse(value["locale"])
    return {language: Texts(language, **value) for language, value in values.items()}


def missing_keys(values: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A sentence for each key of any language that another one lacks."""
    keys = {language: _keys(value) for language, value in values.items()}
    every = sorted(set().union(*keys.values()))
    return [f"{name}.json has no {key}" for name in keys for key in every if key not in keys[name]]


def _keys(value: Mapping[str, Any]) -> set[str]:
    names = {f"names.{of}.{name}" for of, some in value["names"].items() for name in some}
    return {*names, *(f"texts.{key}" for key in value["texts"])}
