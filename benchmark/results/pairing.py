"""Answers of two runs to the same question, in pairs. Pure.

A question is unchanged where all that decides its verdict is the same: its text, facts, pages,
forbidden strings, reference and way of scoring. A pair counts for a measure where both of its
answers have a value after review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from benchmark.core.records import Question, Verdict

_DECIDES_NOTHING = ("evidence", "concept", "metadata")
Pair = tuple[Verdict, Verdict]


def paired(
    before: Sequence[Verdict], after: Sequence[Verdict]
) -> tuple[tuple[Pair, ...], tuple[tuple[str, str], ...]]:
    """Unchanged questions that were asked and are sound in both runs; and the others, with why."""
    old, new = (
        {(v.question.set, v.question.id): v for v in verdicts} for verdicts in (before, after)
    )
    pairs, left_out = [], []
    for key in dict.fromkeys([*old, *new]):
        if why := _left_out(old.get(key), new.get(key)):
            left_out.append((key[1], why))
        else:
            pairs.append((old[key], new[key]))
    return tuple(pairs), tuple(left_out)


def _left_out(old: Verdict | None, new: Verdict | None) -> str:
    if old is None or new is None:
        return "only in the later run" if old is None else "only in the earlier run"
    if changed := changed_fields(old.question, new.question):
        return f"changed: {', '.join(changed)}"
    if old.faulty or new.faulty:
        return "faulty"
    return "" if old.asked and new.asked else "not asked in both"


def changed_fields(old: Question, new: Question) -> list[str]:
    """Fields that decide the verdict and are not the same."""
    names = [field.name for field in fields(old) if field.name not in _DECIDES_NOTHING]
    return [name for name in names if getattr(old, name) != getattr(new, name)]


def counted(pairs: Sequence[Pair], measure: str, site: str, language: str) -> list[Pair]:
    return [
        (a, b)
        for a, b in pairs
        if a.question.is_in(site, language)
        and a.reviewed.get(measure) is not None
        and b.reviewed.get(measure) is not None
    ]


def by_concept(values: Sequence[tuple[Question, float]]) -> list[float]:
    """The sum of what each concept's questions have."""
    sums: dict[tuple[str, ...], float] = {}
    for question, value in values:
        sums[question.topic] = sums.get(question.topic, 0) + value
    return list(sums.values())
