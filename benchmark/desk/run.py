"""A finished run as the desk needs it: mechanical verdicts, and what was received."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.archive import run_folder
from benchmark.archive.run_folder import MANIFEST, REPORT, RunFolder
from benchmark.asking import targets
from benchmark.asking.manifest import Manifest
from benchmark.core.errors import InvalidInput
from benchmark.core.records import Record, Reply, Verdict
from benchmark.core.run_id import RunId
from benchmark.scoring import verdicts


@dataclass(frozen=True)
class Run:
    """`verdicts` are mechanical, before any review, in the order of the questions.

    `records` by question id: the answer's own, and then what else was asked for it, such as a
    judge's replies. `embedded`: its pages are those shipped with the demo."""

    id: RunId
    label: str
    embedded: bool
    verdicts: tuple[Verdict, ...]
    records: Mapping[str, tuple[Record, ...]]

    @property
    def name(self) -> str:
        return str(self.id)

    @property
    def quarter(self) -> str:
        return self.id.quarter

    def record(self, name: str) -> Record | None:
        """The record of the answer itself; None where the question was not asked."""
        return next((record for record in self.records[name] if record.id == name), None)

    def others(self, name: str) -> list[Record]:
        return [record for record in self.records[name] if record.id != name]

    def digests(self, verdict: Verdict) -> tuple[str, ...]:
        """What the `answer_sha256` of its review may be; the first is what the desk writes."""
        record = self.record(verdict.question.id)
        if record is None:
            return ()
        answer = verdict.answer if verdict.delivered else None
        reply = Reply(record.status, answer, None, (), None, page=record.page, version="")
        return verdicts.digests(record, reply)

    def applicable(self) -> dict[str, tuple[str, ...]]:
        """Each question's measures that a review may change: all of them where it was not asked."""
        return {v.question.id: tuple(_reviewable(v)) for v in self.verdicts}


def _reviewable(v: Verdict) -> Iterator[str]:
    yield from (m.name for m in v.measures if m.value is not None or m.fault or not v.asked)


def load(root: Path, name: str) -> Run:
    """The run `name`. InvalidInput if it is not complete, or its report older than its record."""
    run_id, folder = RunId.parse(name), run_folder.find(root, name, REPORT)
    if run_id is None or folder is None:
        there = ", ".join(str(run) for run, _ in run_folder.runs(root, REPORT))
        expected = f"a complete run under {root / 'reports'}: {there or 'there is none yet'}"
        hint = "`pytest --quarter 2026-Q4` asks the questions, and writes a report."
        raise InvalidInput([f"RUN: got {name!a}; expected {expected}"], hint)
    reported = folder.reported()
    manifest = folder.manifest if (folder.path / MANIFEST).exists() else Manifest()
    run = Run(
        id=run_id,
        label=manifest.target.label,
        embedded=_is_embedded(manifest.target.name),
        verdicts=tuple(_mechanical(question.verdict) for question in reported),
        records={question.verdict.question.id: question.records for question in reported},
    )
    _check_current(folder, run)
    return run


def _mechanical(verdict: Verdict) -> Verdict:
    """As before any review: a report holds what the review file said when it was written."""
    reviewed = {m.name: m.value for m in verdict.measures}
    unread: dict[str, Any] = {"faulty": False, "stale": False, "read": False, "review": None}
    return dataclasses.replace(verdict, reviewed=reviewed, **unread)


def _is_embedded(target: str) -> bool:
    shipped = target in {path.stem for path in targets.SHIPPED.glob("*.json")}
    return shipped and targets.load(target).embedded


def _check_current(folder: RunFolder, run: Run) -> None:
    """An answer asked again after the report was written must not be judged by the old one."""
    reported = {r.id: r.body_sha256 for records in run.records.values() for r in records}
    faults = [
        f"{folder.path / REPORT}: {name!a}: it does not hold what was recorded last"
        for name, digest in folder.last_bodies().items()
        if reported.get(name) != digest
    ]
    if faults:
        hint = "Run pytest as before once more: it replays the record, and writes the report anew."
        raise InvalidInput(faults, hint)
