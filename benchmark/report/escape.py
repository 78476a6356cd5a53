"""Hostile text made harmless and still whole: nothing is left out, nothing acts, nothing hides.

Control and format characters that could steer a reader's eye (overrides, embeddings, isolates,
zero-width spaces, tags) are shown by their number in place of themselves. Kept as they are, since
texts need them and they reach no further than their own isolated stretch: line break, tab, soft
hyphen, joiners, and the direction marks LRM, RLM and ALM."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from urllib.parse import quote, urlsplit

from markupsafe import Markup, escape

from benchmark.core.records import Measure, Question

_HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f"
)
_STRETCH = re.compile(rf"(?:[{_HIDDEN}]|\r(?!\n))+")
_TOKEN = Markup('<span class="control" title="{}">{}</span>')
_MARKED = Markup('<mark title="{}">{}</mark>')
_QUOTATION = re.compile("“([^“”]*)”")
RIGHT_TO_LEFT = ("he", "ar")  # languages
_ENOUGH = 5000  # characters of a text that show its direction


def shown(text: str) -> Markup:
    """A text as HTML that shows all of it."""
    pieces, done = [], 0
    for stretch in _STRETCH.finditer(text):
        pieces += [escape(text[done : stretch.start()]), _token(stretch[0])]
        done = stretch.end()
    return Markup("").join([*pieces, escape(text[done:])])


@lru_cache(4096)
def _token(stretch: str) -> Markup:
    """One mark for a whole stretch: 200,000 overrides in a row are one element with their count."""
    runs = [(c, sum(1 for _ in run)) for c, run in groupby(stretch)]
    codes = " ".join(f"U+{ord(c):04X}" + (f"×{count}" if count > 1 else "") for c, count in runs)
    names = ", ".join(dict.fromkeys(unicodedata.name(c, "control character") for c, _ in runs))
    return _TOKEN.format(names, codes)


def quoted(reason: str) -> Markup:
    """A reason; each quotation in its own direction: a list of Hebrew spellings keeps its order."""
    pieces = [shown(piece) for piece in _QUOTATION.split(reason)]
    pieces[1::2] = [Markup("“<bdi>{}</bdi>”").format(piece) for piece in pieces[1::2]]
    return Markup("").join(pieces)


def highlighted(
    answer: str, measures: Sequence[Measure], named: Callable[[str], str] = str
) -> Markup:
    """The answer with what measures found in it marked, each `named` to the reader. Where places
    overlap, each stretch names all of them, so that none is lost."""
    spans = [(span, named(m.name)) for m in measures for span in m.spans]
    ends = (end for span, _ in spans if span.end > span.start for end in span[:2])
    edges = sorted({0, len(answer), *(min(max(end, 0), len(answer)) for end in ends)})
    stretches: list[Markup] = []
    for start, end in pairwise(edges):
        covering = [(s, name) for s, name in spans if s.start <= start and end <= s.end]
        notes, text = "; ".join(f"{name}: {s.what}" for s, name in covering), answer[start:end]
        stretches.append(_MARKED.format(plain(notes), shown(text)) if notes else shown(text))
    return Markup("").join(stretches)


def plain(text: str) -> str:
    """A text for an attribute: on one line, hidden characters by their number."""
    numbered = _STRETCH.sub(lambda m: " ".join(f"U+{ord(c):04X}" for c in m[0][:8]), text)
    return " ".join(numbered.split())


def slug(text: str) -> str:
    """A text as one word, for a list of such in an attribute."""
    return plain(text).replace(" ", "_")


def direction(text: str, language: str = "en") -> str:
    """`rtl` or `ltr`, whichever more of the text's letters run; the language's own where it has
    none. Not the first letter: an answer in Hebrew may begin with a brand's name."""
    kinds = Counter(map(unicodedata.bidirectional, text[:_ENOUGH]))
    right, left = kinds["R"] + kinds["AL"], kinds["L"]
    is_right = language in RIGHT_TO_LEFT if right == left else right > left
    return "rtl" if is_right else "ltr"


def anchor(question: Question) -> str:
    """The question's place on the page: its id, after its set where that is not in the id."""
    before = "" if question.id.startswith(f"{question.set}-") else f"{question.set}-"
    return quote(before + question.id, safe="-._~", errors="backslashreplace").replace("%", "_")


def is_linked(source: str, question: Question) -> bool:
    """Whether a returned source becomes a link: only where it lies on the question's own site."""
    try:
        returned, asked = urlsplit(source), urlsplit(next(iter(question.pages), ""))
    except ValueError:
        return False
    return returned.scheme == "https" and returned.netloc == asked.netloc != ""
