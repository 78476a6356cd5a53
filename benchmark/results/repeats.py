"""What repeats and a judge add to a run's results (rubric, "Track B"). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmark.core.records import Measure, Verdict
from benchmark.results.agreement import agreement
from benchmark.scoring.matching import PASS


@dataclass(frozen=True)
class Repeats:
    """Questions asked several `times`: `of` so many, and the ids of those whose outcome flipped."""

    times: int
    of: int
    flipped: tuple[str, ...]


@dataclass(frozen=True)
class JudgedAgain:
    of: int
    flipped: tuple[str, ...]


@dataclass(frozen=True)
class WithPeople:
    """Judge against reviewer: the 2x2 `table`, share observed, kappa and AC1 (None where 0/0)."""

    table: dict[str, int]
    of: int
    observed: float | None
    kappa: float | None
    ac1: float | None


@dataclass(frozen=True)
class Judging:
    """Answers that the judge graded, its faults by kind, its flips, its agreement with people."""

    graded: int
    faults: dict[str, int]
    repeats: JudgedAgain
    agreement: WithPeople | None = None


def repeats(verdicts: Sequence[Verdict]) -> Repeats | None:
    """None where no question was asked several times."""
    repeated = [v for v in verdicts if v.again]
    if not repeated:
        return None
    flipped = (v.question.id for v in repeated if any(_mechanical(v) != a for a in v.again))
    return Repeats(1 + max(len(v.again) for v in repeated), len(repeated), tuple(flipped))


def _mechanical(verdict: Verdict) -> dict[str, bool | None]:
    return {m.name: m.value for m in verdict.measures}


def judging(verdicts: Sequence[Verdict]) -> Judging | None:
    """None where no judge was asked."""
    graded = [(v, m) for v in verdicts for m in v.measures if m.name == v.question.method]
    asked = [(v, m) for v, m in graded if v.judge_scores or m.fault not in ("", "truncated")]
    if not asked:
        return None
    several = [v for v, _ in asked if len(v.judge_scores) > 1]
    flipped = (v.question.id for v in several if len(set(map(_call, v.judge_scores))) > 1)
    kinds = sorted({m.fault for _, m in asked if m.fault})
    return Judging(
        sum(m.score is not None for _, m in asked),
        {kind: sum(m.fault == kind for _, m in asked) for kind in kinds},
        JudgedAgain(len(several), tuple(flipped)),
        _with_people([(v, m) for v, m in asked if v.read and m.score is not None]),
    )


def _call(score: float | None) -> bool | None:
    return None if score is None else score >= PASS


def _with_people(read: Sequence[tuple[Verdict, Measure]]) -> WithPeople | None:
    """Only answers that a person has read count. What the judge says is its grade alone: whatever
    else is required of an answer is not a judgement of its."""
    if not read:
        return None
    a = agreement(((m.score or 0) >= PASS, bool(v.reviewed[m.name])) for v, m in read)
    table = {
        "both": a.both,
        "judge_only": a.first_only,
        "person_only": a.second_only,
        "neither": a.neither,
    }
    return WithPeople(table, a.of, a.observed, a.kappa, a.ac1)


def lines(judged: Judging | None, repeated: Repeats | None) -> Iterator[str]:
    """Both for a terminal."""
    if repeated:
        count, flipped = len(repeated.flipped), ", ".join(repeated.flipped)
        yield f"asked {repeated.times} times: {count} of {repeated.of} flipped {flipped}".strip()
    if judged:
        yield f"judge: {judged.graded} graded" + "".join(
            f", {n} {kind}" for kind, n in judged.faults.items()
        )
        if judged.repeats.of:
            count = len(judged.repeats.flipped)
            yield f"judged again: {count} of {judged.repeats.of} flipped"
        if judged.agreement:
            yield _agreement_line(judged.agreement)


def _agreement_line(found: WithPeople) -> str:
    table = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in found.table.items())
    kappa, ac1 = ("–" if value is None else f"{value:.3f}" for value in (found.kappa, found.ac1))
    share = f"{100 * (found.observed or 0):.1f}% of {found.of} agree"
    return f"judge against people: {share} ({table}), kappa {kappa}, AC1 {ac1}"
