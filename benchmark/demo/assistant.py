"""The assistant: a question to the best two to five passages of one site, or a decline.

Search is hybrid: the cosine of a passage's best line, and BM25 over the passage's words. It quotes
whole passages, it does not write. It may quote the wrong ones; it has no special cases.

The model's sums differ a little from processor to processor, which moves the difference of two
cosines by up to 0.0003. So that answers are the same everywhere, scores are rounded and cuts lie in
gaps: the constants below were chosen so that no decision on the shipped questions is within 0.01
(0.00045 of a cosine) of another one, and a test holds this. They are no better at answering than
round ones: with bm25s's own k1 and b, a weight of 0.01 and a middle of 0.88, as many questions are
answered right, cited right and declined, but some decisions lie closer together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmark.demo.embedding import Embedder, Vectors
from benchmark.demo.index import Index, SitePassage
from benchmark.demo.lexical import WordIndex
from benchmark.demo.sites import Site, strings
from benchmark.text.urls import same_page

_K1, _B = 0.9, 0.41
_WORDS_WEIGHT = 0.0076
# A best passage at the middle scores 0.5, which is where the assistant declines by default.
_MIDDLE, _SCALE = 0.88178, 0.045
FEWEST, MOST = 2, 5


@dataclass(frozen=True)
class Source:
    """A page that the answer quotes, with its best passage; ``score`` is from 0 to 1."""

    url: str
    snippet: str
    score: float


@dataclass(frozen=True)
class Answer:
    """``sources`` best first, one a page; empty, and not ``grounded``, after a decline."""

    text: str
    sources: tuple[Source, ...]
    grounded: bool


@dataclass(frozen=True)
class Hit:
    """A passage with its place on the site; ``score`` may lie beyond 0 and 1, and still ranks."""

    position: int
    found: SitePassage
    score: float

    @property
    def url(self) -> str:
        return self.found.url

    @property
    def shown(self) -> float:
        return min(max(self.score, 0.0), 1.0)


class Assistant:
    """Answers for every site in ``index``; safe to call from several threads."""

    def __init__(self, sites: Iterable[Site], index: Index, embedder: Embedder) -> None:
        self._embedder = embedder
        self._indexes = {site.site_id: index.sites[site.site_id] for site in sites}
        self._words = {
            site_id: WordIndex(map(str, indexed.passages), _K1, _B)
            for site_id, indexed in self._indexes.items()
            if indexed.passages
        }

    def ask(
        self,
        site: Site,
        question: str,
        page_url: str | None = None,
        top_k: int = 10,
        threshold: float = 0.5,
    ) -> Answer:
        """Answer from at most ``top_k`` passages of ``site``; decline where the best one scores
        under ``threshold``. ``page_url`` is where the visitor is: of passages that score the same,
        that page's come first."""
        hits = self.search(site, question, page_url)
        if not hits or hits[0].shown < threshold:
            return Answer(strings()[site.language]["decline"].format(phone=site.phone), (), False)
        quoted = hits[: how_many([hit.score for hit in hits], top_k)]
        return Answer(_say(quoted), _sources(quoted), True)

    def search(self, site: Site, question: str, page_url: str | None = None) -> list[Hit]:
        """Every passage of ``site``, best first."""
        passages = self._indexes[site.site_id].passages
        scores = self._scores(site.site_id, question) if passages else ()
        hits = [
            Hit(position, passage, round(float(score), 4))
            for position, (passage, score) in enumerate(zip(passages, scores, strict=True))
        ]
        here = {each.url for each in passages if page_url and same_page(each.url, page_url)}
        return sorted(hits, key=lambda hit: (-hit.score, hit.url not in here, hit.position))

    def _scores(self, site_id: str, question: str) -> Vectors:
        indexed = self._indexes[site_id]
        cosines = indexed.vectors @ self._embedder.query(question)
        best_lines = np.maximum.reduceat(cosines, indexed.starts)
        together = best_lines + _WORDS_WEIGHT * self._words[site_id].scores(question)
        return np.asarray(0.5 + (together - _MIDDLE) / _SCALE)


def how_many(scores: Sequence[float], most: int) -> int:
    """How many of the passages, best first, are quoted: the cut lies in the widest gap."""
    last = min(MOST, most, len(scores) - 1)
    gaps = {count: scores[count - 1] - scores[count] for count in range(FEWEST, last + 1)}
    return max(gaps, key=gaps.__getitem__, default=min(FEWEST, most, len(scores)))


def _say(hits: list[Hit]) -> str:
    """The quoted passages in the order of their pages' rank and then of the page."""
    rank = {hit.url: place for place, hit in reversed(list(enumerate(hits)))}
    ordered = sorted(hits, key=lambda hit: (rank[hit.url], hit.position))
    return "\n\n".join(str(hit.found.passage) for hit in ordered)


def _sources(hits: list[Hit]) -> tuple[Source, ...]:
    best = {hit.url: hit for hit in reversed(hits)}
    return tuple(
        Source(hit.url, str(hit.found.passage), hit.shown)
        for hit in sorted(best.values(), key=hits.index)
    )
