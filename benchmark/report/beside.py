"""What the pages show and no verdict has: attempts, a judge's words, earlier quarters, which
answers decline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.asking import record_file
from benchmark.asking.manifest import changed_pages
from benchmark.asking.models import PLACES
from benchmark.asking.tracks import by_question, is_judging, reply_name
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_json
from benchmark.core.records import Attempt, Record
from benchmark.run.plan import QUARTER, Plan
from benchmark.scoring import reply

_NEEDED = ("quarter", "status", "totals", "question_sets")


@dataclass(frozen=True)
class Judging:
    """What a judge was sent, as chat messages (role, text), and its raw replies; None where none
    came."""

    messages: tuple[tuple[str, str], ...]
    replies: tuple[str | None, ...]
    model: str = ""


@dataclass(frozen=True)
class Beside:
    """By question id: every attempt, whether the answer declines, what a judge was sent and said.

    `earlier`: the `results.json` of earlier quarters, oldest first. `broken`: tests that the
    harness itself broke. `changed_pages`: addresses of pages that changed while the run was asked,
    None where that was not looked at."""

    attempts: Mapping[str, tuple[Attempt, ...]] = field(default_factory=dict)
    declining: frozenset[str] = frozenset()
    judgings: Mapping[str, Judging] = field(default_factory=dict)
    earlier: tuple[dict[str, Any], ...] = ()
    broken: tuple[str, ...] = ()
    changed_pages: tuple[str, ...] | None = None


def gather(
    plan: Plan,
    tests: Sequence[dict[str, Any]],
    broken: Sequence[str],
    made: Mapping[str, Any] | None = None,
) -> Beside:
    """From a JSON report's tests, the manifest's values and earlier quarters' folders. InvalidInput
    if one is bad."""
    lines = [line for test in tests for line in test.get("metadata", {}).get("records", ())]
    records = {line["id"]: record_file.record_of(line) for line in lines}
    return Beside(
        {name: record.attempts for name, record in records.items() if not is_judging(name)},
        plan.track.declining(plan.questions, records),
        {
            name: judging
            for name, own in by_question(records).items()
            if (judging := judging_of(name, own))
        },
        earlier(plan.folder),
        tuple(broken),
        changed_pages(made or {}),
    )


def judging_of(question_id: str, records: Mapping[str, Record]) -> Judging | None:
    """What was sent to the judge of a question's first answer, and its replies, in their order."""
    first = reply_name(question_id, 1, 1).rpartition("1t1")[0]
    own = [record for name, record in records.items() if name.startswith(first)]
    if not own:
        return None
    sent = own[0].request.get("json", {})
    messages = tuple((str(m["role"]), str(m["content"])) for m in sent.get("messages", ()))
    return Judging(
        messages, tuple(reply.read(r, PLACES).answer for r in own), str(sent.get("model", ""))
    )


def earlier(folder: Path) -> tuple[dict[str, Any], ...]:
    """The `results.json` of the same target's earlier quarters beside a run's folder, oldest
    first."""
    quarter, _, target = folder.name.partition(".")
    paths = sorted(folder.parent.glob("*/results.json"))
    return tuple(_summary(path) for path in paths if _is_earlier(path.parent.name, quarter, target))


def _is_earlier(run: str, quarter: str, target: str) -> bool:
    when, _, other = run.partition(".")
    return bool(QUARTER.fullmatch(when)) and other == target and when < quarter


def _summary(path: Path) -> dict[str, Any]:
    value = read_json(path)
    missing = [key for key in _NEEDED if not isinstance(value, dict) or key not in value]
    if missing:
        raise InvalidInput(
            [
                f"{path}: {key} is missing; accepted is a results.json that this suite wrote"
                for key in missing
            ],
            "An earlier quarter is never edited: restore the file from where it was published.",
        )
    return dict(value)
