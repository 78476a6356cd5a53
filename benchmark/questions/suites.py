"""Suite files of Track B (rubric, "Track B"): to sets, every fault of a file in one
error.

A question's id becomes `{suite}-{id}`, so that ids are unique over all suites; its language is that
of its letters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark.core import validation
from benchmark.core.errors import InvalidInput
from benchmark.core.records import (
    ANSWERABLE,
    METHODS,
    Question,
    SuiteQuestion,
    SuiteSet,
    from_plain,
)
from benchmark.text.normalise import letters

_SUITE = validation.Object(
    {
        "id": validation.ID,
        "name": validation.TEXT,
        "category": validation.ANY_TEXT,
        "description": validation.ANY_TEXT,
        "questions": validation.Value(
            lambda value: isinstance(value, list) and bool(value), "a list that is not empty"
        ),
    },
    optional=("category", "description"),
)
_QUESTION = validation.Object(
    {
        "id": validation.ID,
        "question": validation.TEXT,
        "reference_answer": validation.TEXT,
        "scoring": validation.one_of(*METHODS),
        "metadata": validation.OBJECT,
        "required": validation.GROUPS,
    },
    optional=("metadata", "required"),
)


def load(path: Path) -> SuiteSet:
    """A suite file. InvalidInput lists all its faults."""
    hint = "docs/suites.md describes the form of a suite."
    value, digest = validation.load(path, _faults, hint)
    questions = tuple(_question(value["id"], item) for item in value["questions"])
    texts = {key: value.get(key, "") for key in ("name", "category", "description")}
    return SuiteSet(value["id"], digest[:12], questions, digest, str(path), **texts)


def load_all(folder: Path, ids: tuple[str, ...] = ()) -> tuple[SuiteSet, ...]:
    """The suites of a folder: those named, or all. InvalidInput lists unknown names and the faults
    of every file."""
    faults: list[str] = []
    found: list[SuiteSet] = []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(load(path))
        except InvalidInput as fault:
            faults += fault.faults
    known = [suite.set for suite in found]
    faults += [
        f"--suites: got {name!a}; expected all, or some of {', '.join(known)}"
        for name in ids
        if name not in known
    ]
    if faults or not found:
        raise InvalidInput(faults or [f"{folder}: no suite file (*.json) is there"])
    return tuple(suite for suite in found if not ids or suite.set in ids)


def _faults(value: Any) -> Iterator[str]:
    yield from _SUITE.faults(value)
    if isinstance(value, dict):
        yield from validation.faults_of_items(value.get("questions"), _QUESTION.faults)


def _question(suite: str, item: dict[str, Any]) -> SuiteQuestion:
    counts = letters(item["question"])
    values = {
        "id": f"{suite}-{item['id']}",
        "set": suite,
        "language": "ar" if 2 * counts.get("ar", 0) >= sum(counts.values()) else "en",
        "kind": ANSWERABLE,
    }
    return from_plain(SuiteQuestion, {**item, **values})


def local_id(question: Question) -> str:
    """The id as the suite's own file has it."""
    return question.id.removeprefix(f"{question.set}-")
