"""What one edition of a published run changes against the one before: files, figures and verdicts.
Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Changes:
    """What differs between two editions: files by what became of them, table cells and questions
    whose verdicts differ.

    `cells` are (measure, site, language, before, after) with counts such as `7/15`; `facts` are
    (what, before, after)."""

    files: dict[str, str] = field(default_factory=dict)
    cells: tuple[tuple[str, ...], ...] = ()
    questions: tuple[str, ...] = ()
    facts: tuple[tuple[str, ...], ...] = ()

    def lines(self) -> list[str]:
        """For a terminal: what a reader of the results would see first, then the files."""
        facts = [f"{what} {before} -> {after}" for what, before, after in self.facts]
        cells = [
            f"{m} {site} {language} {before} -> {after}"
            for m, site, language, before, after in self.cells
        ]
        files = [f"{name} {what}" for name, what in self.files.items()]
        return [
            *facts,
            *cells,
            *([f"questions {', '.join(self.questions)}"] if self.questions else []),
            *files,
        ]


def changes(
    old: dict[str, Any],
    new: dict[str, Any],
    old_files: Mapping[str, str],
    new_files: Mapping[str, str],
) -> Changes:
    """From two `results.json` and the digests of all files by name."""
    return Changes(
        _changed_files(old_files, new_files),
        tuple(_changed_cells(old["table"], new["table"])),
        tuple(_changed_questions(old["questions"], new["questions"])),
        tuple((key, str(old[key]), str(new[key])) for key in ("status",) if old[key] != new[key]),
    )


def _changed_files(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    names = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
    return {
        name: "removed" if name not in new else "added" if name not in old else "changed"
        for name in names
    }


def _changed_cells(
    old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, ...]]:
    before, after = _cells(old), _cells(new)
    for place in dict.fromkeys([*before, *after]):
        if before.get(place) != after.get(place):
            yield (*place, before.get(place, "-"), after.get(place, "-"))


def _cells(table: Sequence[dict[str, Any]]) -> dict[tuple[str, str, str], str]:
    return {
        (row["measure"], row["site"], row["language"]): f"{row['reviewed']}/{row['of']}"
        for row in table
    }


def _changed_questions(
    old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]
) -> Iterator[str]:
    before, after = ({question["id"]: question for question in some} for some in (old, new))
    yield from (
        name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)
    )
