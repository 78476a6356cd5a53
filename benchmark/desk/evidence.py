"""What the pages say. Pages shipped with the demo are read; pages on the web are only linked to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from benchmark.core.records import Question
from benchmark.demo.sites import Page, load
from benchmark.text.appears import Haystack
from benchmark.text.html import visible_text
from benchmark.text.normalise import normalise
from benchmark.text.urls import page_identity

_CONTEXT, _LINES = 280, 4  # characters and lines of a page before and after the evidence, at most


@dataclass(frozen=True)
class Passage:
    """A stretch of a page's visible text; `text` is what was looked for, else ""."""

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
    def _sites(self) -> dict[tuple[str, str], tuple[Page, ...]]:
        sites = load() if self._embedded else ()
        return {(site.set, site.language): site.pages for site in sites}

    def site(self, question: Question) -> list[PageText]:
        """Every page of the site that a question was asked on, with its evidence if it has it."""
        wanted = {page_identity(url) for url in question.pages}
        texts: list[PageText] = []
        for page in self._pages(question):
            evidence = question.passage if page_identity(page.url) in wanted else ""
            texts.append(PageText(page.url, page.title, _find(page, evidence)))
        return texts

    def evidence(self, question: Question) -> Passage | None:
        """The evidence in its page's context; None where either is not known."""
        wanted = page_identity(question.pages[0]) if question.passage else None
        for page in self._pages(question):
            if page_identity(page.url) == wanted:
                passage = _find(page, question.passage).nearby
                return passage if passage.text else None
        return None

    def _pages(self, question: Question) -> tuple[Page, ...]:
        return self._sites.get((question.set, question.language), ())


@lru_cache(maxsize=512)
def _find(page: Page, evidence: str) -> Passage:
    haystack = Haystack(visible_text(page.html))
    text, place = haystack.text, haystack.find_anywhere(normalise(evidence).text, evidence)
    start, end = (place.start, place.end) if place else (len(text), len(text))
    return Passage(text[:start], text[start:end], text[end:])
