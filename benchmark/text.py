"""Text as the rubric reads it: what is visible in an answer, and its normalised form (rubric, "Appears", steps 1 to 3).

Every step works on a `Traced` string, which keeps for each character the place it came from in the text as received, so
that a match can be shown in the answer that the platform really gave.

Steps
-----
1. `visible`: markup leaves its text (`Markup` rules below).
2. `fold`: characters of equal meaning become one character; marks that carry no meaning go; white space is one space.
3. `numbers`: numbers, times, ranges and prices get one way of writing, within a line.

Line breaks outlive step 3, because a number never crosses one; `Traced.flat` then makes each of them a space.
Pure: standard library only, no I/O, no clock, no globals that change.
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from collections.abc import Callable
from dataclasses import dataclass

NO_BREAK = "\u00a0"  # any no-break or thin space until step 3 has used it as a thousands mark
TRACED = 300_000  # characters up to which an answer's matches can be shown in it
_THIN = "\u00a0\u202f\u2009\u2007"
_LINE_BREAKS = "\n\r\v\f\x85\u2028\u2029"
_APOSTROPHES = "'\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u02b9\u05f3\uff07"
_QUOTES = '"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u05f4\uff02\u301d\u301e\u301f'
_BLOCKS = (
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search"
    " section summary table tbody td tfoot th thead title tr ul"
).split()
ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://[^\s<>\"{}|\\^`]+", re.I)


@dataclass(frozen=True)
class Traced:
    """A string, and for each of its characters the index in the original text that it came from."""

    text: str
    origin: array[int] | None  # None: too long to trace (time, not meaning, is at stake)

    @classmethod
    def of(cls, text: str) -> Traced:
        return cls(text, array("l", range(len(text))) if len(text) <= TRACED else None)

    def sub(self, pattern: re.Pattern[str], replacement: str | Callable[[re.Match[str]], str]) -> Traced:
        """Like `re.sub`, keeping origins."""
        if self.origin is None:
            return Traced(pattern.sub(replacement, self.text), None)
        pieces: list[str] = []
        origin, done = array("l"), 0
        for match in pattern.finditer(self.text):
            new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
            start, end = match.span()
            pieces += (self.text[done:start], new)
            origin += self.origin[done:start] + self._origins(self.origin, start, end, new)
            done = end
        if not pieces:
            return self
        return Traced("".join(pieces) + self.text[done:], origin + self.origin[done:])

    def _origins(self, origin: array[int], start: int, end: int, new: str) -> array[int]:
        """Origins of `new` in the place of `start:end`: its own where it was kept, else the two ends of the stretch."""
        kept = start if len(new) == end - start else self.text.find(new, start, end) if len(new) > 1 else -1
        if kept >= 0:
            return origin[kept : kept + len(new)]
        ends = [origin[start]] * (len(new) - 1) + [origin[end - 1 if len(new) > 1 else start]]
        return array("l", ends[-len(new) :] if new else [])

    def map(self, characters: Callable[[str], str]) -> Traced:
        """Each character through `characters` (a pure function of one character)."""
        changed = {c: new for c in set(self.text) if (new := characters(c)) != c}
        if not changed:
            return self
        if all(len(new) == 1 for new in changed.values()):
            return Traced(self.text.translate({ord(c): new for c, new in changed.items()}), self.origin)
        members = "".join(re.escape(c) for c in changed)
        return self.sub(re.compile(f"[{members}]"), lambda match: changed[match[0]])

    def flat(self) -> Traced:
        """One line: every white space is one space, none at the ends."""
        return self.sub(re.compile(r"\s+"), " ").sub(re.compile(r"^ | $"), "")

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original text behind characters `start` to `end`; (0, 0) where that is not traced."""
        return (0, 0) if self.origin is None else (self.origin[start], self.origin[end - 1] + 1)


# Step 1: what is visible -------------------------------------------------------------------------------------------

_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style)\b[^>]*>.*?(?:</\1\s*>|\Z)|<[!?][a-z][^<>]*>", re.I | re.S)
_LINK = re.compile(
    r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"  # [text], one level of brackets inside it
    r"\(\s*(?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
)
_DEFINITION = re.compile(r"^ {0,3}\[([^\[\]\n]+)\]:[ \t]*\S+[^\n]*$", re.M)  # where a reference link leads
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[([^\[\]]*)\]")
_AUTOLINK = re.compile(r"<([a-z][a-z0-9+.-]{0,30}://[^<>\s]*)>", re.I)
_TAG = re.compile(r"</?([a-z][a-z0-9-]*)(?=[\s/>])(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>", re.I)
_ENTITY = re.compile(r"&(?:#[0-9]{1,9};?|#x[0-9a-f]{1,7};?|[a-z][a-z0-9]{1,31};?)", re.I)
_MARKS = re.compile(r"`+|~~|\*+|_+|\n[^\S\n]*\n")
_TIMES = re.compile(r"(?<=\d)\*(?=\d)")  # a product, which no reader takes for emphasis


def visible(text: str, keep_addresses: bool = False) -> Traced:
    """Step 1: the text that a reader sees. Addresses with a scheme go too, unless `keep_addresses`."""
    seen = _without_references(Traced.of(text).sub(_HIDDEN, "").sub(_LINK, lambda match: match[1]))
    seen = seen.sub(_AUTOLINK, lambda match: match[1])
    seen = seen.sub(_TAG, lambda match: "\n" if match[1].lower() in _BLOCKS else "").sub(_ENTITY, _decode)
    seen = _without_emphasis(seen)
    # A line break, not nothing: "120 https://… 500" must not turn into one number.
    return seen if keep_addresses else seen.sub(ADDRESS, "\n")


def _without_references(seen: Traced) -> Traced:
    """`[text][label]` leaves its text where a line says what the label is; that line goes."""
    labels = {label.lower() for label in _DEFINITION.findall(seen.text)}
    if not labels:
        return seen
    linked = seen.sub(_REFERENCE, lambda link: link[1] if (link[2] or link[1]).lower() in labels else link[0])
    return linked.sub(_DEFINITION, "")


def _decode(match: re.Match[str]) -> str:
    return html.unescape(match[0])


def _without_emphasis(seen: Traced) -> Traced:
    """Paired `*`, `_` at word edges, `~~` and backticks go; a mark without its partner in the paragraph stays."""
    text, paired = seen.text, bytearray(len(seen.text))
    opened: dict[str, list[int]] = {}
    for run in _MARKS.finditer(text):
        if run[0][0] == "\n":
            opened.clear()
        else:
            _pair(text, run, opened, paired)
    return seen.sub(re.compile(r"[`~*_]"), lambda mark: "" if paired[mark.start()] else mark[0]) if any(paired) else seen


def _pair(text: str, run: re.Match[str], opened: dict[str, list[int]], paired: bytearray) -> None:
    """Match the marks of `run` with the nearest open ones of its kind; what is left may open."""
    (start, end), kind = run.span(), run[0][0] if run[0][0] in "*_" else run[0]
    before, after = text[start - 1 : start], text[end : end + 1]
    code, edge = kind[0] == "`", kind == "_"
    closes = code or (bool(before.strip()) and not (edge and (after.isalnum())))
    opens = code or (bool(after.strip()) and not (edge and (before.isalnum())))
    if _TIMES.match(text, start):
        return
    waiting, width = opened.setdefault(kind, []), 1 if kind in "*_" else end - start
    while closes and waiting and start < end:
        at = waiting.pop()
        paired[at : at + width] = paired[start : start + width] = b"\1" * width
        start += width
    if opens:
        waiting += range(start, end, width)


# Step 2: one character for each meaning ------------------------------------------------------------------------------

_ALEFS = dict.fromkeys("آأإٱ", "ا")
_SAME = {"٫": ".", "٬": ",", "٪": "%", "\u2212": "-", "ـ": ""}


def fold(seen: Traced) -> Traced:
    """Step 2: NFC, then `fold_character` on each character, then white space and doubled apostrophes."""
    folded = _nfc(seen).map(fold_character).sub(re.compile("\'\'"), '"')
    folded = folded.sub(re.compile(rf"[^\S\n{NO_BREAK}]*\n\s*"), "\n")
    return folded.sub(re.compile(rf"(?:[^\S\n{NO_BREAK}]|{NO_BREAK}(?=\s)|(?<=\s){NO_BREAK})[^\S\n]*"), " ")


def fold_character(c: str) -> str:
    """What stands for the character `c` in normalised text; an empty string where it goes."""
    if c.isdecimal():
        return str(unicodedata.decimal(c))
    if c in _SAME or c in _LINE_BREAKS or c in _THIN:
        return _SAME.get(c, "\n" if c in _LINE_BREAKS else NO_BREAK)
    if c.isspace() or c in _APOSTROPHES or c in _QUOTES:
        return " " if c.isspace() else "\'" if c in _APOSTROPHES else '"'
    category = unicodedata.category(c)
    if category in ("Cf", "Mn", "Mc", "Me"):
        return ""
    if category == "Pd":
        return "-"
    return "".join(_fold_letter(letter) for letter in c.casefold())


def _fold_letter(c: str) -> str:
    return _ALEFS.get(c) or {"ё": "е", "ى": "ي"}.get(c, c)


def _nfc(seen: Traced) -> Traced:
    if unicodedata.is_normalized("NFC", seen.text):
        return seen
    if seen.origin is None:
        return Traced(unicodedata.normalize("NFC", seen.text), None)
    starts = [at for at, c in enumerate(seen.text) if not at or not (unicodedata.combining(c) or _is_jamo(c))]
    pieces: list[str] = []
    origin = array("l")
    for start, end in zip(starts, [*starts[1:], len(seen.text)], strict=True):
        piece = unicodedata.normalize("NFC", seen.text[start:end])
        pieces.append(piece)
        origin += seen.origin[start:end] if len(piece) == end - start else array("l", [seen.origin[start]]) * len(piece)
    return Traced("".join(pieces), origin)


def _is_jamo(c: str) -> bool:
    return "\u1160" <= c <= "\u11ff"  # Hangul vowels and finals compose with the starter before them


# Step 3: one way to write a number -----------------------------------------------------------------------------------

_S = rf"[ {NO_BREAK}]"
_WHOLE = r"(?<!\d)(?<!\d[.,:])"  # no digit, nor a digit and its separator, before the number
_CURRENCY = "$¢£¤¥\u058f\u060b\u0e3f\u20a0-\u20cf\ufdfc\ufe69\uff04\uffe0\uffe1\uffe5\uffe6"  # Unicode Sc
_GROUPS = re.compile(
    rf"{_WHOLE}(?<!\d[\'{NO_BREAK}])[1-9]\d{{0,2}}"
    rf"(?:([,\'{NO_BREAK}])\d{{3}}(?:\1\d{{3}})*(?!\d)(?!\1\d)|(?P<plain>(?: \d{{3}})+)(?!\d))"
)
_LETTER = r"[^\W\d_]"
_NUMBERS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), new)
    for pattern, new in (
        (rf"{_WHOLE}(\d+),(\d{{1,2}})(?!\d|[.,:]\d)", r"\1.\2"),
        (rf"([{_CURRENCY}%]){_S}(?=\d)", r"\1"),
        (rf"(?<=\d){_S}([{_CURRENCY}%])", r"\1"),
        (rf"{_WHOLE}(\d{{3,}})\.00(?!\d|[.,:]\d)", r"\1"),
        (rf"(?<=[{_CURRENCY}])(\d+)\.00(?!\d|[.,:]\d)", r"\1"),
        (rf"{_WHOLE}(\d+)\.00(?=[{_CURRENCY}])", r"\1"),
        (rf"{_WHOLE}0(\d:\d\d)(?!\d)", r"\1"),
        (rf"(?<=\d){_S}?([ap])(?:\.{_S}?m\.?|m)(?!\w)", r"\1m"),
        (rf"(?<=\d){_S}?-{_S}?(?=\d)", "-"),
        (rf"(?<={_LETTER})-(?={_LETTER})", " "),
    )
)


def numbers(folded: Traced) -> Traced:
    """Step 3: thousands, decimals, `.00`, hours, am and pm, ranges, currency signs, hyphens; never across lines."""
    folded = folded.sub(_GROUPS, _joined)
    for pattern, new in _NUMBERS:
        folded = folded.sub(pattern, new)
    return folded


def _joined(match: re.Match[str]) -> str:
    """Groups by a plain space are one number only when there are exactly two; else they are several numbers."""
    several = match["plain"] and len(match["plain"]) > 4
    return match[0] if several else re.sub(r"\D", "", match[0])


def normalise(text: str, keep_addresses: bool = False) -> Traced:
    """Steps 1 to 3 on one line: the text in which a spelling is looked for."""
    return numbers(fold(visible(text, keep_addresses))).flat()


# Scripts --------------------------------------------------------------------------------------------------------------

_SCRIPTS = {"en": "LATIN", "he": "HEBREW", "ru": "CYRILLIC", "ar": "ARABIC"}
_DOMAINS = "com|org|net|info|biz|gov|edu|ai|io|app|dev|example|il|ru|ua|by|kz|uk|us|de|fr|eu|ae|sa|qa|kw|om|bh"
_LINKS = re.compile(
    r"[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)*"
    rf"|\bwww\.\S+|(?<![\w-])(?:[\w-]{{1,63}}\.)+(?:{_DOMAINS})(?![\w-])(?::\d+)?(?:[/?#]\S*)?", re.I
)


def letters(text: str) -> dict[str, int]:
    """Letters of the visible text by language whose script they are ("" for any other), links left out."""
    plain = _LINKS.sub(" ", visible(text).text)
    counted: dict[str, int] = {}
    for c in filter(str.isalpha, set(plain)):
        script = next((code for code, name in _SCRIPTS.items() if name in unicodedata.name(c, "").split()), "")
        counted[script] = counted.get(script, 0) + plain.count(c)
    return counted
