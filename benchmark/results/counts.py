"""Verdicts to tables (rubric, "Review" and "Published"). Pure; knows no measure by name, no file
and no markup.

A row counts one measure over the answers of one site and language ("" is all of them): `of` answers
that were asked, are not faulty and to which the measure applies; `mechanical` and `reviewed` passes
of them; `delivered` of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import ClassVar

from benchmark.core.records import Verdict
from benchmark.results.statistics import clopper_pearson, wants_exact, wilson


@dataclass(frozen=True)
class Row:
    """One cell of the results table, with what belongs beside its number."""

    ALSO: ClassVar[tuple[str, ...]] = ("interval", "exact_interval")  # written too
    measure: str
    site: str
    language: str
    reviewed: int
    mechanical: int
    of: int
    delivered: int
    mean_score: float | None = None  # 0-100, over the graded answers of a graded measure
    faults: int = 0  # answers to which the measure applies and that it could give no value

    @property
    def interval(self) -> tuple[float, float] | None:
        """95% Wilson interval of `reviewed` of `of`; None where nothing was counted."""
        return wilson(self.reviewed, self.of) if self.of else None

    @property
    def exact_interval(self) -> tuple[float, float] | None:
        """95% Clopper-Pearson interval of the same; None where Wilson's is close enough, or nothing
        was counted."""
        return (
            clopper_pearson(self.reviewed, self.of) if wants_exact(self.reviewed, self.of) else None
        )

    @property
    def text(self) -> str:
        """`14/15 (13/15)`: after review, and the mechanical value in brackets where they differ."""
        changed = f" ({self.mechanical}/{self.of})" if self.mechanical != self.reviewed else ""
        return f"{self.reviewed}/{self.of}{changed}" if self.of else "–"


def measure_names(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m.name for v in verdicts for m in v.measures))


def cells(verdicts: Sequence[Verdict]) -> list[tuple[str, str]]:
    """The (site, language) pairs that occur, in order."""
    return list(dict.fromkeys((v.question.set, v.question.language) for v in verdicts))


def row(verdicts: Sequence[Verdict], measure: str, site: str = "", language: str = "") -> Row:
    """One measure counted over the verdicts of a site and language; "" takes all."""
    here = [
        (v, m)
        for v in verdicts
        for m in v.measures
        if m.name == measure and not v.faulty and v.question.is_in(site, language)
    ]
    counted = [(v, m) for v, m in here if v.reviewed[measure] is not None]
    scores = [m.score for _, m in here if m.score is not None]
    return Row(
        measure,
        site,
        language,
        reviewed=sum(v.reviewed[measure] is True for v, _ in counted),
        mechanical=sum(m.value is True for _, m in counted),
        of=len(counted),
        delivered=sum(v.delivered for v, _ in counted),
        mean_score=fmean(scores) if scores else None,
        faults=sum(bool(m.fault) for _, m in here),
    )


def table(verdicts: Sequence[Verdict]) -> list[Row]:
    """A row for each measure, site and language."""
    return [
        row(verdicts, name, *cell) for name in measure_names(verdicts) for cell in cells(verdicts)
    ]


def totals(verdicts: Sequence[Verdict]) -> list[Row]:
    """Each measure over a site, over a language, and over everything."""
    places = [
        *dict.fromkeys((site, "") for site, _ in cells(verdicts)),
        *dict.fromkeys(("", language) for _, language in cells(verdicts)),
        ("", ""),
    ]
    return [row(verdicts, name, *place) for name in measure_names(verdicts) for place in places]


def gate(verdicts: Sequence[Verdict], least: dict[str, float]) -> list[str]:
    """`--fail-under`: a sentence for each measure whose reviewed share, in percent, is under
    `least`, or unknown."""
    rows = {name: row(verdicts, name) for name in least}
    return [
        f"{name}: {r.text} is under {least[name]:g}%" if r.of else f"{name}: no answer was counted"
        for name, r in rows.items()
        if not r.of or 100 * r.reviewed < least[name] * r.of
    ]


def changed_by_review(verdicts: Sequence[Verdict]) -> Iterator[Verdict]:
    """Verdicts that a reviewer turned, in either direction."""
    return (v for v in verdicts if any(m.value != v.reviewed[m.name] for m in v.measures))
