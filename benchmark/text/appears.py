"""Whether a spelling appears in a text (rubric, "Appears"): edges (step 4) and long digit strings
(step 5).

`Haystack(answer)` normalises an answer once; `find(spelling)` gives the first place as a `Span` of
the answer as received, or None. Pure: standard library only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from benchmark.core.records import Span
from benchmark.text.markup import ADDRESS, visible
from benchmark.text.normalise import NO_BREAK, fold, normalise, numbers
from benchmark.text.traced import Traced

_HEBREW_PREFIX = "ושהכלבמ"
_ARABIC_PREFIXES = ("وال", "بال", "كال", "فال", "لل", "ال", "و", "ف", "ب", "ك", "ل")
_ARABIC = re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff]")
_BETWEEN_DIGITS = rf"[ {NO_BREAK}+\-().\/]"
_DIGITS_ONLY = re.compile(r"[\d +\-()./]+")
# No word begins after four letters, and a prefix has three: most places are turned down before they
# are looked at.
_DEEP_IN_A_WORD = r"(?<![^\W\d_\u00b2\u00b3\u00b9\u2070-\u209c]{4})"
_LONG = 7  # digits from which a spelling is compared by its digits alone


class Haystack:
    """A text ready to be searched: after steps 1 to 3, and `flat` in one line."""

    def __init__(self, text: str, keep_addresses: bool = False) -> None:
        self.text = text
        self.visible = visible(text, keep_addresses)
        self.folded = fold(self.visible)
        self.lines = numbers(self.folded)
        self.flat = self.lines.flat()

    def find(self, spelling: str) -> Span | None:
        """The first place where `spelling` appears, or None; an empty spelling appears nowhere."""
        is_address = bool(ADDRESS.search(spelling))
        wanted = _normalised(spelling, is_address)
        if not wanted:
            return None
        where = Haystack(self.text, True) if is_address else self
        if sum(map(str.isdecimal, wanted)) >= _LONG and _DIGITS_ONLY.fullmatch(wanted):
            return where._by_digits(wanted, spelling)
        return next(where._at_edges(wanted, spelling), None)

    def find_any(self, spellings: Sequence[str]) -> Span | None:
        """The first place of the first of `spellings` that appears."""
        return next(filter(None, map(self.find, spellings)), None)

    def find_anywhere(self, wanted: str, phrase: str) -> Span | None:
        """The first place of a decline phrase: `wanted` is it normalised the same way; no edges are
        asked for."""
        start = self.flat.text.find(wanted) if wanted else -1
        return None if start < 0 else self._span(self.flat, start, start + len(wanted), phrase)

    def quotes(self, passage: str) -> bool:
        """Whether a passage stands here as it is, but for white space, marks and case (steps 1 and
        2, no edges)."""
        wanted = fold(visible(passage)).flat().text
        return bool(wanted) and wanted in self.folded.flat().text

    def _at_edges(self, wanted: str, spelling: str) -> Iterator[Span]:
        text, start = self.flat.text, 0
        if not all(word in text for word in wanted.split(" ")):
            return  # most spellings end here, before a pattern is built
        pattern = _words(wanted)
        while found := pattern.search(text, start):
            end = found.end() + _ending(text, found.end())
            if _may_start(text, found.start()) and _may_end(text, end):
                yield self._span(self.flat, found.start(), end, spelling)
            start = found.start() + 1

    def _by_digits(self, wanted: str, spelling: str) -> Span | None:
        """Looked for before step 3 too: there "Room 12 555-0142" has not become one number."""
        digits = f"{_BETWEEN_DIGITS}{{0,2}}".join(re.sub(r"\D", "", wanted))
        pattern = re.compile(rf"(?<!\d)(?<!\d[-./]){digits}(?!\d)(?![-./]\d)")
        for where in (self.folded, self.lines):
            if found := pattern.search(where.text):
                return self._span(where, found.start(), found.end(), spelling)
        return None

    def _span(self, where: Traced, start: int, end: int, what: str) -> Span:
        """The stretch in the answer as received, with the marks on its last letter."""
        first, last = where.span(start, end)
        while 0 < last < len(self.text) and unicodedata.combining(self.text[last]):
            last += 1
        return Span(first, last, what)


@lru_cache(8192)
def _normalised(spelling: str, is_address: bool) -> str:
    return normalise(spelling, is_address).text


@lru_cache(8192)
def _words(wanted: str) -> re.Pattern[str]:
    """The spelling's words; before each but the first a Hebrew prefix may stand, and an Arabic one
    before Arabic."""
    first, *others = wanted.split(" ")
    inside = _DEEP_IN_A_WORD if first[0].isalpha() else ""
    return re.compile(inside + " ".join([re.escape(first), *(_prefixed(word) for word in others)]))


def _prefixed(word: str) -> str:
    arabic = "|".join(_ARABIC_PREFIXES) if _ARABIC.match(word) else ""
    return rf"(?:[{_HEBREW_PREFIX}]{{1,3}}{'|' * bool(arabic)}{arabic})?{re.escape(word)}"


def _may_start(text: str, start: int) -> bool:
    """Step 4 at the front: no digit before a digit, no letter before a letter but for a prefix of
    its own word."""
    before = text[
        max(0, start - 4) : start
    ]  # a prefix has at most three letters, and one character stands before it
    if text[start].isdecimal():
        return not re.search(r"\d[.,:]?$", before)
    if not text[start].isalpha() or not before[-1:].isalpha():
        return True
    prefixes = _prefixes(before, bool(_ARABIC.match(text, start)))
    return any(
        before.endswith(prefix) and not before[: len(before) - len(prefix)][-1:].isalpha()
        for prefix in prefixes
    )


def _prefixes(before: str, is_arabic: bool) -> Iterator[str]:
    for length in (1, 2, 3):
        if len(before) >= length and set(prefix := before[-length:]) <= set(_HEBREW_PREFIX):
            yield prefix
    if is_arabic:
        yield from _ARABIC_PREFIXES


def _ending(text: str, end: int) -> int:
    """How many more letters belong to the last word: Latin s or es, Cyrillic up to two."""
    last = text[end - 1]
    pattern = (
        r"(?:es|s)(?![^\W\d_])" if _is(last, "a", "\u024f") else r"[\u0400-\u052f]{1,2}(?![^\W\d_])"
    )
    if not (last.isalpha() and (_is(last, "a", "\u024f") or _is(last, "\u0400", "\u052f"))):
        return 0
    more = re.compile(pattern).match(text, end)
    return len(more[0]) if more else 0


def _is(c: str, first: str, last: str) -> bool:
    return first <= c <= last


def _may_end(text: str, end: int) -> bool:
    """Step 4 at the back: no digit after a digit, nor `.` `,` `:` and a digit (but for .00);
    letters alike."""
    last, after = text[end - 1], text[end : end + 1]
    if last.isdecimal():
        return not re.compile(r"\d|[,:]\d|\.(?!00(?!\d|[.,:]\d))\d").match(text, end)
    return not (last.isalpha() and after.isalpha())
