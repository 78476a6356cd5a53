"""Hostile text made harmless and still whole: nothing is left out, nothing acts, nothing hides.

Control and format characters that could steer a reader's eye (overrides, embeddings, isolates,
zero-width spaces, tags) are shown by their number in place of themselves. Kept as they are, since
texts need them and they reach no further than their own isolated stretch: line break, tab, soft
hyphen, joiners, and the direction marks LRM, RLM and ALM."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from urllib.parse import quote, urlsplit

from markupsafe import Markup, escape

from benchmark.core.records import Question, Span

_HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f"
)
_STRETCH = re.compile(rf"(?:[{_HIDDEN}]|\r(?!\n))+")
_TOKEN = Markup('<span class="control" title="{}">{}</span>')
RIGHT_TO_LEFT = ("R", "AL")
_SAFE_ID = "-._~"


def shown(text: str) -> Markup:
    """A text as HTML that shows all of it."""
    pieces, done = [], 0
    for stretch in _STRETCH.finditer(text):
        pieces += [escape(text[done : stretch.start()]), _token(stretch[0])]
        done = stretch.end()
    return Markup("").join([*pieces, escape(text[done:])])


@lru_cache(4096)
def _token(stretch: str) -> Markup:
    """One mark for a whole stretch: 200,000 overrides in a row are one element, with their
    count."""
    runs = [(c, sum(1 for _ in run)) for c, run in groupby(stretch)]
    codes = " ".join(f"U+{ord(c):04X}" + (f"×{count}" if count > 1 else "") for c, count in runs)
    names = ", ".join(dict.fromkeys(unicodedata.name(c, "control character") for c, _ in runs))
    return _TOKEN.format(names, codes)


def highlighted(answer: str, spans: Sequence[tuple[Span, str]]) -> Markup:
    """The answer with what was found in it marked; `spans` are places and the measure that found
    them.

    Where places overlap, each stretch names all of them, so that none is lost.
    """
    edges = sorted(
        {
            0,
            len(answer),
            *(_within(e, answer) for span, _ in spans if span.end > span.start for e in span[:2]),
        }
    )
    return Markup("").join(
        _stretch(answer[start:end], list(_covering(spans, start, end)))
        for start, end in zip(edges, edges[1:], strict=False)
    )


def _within(edge: int, answer: str) -> int:
    return min(max(edge, 0), len(answer))


def _covering(spans: Sequence[tuple[Span, str]], start: int, end: int) -> Iterator[str]:
    for span, measure in spans:
        if span.start <= start and end <= span.end:
            yield f"{measure}: {span.what}"


def _stretch(text: str, found: Sequence[str]) -> Markup:
    return (
        Markup('<mark title="{}">{}</mark>').format(plain("; ".join(found)), shown(text))
        if found
        else shown(text)
    )


def plain(text: str) -> str:
    """A text for an attribute: on one line, hidden characters by their number."""
    return " ".join(
        _STRETCH.sub(lambda m: " ".join(f"U+{ord(c):04X}" for c in m[0][:8]), text).split()
    )


def slug(text: str) -> str:
    """A text as one word, for a list of such in an attribute."""
    return plain(text).replace(" ", "_")


def direction(text: str, default: str) -> str:
    """`rtl` or `ltr`, whichever more of the text's letters run; `default` where it has none. Not
    the first letter: an answer in Hebrew may begin with a brand's name."""
    kinds = [unicodedata.bidirectional(c) for c in text]
    right = sum(kind in RIGHT_TO_LEFT for kind in kinds)
    left = kinds.count("L")
    return default if right == left else "rtl" if right > left else "ltr"


def anchor(question: Question) -> str:
    """The question's place on the page: its id, with its set before it where the id alone does not
    say it."""
    own = (
        question.id
        if question.id.startswith(f"{question.set}-")
        else f"{question.set}-{question.id}"
    )
    return quote(own, safe=_SAFE_ID, errors="backslashreplace").replace("%", "_")


def is_linked(source: str, question: Question) -> bool:
    """Whether a returned source becomes a link: only where it lies on the site that the question is
    about."""
    try:
        given, own = urlsplit(source), urlsplit(next(iter(question.pages), ""))
    except ValueError:
        return False
    return given.scheme == "https" and bool(given.netloc) and given.netloc == own.netloc
