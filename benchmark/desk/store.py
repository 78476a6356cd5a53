"""The review file of a run: read whole, written whole, and never over somebody else's edit.

Every change names the version that its writer had seen (the digest of the file's bytes). It is
compared with the file as it lies there, under a lock on the folder that every desk takes. An editor
takes no lock; what it writes between the comparison and the rename, some hundred microseconds, is
all that could be lost."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, sha256, to_json, write_text
from benchmark.core.records import Review
from benchmark.scoring import reviews

Entry = dict[str, Any]


class Changed(Exception):
    """The file is not the one that was seen: nothing was written."""


@dataclass(frozen=True)
class Version:
    """A review file as read: `entries` as they stand in it, `reviews` as they are meant. `digest`
    is "" without one."""

    digest: str = ""
    quarter: str = ""
    entries: Mapping[str, Entry] = field(default_factory=dict)
    reviews: Mapping[str, Review] = field(default_factory=dict)


@dataclass(frozen=True)
class Store:
    """The review file at `path`; `applicable` are the measures of each question of the run."""

    path: Path
    quarter: str
    applicable: Mapping[str, Sequence[str]]

    def read(self) -> Version:
        """The file as it is now; InvalidInput lists its faults. Without a file: an empty
        version."""
        while True:
            data = self._bytes()
            if data is None:
                return Version(quarter=self.quarter)
            found = self._checked()
            if self._bytes() == data:  # what was checked is what was read
                value = parse_json(data, str(self.path))
                return Version(sha256(data), value["quarter"], value["reviews"], found)

    def set(self, name: str, entry: Entry | None, seen: str) -> Entry | None:
        """Write one entry (None removes it) at once, and return what stood there before.

        `Changed` if the file is not the version `seen`: then nothing is written.
        """
        with self._locked():
            now = self.read()
            if now.digest != seen:
                raise Changed
            entries = {key: value for key, value in now.entries.items() if key != name}
            entries |= {name: entry} if entry is not None else {}
            value = {
                "quarter": now.quarter,
                "reviews": {key: _sorted(entries[key]) for key in sorted(entries)},
            }
            write_text(self.path, to_json(value))
            return now.entries.get(name)

    def _checked(self) -> dict[str, Review]:
        return reviews.load(self.path, self.quarter, self.applicable)

    def _bytes(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InvalidInput([f"{self.path}: cannot be read ({error.strerror})"]) from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One writer at a time, of any desk's threads and processes; a killed one's lock is gone
        with it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


def _sorted(entry: Entry) -> Entry:
    """Keys in order, and so those of its verdicts."""
    return {
        key: dict(sorted(v.items())) if isinstance(v, dict) else v
        for key, v in sorted(entry.items())
    }
