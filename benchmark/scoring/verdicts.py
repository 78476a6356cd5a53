"""From a question, its record and its review to a verdict. Pure: the measures are handed in, and so
is all else."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence

from benchmark.core.records import Measure, Places, Question, Record, Reply, Review, Verdict
from benchmark.scoring import reply as replies
from benchmark.scoring.reviews import apply
from benchmark.scoring.site_measures import Measuring, measure_all

_NOTHING = Reply(None, None, "not asked", (), None, "", "")


_ANY = Question("", "", "en", "", "")


def names(measuring: Sequence[Measuring]) -> tuple[str, ...]:
    """What the measures are called, in their order."""
    return tuple(m.name for m in measure_all(measuring, _ANY, _NOTHING))


def applicable(measuring: Sequence[Measuring], question: Question) -> tuple[str, ...]:
    """Names of the measures that apply to a question."""
    return tuple(m.name for m in measure_all(measuring, question, _NOTHING) if m.value is not None)


def digests(record: Record, reply: Reply) -> tuple[str, ...]:
    """What an `answer_sha256` may be: SHA-256 of the answer's text in UTF-8, or of the whole body
    where none came."""
    answer = (
        (hashlib.sha256(reply.answer.encode()).hexdigest(),) if reply.answer is not None else ()
    )
    return (*answer, hashlib.sha256(replies.body_bytes(record)).hexdigest())


def verdict(
    measuring: Sequence[Measuring],
    places: Places,
    question: Question,
    record: Record | None,
    review: Review | None,
    *,
    judged: tuple[str | None, ...] = (),
) -> Verdict:
    """One question's verdict; `judged`: what a judge said. Without a record it is not asked: no
    measure has a value."""
    if record is None:
        unasked = tuple(Measure(name, None, "not asked") for name in names(measuring))
        return Verdict(
            question, False, False, unasked, dict.fromkeys(names(measuring)), review=review
        )
    reply = dataclasses.replace(replies.read(record, places), judged=judged)
    mechanical = Verdict(
        question,
        True,
        reply.answer is not None,
        found := measure_all(measuring, question, reply),
        {m.name: m.value for m in found},
        reply.answer or "",
        reply.sources,
        reply.version,
        record.latency_ms,
    )
    return apply(review, mechanical, digests(record, reply)) if review else mechanical


def verdicts(
    measuring: Sequence[Measuring],
    places: Places,
    questions: Sequence[Question],
    records: Mapping[str, Record],
    reviews: Mapping[str, Review],
) -> tuple[Verdict, ...]:
    """Every question's verdict, in the order of the questions."""
    return tuple(
        verdict(measuring, places, q, records.get(q.id), reviews.get(q.id)) for q in questions
    )
