"""What was published: editions of runs, each with its dated entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from benchmark.archive.changes import Changes, changed_files, changes
from benchmark.archive.content import Content, digests
from benchmark.archive.run_folder import RunFolder
from benchmark.archive.seal import SUMS
from benchmark.core.files import read_json
from benchmark.core.plain import read
from benchmark.results.summary import Results


@dataclass(frozen=True)
class Entry:
    """A dated entry: an edition's files by digest; for a correction, what it corrects and why."""

    run: str
    number: int
    published_at: str
    digest: str  # of its SHA256SUMS, which stands for every file; `verify` prints it too
    status: str
    rehearsal: bool
    files: dict[str, str]
    corrects: str = ""  # the digest of the edition before
    reason: str = ""
    changes: Changes = Changes()

    @classmethod
    def of(cls, content: Content, before: Edition | None, reason: str, when: str) -> Entry:
        """The entry of new content, after the run's edition before it, if there is one."""
        results, files = content.results, content.digests
        entry = cls(
            run=results.run,
            number=1,
            published_at=when,
            digest=files[SUMS],
            status=results.status,
            rehearsal=results.target.rehearsal,
            files=files,
            reason=reason,
        )
        if before is None:
            return entry
        then, changed = before.entry, changes(before.results, results, before.entry.files, files)
        return replace(entry, number=then.number + 1, corrects=then.digest, changes=changed)

    @property
    def labels(self) -> list[str]:
        rehearsal = ["rehearsal, not a result of any vendor's platform"] if self.rehearsal else []
        return [*rehearsal, self.status, *([f"correction: {self.reason}"] if self.corrects else [])]


@dataclass(frozen=True)
class Edition:
    """A published folder and its entry."""

    folder: Path
    entry: Entry

    @property
    def report(self) -> RunFolder:
        return RunFolder(self.folder / "report")

    @cached_property
    def results(self) -> Results:
        return self.report.results


def editions(to: Path) -> list[Edition]:
    """Everything published under a website's folder: by run, then by edition."""
    paths = sorted((to / "eval").glob("*/*/entry.json"))
    published = [
        Edition(path.parent, read(Entry, read_json(path), path))
        for path in paths
        if path.parent.name.isdecimal()
    ]
    return sorted(published, key=lambda edition: (edition.entry.run, edition.entry.number))


def faults_of(edition: Edition) -> Iterator[str]:
    """How an edition's files differ from what its entry says of them."""
    then = edition.entry.files
    for name, what in changed_files(then, digests(edition.report.contents())).items():
        yield f"{edition.report.path / name}: was {what} after it was published"
    if then.get(SUMS) != edition.entry.digest:
        yield f"{edition.folder / 'entry.json'}: its digest is not that of its {SUMS}"
