"""The decline lists: data, dated, per language (rubric, "Declined")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.core import validation
from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, read_bytes, sha256

DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", re.ASCII)
_FORM = "{lists: [{since: YYYY-MM-DD, phrases: {language: [text]}}], pinned: {quarter: YYYY-MM-DD}}"
_A_DATE: validation.Check = (
    lambda value: isinstance(value, str) and bool(DATE.fullmatch(value)),
    "a date, YYYY-MM-DD",
)
_FILE: dict[str, validation.Check] = {
    "lists": (lambda value: isinstance(value, list) and bool(value), "a list that is not empty"),
    "pinned": validation.OBJECT,
}
_LIST: dict[str, validation.Check] = {"since": _A_DATE, "phrases": validation.OBJECT}


@dataclass(frozen=True)
class DeclineLists:
    """`lists` are (date, phrases of all languages), oldest first; `pinned`: the date that a quarter
    is scored with."""

    lists: tuple[tuple[str, tuple[str, ...]], ...]
    pinned: dict[str, str]
    sha256: str

    def dates(self, date: str) -> tuple[str, ...]:
        """Dates of the lists in force on `date`."""
        return tuple(since for since, _ in self.lists if since <= date)

    def phrases(self, date: str) -> tuple[str, ...]:
        """The phrases in force on `date` (YYYY-MM-DD): of every list dated on or before it."""
        return tuple(phrase for since, phrases in self.lists if since <= date for phrase in phrases)

    @property
    def latest(self) -> str:
        return self.lists[-1][0]


def load(path: Path) -> DeclineLists:
    """The lists of a file. InvalidInput names every fault by its place."""
    data = read_bytes(path)
    value = parse_json(data, str(path))
    faults = [f"{path}: {fault}" for fault in _faults(value)]
    if faults:
        raise InvalidInput(faults, f"Accepted is {_FORM}.")
    lists = (
        (entry["since"], tuple(p for some in entry["phrases"].values() for p in some))
        for entry in value["lists"]
    )
    return DeclineLists(tuple(sorted(lists)), dict(value.get("pinned", {})), sha256(data))


def _faults(value: Any) -> Iterator[str]:
    yield from validation.faults_of(value, _FILE, ("pinned",))
    if isinstance(value, dict):
        entries = value.get("lists")
        for n, entry in enumerate(entries if isinstance(entries, list) else ()):
            yield from (f"lists[{n}]: {fault}" for fault in _faults_of_list(entry))
        yield from (f"pinned: {fault}" for fault in _faults_of_values(value.get("pinned"), _A_DATE))


def _faults_of_list(entry: Any) -> Iterator[str]:
    yield from validation.faults_of(entry, _LIST)
    if isinstance(entry, dict):
        yield from (
            f"phrases: {fault}"
            for fault in _faults_of_values(entry.get("phrases"), validation.TEXTS)
        )


def _faults_of_values(value: Any, check: validation.Check) -> Iterator[str]:
    """Faults of an object's values, whatever its keys."""
    if isinstance(value, dict):
        yield from validation.faults_of(value, dict.fromkeys(value, check))
