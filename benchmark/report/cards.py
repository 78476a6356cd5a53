"""A question as the pages show it, and the words by which it is found again. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmark.core.records import Attempt, Measure, Verdict
from benchmark.report.beside import Beside, Judging
from benchmark.report.escape import anchor, direction, slug
from benchmark.results import rates
from benchmark.results.summary import Results
from benchmark.text.normalise import letters

LOSSES = ("unasked", rates.UNDELIVERED, "faulty", "stale", "asked_again", "retried")
LABELS = (
    *("failed", "passed"),
    *dict.fromkeys(name for names in rates.OUTCOMES.values() for name in names),
    *("unread", "changed", "stale", "faulty", "asked_again", "retried", "unasked"),
)
_ENOUGH = 2000  # characters of an answer that say in which script it is written


@dataclass(frozen=True)
class Card:
    """One question on the page. `labels`: its outcomes, for the filter and the lists of losses."""

    verdict: Verdict
    anchor: str
    group: str
    labels: tuple[str, ...]
    attempts: tuple[Attempt, ...]
    judging: Judging | None

    @property
    def measures(self) -> list[Measure]:
        """Those that apply, or would if they could be given a value."""
        return [m for m in self.verdict.measures if m.value is not None or m.fault]

    def named(self, value: bool) -> str:
        """Names of the measures that pass, or fail, after review."""
        reviewed = self.verdict.reviewed
        return " ".join(slug(m.name) for m in self.measures if reviewed[m.name] is value)

    @property
    def direction(self) -> str:
        return direction(self.verdict.question.question, self.verdict.question.language)

    @property
    def answer_direction(self) -> str:
        return direction(self.verdict.answer, self.verdict.question.language)

    @property
    def answer_language(self) -> str:
        """The question's language where most of the answer is in its script; else none."""
        counted, language = letters(self.verdict.answer[:_ENOUGH]), self.verdict.question.language
        return language if 2 * counted.get(language, 0) > sum(counted.values()) else ""


def card_of(v: Verdict, run: Results, beside: Beside) -> Card:
    """`run` is the run's head: it knows which questions were asked again."""
    name, labels = v.question.id, tuple(labels_of(v, run, beside))
    return Card(
        verdict=v,
        anchor=anchor(v.question),
        group="left_out" if v.faulty or not v.asked else labels[0],
        labels=labels,
        attempts=beside.attempts.get(name, ()),
        judging=beside.judgings.get(name),
    )


def labels_of(v: Verdict, run: Results, beside: Beside) -> Iterator[str]:
    """Outcomes of a question, in the order of `LABELS`, then why measures have no value."""
    if v.asked and not v.faulty:
        yield "failed" if v.failed or not v.delivered else "passed"
    if v.asked and not v.delivered:
        yield rates.UNDELIVERED
    elif outcome := rates.outcome(v, beside.declining):
        yield outcome
    is_so = {
        "unread": v.must_be_read and not v.read,
        "changed": any(m.value != v.reviewed[m.name] for m in v.measures),
        "stale": v.stale,
        "faulty": v.faulty,
        "asked_again": v.question.id in run.asked_again,
        "retried": len(beside.attempts.get(v.question.id, ())) > 1,
        "unasked": not v.asked,
    }
    yield from (label for label, holds in is_so.items() if holds)
    yield from dict.fromkeys(m.fault for m in v.measures if m.fault)
