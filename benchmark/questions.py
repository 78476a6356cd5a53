"""Question files (rubric, "The question file"): to `QuestionSet`s, every fault of a file in one error.

`load` checks structure alone: types, known fields, ids, languages. `faults_of_set` adds what can be told without the
pages: counts, scripts, forbidden strings. What needs the pages is in `benchmark.check`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmark.appears import Haystack
from benchmark.data import ANSWERABLE, LANGUAGES, NOT_ON_SITE, Question, QuestionSet
from benchmark.errors import InvalidInput
from benchmark.files import parse_json, read_bytes, sha256
from benchmark.pages import page_identity
from benchmark.text import letters

SETS = ("med", "biz")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
COUNTS = {ANSWERABLE: 15, NOT_ON_SITE: 5}
SITE_LANGUAGES = ("en", "he", "ru")
_WORD = re.compile(r"[^\W\d_]+")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_groups(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_texts(group) and group for group in value)


def _is_url(value: Any) -> bool:
    return isinstance(value, str) and page_identity(value) is not None


def _is_urls(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_url, value))


Check = tuple[Callable[[Any], bool], str]
_TEXT: Check = (_is_text, "a text that is not empty")
_COMMON: dict[str, Check] = {
    "id": (lambda value: isinstance(value, str) and bool(ID.fullmatch(value)), "1 to 64 of A-Z a-z 0-9 . _ -"),
    "language": (lambda value: value in LANGUAGES, f"one of {', '.join(LANGUAGES)}"),
    "kind": (lambda value: value in COUNTS, " or ".join(COUNTS)),
    "question": _TEXT,
    "concept": _TEXT,
}
_FIELDS: dict[str, dict[str, Check]] = {
    ANSWERABLE: {
        "source_url": (_is_url, "an http(s) address"),
        "also_source_urls": (_is_urls, "a list of http(s) addresses"),
        "evidence": (lambda value: isinstance(value, str), "a text, copied from the page"),
        "facts": (_is_groups, "a list of groups, each a list of spellings, none of them empty"),
    },
    NOT_ON_SITE: {"must_not_include": (_is_texts, "a list of texts, none of them empty")},
}
_OPTIONAL = ("concept", "also_source_urls", "evidence", "must_not_include")


def load(path: Path) -> QuestionSet:
    """A question file, its structure checked. InvalidInput lists all its faults, each with file, id and field."""
    data = read_bytes(path)
    value = parse_json(data, str(path))
    faults = list(_structure(value))
    if faults:
        raise InvalidInput([f"{path}: {fault}" for fault in faults], "The form is described in docs/adding.md.")
    questions = tuple(_question(item, value["set"]) for item in value["questions"])
    return QuestionSet(value["set"], value["version"], questions, sha256(data), str(path))


def _structure(value: Any) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"given a JSON {type(value).__name__}, accepted is an object with set, version and questions"
        return
    yield from _fields(
        value, {"set": (_COMMON["id"]), "version": _TEXT, "questions": (lambda v: isinstance(v, list), "a list")}
    )
    items = value.get("questions")
    if not isinstance(items, list):
        return
    for number, item in enumerate(items, 1):
        name = item.get("id") if isinstance(item, dict) else None
        yield from (f"{name if isinstance(name, str) else f'question {number}'}: {fault}" for fault in _item(item))
    ids = Counter(item["id"] for item in items if isinstance(item, dict) and isinstance(item.get("id"), str))
    yield from (f"{name}: id: stands {n} times, accepted is once" for name, n in ids.items() if n > 1)


def _item(item: Any) -> Iterator[str]:
    if not isinstance(item, dict):
        yield f"given {_shown(item)}, accepted is an object"
        return
    kind = item.get("kind")
    others = next((fields for name, fields in _FIELDS.items() if name != kind), {}) if kind in _FIELDS else {}
    # A field of the other kind may stand empty, as in a file that another program wrote.
    own = {name: value for name, value in item.items() if value or name not in others}
    of_kind = _FIELDS[str(kind)] if kind in _FIELDS else _FIELDS[ANSWERABLE] | _FIELDS[NOT_ON_SITE]
    yield from _fields(own, _COMMON | of_kind, kind in _FIELDS)


def _fields(value: dict[str, Any], checks: dict[str, Check], all_needed: bool = True) -> Iterator[str]:
    for name, given in value.items():
        if name not in checks:
            yield f"{name}: unknown field, accepted are {', '.join(checks)}"
        elif not checks[name][0](given):
            yield f"{name}: given {_shown(given)}, accepted is {checks[name][1]}"
    if all_needed or "kind" not in value:
        missing = [name for name in checks if name not in value and name not in _OPTIONAL]
        yield from (
            f"{name}: missing, accepted is {checks[name][1]}" for name in missing if all_needed or name == "kind"
        )
    yield from (f"{name}: stands twice in one object" for name in getattr(value, "repeated", ()))


def _shown(value: Any) -> str:
    return ascii(value) if len(ascii(value)) <= 80 else ascii(value)[:77] + "..."


def _question(item: dict[str, Any], name: str) -> Question:
    values: dict[str, Any] = {key: item[key] for key in ("id", "language", "kind", "question")}
    values |= {key: tuple(item.get(key) or ()) for key in ("also_source_urls", "must_not_include")}
    values |= {key: item.get(key) or "" for key in ("source_url", "evidence", "concept")}
    return Question(set=name, facts=tuple(tuple(group) for group in item.get("facts") or ()), **values)


# What a set must be, beyond its form ----------------------------------------------------------------------------------


def faults_of_set(questions: QuestionSet) -> Iterator[str]:
    """Counts of each kind and language, scripts, spellings against the evidence, forbidden strings: needs no page."""
    counted = Counter((q.language, q.kind) for q in questions.questions)
    for language in SITE_LANGUAGES:
        for kind, count in COUNTS.items():
            if counted[language, kind] != count:
                yield f"{questions.set}: {language}: {counted[language, kind]} {kind} questions, accepted are {count}"
    yield from (
        f"{q.id}: language: given {q.language!r}, accepted is one of {', '.join(SITE_LANGUAGES)}"
        for q in questions.questions
        if q.language not in SITE_LANGUAGES
    )
    for question in questions.questions:
        yield from (f"{question.id}: {fault}" for fault in faults_of_question(question))


def faults_of_question(question: Question) -> Iterator[str]:
    counted = letters(question.question)
    if 2 * counted.get(question.language, 0) <= sum(counted.values()):
        yield f"question: given {question.question!r}, accepted is a question in the script of {question.language!r}"
    for field, text in _texts(question):
        yield from (
            f"{field}: the word {word!r} mixes Latin and Cyrillic letters, accepted is one script a word"
            for word in _WORD.findall(text)
            if _is_mixed(word)
        )
    asked, evidence = Haystack(question.question), Haystack(question.evidence)
    yield from (
        f"must_not_include: {spelling!r} stands in the question itself, accepted is a string that does not"
        for spelling in question.must_not_include
        if asked.find(spelling)
    )
    yield from (
        f"facts: none of {list(group)} appears in the evidence, accepted is a group with a spelling that does"
        for group in question.facts
        if not any(map(evidence.find, group))
    )


def _texts(question: Question) -> Iterator[tuple[str, str]]:
    yield "question", question.question
    yield from (("facts", spelling) for group in question.facts for spelling in group)
    yield from (("must_not_include", spelling) for spelling in question.must_not_include)


def _is_mixed(word: str) -> bool:
    scripts = {unicodedata.name(c, "").split(" ")[0] for c in word}
    return {"LATIN", "CYRILLIC"} <= scripts
