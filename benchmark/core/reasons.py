"""Why a measure has its value: a code with arguments, put into words where it is shown.

`ENGLISH` has the words of every code; the pages' catalogues have them in their languages. In a
template, a part in square brackets goes where one of its arguments is None.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SEPARATOR = "; "
_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_PLACE = re.compile(r"\{(\w+)")


@dataclass(frozen=True)
class Reason:
    """A code of `ENGLISH`; `args` are plain JSON: a list is of quotations, an object a reason."""

    code: str
    args: dict[str, Any] = field(default_factory=dict)


ENGLISH: Mapping[str, str] = {
    "text": "{text}",  # the words of a run of the first form
    "not_asked": "not asked",
    "does_not_apply": "does not apply",
    # Delivered
    "delivered": "HTTP {status}, {n} characters",
    "not_delivered": "not delivered: {problem}",
    "empty": "the answer is empty",
    "http": "HTTP {status}",
    "timeout": "timeout: no whole response within {n} s",
    "connection": "connection error: {kind}",
    "no_response": "no response",
    "no_body": "no body came",
    "not_utf8": "the body is not UTF-8",
    "not_json": "the body is not JSON ({error}): {start}",
    "not_object": "the body is a JSON {type}, not an object",
    "error_field": "{place} is {value}",
    "no_text": "no text at {place}",
    # Facts and pages
    "found": "found “{what}” at {at}",
    "missing": "none of {spellings} found",
    "cited": "{url} is among the {n} sources",
    "looked_for": "looked for {pages}",
    "sources": "the sources are {urls}",
    "no_sources": "no sources were returned",
    # Language
    "letters": "{own} of {total} letters are {script}, {least:.0%} needed (by script)",
    "no_letters": "no letters at all, so in no wrong script",
    # Declined
    "grounding": "the platform reports no grounding",
    "phrase": "declines by “{what}” at {at}",
    "grounding_and_phrase": "the platform reports no grounding and declines by “{what}” at {at}",
    "no_phrase": "no decline phrase and no report of no grounding",
    "forbidden": "but says “{what}” at {at}",
    # Suites
    "complete": "not cut off[: finish reason {finish!r}]",
    "cut_off": "cut off[: finish reason {finish!r}]",
    "truncated": "truncated, so neither right nor wrong",
    "endless_thought": "truncated: its reasoning never ends",
    "verbatim": "“{reference}” appears verbatim",
    "not_verbatim": "“{reference}” does not appear verbatim",
    "fuzzy": "{score:.1f} of 100, {needed} needed",
    "numbers_missing": "numbers missing: {numbers}",
    "judge": "the judge gives {score:g} of 100, {needed} needed",
    "not_judged": "not scored: no judge has read it",
    "no_score": "judge error: no score in {n} replies",
}


def in_words(reasons: Sequence[Reason], separator: str = SEPARATOR) -> str:
    """The whole in English, as a terminal and a results file show it."""
    return separator.join(english(reason) for reason in reasons)


def english(reason: Reason) -> str:
    values = {name: _quoted(value) for name, value in reason.args.items()}
    return shortened(ENGLISH[reason.code], reason.args).format(**values)


def shortened(template: str, args: Mapping[str, Any]) -> str:
    """A template without the optional parts that `args` have no value for."""
    return _OPTIONAL.sub(lambda part: "" if _lacks(part[1], args) else part[1], template)


def _lacks(part: str, args: Mapping[str, Any]) -> bool:
    return any(args.get(name) is None for name in _PLACE.findall(part))


def _quoted(value: Any) -> Any:
    if isinstance(value, dict):
        return english(Reason(**value))
    if isinstance(value, list):
        return ", ".join(f"“{text}”" for text in value) or "nothing"
    return value
