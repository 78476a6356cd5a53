"""The decline lists: data, dated, per language (rubric, "Declined")."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from benchmark.core import validation
from benchmark.core.files import sha256

DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_DATE = validation.matching(DATE.pattern, "a date, YYYY-MM-DD")
_LIST = validation.Object({"since": _DATE, "phrases": validation.MapOf(validation.TEXTS)})
_FILE = validation.Object(
    {"lists": validation.ListOf(_LIST, least=1), "pinned": validation.MapOf(_DATE)}, ("pinned",)
)


@dataclass(frozen=True)
class DeclineLists:
    """`lists` are (date, phrases of all languages), oldest first; `pinned`: the date that a quarter
    is scored with."""

    lists: tuple[tuple[str, tuple[str, ...]], ...]
    pinned: dict[str, str]
    sha256: str

    def digests(self, date: str) -> dict[str, str]:
        """SHA-256 of each list in force on `date`: a list is frozen by its date."""
        return {since: _digest(phrases) for since, phrases in self.lists if since <= date}

    def phrases(self, date: str) -> tuple[str, ...]:
        """The phrases in force on `date` (YYYY-MM-DD): of every list dated on or before it."""
        return tuple(phrase for since, phrases in self.lists if since <= date for phrase in phrases)

    @property
    def latest(self) -> str:
        return self.lists[-1][0]


def _digest(phrases: tuple[str, ...]) -> str:
    return sha256(json.dumps(phrases).encode())


def load(path: Path) -> DeclineLists:
    """The lists of a file. InvalidInput names every fault by its place."""
    value, digest = validation.load(path, _FILE.faults)
    lists = (
        (entry["since"], tuple(p for some in entry["phrases"].values() for p in some))
        for entry in value["lists"]
    )
    return DeclineLists(tuple(sorted(lists)), dict(value.get("pinned", {})), digest)
