"""Text as the rubric reads it: steps 2 and 3 of "Appears" (step 1 is in `benchmark.text.markup`),
and letters by script.

2. `fold`: characters of equal meaning become one character; marks that carry no meaning go; white
   space is one space.
3. `numbers`: numbers, times, ranges and prices get one way of writing, within a line.

Line breaks outlive step 3, because a number never crosses one; `Traced.flat` then makes each of
them a space. Pure: standard library only, no I/O, no clock, no globals that change."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from benchmark.text.markup import visible
from benchmark.text.traced import Traced

NO_BREAK = "\u00a0"  # any no-break or thin space until step 3 has used it as a thousands mark
_THIN = "\u00a0\u202f\u2009\u2007"
_LINE_BREAKS = "\n\r\v\f\x85\u2028\u2029"
_APOSTROPHES = "'\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9\u05f3\uff07"
_QUOTES = '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u05f4\uff02\u301d\u301e\u301f'

# Step 2: one character for each meaning -----------------------------------------------------------

_TWO_APOSTROPHES = re.compile("''")
_SPACES = re.compile(r"\s{2,}")
# on one letter, as in Unicode's stream-safe text: to order many takes the square of their number
_MOST_MARKS = 30
_LETTERS = dict.fromkeys("آأإٱ", "ا") | {"ё": "е", "ى": "ي", "ی": "ي", "ک": "ك"}
# Arabic presentation forms: letters as some programs write them, joined.
_FORMS = frozenset(map(chr, [*range(0xFB50, 0xFE00), *range(0xFE70, 0xFF00)]))
_JAMO = "\u1160-\u11ff"  # Hangul vowels and finals compose with the starter before them
_SAME = {"٫": ".", "٬": ",", "٪": "%", "\u2212": "-", "ـ": ""}


def fold(seen: Traced) -> Traced:
    """Step 2: NFC, `fold_character` on each character, white space and doubled apostrophes."""
    return _nfc(seen).map(fold_character).sub(_TWO_APOSTROPHES, '"', "''").sub(_SPACES, _one_space)


def _one_space(run: re.Match[str]) -> str:
    """A run of white space is one: a line break if there is one in it."""
    return "\n" if "\n" in run[0] else " "


@lru_cache(4096)
def fold_character(c: str) -> str:
    """What stands for the character `c` in normalised text; an empty string where it goes."""
    if c.isdecimal():
        return str(unicodedata.decimal(c))
    if c in _SAME or c in _LINE_BREAKS or c in _THIN:
        return _SAME.get(c, "\n" if c in _LINE_BREAKS else NO_BREAK)
    if c.isspace() or c in _APOSTROPHES or c in _QUOTES:
        return " " if c.isspace() else "'" if c in _APOSTROPHES else '"'
    category = unicodedata.category(c)
    if category in ("Cf", "Mn", "Mc", "Me"):
        return ""
    if category == "Pd":
        return "-"
    if c in _FORMS and category != "Sc":
        return "".join(map(fold_character, unicodedata.normalize("NFKC", c)))
    return "".join(_fold_letter(letter) for letter in c.casefold())


def _fold_letter(c: str) -> str:
    return _LETTERS.get(c, c)


def _nfc(seen: Traced) -> Traced:
    characters = set(seen.text)
    marks = "".join(re.escape(c) for c in characters if unicodedata.combining(c))
    if marks:
        seen = seen.sub(re.compile(f"(?<=[{marks}]{{{_MOST_MARKS}}})[{marks}]+"), "")
    if unicodedata.is_normalized("NFC", seen.text):
        return seen
    alone = "".join(re.escape(c) for c in characters if unicodedata.normalize("NFC", c) != c)
    composing = re.compile(f"(?s:.)[{marks}{_JAMO}]+" + (f"|[{alone}]" if alone else ""))
    return seen.sub(composing, lambda match: unicodedata.normalize("NFC", match[0]))


# Step 3: one way to write a number ----------------------------------------------------------------

_S = rf"[ {NO_BREAK}]"
_WHOLE = r"(?<!\d)(?<!\d[.,:])"  # no digit, nor a digit and its separator, before the number
_CURRENCY = (  # Unicode Sc
    "$¢£¤¥\u058f\u060b\u0e3f\u20a0-\u20cf\ufdfc\ufe69\uff04\uffe0\uffe1\uffe5\uffe6"
)
_GROUPS = re.compile(
    rf"{_WHOLE}(?<!\d[\'{NO_BREAK}])[1-9]\d{{0,2}}"
    rf"(?:([,\'{NO_BREAK}])\d{{3}}(?:\1\d{{3}})*(?!\d)(?!\1\d)|(?P<plain>(?: \d{{3}})+)(?!\d))"
)
_LETTER = r"[^\W\d_]"
# Each pattern with what must stand in a text before it is worth looking, and what it is replaced
# with.
_NUMBERS: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (needed, re.compile(pattern), new)
    for needed, pattern, new in (
        (",", rf"{_WHOLE}(\d+),(\d{{1,2}})(?!\d|[.,:]\d)", r"\1.\2"),
        ("", rf"([{_CURRENCY}%]){_S}(?=\d)", r"\1"),
        ("", rf"(?<=\d){_S}([{_CURRENCY}%])", r"\1"),
        (".00", rf"{_WHOLE}(\d{{3,}})\.00(?!\d|[.,:]\d)", r"\1"),
        (".00", rf"(?<=[{_CURRENCY}])(\d+)\.00(?!\d|[.,:]\d)", r"\1"),
        (".00", rf"{_WHOLE}(\d+)\.00(?=[{_CURRENCY}])", r"\1"),
        (":", rf"{_WHOLE}0(\d:\d\d)(?!\d)", r"\1"),
        ("m", rf"(?<=\d){_S}?([ap])(?:\.{_S}?m\.?|m)(?!\w)", r"\1m"),
        ("-", rf"(?<=\d){_S}?-{_S}?(?=\d)", "-"),
        ("-", rf"(?<={_LETTER})-(?={_LETTER})", " "),
    )
)


def numbers(folded: Traced) -> Traced:
    """Step 3: thousands, decimals, `.00`, hours, am and pm, ranges, currency signs, hyphens; never
    across lines."""
    folded = folded.sub(_GROUPS, _joined)
    for needed, pattern, new in _NUMBERS:
        folded = folded.sub(pattern, new, needed)
    return folded


def _joined(match: re.Match[str]) -> str:
    """Groups by a plain space are one number only when there are exactly two."""
    several = match["plain"] and len(match["plain"]) > 4
    return match[0] if several else re.sub(r"\D", "", match[0])


def normalise(text: str, keep_addresses: bool = False) -> Traced:
    """Steps 1 to 3 on one line: the text in which a spelling is looked for."""
    return numbers(fold(visible(text, keep_addresses))).flat()


# Scripts ------------------------------------------------------------------------------------------

_SCRIPTS = {"en": "LATIN", "he": "HEBREW", "ru": "CYRILLIC", "ar": "ARABIC"}
_DOMAINS = (
    "com|org|net|info|biz|gov|edu|ai|io|app|dev|example"
    "|il|ru|ua|by|kz|uk|us|de|fr|eu|ae|sa|qa|kw|om|bh"
)
_LINKS = re.compile(
    r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)*"
    rf"|\bwww\.\S+|(?<![\w-])(?<!\w\.)(?:[\w-]+\.)+(?:{_DOMAINS})(?![\w-])(?::\d+)?(?:[/?#]\S*)?",
    re.I,
)


def letters(text: str) -> dict[str, int]:
    """Letters of the visible text by language whose script they are ("" for any other)."""
    return letters_of(visible(text))


def letters_of(seen: Traced) -> dict[str, int]:
    plain = _LINKS.sub(" ", seen.text)
    counts: dict[str, int] = {}
    for c, count in Counter(plain).items():
        if c.isalpha():
            counts[_script(c)] = counts.get(_script(c), 0) + count
    return counts


@lru_cache(4096)
def _script(c: str) -> str:
    names = unicodedata.name(c, "").split()
    return next((code for code, name in _SCRIPTS.items() if name in names), "")
