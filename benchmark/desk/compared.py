"""Two reviewers of the same answers: a 2x2 table for each measure, and where they part. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmark.core.records import Review, Verdict
from benchmark.results.agreement import Agreement, agreement
from benchmark.results.counts import measure_names

SOUND = "question is sound"  # that is, not faulty


@dataclass(frozen=True)
class Opinion:
    """What both reviewers say of one answer: the same measure, true where it passes."""

    id: str
    measure: str
    first: bool
    second: bool
    reviews: tuple[Review, Review]


@dataclass(frozen=True)
class Comparison:
    """`tables` by measure, over what both have read; `disagreements` in the questions' order."""

    read_by_both: int
    tables: dict[str, Agreement]
    disagreements: tuple[Opinion, ...]


def compare(first: Sequence[Verdict], second: Sequence[Verdict]) -> Comparison:
    """The same verdicts after each reviewer's review. A faulty question counts in that alone."""
    both = [(a, b) for a, b in zip(first, second, strict=True) if a.read and b.read]
    opinions = [opinion for a, b in both for opinion in _opinions(a, b)]
    tables = {
        name: agreement((o.first, o.second) for o in opinions if o.measure == name)
        for name in (*measure_names(first), SOUND)
    }
    counted = {name: table for name, table in tables.items() if table.of}
    return Comparison(len(both), counted, tuple(o for o in opinions if o.first != o.second))


def _opinions(a: Verdict, b: Verdict) -> Iterator[Opinion]:
    if a.review is None or b.review is None:
        return
    reviews = (a.review, b.review)
    yield Opinion(a.question.id, SOUND, not a.faulty, not b.faulty, reviews)
    for name, value in a.reviewed.items():
        other = b.reviewed[name]
        if not (a.faulty or b.faulty) and value is not None and other is not None:
            yield Opinion(a.question.id, name, value, other, reviews)
