"""What the pages show and no verdict has: attempts, a judge's words, earlier quarters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.asking.models import PLACES
from benchmark.asking.tracks import Track, by_question, is_judging, reply_name
from benchmark.core.records import Attempt, Question, Record
from benchmark.results.summary import Results
from benchmark.scoring import reply


@dataclass(frozen=True)
class Judging:
    """What a judge was sent, as chat messages (role, text), and its raw replies, None for none."""

    messages: tuple[tuple[str, str], ...]
    replies: tuple[str | None, ...]
    model: str = ""


@dataclass(frozen=True)
class Beside:
    """By question id: every attempt, whether the answer declines, what a judge was sent and said.

    `earlier`: the results of earlier quarters, oldest first. `broken`: tests that the
    harness itself broke. `changed_pages`: addresses of pages that changed while the run was asked,
    None where that was not looked at."""

    attempts: Mapping[str, tuple[Attempt, ...]] = field(default_factory=dict)
    declining: frozenset[str] = frozenset()
    judgings: Mapping[str, Judging] = field(default_factory=dict)
    earlier: tuple[Results, ...] = ()
    broken: tuple[str, ...] = ()
    changed_pages: tuple[str, ...] | None = None


def gather(
    track: Track, questions: Sequence[Question], records: Mapping[str, Record], **more: Any
) -> Beside:
    """From a run's records by id; `more` are the other fields."""
    judgings = {name: judging_of(name, some) for name, some in by_question(records).items()}
    return Beside(
        attempts={name: r.attempts for name, r in records.items() if not is_judging(name)},
        declining=track.declining(questions, records),
        judgings={name: judging for name, judging in judgings.items() if judging},
        **more,
    )


def judging_of(question_id: str, records: Mapping[str, Record]) -> Judging | None:
    """What was sent to the judge of a question's first answer, and its replies, in their order."""
    first = reply_name(question_id, 1, 1).rpartition("1t1")[0]
    judged = [record for name, record in records.items() if name.startswith(first)]
    if not judged:
        return None
    sent = judged[0].request.get("json", {})
    messages = tuple((str(m["role"]), str(m["content"])) for m in sent.get("messages", ()))
    replies = tuple(reply.read(record, PLACES).answer for record in judged)
    return Judging(messages, replies, str(sent.get("model", "")))
