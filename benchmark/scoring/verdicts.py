"""From a question, its record and its review to a verdict. Pure: all it needs is handed in."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence

from benchmark.core.reasons import Reason
from benchmark.core.records import Measure, Places, Question, Record, Reply, Review, Verdict
from benchmark.scoring import reply as replies
from benchmark.scoring.reviews import apply
from benchmark.scoring.rules import Rules, measure_all, names


def digests(record: Record, reply: Reply) -> tuple[str, ...]:
    """What an `answer_sha256` may be: SHA-256 of the answer's text in UTF-8, or of the body."""
    answer = () if reply.answer is None else (hashlib.sha256(reply.answer.encode()).hexdigest(),)
    return (*answer, hashlib.sha256(replies.body_bytes(record)).hexdigest())


def verdict(
    rules: Rules,
    places: Places,
    question: Question,
    record: Record | None,
    *,
    review: Review | None = None,
    judged: Sequence[str | None] = (),
) -> Verdict:
    """One question's verdict; `judged` are the replies of a judge. No record: it was not asked."""
    if record is None:
        return _not_asked(rules, question, review)
    reply = dataclasses.replace(replies.read(record, places), judged=tuple(judged))
    measures = measure_all(rules, question, reply)
    mechanical = Verdict(
        question,
        asked=True,
        delivered=reply.answer is not None,
        measures=measures,
        reviewed={measure.name: measure.value for measure in measures},
        answer=reply.answer or "",
        sources=reply.sources,
        version=reply.version,
        latency_ms=record.latency_ms,
    )
    return apply(review, mechanical, digests(record, reply)) if review else mechanical


def _not_asked(rules: Rules, question: Question, review: Review | None) -> Verdict:
    reasons = (Reason("not_asked"),)
    measures = tuple(Measure(name, None, reasons=reasons) for name in names(rules))
    values = dict.fromkeys(names(rules))
    return Verdict(question, False, False, measures=measures, reviewed=values, review=review)


def verdicts(
    rules: Rules,
    places: Places,
    questions: Sequence[Question],
    records: Mapping[str, Record],
    reviews: Mapping[str, Review],
) -> tuple[Verdict, ...]:
    """Every question's verdict, in the order of the questions."""
    return tuple(
        verdict(rules, places, q, records.get(q.id), review=reviews.get(q.id)) for q in questions
    )
