"""A finished run as the desk needs it: mechanical verdicts, and what was received."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmark.archive import reading_runs
from benchmark.archive.run_folder import at
from benchmark.asking import targets
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_json, read_json_lines
from benchmark.core.records import Record, Reply, Verdict
from benchmark.scoring import verdicts

RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True)
class Run:
    """`verdicts` are mechanical, before any review, in the order of the questions.

    `records` by question id: the answer's own, and then what else was asked for it, such as a
    judge's replies. `embedded`: its pages are those shipped with the demo."""

    name: str
    quarter: str
    label: str
    embedded: bool
    verdicts: tuple[Verdict, ...]
    records: Mapping[str, tuple[Record, ...]]

    def record(self, name: str) -> Record | None:
        """The record of the answer itself; None where the question was not asked."""
        return next((record for record in self.records[name] if record.id == name), None)

    def others(self, name: str) -> list[Record]:
        return [record for record in self.records[name] if record.id != name]

    def digests(self, verdict: Verdict) -> tuple[str, ...]:
        """What the `answer_sha256` of a review of this answer may be; the first is what the desk
        writes."""
        record = self.record(verdict.question.id)
        if record is None:
            return ()
        answer = verdict.answer if verdict.delivered else None
        return verdicts.digests(
            record, Reply(record.status, answer, None, (), None, record.page, "")
        )

    def applicable(self) -> dict[str, tuple[str, ...]]:
        """Names of each question's measures that a review may change: those that apply, or all
        where none was asked."""
        return {
            v.question.id: tuple(
                m.name for m in v.measures if m.value is not None or m.fault or not v.asked
            )
            for v in self.verdicts
        }


def load(root: Path, name: str) -> Run:
    """The run `name` under `root`. InvalidInput where it is not complete, or its report older than
    its record."""
    folder = root / "reports" / name
    if not RUN.fullmatch(name) or not (folder / "report.json").is_file():
        found = sorted(path.parent.name for path in root.glob("reports/*/report.json"))
        accepted = (
            f"accepted is a complete run under {root / 'reports'}:"
            f" {', '.join(found) or 'there is none yet'}"
        )
        raise InvalidInput(
            [f"RUN: given {name!a}, {accepted}"],
            "`pytest --quarter 2026-Q4` asks the questions, and writes a report.",
        )
    judged = reading_runs.judged(folder / "report.json", read_json(folder / "report.json"))
    manifest = read_json(folder / "manifest.json") if (folder / "manifest.json").exists() else {}
    run = Run(
        name,
        str(at(manifest, "quarter") or name),
        str(at(manifest, "target", "label") or ""),
        _is_embedded(str(at(manifest, "target", "name") or "")),
        tuple(_mechanical(verdict) for verdict, _ in judged),
        {verdict.question.id: records for verdict, records in judged},
    )
    _check_current(folder, run)
    return run


def _mechanical(verdict: Verdict) -> Verdict:
    """As before any review: a report holds what the review file said when it was written."""
    reviewed = {m.name: m.value for m in verdict.measures}
    return dataclasses.replace(
        verdict, reviewed=reviewed, faulty=False, stale=False, read=False, review=None
    )


def _is_embedded(target: str) -> bool:
    shipped = target in {path.stem for path in targets.SHIPPED.glob("*.json")}
    return shipped and targets.load(target).embedded


def _check_current(folder: Path, run: Run) -> None:
    """An answer that was asked again after the report was written must not be judged by the old
    one."""
    reported = {
        record.id: record.body_sha256 for records in run.records.values() for record in records
    }
    faults = [
        f"{folder / 'report.json'}: {name!a}: it does not hold what was recorded last"
        for name, digest in _last_bodies(folder).items()
        if reported.get(name) != digest
    ]
    if faults:
        raise InvalidInput(
            faults,
            "Run pytest as before once more: it replays the record, and writes the report anew.",
        )


def _last_bodies(folder: Path) -> dict[str, str]:
    """Record id to digest of the body; the last line of an id counts. A line that is no record,
    such as a torn one, is none: a run refuses it."""
    files = sorted([*folder.glob("raw-*.jsonl"), *folder.glob("judge-*.jsonl")])
    lines = (line for path in files for _, line in read_json_lines(path) if isinstance(line, dict))
    return {
        line["id"]: line.get("body_sha256", "") for line in lines if isinstance(line.get("id"), str)
    }
