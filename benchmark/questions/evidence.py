"""Questions against the pages they speak of (rubric, "The question file").

Faults stop a run; warnings are for the writer.

`fetch` gives a page's HTML by its public address, or raises OSError: the embedded sites, or the
live ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from benchmark.core.files import sha256
from benchmark.core.records import ANSWERABLE, QuestionSet, SiteQuestion
from benchmark.questions.sites import faults_of_set
from benchmark.text.appears import Haystack
from benchmark.text.html import visible_text
from benchmark.text.urls import same_page

Fetch = Callable[[str], str]
_CASES = re.compile("[а-яё]{3,}(?:а|я|о|е|ь|й)$", re.I)


@dataclass
class Pages:
    """Visible text of pages by address, each fetched once."""

    fetch: Fetch
    _texts: dict[str, Haystack | OSError] = field(default_factory=dict)

    def get(self, url: str) -> Haystack:
        if url not in self._texts:
            try:
                self._texts[url] = Haystack(visible_text(self.fetch(url)))
            except OSError as fault:
                self._texts[url] = fault
        text = self._texts[url]
        if isinstance(text, OSError):
            raise text
        return text

    def digests(self) -> dict[str, str]:
        """SHA-256 of the visible text of each page that was read, by address."""
        read = {url: text for url, text in self._texts.items() if isinstance(text, Haystack)}
        return {
            url: sha256(text.text.encode("utf-8", "replace")) for url, text in sorted(read.items())
        }


def faults(questions: QuestionSet, pages: Pages) -> Iterator[str]:
    """What makes a question wrong: without pages, and evidence that is not on its page."""
    found = [*faults_of_set(questions)]
    for question in questions.questions:
        if question.kind == ANSWERABLE:
            found += [f"{question.id}: {fault}" for fault in _page_faults(question, pages)]
    yield from (f"{questions.path}: {fault}" for fault in found)


def _page_faults(question: SiteQuestion, pages: Pages) -> Iterator[str]:
    if not question.evidence.strip():
        yield "evidence: missing; expected the text of the page that proves the answer"
    for url in (question.source_url, *question.also_source_urls):
        try:
            page = pages.get(url)
        except OSError as fault:
            yield (
                f"{'source_url' if url == question.source_url else 'also_source_urls'}: {url}:"
                f" {fault}"
            )
            continue
        if (
            url == question.source_url
            and question.evidence.strip()
            and not page.quotes(question.evidence)
        ):
            yield f"evidence: {question.evidence!r} is not in the visible text of {url}"
        missing = [group for group in question.facts if not any(map(page.find, group))]
        yield from (f"{url}: states none of {list(group)}" for group in missing)


def warnings(questions: QuestionSet, pages: Pages, urls: dict[str, list[str]]) -> Iterator[str]:
    """What the literal rule makes risky. `urls`: the addresses of all known pages by language."""
    for question in questions.questions:
        if question.kind == ANSWERABLE:
            own = {question.source_url, *question.also_source_urls}
            others = [
                url
                for url in urls.get(question.language, [])
                if not any(same_page(url, page) for page in own)
            ]
            yield from (f"{question.id}: {warning}" for warning in _risks(question, pages, others))
        else:
            yield from (
                f"{question.id}: {spelling!r} stands on {url}, so a true sentence would be"
                " forbidden"
                for spelling in question.must_not_include
                for url in urls.get(question.language, [])
                if _states(pages, url, spelling)
            )


def _states(pages: Pages, url: str, spelling: str) -> bool:
    """Whether a page states it; a page that is not there does not, and is a fault of the question
    that needs it."""
    try:
        return bool(pages.get(url).find(spelling))
    except OSError:
        return False


def _risks(question: SiteQuestion, pages: Pages, others: list[str]) -> Iterator[str]:
    for spelling in (spelling for group in question.facts for spelling in group):
        word = spelling.strip()
        if word.isalpha() and len(word) <= 3:
            yield f"{spelling!r} is one to three letters, which stand in many answers"
        if word.isalpha() and _CASES.search(word):
            yield f"{spelling!r} changes its ending in other cases: write the stem"
        elsewhere = [url for url in others if _states(pages, url, spelling)]
        if elsewhere:
            yield (
                f"{spelling!r} occurs elsewhere on the site ({elsewhere[0]}): an answer about that"
                " would pass"
            )
