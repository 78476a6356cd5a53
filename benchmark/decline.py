"""The decline lists: data, dated, per language (rubric, "Declined")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.errors import InvalidInput
from benchmark.files import parse_json, read_bytes, sha256

DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


_FORM = "{lists: [{since: YYYY-MM-DD, phrases: {language: [text]}}], pinned: {quarter: YYYY-MM-DD}}"


@dataclass(frozen=True)
class DeclineLists:
    """`lists` are (date, phrases of all languages), oldest first; `pinned`: the date that a quarter is scored with."""

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
    data = read_bytes(path)
    value = parse_json(data, str(path))
    if not _is_valid(value):
        raise InvalidInput([f"{path}: accepted is {_FORM}"])
    lists = ((entry["since"], tuple(p for some in entry["phrases"].values() for p in some)) for entry in value["lists"])
    return DeclineLists(tuple(sorted(lists)), dict(value.get("pinned", {})), sha256(data))


def _is_valid(value: Any) -> bool:
    try:
        entries = [(e["since"], [p for some in e["phrases"].values() for p in some]) for e in value["lists"]]
        dates = [since for since, _ in entries] + list(value.get("pinned", {}).values())
        phrases = [phrase for _, some in entries for phrase in some]
    except (TypeError, KeyError, AttributeError):
        return False
    return (
        bool(entries)
        and all(isinstance(p, str) and p.strip() for p in phrases)
        and all(isinstance(date, str) and DATE.fullmatch(date) for date in dates)
    )
