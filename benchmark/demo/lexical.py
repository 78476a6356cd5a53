"""What a question and a passage share in words: the half of the search that knows names, numbers
and rare words."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

import numpy as np

from benchmark.demo.embedding import Vectors

# The first letters of a word stand for all its forms, well enough for English and Russian endings.
_STEM = 4
# "Wi-Fi" is looked for as "wifi" too, "צ'ק" as "צק".
_COMPOUND = re.compile(r"""\w+(?:['’׳"״־-]\w+)+""")
_HEBREW_PREFIXES = "ושהכלבמ"


class WordIndex:
    """The words of a site's passages, rare ones weighing more (inverse document frequency)."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._stems = [stems(text) for text in texts]
        self._frequency = Counter(stem for each in self._stems for stem in each)

    def shares(self, question: str) -> Vectors:
        """For each passage, in order, the weight of the question's words that it has: from 0 to 1,
        shape (n,)."""
        weights = {stem: self._weight(stem) for stem in sorted(stems(question))}
        total = sum(weights.values()) or 1.0
        found = [
            sum(weight for stem, weight in weights.items() if stem in each) for each in self._stems
        ]
        return np.asarray([weight / total for weight in found], np.float32)

    def _weight(self, stem: str) -> float:
        return math.log((len(self._stems) + 1) / (self._frequency[stem] + 0.5))


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
