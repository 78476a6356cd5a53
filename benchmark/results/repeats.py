"""What repeats and a judge add to a run's results (rubric, "Track B"). Pure: verdicts in, plain
values out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmark.core.records import Measure, Verdict
from benchmark.results.agreement import agreement
from benchmark.scoring.matching import PASS


def repeats(verdicts: Sequence[Verdict]) -> dict[str, Any] | None:
    """Questions asked several times: how many, and the ids of those whose outcome flipped. None
    without repeats."""
    repeated = [v for v in verdicts if v.again]
    if not repeated:
        return None
    flipped = [
        v.question.id for v in repeated if any(_mechanical(v) != values for values in v.again)
    ]
    return {
        "times": 1 + max(len(v.again) for v in repeated),
        "of": len(repeated),
        "flipped": flipped,
    }


def _mechanical(verdict: Verdict) -> dict[str, bool | None]:
    return {m.name: m.value for m in verdict.measures}


def judging(verdicts: Sequence[Verdict]) -> dict[str, Any] | None:
    """What the judge did: grades, errors, answers it has not read, flips, agreement with people.
    None without."""
    graded = [(v, m) for v in verdicts for m in v.measures if m.name == v.question.method]
    asked = [(v, m) for v, m in graded if v.judge_scores or m.fault not in ("", "truncated")]
    if not asked:
        return None
    several = [v for v, _ in asked if len(v.judge_scores) > 1]
    flipped = [v.question.id for v in several if len(set(map(_call, v.judge_scores))) > 1]
    kinds = sorted({m.fault for _, m in asked if m.fault})
    return {
        "graded": sum(m.score is not None for _, m in asked),
        "faults": {kind: sum(m.fault == kind for _, m in asked) for kind in kinds},
        "repeats": {"of": len(several), "flipped": flipped},
        "agreement": _with_people([(v, m) for v, m in asked if v.read and m.score is not None]),
    }


def _call(score: float | None) -> bool | None:
    return None if score is None else score >= PASS


def _with_people(read: Sequence[tuple[Verdict, Measure]]) -> dict[str, Any] | None:
    """Judge against reviewer: the 2x2 table, percent, kappa and AC1; only answers that a person has
    read count.

    What the judge says is its grade alone: whatever else is required of an answer is no judgement
    of its."""
    if not read:
        return None
    found = agreement(((m.score or 0) >= PASS, bool(v.reviewed[m.name])) for v, m in read)
    table = {
        "both": found.both,
        "judge_only": found.first_only,
        "person_only": found.second_only,
        "neither": found.neither,
    }
    return {
        "table": table,
        "of": found.of,
        "observed": found.observed,
        "kappa": found.kappa,
        "ac1": found.ac1,
    }


def lines(made: dict[str, Any] | None, asked: dict[str, Any] | None) -> list[str]:
    """Both for a terminal: `made` is `judging`'s value, `asked` that of `repeats`."""
    found = []
    if asked:
        flipped = ", ".join(asked["flipped"])
        found.append(
            f"asked {asked['times']} times: {len(asked['flipped'])} of {asked['of']} flipped"
            f" {flipped}".strip()
        )
    if made:
        faults = "".join(f", {n} {kind}" for kind, n in made["faults"].items())
        found.append(f"judge: {made['graded']} graded{faults}")
        if made["repeats"]["of"]:
            found.append(
                f"judged again: {len(made['repeats']['flipped'])} of {made['repeats']['of']}"
                " flipped"
            )
        if made["agreement"]:
            found.append(_agreement_line(made["agreement"]))
    return found


def _agreement_line(found: dict[str, Any]) -> str:
    table = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in found["table"].items())
    kappa, ac1 = (
        ("–" if found[name] is None else f"{found[name]:.3f}") for name in ("kappa", "ac1")
    )
    share = f"{100 * found['observed']:.1f}% of {found['of']} agree"
    return f"judge against people: {share} ({table}), kappa {kappa}, AC1 {ac1}"
