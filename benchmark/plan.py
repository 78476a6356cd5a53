"""What a run is made of, read and checked before anything is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchmark import decline, questions, raw, reviews, targets
from benchmark.data import Question, QuestionSet, Record, Review
from benchmark.decline import DeclineLists
from benchmark.errors import InvalidInput
from benchmark.manifest import Manifest
from benchmark.measures import Measuring, measures
from benchmark.targets import Target
from benchmark.verdicts import applicable, names

QUARTER = re.compile(r"[0-9]{4}-Q[1-4]")
LIVE = "live"


@dataclass(frozen=True)
class Asked:
    """What the command line asks for, beside the quarter and the target."""

    again: tuple[str, ...] = ()
    offline: bool = False
    concurrency: int | None = None
    rate_per_minute: float | None = None


@dataclass(frozen=True)
class Plan:
    """A run, ready to be asked or replayed. Folders are under `root`; `records` holds each question's last record."""

    root: Path
    quarter: str
    target: Target
    sets: tuple[QuestionSet, ...]
    decline: DeclineLists
    decline_date: str
    reviews: dict[str, Review]
    records: dict[str, Record]
    torn: dict[Path, str]
    manifest: Manifest
    asked: Asked = field(default_factory=Asked)

    @property
    def run(self) -> str:
        return run_name(self.quarter, self.target)

    @property
    def folder(self) -> Path:
        return self.root / "reports" / self.run

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        return tuple(q for questions in self.sets for q in questions.questions)

    @cached_property
    def set_of(self) -> dict[str, str]:
        return {q.id: q.set for q in self.questions}

    @cached_property
    def measuring(self) -> tuple[Measuring, ...]:
        return measures(self.decline.phrases(self.decline_date))

    @cached_property
    def measure_names(self) -> tuple[str, ...]:
        return names(self.measuring)

    @property
    def concurrency(self) -> int:
        return self.asked.concurrency or self.target.concurrency

    @property
    def rate_per_minute(self) -> float | None:
        return self.asked.rate_per_minute or self.target.rate_per_minute

    def raw_file(self, name: str) -> Path:
        """Where the records of a set are kept."""
        return self.folder / f"raw-{name}.jsonl"

    def to_ask(self, ids: Sequence[str]) -> list[Question]:
        """Those of `ids` that have no record, or are to be asked again."""
        wanted = set(ids)
        return [q for q in self.questions if q.id in wanted and self.is_to_ask(q.id)]

    def is_to_ask(self, name: str) -> bool:
        return name not in self.records or name in self.asked.again


def run_name(quarter: str, target: Target) -> str:
    """`2026-Q4` is the vendor's own run; every other target's name stands behind it, so none passes for that."""
    return quarter if target.name == LIVE else f"{quarter}.{target.name}"


def review_file(root: Path, run: str) -> Path:
    return root / "reviews" / f"reviews-{run}.json"


def quarter(text: str) -> str:
    """The quarter, or InvalidInput: it names files, so nothing but the form YYYY-Qn is taken."""
    if not QUARTER.fullmatch(text):
        raise InvalidInput([f"--quarter: given {text!a}, accepted is YYYY-Qn with n from 1 to 4, such as 2026-Q4"])
    return text


def load(root: Path, quarter_text: str, target_name: str, asked: Asked = Asked()) -> Plan:
    """Read everything. InvalidInput lists the faults of every file together, so that they are mended in one go."""
    when, target = quarter(quarter_text), targets.load(target_name)
    sets, lists = question_sets(root), decline.load(root / "questions" / "decline.json")
    manifest = Manifest.read(root / "reports" / run_name(when, target) / "manifest.json")
    date = lists.pinned.get(when) or manifest.decline_date or lists.latest
    plan = Plan(root, when, target, sets, lists, date, {}, {}, {}, manifest, asked)
    plan.reviews.update(_reviews(plan))
    for questions_ in sets:
        _read_record(plan, questions_)
    _check_unchanged(plan)
    _check_again(plan)
    return plan


def question_sets(root: Path) -> tuple[QuestionSet, ...]:
    """Both question files; the faults of both in one InvalidInput."""
    sets: list[QuestionSet] = []
    faults: list[str] = []
    for name in questions.SETS:
        try:
            sets.append(questions.load(root / "questions" / f"questions-{name}.json"))
        except InvalidInput as fault:
            faults += fault.faults
    if faults:
        raise InvalidInput(faults, "docs/adding.md describes the form of a question.")
    return tuple(sets)


def _reviews(plan: Plan) -> dict[str, Review]:
    path = review_file(plan.root, plan.run)
    if not path.exists():
        return {}
    return reviews.load(path, plan.quarter, {q.id: applicable(plan.measuring, q) for q in plan.questions})


def _read_record(plan: Plan, questions_: QuestionSet) -> None:
    """The last line of each question counts: an earlier one was asked again, on purpose."""
    path = plan.raw_file(questions_.set)
    if path.exists():
        records, torn = raw.read(path, [q.id for q in questions_.questions])
        plan.records.update((record.id, record) for record in records)
        if torn:
            plan.torn[path] = torn


def _check_unchanged(plan: Plan) -> None:
    """Questions are fixed before the run and never edited after an answer was seen (rubric, "The question file")."""
    recorded = {q.set for q in plan.questions if q.id in plan.records}
    faults = []
    for questions_ in plan.sets:
        then, now = plan.manifest.question_digest(questions_.set), questions_.sha256
        if questions_.set in recorded and then != now:
            given_to = f"the answers of {plan.run} were given to {then or 'a file unknown'}"
            faults.append(f"{questions_.path}: its SHA-256 is {now}; {given_to}")
    if faults:
        raise InvalidInput(
            faults, "Nothing was asked. Restore the file as it was; a faulty question is marked in the review file."
        )


def _check_again(plan: Plan) -> None:
    known = {q.id for q in plan.questions}
    unknown = [name for name in plan.asked.again if name not in known]
    if unknown:
        raise InvalidInput([f"--ask-again: given {name!a}, accepted is the id of a question" for name in unknown])
