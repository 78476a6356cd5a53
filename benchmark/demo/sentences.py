"""Where a sentence ends, in English, Hebrew and Russian."""

from __future__ import annotations

import re

# A full stop after these never ends a sentence: a name or a number follows.
_BEFORE_NAMES = frozenset(
    str.split(
        "dr mr mrs ms prof st mt ave rd blvd no nos fig vol tel ext approx vs e.g i.e cf dept ул пр"
        " просп пл пер наб бул стр корп кв оф каб эт им тел доб проф акад д-р см ср напр т.е т.к"
        " т.н гр טל מס עמ רח שד פרופ"
    )
)
# After these it does where a capital follows ("… 2500 руб. Запись …"), days excepted ("8 a.m.
# Monday").
_AFTER_NUMBERS = frozenset(
    str.split("etc inc ltd co jr sr min hr hrs руб коп мин сек час тыс млн млрд др т.д т.п г ч")
)
_OPENING = "\"'«“„‘(["
_STOP = re.compile(r"""[.!?…]+["'»”’״)\]]*[ ]+(?=\S)""")
_DAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)", re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """Split a line of English, Hebrew or Russian prose into its sentences.

    A mark ends a sentence only before a plain space: never inside a number, a time, an address or a
    phone, nor before a no-break space. It does not where a small letter follows, after an
    abbreviation or an initial."""
    ends = [stop.end() for stop in _STOP.finditer(text) if _ends(text, stop)]
    parts = (
        text[start:end].strip() for start, end in zip([0, *ends], [*ends, len(text)], strict=True)
    )
    return [part for part in parts if re.search(r"\w", part)]


def _ends(text: str, stop: re.Match[str]) -> bool:
    following = text[stop.end() :].lstrip(_OPENING)[:3]
    if following[:1].islower():
        return False
    if stop[0][0] != "." or stop[0].startswith(".."):
        return True
    *before, word = text[: stop.start()].split(" ") if text[: stop.start()].strip() else [""]
    return _ends_after(word.lstrip(_OPENING).lower(), before, following)


def _ends_after(word: str, before: list[str], following: str) -> bool:
    """Whether a full stop after ``word`` ends a sentence, ``following`` being the next letters."""
    counted = bool(before) and before[-1][-1:].isdigit()
    if word in _AFTER_NUMBERS and (counted or len(word) > 1) or re.fullmatch(r"\d*[ap]\.m", word):
        return following[:1].isupper() and not _DAY.match(following)
    if word in _BEFORE_NAMES or re.fullmatch(r"[^\W\d_](?:\.[^\W\d_])*", word):
        return False
    return bool(before) or not word.isdigit()
