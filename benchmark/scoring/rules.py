"""A measure as an object: its name, the questions that it applies to, and its rule. Pure.

Each track has a tuple of these; nothing else knows how many there are or what they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from benchmark.core.reasons import Reason
from benchmark.core.records import Measure, Question, Reply
from benchmark.text.appears import Haystack

AnyQuestion = TypeVar("AnyQuestion", bound=Question)
Outcome = tuple[bool | None, tuple[Reason, ...]]


@dataclass(frozen=True)
class Rule(Generic[AnyQuestion]):
    """`measure` is asked only about questions that `applies` accepts."""

    name: str
    applies: Callable[[AnyQuestion], bool]
    measure: Callable[[AnyQuestion, Reply, Haystack], Measure]


Rules = Sequence[Rule[Any]]


def names(rules: Rules) -> tuple[str, ...]:
    return tuple(rule.name for rule in rules)


def applicable(rules: Rules, question: Question) -> tuple[str, ...]:
    """Names of the measures that apply to a question."""
    return tuple(rule.name for rule in rules if rule.applies(question))


def measure_all(rules: Rules, question: Question, reply: Reply) -> tuple[Measure, ...]:
    """Every measure of one answer; one that does not apply has the value None.

    An answer that was not delivered fails all that apply, but those that give it no value."""
    answer = Haystack(reply.answer or "")
    return tuple(_measured(rule, question, reply, answer) for rule in rules)


def _measured(rule: Rule[Any], question: Question, reply: Reply, answer: Haystack) -> Measure:
    if not rule.applies(question):
        return Measure(rule.name, None, reasons=(Reason("does_not_apply"),))
    measure = rule.measure(question, reply, answer)
    if reply.problem is None or measure.value is None:
        return measure
    problem = {"code": reply.problem.code, "args": reply.problem.args}
    return Measure(rule.name, False, reasons=(Reason("not_delivered", {"problem": problem}),))
