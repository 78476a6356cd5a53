"""Track B's measures (rubric, "Track B"): the same signature as Track A's, another tuple.

Each way of scoring is a measure of its own, so that no number blends an exact match with a judge's
opinion. A cut-off answer is truncated, not wrong; what a judge could not grade is a fault, not a
zero."""

from __future__ import annotations

from functools import partial

from benchmark.core.records import METHODS, Measure, Question, Reply
from benchmark.scoring.matching import score, without_thought
from benchmark.scoring.site_measures import Measuring, delivered
from benchmark.text.appears import Haystack

CUT = "length"  # the finish reason of a reply that ran out of tokens
TRUNCATED, NOT_SCORED, JUDGE_ERROR = "truncated", "not scored", "judge error"


def is_truncated(reply: Reply) -> bool:
    """Whether the reply was cut off: out of tokens, or reasoning that never ends."""
    return reply.finish == CUT or without_thought(reply.answer or "")[1]


def complete(question: Question, reply: Reply, answer: Haystack) -> Measure:
    """The answer came to its own end."""
    cut = is_truncated(reply)
    why = f"finish reason {reply.finish!r}" if reply.finish else "no finish reason given"
    return Measure("complete", not cut, f"{'cut off' if cut else 'not cut off'}: {why}")


def graded(method: str, question: Question, reply: Reply, answer: Haystack) -> Measure:
    """The answer passes by `method`; it does not apply to a question that is scored another way."""
    if question.scoring != method:
        return Measure(method, None, f"does not apply: scored by {question.scoring}")
    if reply.answer is None:
        return Measure(method, False, reply.problem)
    if is_truncated(reply):
        return Measure(method, None, "truncated, so neither right nor wrong", fault=TRUNCATED)
    found = score(question, reply.answer, reply.judged)
    if found.passed is None:
        return Measure(
            method, None, found.reason, fault=JUDGE_ERROR if any(reply.judged) else NOT_SCORED
        )
    return Measure(method, found.passed, found.reason, score=found.score)


MEASURES: tuple[Measuring, ...] = (
    delivered,
    complete,
    *(partial(graded, method) for method in METHODS),
)
