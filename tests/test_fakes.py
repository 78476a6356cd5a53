"""Fake assistants answer the 120 questions: what the rubric makes of each is known in advance, cell
by cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import pytest
from support.scoring_inputs import ROOT, Json, line, rules

from benchmark.asking.record_file import record_of
from benchmark.core.plain import plain
from benchmark.core.records import Places, SiteQuestion, Verdict
from benchmark.demo.sites import load
from benchmark.questions import sites as questions
from benchmark.results import counts as results
from benchmark.results.summary import Summary
from benchmark.scoring import site_measures
from benchmark.scoring.verdicts import verdicts
from benchmark.text.html import visible_text

Site = tuple[str, list[str]]  # the visible text of all its pages, and their addresses
Sites = Mapping[tuple[str, str], Site]
Fake = Callable[[SiteQuestion, Sites], Json]

DECLINE = {
    "en": "I couldn't find that on our site.",
    "he": "לא מצאתי את זה באתר שלנו.",
    "ru": "Не удалось найти это на нашем сайте.",
}
OTHER = {"en": "he", "he": "ru", "ru": "en"}
ANSWER = {"en": "The answer is: {}.", "he": "התשובה היא: {}.", "ru": "Ответ такой: {}."}


def reply(answer: str, *sources: str) -> Json:
    """Grounding is always reported, so that a decline rests on its words alone."""
    return {
        "answer": answer,
        "sources": [{"sourceUrl": url} for url in sources],
        "hasGroundingContent": True,
    }


def perfect(question: SiteQuestion, sites: Sites) -> Json:
    """One spelling of each fact group in a short sentence, with the right source; else a plain
    decline."""
    if question.kind == "not_on_site":
        return reply(DECLINE[question.language])
    said = "; ".join(group[0] for group in question.facts)
    return reply(ANSWER[question.language].format(said), question.source_url)


def empty(question: SiteQuestion, sites: Sites) -> Json:
    """HTTP 200, the right source, and nothing said."""
    return reply("\u200b \n", question.source_url)


def declining(question: SiteQuestion, sites: Sites) -> Json:
    """The same decline for everything, in the question's language, without a source."""
    return reply(DECLINE[question.language])


def dumping(question: SiteQuestion, sites: Sites) -> Json:
    """Everything that is visible on that language's site, and all its pages as sources."""
    text, urls = sites[question.set, question.language]
    return reply(text, *urls)


def mistaken(question: SiteQuestion, sites: Sites) -> Json:
    """The same, of the same firm's site in another language."""
    text, urls = sites[question.set, OTHER[question.language]]
    return reply(text, *urls)


TABLES: dict[Fake, str] = {
    # Nothing is left to chance: 15 answerable and 5 others a language of each site, all of them
    # right.
    perfect: (
        """
               med en  med he  med ru  biz en  biz he  biz ru  total
    delivered  20/20   20/20   20/20   20/20   20/20   20/20   120/120
    facts      15/15   15/15   15/15   15/15   15/15   15/15   90/90
    cited      15/15   15/15   15/15   15/15   15/15   15/15   90/90
    language   20/20   20/20   20/20   20/20   20/20   20/20   120/120
    declined   5/5     5/5     5/5     5/5     5/5     5/5     30/30
    """
    ),
    # "An undelivered answer fails every measure that applies to it": so no source is credited
    # although the right page is returned, no letters are in no wrong script only where there is an
    # answer, and saying nothing is no decline.
    empty: (
        """
               med en  med he  med ru  biz en  biz he  biz ru  total
    delivered  0/20    0/20    0/20    0/20    0/20    0/20    0/120
    facts      0/15    0/15    0/15    0/15    0/15    0/15    0/90
    cited      0/15    0/15    0/15    0/15    0/15    0/15    0/90
    language   0/20    0/20    0/20    0/20    0/20    0/20    0/120
    declined   0/5     0/5     0/5     0/5     0/5     0/5     0/30
    """
    ),
    # Full marks for what is not on the site, and none for the rest: that is why no single score is
    # published. A decline holds no fact by accident, in particular no spelling that is a common
    # word.
    declining: (
        """
               med en  med he  med ru  biz en  biz he  biz ru  total
    delivered  20/20   20/20   20/20   20/20   20/20   20/20   120/120
    facts      0/15    0/15    0/15    0/15    0/15    0/15    0/90
    cited      0/15    0/15    0/15    0/15    0/15    0/15    0/90
    language   20/20   20/20   20/20   20/20   20/20   20/20   120/120
    declined   5/5     5/5     5/5     5/5     5/5     5/5     30/30
    """
    ),
    # The rule is literal: a dump holds every fact (each question's page states it) and returns
    # every page, so it passes both; names, addresses and phones in Latin letters leave the language
    # what it is (links are not counted). It declines nowhere: no page says in passing what the
    # decline lists hold, and grounding is reported.
    dumping: (
        """
               med en  med he  med ru  biz en  biz he  biz ru  total
    delivered  20/20   20/20   20/20   20/20   20/20   20/20   120/120
    facts      15/15   15/15   15/15   15/15   15/15   15/15   90/90
    cited      15/15   15/15   15/15   15/15   15/15   15/15   90/90
    language   20/20   20/20   20/20   20/20   20/20   20/20   120/120
    declined   0/5     0/5     0/5     0/5     0/5     0/5     0/30
    """
    ),
    # Each language is "its own small site with its own facts": its pages and its script are wrong
    # for another. The two facts are numbers that the other site has of something else (12:30, 72).
    mistaken: (
        """
               med en  med he  med ru  biz en  biz he  biz ru  total
    delivered  20/20   20/20   20/20   20/20   20/20   20/20   120/120
    facts      2/15    0/15    0/15    0/15    0/15    0/15    2/90
    cited      0/15    0/15    0/15    0/15    0/15    0/15    0/90
    language   0/20    0/20    0/20    0/20    0/20    0/20    0/120
    declined   0/5     0/5     0/5     0/5     0/5     0/5     0/30
    """
    ),
}
# Every answer to a question that is not on the site (30) and every failed answerable one (none, or
# all 90).
TO_READ: dict[Fake, int] = {perfect: 30, empty: 120, declining: 120, dumping: 30, mistaken: 120}


@pytest.fixture(scope="module")
def sites() -> Sites:
    return {
        (site.set, site.language): (
            "\n\n".join(visible_text(page.html) for page in site.pages),
            [page.url for page in site.pages],
        )
        for site in load()
    }


@pytest.fixture(scope="module")
def asked() -> tuple[SiteQuestion, ...]:
    files = [
        questions.load(ROOT / "questions" / f"questions-{name}.json") for name in questions.SETS
    ]
    return tuple(question for file in files for question in file.questions)


def scored(fake: Fake, sites: Sites, asked: tuple[SiteQuestion, ...]) -> tuple[Verdict, ...]:
    records = {q.id: record_of(line(q.id, fake(q, sites))) for q in asked}
    return verdicts(rules(), Places(), asked, records, {})


@pytest.fixture(autouse=True)
def _each_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dump is one text for twenty questions; reading a text is pure."""
    for name in ("Haystack", "letters_of"):
        monkeypatch.setattr(
            f"benchmark.scoring.site_measures.{name}", cache(getattr(site_measures, name))
        )


@pytest.mark.parametrize("fake", TABLES, ids=lambda fake: str(fake.__name__))
def test_table(fake: Fake, sites: Sites, asked: tuple[SiteQuestion, ...]) -> None:
    """The table is what the rubric implies; nobody has read these answers, so it is a draft."""
    found = scored(fake, sites, asked)
    cells = [*results.cells(found), ("", "")]
    rows = [
        [name, *(results.row(found, name, *cell).text for cell in cells)]
        for name in results.measure_names(found)
    ]
    heading, *expected = [row.split() for row in TABLES[fake].strip().splitlines()]
    assert [part for cell in cells[:-1] for part in cell] == heading[:-1]
    assert rows == expected
    summary = plain(Summary.of(found))
    counts = {
        key: summary["counts"][key]
        for key in ("questions", "asked", "to_read", "read", "stale", "faulty")
    }
    assert counts == {
        "questions": 120,
        "asked": 120,
        "to_read": TO_READ[fake],
        "read": 0,
        "stale": 0,
        "faulty": 0,
    }
    assert summary["status"] == "draft"


def test_no_page_says_what_must_not_be_said(sites: Sites, asked: tuple[SiteQuestion, ...]) -> None:
    """A true sentence is never forbidden: the dump with a report of no grounding declines,
    literally, all 30."""
    absent = [q for q in asked if q.kind == "not_on_site"]
    records = {
        q.id: record_of(line(q.id, {**dumping(q, sites), "hasGroundingContent": False}))
        for q in absent
    }
    assert results.row(verdicts(rules(), Places(), absent, records, {}), "declined").text == "30/30"
