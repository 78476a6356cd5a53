"""A run's plan, read from its files. InvalidInput lists the faults of all files of a kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmark.asking import models, record_file, targets
from benchmark.asking.manifest import Manifest
from benchmark.asking.targets import Target
from benchmark.asking.tracks import Judge, SiteTrack, SuiteTrack, Track
from benchmark.core.errors import InvalidInput
from benchmark.core.records import QuestionSet, Record, Review
from benchmark.core.run_id import RunId
from benchmark.questions import decline, judge_prompt, sites, suites
from benchmark.run import unchanged
from benchmark.run.options import Asked
from benchmark.run.plan import Plan, RecordFiles, quarter
from benchmark.scoring import reviews
from benchmark.scoring.rules import applicable


@dataclass(frozen=True)
class _Inputs:
    """What is asked of whom, and the manifest of what was asked before (empty at first)."""

    target: Target
    sets: tuple[QuestionSet, ...]
    track: Track
    manifest: Manifest


def load(root: Path, quarter_text: str, target_name: str, asked: Asked) -> Plan:
    """Read and check everything; InvalidInput where it does not fit together."""
    when = quarter(quarter_text)
    is_model = asked.suites is not None
    inputs = _suites(root, when, asked) if is_model else _sites(root, when, target_name)
    _check_ids(inputs.sets)
    target, run = inputs.target, RunId(when, inputs.target.name)
    records, torn = _read_records(run.folder(root), inputs.sets, further=is_model)
    plan = Plan(
        root=root,
        quarter=when,
        **vars(inputs),
        asked=asked,
        concurrency=asked.concurrency or target.concurrency,
        rate_per_minute=asked.rate_per_minute or target.rate_per_minute,
        reviews=_read_reviews(run.review_file(root), when, inputs),
        records=records,
        torn=torn,
    )
    unchanged.check(plan)
    _check_again(plan)
    return plan


def _sites(root: Path, when: str, target_name: str) -> _Inputs:
    """Track A: both question files, asked of a target."""
    target, sets = targets.load(target_name), question_sets(root)
    lists = decline.load(root / "questions" / "decline.json")
    manifest = _manifest(root, when, target)
    date = lists.pinned.get(when) or manifest.decline_date or lists.latest
    return _Inputs(target, sets, SiteTrack(target, lists, date), manifest)


def _suites(root: Path, when: str, asked: Asked) -> _Inputs:
    """Track B: the suites asked for, and those that the run has already: all are one run."""
    chat = {"messages": [{"role": "user", "content": "{question}"}]}
    target = models.target(asked.model, asked.model_url, models.MODEL_KEY, chat)
    manifest = _manifest(root, when, target)
    wanted = asked.suites and tuple(dict.fromkeys((*asked.suites, *manifest.questions)))
    sets = suites.load_all(root / "questions" / "suites", wanted or ())
    groups = {f"{q.set}-{q.language}" for suite in sets for q in suite.questions}
    target = dataclasses.replace(target, sites={group: {"page": ""} for group in groups})
    track = SuiteTrack(target, _judge(root, asked), asked.repeats)
    return _Inputs(target, sets, track, manifest)


def _judge(root: Path, asked: Asked) -> Judge | None:
    """The judge, unless nothing may be sent (then what it said before is all there is)."""
    if asked.offline:
        return None
    json_only = {"response_format": {"type": "json_object"}}
    target = models.target(asked.judge, asked.judge_url, models.JUDGE_KEY, json_only)
    prompt = judge_prompt.load(root / "questions" / "judge-prompt.json")
    return Judge(target, prompt, asked.judge_repeats)


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
    for questions in sets:
        for name in (questions.set, *(q.id for q in questions.questions)):
            paths.setdefault(name, []).append(questions.path)
    shared = {name: " and ".join(files) for name, files in paths.items() if len(files) > 1}
    if shared:
        faults = [f"{files}: {name}: the id is in both" for name, files in shared.items()]
        raise InvalidInput(faults, "An id is given once over all files.")


def _read_reviews(path: Path, when: str, inputs: _Inputs) -> dict[str, Review]:
    if not path.exists():
        return {}
    questions = [q for questions in inputs.sets for q in questions.questions]
    measures = {q.id: applicable(inputs.track.rules, q) for q in questions}
    return reviews.load(path, when, measures)


def _read_records(
    folder: Path, sets: Sequence[QuestionSet], further: bool
) -> tuple[dict[str, Record], dict[Path, str]]:
    """The last line of each record id (an earlier one was asked again), and what was torn."""
    last: dict[str, Record] = {}
    torn: dict[Path, str] = {}
    for questions in sets:
        ids = [q.id for q in questions.questions]
        for path in RecordFiles(folder, dict.fromkeys(ids, questions.set)).existing():
            records, rest = record_file.read(path, ids, further=further)
            last.update((record.id, record) for record in records)
            if rest:
                torn[path] = rest
    return last, torn


def _check_again(plan: Plan) -> None:
    known = {q.id for q in plan.questions}
    if unknown := [name for name in plan.asked.again if name not in known]:
        form = "expected the id of a question"
        raise InvalidInput([f"--ask-again: got {name!a}; {form}" for name in unknown])
