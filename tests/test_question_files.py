"""Question files (rubric, "The question file"): every fault is found, all at once, and says where
and what."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.scoring_inputs import (
    ANSWERABLE,
    HOME,
    NOT_ON_SITE,
    PRICES,
    ROOT,
    Json,
    question,
    question_file,
)
from syrupy.assertion import SnapshotAssertion

from benchmark.core.errors import InvalidInput
from benchmark.core.files import sha256
from benchmark.core.records import LANGUAGES, QuestionSet
from benchmark.demo.sites import load as load_sites
from benchmark.questions import decline, evidence, sites
from benchmark.text.urls import page_identity


def faults(path: Path) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        sites.load(path)
    return list(caught.value.faults)


# Structure ----------------------------------------------------------------------------------------

LONG = "x" * 100
BAD: dict[str, tuple[Json, str]] = {  # the item, and its field at fault
    "an unknown field": (ANSWERABLE | {"note": 1}, "note"),
    "an id with a space": (ANSWERABLE | {"id": "med en"}, "id"),
    "an id that climbs": (ANSWERABLE | {"id": "../x"}, "id"),
    "an id that is no text": (ANSWERABLE | {"id": 7}, "id"),
    "another language": (ANSWERABLE | {"language": "de"}, "language"),
    "a language that is no text": (ANSWERABLE | {"language": ["en"]}, "language"),
    "another kind": (ANSWERABLE | {"kind": "open"}, "kind"),
    "a kind that is no text": (ANSWERABLE | {"kind": {}}, "kind"),
    "an empty question": (ANSWERABLE | {"question": " \n"}, "question"),
    "a question that is no text": (ANSWERABLE | {"question": None}, "question"),
    "a page that is no address": (ANSWERABLE | {"source_url": "prices"}, "source_url"),
    "a script as a page": (
        ANSWERABLE | {"also_source_urls": [PRICES, "javascript:x"]},
        "also_source_urls",
    ),
    "pages that are no list": (ANSWERABLE | {"also_source_urls": PRICES}, "also_source_urls"),
    "evidence that is no text": (ANSWERABLE | {"evidence": 5}, "evidence"),
    "no facts": (ANSWERABLE | {"facts": []}, "facts"),
    "facts without groups": (ANSWERABLE | {"facts": ["120"]}, "facts"),
    "an empty group": (ANSWERABLE | {"facts": [["120"], []]}, "facts"),
    "an empty spelling": (ANSWERABLE | {"facts": [["120", ""]]}, "facts"),
    "a blank spelling": (ANSWERABLE | {"facts": [[" "]]}, "facts"),
    "a spelling that is no text": (ANSWERABLE | {"facts": [["120", 120]]}, "facts"),
    "an empty forbidden string": (NOT_ON_SITE | {"must_not_include": [""]}, "must_not_include"),
    "a forbidden number": (NOT_ON_SITE | {"must_not_include": [5]}, "must_not_include"),
    "forbidden in one text": (NOT_ON_SITE | {"must_not_include": "we do"}, "must_not_include"),
    "facts of a question without an answer": (NOT_ON_SITE | {"facts": [["120"]]}, "facts"),
    "forbidden strings of an answerable one": (
        ANSWERABLE | {"must_not_include": ["x"]},
        "must_not_include",
    ),
    "something very long": (ANSWERABLE | {"language": LONG}, "language"),
}
MISSING = [
    *((ANSWERABLE, field) for field in ("id", "language", "question", "source_url", "facts")),
    *((item, "kind") for item in (ANSWERABLE, NOT_ON_SITE)),
    *((NOT_ON_SITE, field) for field in ("id", "language", "question")),
]


@pytest.mark.parametrize("item, field", BAD.values(), ids=BAD)
def test_a_fault_is_named(
    item: Json, field: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """A fault "names file, id, field, what was given and what is accepted", in one line, and it is
    the only one."""
    path = question_file(tmp_path / "questions-med.json", [item])
    (fault,) = faults(path)
    assert f": {field}: " in fault
    assert fault.removeprefix(f"{path}: ") == snapshot


@pytest.mark.parametrize(
    "item, field", MISSING, ids=[f"{item['kind']} {field}" for item, field in MISSING]
)
def test_a_missing_field_is_named(item: Json, field: str, tmp_path: Path) -> None:
    """Every field that a question of its kind needs is asked for, by its name."""
    path = question_file(
        tmp_path / "q.json", [{key: value for key, value in item.items() if key != field}]
    )
    (fault,) = faults(path)
    assert fault.startswith(
        f"{path}: {'question 1' if field == 'id' else item['id']}: {field}: missing; expected "
    )


@pytest.mark.parametrize("item", [ANSWERABLE, NOT_ON_SITE], ids=lambda item: str(item["kind"]))
def test_what_may_be_left_out(item: Json, tmp_path: Path) -> None:
    """Structure alone: other pages, evidence and forbidden strings may be missing, and a concept
    may be there."""
    optional = ("also_source_urls", "evidence", "must_not_include")
    short = {key: value for key, value in item.items() if key not in optional} | {
        "concept": "prices"
    }
    (read,) = sites.load(question_file(tmp_path / "q.json", [short])).questions
    assert (read.also_source_urls, read.evidence, read.must_not_include, read.concept) == (
        (),
        "",
        (),
        "prices",
    )


def test_fields_of_the_other_kind_may_stand_empty(tmp_path: Path) -> None:
    """A file that another program wrote with every field in every question is read."""
    other = {"source_url": "", "also_source_urls": [], "evidence": "", "facts": []}
    items = [ANSWERABLE | {"must_not_include": []}, NOT_ON_SITE | other]
    assert len(sites.load(question_file(tmp_path / "q.json", items)).questions) == 2


def test_an_id_stands_once(tmp_path: Path) -> None:
    """A duplicate id is one fault, however often it stands."""
    path = question_file(tmp_path / "q.json", [ANSWERABLE, NOT_ON_SITE, ANSWERABLE, ANSWERABLE])
    assert faults(path) == [f"{path}: med-en-01: id: stands 3 times; expected once"]


def test_a_field_stands_once(tmp_path: Path) -> None:
    """JSON lets a key stand twice and silently drops one: here it is a fault."""
    path = tmp_path / "q.json"
    item = json.dumps(ANSWERABLE)[:-1] + ', "question": "how much is a return visit"}'
    path.write_text(
        f'{{"set": "med", "version": "1", "version": "2", "questions": [{item}]}}', "utf-8"
    )
    assert faults(path) == [
        f"{path}: {where}: stands twice; expected once"
        for where in ("version", "med-en-01: question")
    ]


WHOLE: dict[str, Any] = {
    "nothing": "",
    "no JSON": '{"set": "med" x}',
    "a list": "[]",
    "nested too deep": "[" * 100_000,
    "no set": '{"version": "1", "questions": []}',
    "no version": '{"set": "med", "questions": []}',
    "no questions": '{"set": "med", "version": "1"}',
    "questions that are no list": '{"set": "med", "version": "1", "questions": {}}',
    "a set with a path": '{"set": "../x", "version": "1", "questions": []}',
    "an unknown field": '{"set": "med", "version": "1", "questions": [], "x": 1}',
    "a question that is none": '{"set": "med", "version": "1", "questions": [5]}',
    "a number too long": '{"set": "med", "version": "1", "questions": ' + "1" * 5000 + "}",
}


@pytest.mark.parametrize("text", WHOLE.values(), ids=WHOLE)
def test_a_file_that_is_none(text: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """What is wrong with the whole file is said of the file."""
    path = tmp_path / "q.json"
    path.write_text(text, "utf-8")
    (fault,) = faults(path)
    assert fault.removeprefix(f"{path}: ").partition(" (")[0] == snapshot  # Python's own words


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """Missing, a folder, or no UTF-8: each is said, and none of them is an exception of another
    kind."""
    (tmp_path / "latin-1.json").write_bytes(b'{"set": "m\xe9d"}')
    given = {
        "missing.json": "cannot be read (No such file",
        ".": "cannot be read (Is a dir",
        "latin-1.json": "byte 10",
    }
    for name, reason in given.items():
        (fault,) = faults(tmp_path / name)
        assert fault.startswith(f"{tmp_path / name}: {reason}")


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    """Editors write one; the digest is of the bytes as they are."""
    path = question_file(tmp_path / "q.json", [ANSWERABLE])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    read = sites.load(path)
    assert (read.sha256, read.path, read.set, read.version) == (
        sha256(path.read_bytes()),
        str(path),
        "med",
        "2026.4.0",
    )


def test_all_faults_at_once(tmp_path: Path) -> None:
    """A file is mended in one go: every fault of every question is in one error, in the file's
    order."""
    items = [item for item, *_ in BAD.values()]
    names = [
        item["id"] if isinstance(item["id"], str) else f"question {n}"
        for n, item in enumerate(items, 1)
    ]
    starts = [f"{name}: {field}: got" for name, (_, field) in zip(names, BAD.values(), strict=True)]
    starts[0] = "med-en-01: note: unknown field"
    path = question_file(tmp_path / "q.json", items, version="")
    expected = [
        "version: got ''",
        *starts,
        *(f"{name}: id: stands" for name in ("med-en-01", "med-en-16")),
    ]
    found = faults(path)
    assert [
        fault[: len(f"{path}: {start}")] for fault, start in zip(found, expected, strict=True)
    ] == [f"{path}: {start}" for start in expected]


def test_hostile_words_of_a_file_reach_no_terminal(tmp_path: Path) -> None:
    """What was given is shown escaped: control characters, bidi overrides and lone surrogates steer
    nothing."""
    nasty = "\x1b[2J\u202e\ud800\n"
    path = question_file(
        tmp_path / "q.json", [ANSWERABLE | {nasty: 1, "language": nasty, "id": nasty}, ANSWERABLE]
    )
    text = "".join(faults(path))
    assert "\\x1b[2J\\u202e\\ud800\\n" in text
    assert text.isprintable()


# A set --------------------------------------------------------------------------------------------

TEXTS = {
    "en": ("how much is a first visit", "do you take Delta Dental"),
    "he": ("כמה עולה ביקור ראשון", "אתם עובדים עם דלתא"),
    "ru": ("сколько стоит первый приём", "вы принимаете полисы Дельта"),
}


def whole_set(change: Mapping[str, Json] | None = None) -> QuestionSet:
    """15 and 5 good questions a language; `change` has fields to replace by id."""
    items = []
    for language, (answerable, absent) in TEXTS.items():
        for number in range(1, 21):
            base = ANSWERABLE if number <= 15 else NOT_ON_SITE
            words = answerable if number <= 15 else absent
            name = f"med-{language}-{number:02}"
            items.append(
                {
                    **base,
                    "id": name,
                    "language": language,
                    "question": words,
                    **(change or {}).get(name, {}),
                }
            )
    return QuestionSet(
        "med", "2026.4.0", tuple(map(question, items)), "", "questions/questions-med.json"
    )


PAGE = """<title>120</title><p>A first visit costs <b>$120</b> and
lasts 30&nbsp;minutes.<p hidden>A return visit costs $80."""


def fetch(pages: Mapping[str, str]) -> Callable[[str], str]:
    def one(url: str) -> str:
        if url not in pages:
            raise OSError("HTTP 404")
        return pages[url]

    return one


def checked(change: Mapping[str, Json], pages: Mapping[str, str] | None = None) -> list[str]:
    """Every fault of the set, against pages in memory, without the name of the file, which each
    begins with."""
    whole = whole_set(change)
    found = list(
        evidence.faults(whole, evidence.Pages(fetch({PRICES: PAGE} if pages is None else pages)))
    )
    assert all(fault.startswith(f"{whole.path}: ") for fault in found)
    return [fault.removeprefix(f"{whole.path}: ") for fault in found]


def test_a_good_set_has_no_fault() -> None:
    """Evidence is read as a visitor reads it: across tags, entities, white space and case."""
    assert checked({}) == []
    assert (
        checked({"med-en-01": {"evidence": "a FIRST visit costs $120  and lasts 30 minutes"}}) == []
    )


def test_wrong_counts() -> None:
    """15 answerable and 5 not on the site in each language: each wrong count is named with what it
    is."""
    whole = whole_set()
    short = replace(
        whole, questions=tuple(q for q in whole.questions if q.id not in ("med-en-01", "med-ru-16"))
    )
    found = list(sites.faults_of_set(short))
    assert found == [
        "med: en: 14 answerable questions; expected 15",
        "med: ru: 4 not_on_site questions; expected 5",
    ]
    assert len(list(sites.faults_of_set(replace(whole, questions=())))) == 6


def test_a_language_without_a_site() -> None:
    """Arabic is a site to come: a question file may hold it for `score`, and the published sets may
    not."""
    assert "ar" in LANGUAGES
    found = checked({"med-en-01": {"language": "ar", "question": "كم سعر الزيارة"}})
    assert "med-en-01: language: got 'ar'; expected one of en, he, ru" in found


OF_A_SET: dict[str, tuple[str, Json]] = {  # the id, and what is changed
    "another script": ("med-ru-03", {"question": "how much is it"}),
    "half another script": ("med-he-03", {"question": "אבגד abcd"}),
    "no letters": ("med-en-03", {"question": "?"}),
    "a mixed word in the question": ("med-ru-03", {"question": "cколько стоит первый приём"}),
    "a mixed word in a spelling": ("med-ru-03", {"facts": [["120", "сто двaдцать"]]}),
    "a mixed word in a forbidden string": ("med-en-16", {"must_not_include": ["we аccept"]}),
    "forbidden in its own question": ("med-en-16", {"must_not_include": ["TAKE  Delta"]}),
    "facts that the evidence does not state": ("med-en-01", {"facts": [["120"], ["165", "$165"]]}),
    "a fact inside another number": ("med-en-01", {"facts": [["20"]]}),
    "evidence that is not on the page": (
        "med-en-01",
        {"evidence": "A first visit costs $120 and ends."},
    ),
    "evidence that is hidden": (
        "med-en-01",
        {"evidence": "A return visit costs $80", "facts": [["80"]]},
    ),
    "evidence in the title": ("med-en-01", {"evidence": "120 A first visit", "facts": [["120"]]}),
    "no evidence": ("med-en-01", {"evidence": " "}),
    "a page that is gone": ("med-en-01", {"source_url": HOME}),
    "another page that is gone": ("med-en-01", {"also_source_urls": [HOME]}),
}


@pytest.mark.parametrize("name, change", OF_A_SET.values(), ids=OF_A_SET)
def test_a_fault_of_a_set_is_named(name: str, change: Json, snapshot: SnapshotAssertion) -> None:
    """What the form cannot show: scripts, mixed words, forbidden strings, evidence; each by file,
    id and field."""
    assert checked({name: change}) == snapshot


def test_every_page_that_may_be_cited_states_the_facts() -> None:
    """Another page that says the same must say it: else a citation of it would pass by mistake."""
    pages = {PRICES: PAGE, HOME: "<p>Welcome"}
    found = checked({"med-en-01": {"also_source_urls": [HOME]}}, pages)
    assert found == [f"med-en-01: {HOME}: states none of ['120', '$120']"]
    assert (
        checked({"med-en-01": {"also_source_urls": [HOME]}}, {PRICES: PAGE, HOME: "<p>From 120"})
        == []
    )


def test_all_faults_of_a_set_at_once() -> None:
    """One list: a question's faults do not hide another's, and a page that is gone hides none."""
    changes: dict[str, Json] = {
        "med-en-02": {"question": "сколько стоит"},
        "med-he-02": {"facts": [["165"]]},
        "med-ru-02": {"source_url": HOME},
        "med-ru-16": {"must_not_include": ["полисы"]},
    }
    found = checked(changes)
    assert {fault.split(":")[0] for fault in found} == set(changes)
    assert (
        len(list(sites.faults_of_set(whole_set(changes)))) == 3
    )  # the page is no matter of the file alone


def test_a_page_is_fetched_once() -> None:
    """A live page is asked for once, whether it is there or not, however many questions speak of
    it."""
    asked: list[str] = []

    def counting(url: str) -> str:
        asked.append(url)
        raise OSError("HTTP 500")

    found = list(evidence.faults(whole_set(), evidence.Pages(counting)))
    assert asked == [PRICES]
    assert len(found) == 45


# Warnings -----------------------------------------------------------------------------------------


def warned(change: Mapping[str, Json], others: Mapping[str, str] | None = None) -> list[str]:
    pages = {PRICES: PAGE, **(others or {})}
    known = {"en": [*pages]}
    asked = whole_set(change)
    own = replace(asked, questions=tuple(q for q in asked.questions if q.id in change))
    return list(evidence.warnings(own, evidence.Pages(fetch(pages)), known))


RISKS: dict[str, tuple[Json, Mapping[str, str], str]] = {
    "one to three letters": ({"facts": [["and"]]}, {}, "'and' is one to three letters"),
    "a Russian word in a form": ({"facts": [["суббота"]]}, {}, "'суббота' changes its ending"),
    "digits elsewhere": ({}, {HOME: "<p>Room 120"}, f"'120' occurs elsewhere on the site ({HOME})"),
}


@pytest.mark.parametrize("change, others, warning", RISKS.values(), ids=RISKS)
def test_a_risky_spelling_is_warned_of(
    change: Json, others: Mapping[str, str], warning: str
) -> None:
    """ "`check` warns of spellings that this makes risky": what the literal rule would pass by
    accident."""
    found = warned({"med-en-01": change}, others)
    assert any(text.startswith(f"med-en-01: {warning}") for text in found)
    assert warned({"med-en-01": {"facts": [["$120"]]}}, {HOME: "<p>$1200"}) == []


def test_the_page_itself_is_not_elsewhere() -> None:
    """The page, by any of its addresses, and those that say the same are where the spelling
    belongs."""
    others = {PRICES + "index.html?utm_source=x": PAGE, HOME: PAGE}
    assert (
        warned(
            {
                "med-en-01": {
                    "also_source_urls": [HOME.replace("https", "http")],
                    "facts": [["$120"]],
                }
            },
            others,
        )
        == []
    )


def test_a_forbidden_string_on_a_page_is_warned_of() -> None:
    """A true sentence must not be forbidden."""
    found = warned({"med-en-16": {"must_not_include": ["costs $120", "costs $125"]}})
    assert found == [
        f"med-en-16: 'costs $120' stands on {PRICES}, so a true sentence would be forbidden"
    ]


# The decline lists --------------------------------------------------------------------------------


def test_every_fault_of_the_decline_lists_names_its_place(tmp_path: Path) -> None:
    """A word in place of a list would be read as phrases of one letter, which stand in every
    answer."""
    lists = [
        {"since": "2026-10-28", "phrases": {"en": ["no word"], "ru": "неизвестно"}},
        {"since": "2026-13-01", "phrases": {"he": [" "]}, "note": ""},
        "2026-11-05",
    ]
    (tmp_path / "decline.json").write_text(
        json.dumps({"lists": lists, "pinned": {"2026-Q4": 5}}), "utf-8"
    )
    with pytest.raises(InvalidInput) as caught:
        decline.load(tmp_path / "decline.json")
    faults = [fault.removeprefix(f"{tmp_path}/decline.json: ") for fault in caught.value.faults]
    assert [fault.partition("; expected")[0] for fault in faults] == [
        "lists[0]: phrases: ru: got 'неизвестно'",
        "lists[1]: since: got '2026-13-01'",
        "lists[1]: phrases: he: got [' ']",
        "lists[1]: note: unknown field",
        "lists[2]: got '2026-11-05'",
        "pinned: 2026-Q4: got 5",
    ]


@pytest.mark.parametrize(
    "value", [[], {}, {"lists": []}, {"lists": {}}, {"lists": [{}], "pinned": []}]
)
def test_a_file_that_holds_no_decline_lists(value: Any, tmp_path: Path) -> None:
    (tmp_path / "decline.json").write_text(json.dumps(value), "utf-8")
    with pytest.raises(InvalidInput, match="expected a list that is not empty|lists"):
        decline.load(tmp_path / "decline.json")


# The shipped files --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sites.SETS)
def test_the_shipped_files_pass(name: str) -> None:
    """All 120 are proved by the shipped pages: 60 a set, 15 and 5 a language, ids that say what
    they are."""
    read = sites.load(ROOT / "questions" / f"questions-{name}.json")
    shipped = {page_identity(page.url): page.html for site in load_sites() for page in site.pages}
    pages: Mapping[Any, str] = {
        url: shipped[page_identity(url)] for q in read.questions for url in urls_of(q)
    }
    assert list(evidence.faults(read, evidence.Pages(fetch(pages)))) == []
    expected = [
        f"{name}-{language}-{number:02}"
        for language in ("en", "he", "ru")
        for number in range(1, 21)
    ]
    assert [q.id for q in read.questions] == expected
    assert all(q.id.startswith(f"{read.set}-{q.language}-") for q in read.questions)


def urls_of(q: Any) -> list[str]:
    return [url for url in (q.source_url, *q.also_source_urls) if url]
