"""What was published: editions of runs, each with its dated entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmark.archive.changes import Changes, changes
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
        then = before.entry if before else None
        changed = (
            changes(before.results, results, before.entry.files, files) if before else Changes()
        )
        return cls(
            run=results.run,
            number=then.number + 1 if then else 1,
            published_at=when,
            digest=files[SUMS],
            status=results.status,
            rehearsal=results.target.rehearsal,
            files=files,
            corrects=then.digest if then else "",
            reason=reason,
            changes=changed,
        )

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
    paths = [
        path
        for path in sorted((to / "eval").glob("*/*/entry.json"))
        if path.parent.name.isdecimal()
    ]
    found = [_edition(path) for path in paths]
    return sorted(found, key=lambda edition: (edition.entry.run, edition.entry.number))


def _edition(path: Path) -> Edition:
    """An edition is frozen: an earlier version's lacks fields, a later one's may have more."""
    return Edition(path.parent, read(Entry, read_json(path), path))


def faults_of(edition: Edition) -> Iterator[str]:
    """How an edition's files differ from what its entry says of them."""
    now, then = digests(edition.report.contents()), edition.entry.files
    for name in sorted({*now, *then}):
        if now.get(name) != then.get(name):
            what = (
                "is missing" if name not in now else "was changed" if name in then else "was added"
            )
            yield f"{edition.report.path / name}: {what} after it was published"
    if then.get(SUMS) != edition.entry.digest:
        yield f"{edition.folder / 'entry.json'}: its digest is not that of its {SUMS}"
