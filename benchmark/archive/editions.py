"""What was published: editions of runs, each with its dated entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path
from typing import Any

from benchmark.archive.changes import Changes, changes
from benchmark.archive.publishable import RESULTS, digests, files_of
from benchmark.archive.seal import SUMS
from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, read_json
from benchmark.core.records import from_plain


@dataclass(frozen=True)
class Entry:
    """One dated entry: an edition's content by file and digest; for a correction, what it corrects
    and why."""

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
    def of(
        cls, run: str, contents: Mapping[str, bytes], before: Edition | None, reason: str, when: str
    ) -> Entry:
        """The entry of new content, after the run's edition before it, if there is one."""
        results, files = parse_json(contents[RESULTS], RESULTS), digests(contents)
        return cls(
            run,
            before.entry.number + 1 if before else 1,
            when,
            files[SUMS],
            results["status"],
            bool(results["target"]["rehearsal"]),
            files,
            before.entry.digest if before else "",
            reason,
            changes(before.results(), results, before.entry.files, files) if before else Changes(),
        )

    @property
    def labels(self) -> list[str]:
        rehearsal = ["rehearsal, not a result of any vendor's platform"] if self.rehearsal else []
        return [*rehearsal, self.status, *([f"correction: {self.reason}"] if self.corrects else [])]

    def plain(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Edition:
    """A published folder and its entry."""

    folder: Path
    entry: Entry

    @property
    def report(self) -> Path:
        return self.folder / "report"

    def results(self) -> dict[str, Any]:
        return dict(read_json(self.report / RESULTS))


def editions(to: Path) -> list[Edition]:
    """Everything published under a website's folder: run by run, each in the order of its
    editions."""
    paths = [
        path
        for path in sorted((to / "eval").glob("*/*/entry.json"))
        if path.parent.name.isdecimal()
    ]
    found = [_edition(path) for path in paths]
    return sorted(found, key=lambda edition: (edition.entry.run, edition.entry.number))


def _edition(path: Path) -> Edition:
    """An edition is frozen: of an earlier version it lacks fields, of a later one it may have
    more."""
    value = read_json(path)
    try:
        return Edition(
            path.parent, from_plain(Entry, value | {"changes": _changes(value.get("changes", {}))})
        )
    except (TypeError, AttributeError):
        needed = [f.name for f in fields(Entry) if f.default is MISSING]
        accepted = f"accepted is an object with {', '.join(needed)}, as `publish` writes it"
        raise InvalidInput([f"{path}: {accepted}"]) from None


def _changes(value: dict[str, Any]) -> Changes:
    rows = {key: tuple(map(tuple, value[key])) for key in ("cells", "facts") if key in value}
    names = {"questions": tuple(value["questions"])} if "questions" in value else {}
    return from_plain(Changes, value | rows | names)


def faults_of(edition: Edition) -> Iterator[str]:
    """How an edition's files differ from what its entry says of them."""
    now, then = digests(files_of(edition.report)), edition.entry.files
    for name in sorted({*now, *then}):
        if now.get(name) != then.get(name):
            what = (
                "was changed"
                if name in now and name in then
                else "is missing"
                if name in then
                else "was added"
            )
            yield f"{edition.report / name}: {what} after it was published"
    if then.get(SUMS) != edition.entry.digest:
        yield f"{edition.folder / 'entry.json'}: its digest is not that of its {SUMS}"
