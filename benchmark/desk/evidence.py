"""What the pages say. Pages shipped with the demo are read; pages on the web are only linked to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from benchmark.core.records import Question
from benchmark.demo.sites import Page, Site, load
from benchmark.text.appears import Haystack
from benchmark.text.html import visible_text
from benchmark.text.normalise import normalise
from benchmark.text.urls import page_identity

_CONTEXT, _LINES = 280, 4  # characters and lines of a page before and after the evidence, at most


@dataclass(frozen=True)
class Passage:
    """A stretch of a page's visible text; `text` is what was looked for, "" where it is not on the
    page."""

    before: str
    text: str
    after: str

    @property
    def nearby(self) -> Passage:
        """The same, with some whole lines around it, or words where a line is long."""
        before = "\n".join(self.before.split("\n")[-_LINES:])
        after = "\n".join(self.after.split("\n")[:_LINES])
        if len(before) > _CONTEXT:
            before = before[-_CONTEXT:].partition(" ")[2]
        if len(after) > _CONTEXT:
            after = after[:_CONTEXT].rpartition(" ")[0]
        more_before, more_after = len(before) < len(self.before), len(after) < len(self.after)
        return Passage("… " * more_before + before, self.text, after + " …" * more_after)


@dataclass(frozen=True)
class PageText:
    url: str
    title: str
    passage: Passage


class Pages:
    """The shipped sites where `embedded`; else nothing is known."""

    def __init__(self, embedded: bool) -> None:
        self._embedded = embedded

    @cached_property
    def _sites(self) -> tuple[Site, ...]:
        return load() if self._embedded else ()

    def site(self, question: Question) -> list[PageText]:
        """Every page of the site that a question was asked on, with its evidence where it
        stands."""
        own = {page_identity(url) for url in question.pages}
        return [
            PageText(
                page.url,
                page.title,
                _find(page, question.passage if page_identity(page.url) in own else ""),
            )
            for page in self._pages(question)
        ]

    def evidence(self, question: Question) -> Passage | None:
        """The evidence in its page's context; None where the page or the evidence on it is not
        known."""
        own = page_identity(question.pages[0]) if question.passage else None
        page = next(
            (page for page in self._pages(question) if page_identity(page.url) == own), None
        )
        found = _find(page, question.passage).nearby if page else None
        return found if found and found.text else None

    def _pages(self, question: Question) -> Sequence[Page]:
        found = (
            s.pages for s in self._sites if (s.set, s.language) == (question.set, question.language)
        )
        return next(found, ())


@lru_cache(maxsize=512)
def _find(page: Page, evidence: str) -> Passage:
    page_text = Haystack(visible_text(page.html))
    place = page_text.find_anywhere(normalise(evidence).text, evidence)
    start, end = (place.start, place.end) if place else (len(page_text.text), len(page_text.text))
    return Passage(page_text.text[:start], page_text.text[start:end], page_text.text[end:])
