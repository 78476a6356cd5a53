"""Question files (rubric, "The question file"): to `QuestionSet`s, every fault of a file in one
error.

`load` checks structure alone: types, known fields, ids, languages. `faults_of_set` adds what can be
told without the pages: counts, scripts, forbidden strings. What needs the pages is in
`benchmark.questions.evidence`."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark.core import validation
from benchmark.core.records import (
    ANSWERABLE,
    LANGUAGES,
    NOT_ON_SITE,
    QuestionSet,
    SiteQuestion,
    SiteSet,
    from_plain,
)
from benchmark.text.appears import Haystack
from benchmark.text.normalise import letters
from benchmark.text.urls import page_identity

SETS = ("med", "biz")
COUNTS = {ANSWERABLE: 15, NOT_ON_SITE: 5}
SITE_LANGUAGES = ("en", "he", "ru")
_WORD = re.compile(r"[^\W\d_]+")


def _is_url(value: Any) -> bool:
    return isinstance(value, str) and page_identity(value) is not None


def _is_urls(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_url, value))


_URL = validation.Value(_is_url, "an http(s) address")
_LIST = validation.Value(validation.is_a(list), "a list")
_SET = validation.Object({"set": validation.ID, "version": validation.TEXT, "questions": _LIST})
_COMMON: dict[str, validation.Check] = {
    "id": validation.ID,
    "language": validation.one_of(*LANGUAGES),
    "kind": validation.one_of(*COUNTS),
    "question": validation.TEXT,
    "concept": validation.TEXT,
}
_FIELDS: dict[str, dict[str, validation.Check]] = {
    ANSWERABLE: {
        "source_url": _URL,
        "also_source_urls": validation.Value(_is_urls, "a list of http(s) addresses"),
        "evidence": validation.Value(validation.is_a(str), "a text, copied from the page"),
        "facts": validation.GROUPS,
    },
    NOT_ON_SITE: {"must_not_include": validation.TEXTS},
}
_OPTIONAL = ("concept", "also_source_urls", "evidence", "must_not_include")


def load(path: Path) -> SiteSet:
    """A question file, its structure checked. InvalidInput lists all its faults, each with file, id
    and field."""
    hint = "The form is described in docs/adding.md."
    value, digest = validation.load(path, _structure, hint)
    questions = tuple(_question(item, value["set"]) for item in value["questions"])
    return SiteSet(value["set"], value["version"], questions, digest, str(path))


def _structure(value: Any) -> Iterator[str]:
    yield from _SET.faults(value)
    if isinstance(value, dict):
        yield from validation.faults_of_items(value.get("questions"), _item)


def _item(item: Any) -> Iterator[str]:
    """Faults of a question; without a kind, no field can be called missing or out of place."""
    kind = item.get("kind") if isinstance(item, dict) else None
    yield from _FORMS.get(kind if isinstance(kind, str) else "", _ANY_KIND).faults(item)


def _form(kind: str) -> validation.Object:
    """A field of the other kind may stand empty, as in a file that another program wrote."""
    own = _FIELDS[kind]
    others = {name: _EMPTY for fields in _FIELDS.values() for name in fields if name not in own}
    return validation.Object(_COMMON | own | others, (*_OPTIONAL, *others))


_EMPTY = validation.Value(lambda value: not value, "nothing, for a question of this kind")
_FORMS = {kind: _form(kind) for kind in COUNTS}
_EVERYTHING = _COMMON | _FIELDS[ANSWERABLE] | _FIELDS[NOT_ON_SITE]
_ANY_KIND = validation.Object(_EVERYTHING, _EVERYTHING.keys() - {"id", "kind"})


def _question(item: dict[str, Any], name: str) -> SiteQuestion:
    return from_plain(SiteQuestion, {"set": name, **{k: v for k, v in item.items() if v}})


# What a set must be, beyond its form --------------------------------------------------------------


def faults_of_set(questions: QuestionSet) -> Iterator[str]:
    """Counts of each kind and language, scripts, spellings against the evidence, forbidden strings:
    needs no page."""
    counted = Counter((q.language, q.kind) for q in questions.questions)
    for language in SITE_LANGUAGES:
        for kind, count in COUNTS.items():
            if counted[language, kind] != count:
                yield (
                    f"{questions.set}: {language}: {counted[language, kind]} {kind} questions;"
                    f" expected {count}"
                )
    yield from (
        f"{q.id}: language: got {q.language!r}; expected one of {', '.join(SITE_LANGUAGES)}"
        for q in questions.questions
        if q.language not in SITE_LANGUAGES
    )
    for question in questions.questions:
        yield from (f"{question.id}: {fault}" for fault in faults_of_question(question))


def faults_of_question(question: SiteQuestion) -> Iterator[str]:
    counted = letters(question.question)
    if 2 * counted.get(question.language, 0) <= sum(counted.values()):
        yield (
            f"question: got {question.question!r}; expected a question in the script of"
            f" {question.language!r}"
        )
    for field, text in _texts(question):
        yield from (
            f"{field}: the word {word!r} mixes Latin and Cyrillic letters; expected one script a"
            " word"
            for word in _WORD.findall(text)
            if _is_mixed(word)
        )
    asked, evidence = Haystack(question.question), Haystack(question.evidence)
    yield from (
        f"must_not_include: {spelling!r} stands in the question itself; expected a string that"
        " does not"
        for spelling in question.must_not_include
        if asked.find(spelling)
    )
    yield from (
        f"facts: none of {list(group)} appears in the evidence; expected a group with a spelling"
        " that does"
        for group in question.facts
        if not any(map(evidence.find, group))
    )


def _texts(question: SiteQuestion) -> Iterator[tuple[str, str]]:
    yield "question", question.question
    yield from (("facts", spelling) for group in question.facts for spelling in group)
    yield from (("must_not_include", spelling) for spelling in question.must_not_include)


def _is_mixed(word: str) -> bool:
    scripts = {unicodedata.name(c, "").split(" ")[0] for c in word}
    return {"LATIN", "CYRILLIC"} <= scripts
