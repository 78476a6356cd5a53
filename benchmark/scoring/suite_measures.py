"""Track B's measures (rubric, "Track B").

Each way of scoring is a measure of its own, so that no number blends an exact match with a judge's
opinion. A cut-off answer is truncated, not wrong; what no judge could grade is a fault, not a zero.
"""

from __future__ import annotations

from functools import partial

from benchmark.core.reasons import Reason
from benchmark.core.records import METHODS, Measure, Question, Reply, SuiteQuestion
from benchmark.scoring.matching import NOT_JUDGED, score
from benchmark.scoring.rules import Rule
from benchmark.scoring.site_measures import delivered
from benchmark.scoring.thought import without_thought
from benchmark.text.appears import Haystack

CUT = ("length", "max_tokens", "model_length", "incomplete")  # finish reasons, in lower case
TRUNCATED, NOT_SCORED, JUDGE_ERROR = "truncated", "not scored", "judge error"


def is_truncated(reply: Reply) -> bool:
    """Whether the reply was cut off: out of tokens, or thought that never closes."""
    return reply.finish.lower() in CUT or without_thought(reply.answer or "")[1]


def complete(question: Question, reply: Reply, answer: Haystack) -> Measure:
    """The answer came to its own end."""
    is_cut = is_truncated(reply)
    reason = Reason("cut_off" if is_cut else "complete", {"finish": reply.finish or None})
    return Measure("complete", not is_cut, reasons=(reason,))


def graded(method: str, question: SuiteQuestion, reply: Reply, answer: Haystack) -> Measure:
    """The answer passes by `method`."""
    if is_truncated(reply):
        return Measure(method, None, fault=TRUNCATED, reasons=(Reason("truncated"),))
    result = score(question, reply.answer or "", reply.judged)
    if result.passed is None:
        fault = NOT_SCORED if result.judge_error == NOT_JUDGED else JUDGE_ERROR
        return Measure(method, None, fault=fault, reasons=result.reasons)
    return Measure(method, result.passed, score=result.score, reasons=result.reasons)


def _rule(method: str) -> Rule[SuiteQuestion]:
    return Rule(method, lambda question: question.scoring == method, partial(graded, method))


SUITE_RULES: tuple[Rule[SuiteQuestion], ...] = (
    Rule("delivered", lambda question: True, delivered),
    Rule("complete", lambda question: True, complete),
    *map(_rule, METHODS),
)
