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
    """`entries` as they stand in the file, `reviews` as meant. Without a file `digest` is ""."""

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
        """The file as it is now, or an empty version without one. InvalidInput lists its faults."""
        while (data := self._bytes()) is not None:
            entries = reviews.load(self.path, self.quarter, self.applicable)
            if self._bytes() == data:  # what was checked is what was read
                value = parse_json(data, str(self.path))
                return Version(sha256(data), value["quarter"], value["reviews"], entries)
        return Version(quarter=self.quarter)

    def set(self, name: str, entry: Entry | None, seen: str) -> Entry | None:
        """Write one entry (None removes it) at once, and return what stood there before.

        `Changed` if the file is not the version `seen`: then nothing is written.
        """
        with self._locked():
            now = self.read()
            if now.digest != seen:
                raise Changed
            entries = {**now.entries, name: entry}
            in_order = _sorted({key: value for key, value in entries.items() if value is not None})
            write_text(self.path, to_json({"quarter": now.quarter, "reviews": in_order}))
            return now.entries.get(name)

    def _bytes(self) -> bytes | None:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InvalidInput([f"{self.path}: cannot be read ({error.strerror})"]) from None

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One writer at a time, of all threads and processes; a killed one's lock goes with it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


def _sorted(entry: Entry) -> Entry:
    """Keys in order, and so those of its verdicts."""
    return {k: _sorted(v) if isinstance(v, dict) else v for k, v in sorted(entry.items())}
