"""What a question and a passage share in words: the half of the search that knows names, numbers
and rare words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from importlib import import_module

from benchmark.demo.embedding import Vectors

# The first letters of a word stand for all its forms, well enough for English and Russian endings.
_STEM = 4
# "Wi-Fi" is looked for as "wifi" too, "צ'ק" as "צק".
_COMPOUND = re.compile(r"""\w+(?:['’׳"״־-]\w+)+""")
_HEBREW_PREFIXES = "ושהכלבמ"


class WordIndex:
    """BM25 over the stems of a site's passages: rare ones weigh more, short passages too."""

    def __init__(self, texts: Iterable[str], k1: float, b: float) -> None:
        self._bm25 = import_module("bm25s").BM25(k1=k1, b=b, method="lucene")
        self._bm25.index([sorted(stems(text)) for text in texts], show_progress=False)

    def scores(self, question: str) -> Vectors:
        """For each passage, in order, the BM25 score (0 or more), shape (n,)."""
        scores: Vectors = self._bm25.get_scores(sorted(stems(question)))
        return scores


def stems(text: str) -> frozenset[str]:
    """The beginnings of the words and numbers of a text; a Hebrew word counts without its first
    prefix letter too."""
    plain = "".join(
        char
        for char in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(char)
    )
    words = re.findall(r"\w+", plain) + [
        re.sub(r"\W", "", compound) for compound in _COMPOUND.findall(plain)
    ]
    bare = (word[1:] for word in words if len(word) > 3 and word[0] in _HEBREW_PREFIXES)
    return frozenset(word[:_STEM] for word in (*words, *bare))
