"""What one edition of a published run changes against the one before. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from benchmark.results.summary import Results

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True)
class Changes:
    """What differs between two editions: `files` by outcome, `questions` whose verdicts differ,
    `cells` (measure, site, language, `7/15`, `8/15`) and `facts` (what, before, after)."""

    files: dict[str, str] = field(default_factory=dict)
    cells: tuple[tuple[str, ...], ...] = ()
    questions: tuple[str, ...] = ()
    facts: tuple[tuple[str, ...], ...] = ()

    def lines(self) -> list[str]:
        """For a terminal: what a reader of the results would see first, then the files."""
        figures = (*self.facts, *self.cells)
        lines = [f"{' '.join(place)} {before} -> {after}" for *place, before, after in figures]
        lines += [f"questions {', '.join(self.questions)}"] if self.questions else []
        return [*lines, *(f"{name} {what}" for name, what in self.files.items())]


def changes(
    old: Results, new: Results, old_files: Mapping[str, str], new_files: Mapping[str, str]
) -> Changes:
    """From the results of both and the digests of all files by name."""
    cells = _changed(_cells(old), _cells(new))
    questions = _changed({q.id: q for q in old.questions}, {q.id: q for q in new.questions})
    return Changes(
        files=changed_files(old_files, new_files),
        cells=tuple((*place, before or "-", after or "-") for place, before, after in cells),
        questions=tuple(name for name, _, _ in questions),
        facts=(("status", old.status, new.status),) if old.status != new.status else (),
    )


def changed_files(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """What became of each file that differs, from digests by name."""
    return {
        name: "removed" if after is None else "added" if before is None else "changed"
        for name, before, after in sorted(_changed(old, new))
    }


def _changed(old: Mapping[K, V], new: Mapping[K, V]) -> Iterator[tuple[K, V | None, V | None]]:
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            yield key, old.get(key), new.get(key)


def _cells(results: Results) -> dict[tuple[str, str, str], str]:
    return {(r.measure, r.site, r.language): f"{r.reviewed}/{r.of}" for r in results.table}
