"""How far a judge can be trusted: its grades of labelled answers (`questions/judge-check.jsonl`).
Pure.

A row is right or wrong by its label; the judge calls it right from 70 on. Sensitivity is the share
of right answers that it calls right, specificity the share of wrong ones that it calls wrong; its
signed error is grade minus label (0 or 100)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmark.core import validation
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_json_lines
from benchmark.results.statistics import wilson
from benchmark.scoring.matching import PASS

RIGHT, WRONG = "right", "wrong"


@dataclass(frozen=True)
class Row:
    """One labelled answer."""

    id: str
    language: str
    question: str
    reference_answer: str
    response: str
    label: str
    trait: str
    why: str


_FIELDS: dict[str, validation.Check] = {
    **dict.fromkeys((each.name for each in fields(Row)), validation.TEXT),
    "id": validation.ID,
    "language": validation.one_of("ar", "en"),
    "label": validation.one_of(RIGHT, WRONG),
}
_ROW = validation.Object(_FIELDS)


def load(path: Path) -> tuple[Row, ...]:
    """The labelled rows. InvalidInput lists every fault."""
    lines = read_json_lines(path)
    faults = list(validation.faults_of_lines(lines, _ROW))
    if faults or not lines:
        raise InvalidInput([f"{path}: {fault}" for fault in faults] or [f"{path}: no row is there"])
    return tuple(Row(**line) for _, line in lines)


def report(rows: Sequence[Row], scores: dict[str, float | None]) -> dict[str, Any]:
    """What the judge's grades (None: no grade) say of it, in all and by language, and the rows it
    got wrong."""
    languages = sorted({row.language for row in rows})
    return {
        "rows": len(rows),
        "all": _figures(rows, scores),
        "languages": {
            name: _figures([row for row in rows if row.language == name], scores)
            for name in languages
        },
        "traits": {
            name: _hits([row for row in rows if row.trait == name], scores)
            for name in dict.fromkeys(row.trait for row in rows)
        },
        "mistaken": [
            {"id": row.id, "label": row.label, "trait": row.trait, "score": scores[row.id]}
            for row in rows
            if _call(scores[row.id]) not in (row.label, None)
        ],
    }


def _call(score: float | None) -> str | None:
    return None if score is None else RIGHT if score >= PASS else WRONG


def _figures(rows: Sequence[Row], scores: dict[str, float | None]) -> dict[str, Any]:
    table = Counter((row.label, _call(scores[row.id])) for row in rows)
    errors = [
        score - 100 * (row.label == RIGHT) for row in rows if (score := scores[row.id]) is not None
    ]
    return {
        "confusion": {
            label: {call or "no grade": table[label, call] for call in (RIGHT, WRONG, None)}
            for label in (RIGHT, WRONG)
        },
        "sensitivity": _share(table[RIGHT, RIGHT], table[RIGHT, RIGHT] + table[RIGHT, WRONG]),
        "specificity": _share(table[WRONG, WRONG], table[WRONG, WRONG] + table[WRONG, RIGHT]),
        "signed_error": fmean(errors) if errors else None,
        "graded": len(errors),
    }


def _share(k: int, n: int) -> dict[str, Any]:
    return {"k": k, "n": n, "interval": list(wilson(k, n)) if n else None}


def _hits(rows: Sequence[Row], scores: dict[str, float | None]) -> dict[str, int]:
    return {"agrees": sum(_call(scores[row.id]) == row.label for row in rows), "of": len(rows)}


def as_text(made: dict[str, Any]) -> list[str]:
    """The report for a terminal."""
    lines = []
    for name, figures in {"all": made["all"], **made["languages"]}.items():
        confusion = figures["confusion"]
        error = "none" if figures["signed_error"] is None else f"{figures['signed_error']:+.1f}"
        lines.append(
            f"{name}: sensitivity {_said(figures['sensitivity'])}, specificity"
            f" {_said(figures['specificity'])}, signed error {error} of 100 over"
            f" {figures['graded']} grades"
        )
        lines += [
            f"  labelled {label}: "
            + ", ".join(f"{n} {call}" for call, n in confusion[label].items())
            for label in confusion
        ]
    lines += [
        f"{trait}: agrees in {hits['agrees']} of {hits['of']}"
        for trait, hits in made["traits"].items()
    ]
    return lines


def _said(share: dict[str, Any]) -> str:
    if not share["n"]:
        return "–"
    low, high = share["interval"]
    return f"{share['k']}/{share['n']} ({100 * low:.0f}–{100 * high:.0f}%)"
