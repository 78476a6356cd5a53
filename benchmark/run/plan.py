"""What a run is made of: read whole and checked (`benchmark.run.loading`), and never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmark.asking.manifest import Manifest
from benchmark.asking.targets import Target
from benchmark.asking.tracks import Track, by_question, is_judging
from benchmark.core.errors import InvalidInput
from benchmark.core.records import Question, QuestionSet, Record, Review
from benchmark.core.run_id import QUARTER, RunId
from benchmark.run.options import Asked


def quarter(text: str) -> str:
    """The quarter, or InvalidInput: it names files, so nothing but the form YYYY-Qn is taken."""
    if not QUARTER.fullmatch(text):
        form = "YYYY-Qn with n from 1 to 4, such as 2026-Q4"
        raise InvalidInput([f"--quarter: got {text!a}; expected {form}"])
    return text


@dataclass(frozen=True)
class RecordFiles:
    """Where records are kept: answers in `raw-SET.jsonl`, a judge's replies beside them."""

    folder: Path
    set_of: Mapping[str, str]  # by question id

    def of(self, record_id: str) -> Path:
        kind = "judge" if is_judging(record_id) else "raw"
        return self.folder / f"{kind}-{self.set_of[record_id.partition('~')[0]]}.jsonl"

    def existing(self) -> list[Path]:
        sets = dict.fromkeys(self.set_of.values())
        names = [f"{kind}-{name}.jsonl" for name in sets for kind in ("raw", "judge")]
        return [self.folder / name for name in names if (self.folder / name).exists()]


@dataclass(frozen=True)
class Plan:
    """A run, ready to be asked or replayed.

    Folders are under `root`; `records` are the last of each record id; `torn` are torn last lines
    by file; `concurrency` and `rate_per_minute` are the command line's or else the target's."""

    root: Path
    quarter: str
    target: Target
    sets: tuple[QuestionSet, ...]
    track: Track
    manifest: Manifest
    asked: Asked
    concurrency: int
    rate_per_minute: float | None
    reviews: Mapping[str, Review]
    records: Mapping[str, Record]
    torn: Mapping[Path, str]

    @property
    def id(self) -> RunId:
        return RunId(self.quarter, self.target.name)

    @property
    def run(self) -> str:
        return str(self.id)

    @property
    def folder(self) -> Path:
        return self.id.folder(self.root)

    @property
    def review_file(self) -> Path:
        return self.id.review_file(self.root)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        return tuple(q for questions in self.sets for q in questions.questions)

    @cached_property
    def files(self) -> RecordFiles:
        return RecordFiles(self.folder, {q.id: q.set for q in self.questions})

    @property
    def record_files(self) -> list[Path]:
        """The record's files that are there."""
        return self.files.existing()

    @cached_property
    def _records_of(self) -> dict[str, dict[str, Record]]:
        return by_question(self.records)

    def to_ask(self, ids: Sequence[str]) -> list[Question]:
        """Those of `ids` that lack a record, or are to be asked again, in their order."""
        wanted = set(ids)
        return [q for q in self.questions if q.id in wanted and self.is_to_ask(q)]

    def is_to_ask(self, question: Question) -> bool:
        return question.id in self.asked.again or not self.track.is_recorded(question, self.records)

    def known(self, question: Question) -> dict[str, Record]:
        """The question's records that stay: none of its answers, if it is to be asked again."""
        records, again = self._records_of.get(question.id, {}), question.id in self.asked.again
        return {name: record for name, record in records.items() if is_judging(name) or not again}
