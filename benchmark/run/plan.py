"""What a run is made of, read and checked before anything is asked."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchmark.asking import models, record_file, targets
from benchmark.asking.manifest import Manifest
from benchmark.asking.models import JUDGE_MODEL, JUDGE_URL
from benchmark.asking.targets import Target
from benchmark.asking.tracks import Judge, SiteTrack, SuiteTrack, Track, by_question, is_judging
from benchmark.core.errors import InvalidInput
from benchmark.core.provenance import UsedJudge
from benchmark.core.records import Question, QuestionSet, Record, Review
from benchmark.core.run_id import QUARTER, RunId
from benchmark.questions import decline, judge_prompt, sites, suites
from benchmark.scoring import reviews
from benchmark.scoring.rules import applicable, names


@dataclass(frozen=True)
class Asked:
    """What the command line asks for, beside the quarter and the target."""

    again: tuple[str, ...] = ()
    offline: bool = False
    concurrency: int | None = None
    rate_per_minute: float | None = None
    suites: tuple[str, ...] | None = None  # (): all of them; None: Track A
    model: str = ""
    model_url: str = ""
    repeats: int = 1
    judge: str = JUDGE_MODEL
    judge_url: str = JUDGE_URL
    judge_repeats: int = 1


@dataclass(frozen=True)
class Plan:
    """A run, ready to be asked or replayed. Folders are under `root`; `records` are the last of
    each record id."""

    root: Path
    quarter: str
    target: Target
    sets: tuple[QuestionSet, ...]
    track: Track
    reviews: dict[str, Review]
    records: dict[str, Record]
    torn: dict[Path, str]
    manifest: Manifest
    asked: Asked = field(default_factory=Asked)

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

    @property
    def selectable(self) -> tuple[Question, ...]:
        """What is a test: of a suite that an earlier session added to the run, only what was asked
        then."""
        wanted = self.asked.suites
        return tuple(
            q for q in self.questions if not wanted or q.set in wanted or q.id in self.records
        )

    @cached_property
    def set_of(self) -> dict[str, str]:
        return {q.id: q.set for q in self.questions}

    @cached_property
    def measure_names(self) -> tuple[str, ...]:
        return names(self.track.rules)

    @property
    def concurrency(self) -> int:
        return self.asked.concurrency or self.target.concurrency

    def asking_by(self, workers: int) -> Plan:
        """The plan of that many xdist workers, each asking one question at a time; 0 is none, and
        changes nothing."""
        asked = dataclasses.replace(self.asked, concurrency=workers or self.asked.concurrency)
        return dataclasses.replace(self, asked=asked)

    @property
    def rate_per_minute(self) -> float | None:
        return self.asked.rate_per_minute or self.target.rate_per_minute

    def raw_file(self, name: str) -> Path:
        """Where the answers to a set are kept."""
        return self.folder / f"raw-{name}.jsonl"

    def file_of(self, record_id: str) -> Path:
        """Where a record is kept: a judge's replies lie beside the answers."""
        name = self.set_of[record_id.partition("~")[0]]
        return self.folder / f"judge-{name}.jsonl" if is_judging(record_id) else self.raw_file(name)

    @property
    def record_files(self) -> list[Path]:
        """The record's files that are there."""
        files = [
            self.folder / f"{kind}-{s.set}.jsonl" for s in self.sets for kind in ("raw", "judge")
        ]
        return [file for file in files if file.exists()]

    def to_ask(self, ids: Sequence[str]) -> list[Question]:
        """Those of `ids` that lack a record, or are to be asked again."""
        wanted = set(ids)
        return [q for q in self.questions if q.id in wanted and self.is_to_ask(q)]

    def is_to_ask(self, question: Question) -> bool:
        return question.id in self.asked.again or not self.track.is_recorded(question, self.records)

    def known(self, question: Question) -> dict[str, Record]:
        """The question's records that a new request may build on: none of its answers, if it is
        asked again."""
        own, again = self._records_of.get(question.id, {}), question.id in self.asked.again
        return {name: record for name, record in own.items() if is_judging(name) or not again}

    @cached_property
    def _records_of(self) -> dict[str, dict[str, Record]]:
        return by_question(self.records)


def quarter(text: str) -> str:
    """The quarter, or InvalidInput: it names files, so nothing but the form YYYY-Qn is taken."""
    if not QUARTER.fullmatch(text):
        raise InvalidInput(
            [f"--quarter: given {text!a}, accepted is YYYY-Qn with n from 1 to 4, such as 2026-Q4"]
        )
    return text


def load(root: Path, quarter_text: str, target_name: str, asked: Asked = Asked()) -> Plan:
    """Read everything. InvalidInput lists the faults of every file together, so that they are
    mended in one go."""
    when = quarter(quarter_text)
    plan = (
        _site_plan(root, when, target_name, asked)
        if asked.suites is None
        else _suite_plan(root, when, asked)
    )
    _check_ids(plan.sets)
    plan.reviews.update(_reviews(plan))
    for questions_ in plan.sets:
        _read_record(plan, questions_)
    _check_unchanged(plan)
    _check_again(plan)
    return plan


def _site_plan(root: Path, when: str, target_name: str, asked: Asked) -> Plan:
    target, sets = targets.load(target_name), question_sets(root)
    lists = decline.load(root / "questions" / "decline.json")
    manifest = _manifest(root, when, target)
    date = lists.pinned.get(when) or manifest.decline_date or lists.latest
    return Plan(
        root, when, target, sets, SiteTrack(target, lists, date), {}, {}, {}, manifest, asked
    )


def _suite_plan(root: Path, when: str, asked: Asked) -> Plan:
    chat = {"messages": [{"role": "user", "content": "{question}"}]}
    target = models.target(asked.model, asked.model_url, models.MODEL_KEY, chat)
    manifest = _manifest(root, when, target)
    sets = _suites(root, asked, manifest)
    groups = {f"{q.set}-{q.language}" for suite in sets for q in suite.questions}
    target = dataclasses.replace(target, sites={group: {"page": ""} for group in groups})
    track = SuiteTrack(target, _judge(root, asked), asked.repeats)
    return Plan(root, when, target, sets, track, {}, {}, {}, manifest, asked)


def _suites(root: Path, asked: Asked, manifest: Manifest) -> tuple[QuestionSet, ...]:
    """The suites asked for and those that the run already has: asked one after the other, they are
    one run still."""
    begun = manifest.questions if asked.suites else ()
    return suites.load_all(
        root / "questions" / "suites", tuple(dict.fromkeys((*(asked.suites or ()), *begun)))
    )


def _judge(root: Path, asked: Asked) -> Judge | None:
    """The judge, unless nothing may be sent (then what it said before is all there is)."""
    if asked.offline:
        return None
    target = models.target(
        asked.judge, asked.judge_url, models.JUDGE_KEY, {"response_format": {"type": "json_object"}}
    )
    return Judge(
        target, judge_prompt.load(root / "questions" / "judge-prompt.json"), asked.judge_repeats
    )


def _manifest(root: Path, when: str, target: Target) -> Manifest:
    return Manifest.read(RunId(when, target.name).folder(root) / "manifest.json")


def question_sets(root: Path) -> tuple[QuestionSet, ...]:
    """Both question files; the faults of both in one InvalidInput."""
    sets: list[QuestionSet] = []
    faults: list[str] = []
    for name in sites.SETS:
        try:
            sets.append(sites.load(root / "questions" / f"questions-{name}.json"))
        except InvalidInput as fault:
            faults += fault.faults
    if faults:
        raise InvalidInput(faults, "docs/adding.md describes the form of a question.")
    return tuple(sets)


def _check_ids(sets: Sequence[QuestionSet]) -> None:
    """One id in two files: their answers would be kept as one."""
    paths: dict[str, list[str]] = {}
    for questions_ in sets:
        for name in (questions_.set, *(q.id for q in questions_.questions)):
            paths.setdefault(name, []).append(questions_.path)
    faults = [
        f"{' and '.join(found)}: {name}: the id is in both"
        for name, found in paths.items()
        if len(found) > 1
    ]
    if faults:
        raise InvalidInput(faults, "An id is given once over all files.")


def _reviews(plan: Plan) -> dict[str, Review]:
    path = plan.review_file
    if not path.exists():
        return {}
    return reviews.load(
        path, plan.quarter, {q.id: applicable(plan.track.rules, q) for q in plan.questions}
    )


def _read_record(plan: Plan, questions_: QuestionSet) -> None:
    """The last line of each record id counts: an earlier one was asked again, on purpose."""
    known = [q.id for q in questions_.questions]
    for path in (
        path for path in plan.record_files if path.stem.partition("-")[2] == questions_.set
    ):
        records, torn = record_file.read(path, known, further=plan.asked.suites is not None)
        plan.records.update((record.id, record) for record in records)
        if torn:
            plan.torn[path] = torn


def _check_unchanged(plan: Plan) -> None:
    """Questions are fixed before the run and never edited after an answer was seen (rubric, "The
    question file")."""
    recorded = {q.set for q in plan.questions if q.id in plan.records}
    faults = []
    for questions_ in plan.sets:
        then, now = plan.manifest.question_digest(questions_.set), questions_.sha256
        if questions_.set in recorded and then != now:
            given_to = f"the answers of {plan.run} were given to {then or 'a file unknown'}"
            faults.append(f"{questions_.path}: its SHA-256 is {now}; {given_to}")
    faults += _other_model(plan)
    if faults:
        raise InvalidInput(
            faults,
            "Nothing was asked. Restore the file as it was; a faulty question is marked in the"
            " review file.",
        )


def _other_model(plan: Plan) -> list[str]:
    """Two models' names can become the same folder's name, and a model's name the same at two
    addresses."""
    then, now = plan.manifest.model, plan.track.about().model
    faults = (
        [f"{plan.folder}: its answers are those of {then}; given is {now}"]
        if plan.records and then != now
        else []
    )
    judged, judge = _judge_of(plan.manifest.judge), _judge_of(plan.track.about().judge)
    if any(map(is_judging, plan.records)) and judge and judge != judged:
        faults.append(f"--judge: {plan.run} was graded by {judged}; given is {judge}, not the same")
    return faults


def _judge_of(judge: UsedJudge | None) -> str:
    return f"{judge.name} with prompt {judge.prompt.sha256}" if judge else ""


def _check_again(plan: Plan) -> None:
    known = {q.id for q in plan.questions}
    unknown = [name for name in plan.asked.again if name not in known]
    if unknown:
        raise InvalidInput(
            [f"--ask-again: given {name!a}, accepted is the id of a question" for name in unknown]
        )
