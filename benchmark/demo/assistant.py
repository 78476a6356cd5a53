"""The assistant: a question to the best one to three passages of one site, or a decline.

Search is hybrid: the cosine of sentence vectors, and the rare words that question and passage
share. It quotes, it does not write: an answer is made of what the pages say. It may quote the wrong
passage; it has no special cases."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from benchmark.demo.embedding import Embedder, Vectors
from benchmark.demo.index import Index, SiteIndex
from benchmark.demo.lexical import WordIndex
from benchmark.demo.passages import Passage
from benchmark.demo.sites import Site, strings
from benchmark.text.urls import same_page

_WORDS_WEIGHT = 0.1
# How far the best passage stands above the site's average one. Cosines of this model lie close
# together (0.7 to 0.95) and shift with the question as a whole, so the distance says more than the
# value. Measured with 123 made-up questions about the six sites: half of those without an answer
# come under 0.067, half of the others over 0.118.
_NO_ANSWER, _SURE_ANSWER = 0.025, 0.145
_MOST_PASSAGES = 3
# Passages this much under the best one, in score, are no longer about the same thing.
_WITHIN = 0.3


@dataclass(frozen=True)
class Source:
    """A page that the answer quotes, with its best passage; ``score`` is from 0 to 1."""

    url: str
    snippet: str
    score: float


@dataclass(frozen=True)
class Answer:
    """``sources`` best first, one a page; none, and not ``grounded``, where the assistant
    declined."""

    text: str
    sources: tuple[Source, ...]
    grounded: bool


@dataclass(frozen=True)
class _Hit:
    """``above``: 0 where nothing answers, 1 where surely something does; beyond 1 it still
    ranks."""

    position: int
    url: str
    passage: Passage
    above: float

    @property
    def score(self) -> float:
        return round(min(max(self.above, 0.0), 1.0), 4)


class Assistant:
    """Answers for every site in ``index``; safe to call from several threads."""

    def __init__(self, sites: Iterable[Site], index: Index, embedder: Embedder) -> None:
        self._embedder = embedder
        self._indexes = {site.site_id: index.sites[site.site_id] for site in sites}
        self._words = {
            site_id: WordIndex(str(each.passage) for each in indexed.passages)
            for site_id, indexed in self._indexes.items()
        }

    def ask(
        self,
        site: Site,
        question: str,
        page_url: str | None = None,
        top_k: int = 10,
        threshold: float = 0.5,
    ) -> Answer:
        """Answer from ``site`` alone: from its ``top_k`` best passages, as far as they score
        ``threshold`` or more.

        ``page_url`` is where the visitor is: of passages that score the same, that page's come
        first."""
        scores = self._scores(site.site_id, question)
        hits = _best(self._indexes[site.site_id], scores, page_url, top_k, threshold)
        if not hits:
            return Answer(strings()[site.language]["decline"].format(phone=site.phone), (), False)
        return Answer(_say(hits), _sources(hits), True)

    def _scores(self, site_id: str, question: str) -> Vectors:
        indexed = self._indexes[site_id]
        if not indexed.passages:
            return np.empty(0, np.float32)
        raw = indexed.vectors @ self._embedder.query(question) + _WORDS_WEIGHT * self._words[
            site_id
        ].shares(question)
        return np.asarray((raw - raw.mean() - _NO_ANSWER) / (_SURE_ANSWER - _NO_ANSWER), np.float32)


def _best(
    indexed: SiteIndex, scores: Vectors, page_url: str | None, top_k: int, threshold: float
) -> list[_Hit]:
    """The passages to quote, best first; the same words on two pages count once."""
    hits = [
        _Hit(position, each.url, each.passage, round(float(above), 4))
        for position, (each, above) in enumerate(zip(indexed.passages, scores, strict=True))
    ]
    here = {url for url in {hit.url for hit in hits} if page_url and same_page(url, page_url)}
    ranked = sorted(hits, key=lambda hit: (-hit.above, hit.url not in here, hit.position))
    once = list({hit.passage.text: hit for hit in reversed(ranked[:top_k])}.values())[::-1]
    near = [hit for hit in once if hit.score >= threshold and hit.above >= once[0].above - _WITHIN]
    return near[:_MOST_PASSAGES]


def _say(hits: list[_Hit]) -> str:
    """The quoted passages in the order of their pages' rank and then of the page; one paragraph a
    heading."""
    rank = {hit.url: place for place, hit in reversed(list(enumerate(hits)))}
    ordered = sorted(hits, key=lambda hit: (rank[hit.url], hit.position))
    groups = groupby(ordered, key=lambda hit: (hit.url, hit.passage.context))
    return "\n".join(
        _paragraph(context, [hit.passage.text for hit in group]) for (_, context), group in groups
    )


def _paragraph(context: str, texts: list[str]) -> str:
    """Whole sentences stand alone; items and table rows need the heading or caption that they stand
    under."""
    if context.endswith("?") or all(text[-1] in ".!?…" for text in texts):
        return " ".join(texts)
    items = "; ".join(text.rstrip(";,. ") for text in texts)
    return f"{context} — {items}." if context else f"{items}."


def _sources(hits: list[_Hit]) -> tuple[Source, ...]:
    best = {hit.url: hit for hit in reversed(hits)}
    ranked = sorted(best.values(), key=hits.index)
    return tuple(Source(hit.url, str(hit.passage), hit.score) for hit in ranked)
