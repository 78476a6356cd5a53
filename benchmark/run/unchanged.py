"""A run defends what it has: its record, and what the answers were asked and are scored with, are
what the manifest says. A difference stops the run before anything is asked or written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from benchmark.asking.tracks import is_judging
from benchmark.core.errors import InvalidInput
from benchmark.core.files import sha256
from benchmark.core.provenance import UsedJudge
from benchmark.run.plan import Plan
from benchmark.scoring.reply import body_bytes

_HINT = "Nothing was asked. Restore the file; a faulty question is marked in the review file."


def check(plan: Plan) -> None:
    """InvalidInput lists every difference with both digests."""
    checks = (_questions, _models, _lists, _record, _bodies)
    if faults := [fault for differences in checks for fault in differences(plan)]:
        raise InvalidInput(faults, _HINT)


def _questions(plan: Plan) -> Iterator[str]:
    """Questions are never edited after an answer was seen (rubric, "The question file")."""
    recorded = {q.set for q in plan.questions if q.id in plan.records}
    for questions in plan.sets:
        then, now = plan.manifest.question_digest(questions.set), questions.sha256
        if questions.set in recorded and then != now:
            given_to = f"the answers of {plan.run} were given to {then or 'an unknown file'}"
            yield f"{questions.path}: its SHA-256 is {now}; {given_to}"


def _models(plan: Plan) -> Iterator[str]:
    """Two models' names can become one folder's name, and one name can stand at two addresses."""
    before, now = plan.manifest, plan.track.about()
    if plan.records and before.model != now.model:
        yield f"{plan.folder}: got {now.model}; its answers are those of {before.model}"
    judged, judge = _judge_of(before.judge), _judge_of(now.judge)
    if any(map(is_judging, plan.records)) and judge and judge != judged:
        yield f"--judge: got {judge}; {plan.run} was graded by {judged}, not the same"


def _judge_of(judge: UsedJudge | None) -> str:
    return f"{judge.name} with prompt {judge.prompt.sha256}" if judge else ""


def _lists(plan: Plan) -> Iterator[str]:
    """A decline list is frozen by its date (rubric, "Declined")."""
    before, now = plan.manifest.decline, plan.track.about().decline
    then = (before and before.digests) or {}
    current = (now and now.digests) or {}
    for date, digest in then.items():
        if plan.records and current.get(date, digest) != digest:
            changed = f"its SHA-256 is {current[date]}; {plan.run} was scored with {digest}"
            yield f"questions/decline.json: the list of {date}: {changed}"


def _record(plan: Plan) -> Iterator[str]:
    """The record is that of the last session; lines that an interrupted one added may follow."""
    for name, digest in (plan.manifest.record or {}).items():
        path = plan.folder / name
        data = path.read_bytes() if path.exists() else b""
        if not _begins_with(data, digest):
            now = sha256(data) if path.exists() else "none (there is no such file)"
            yield f"{path}: its SHA-256 is {now}; the last session left {digest}"


def _begins_with(data: bytes, digest: str) -> bool:
    """Whether some of the first lines of a file have this digest; the last may lack its break."""
    so_far = hashlib.sha256()
    for line in data.splitlines(keepends=True):
        so_far.update(line)
        if so_far.hexdigest() == digest:
            return True
    so_far.update(b"\n")
    return so_far.hexdigest() == digest


def _bodies(plan: Plan) -> Iterator[str]:
    """Each answer is the one whose digest was taken as it came."""
    for record in plan.records.values():
        digest = sha256(body_bytes(record))
        if record.body_sha256 and digest != record.body_sha256:
            differs = f"body_sha256 is {record.body_sha256}, its body's is {digest}"
            yield f"{plan.files.of(record.id)}: {record.id}: {differs}"
