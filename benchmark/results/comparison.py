"""Two runs against each other, on unchanged questions only. Pure: verdicts in, changes out.

Totals are tested by concept where translations of one concept are among the pairs (they stand and
fall together, so they are no independent questions), else by McNemar's exact test; cells, a site in
one language, by McNemar's. The p-values of all totals are adjusted together after Holm, and so are
those of all cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from benchmark.core.errors import InvalidInput
from benchmark.core.records import Measure, Verdict
from benchmark.results import statistics
from benchmark.results.pairing import Pair, by_concept, counted, paired
from benchmark.results.statistics import Permuted

DESPITE = ("questions", "rules", "decline")


@dataclass(frozen=True)
class Run:
    """A run to compare. `made_with` has, for each of `DESPITE`, what must be the same, and `shown`
    how to say it."""

    name: str
    label: str
    is_rehearsal: bool
    is_final: bool
    window: tuple[str, ...]
    version: str
    made_with: dict[str, Any]
    shown: dict[str, str]
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True)
class Flip:
    """A question whose answer passed a measure in one run and not in the other."""

    measure: str
    before: Verdict
    after: Verdict

    @property
    def gained(self) -> bool:
        return self.after.reviewed[self.measure] is True

    @property
    def same_answer(self) -> bool:
        """Then it is the rules, the reviews or the sources that changed the verdict."""
        return self.before.answer == self.after.answer


@dataclass(frozen=True)
class Change:
    """One measure over the pairs of a site and language ("" is all). `adjusted`: p after Holm."""

    measure: str
    site: str
    language: str
    of: int
    before: int
    after: int
    gained: int
    lost: int
    p: float
    by_concept: Permuted | None  # None where no two pairs share a concept
    concepts: int
    adjusted: float = 1.0

    @property
    def detectable(self) -> float | None:
        """The smallest change, as a fraction, that so many pairs show in four of five cases."""
        return statistics.smallest_detectable(self.of)

    @property
    def tested(self) -> float:
        """The p-value that is adjusted and decides."""
        return self.by_concept.p if self.by_concept else self.p

    @property
    def words(self) -> str:
        if self.adjusted > statistics.ALPHA:
            return "no detectable change"
        return "better" if self.gained > self.lost else "worse"


@dataclass(frozen=True)
class Scores:
    """A graded measure's mean score, 0-100, over pairs that both have one."""

    measure: str
    of: int
    before: float
    after: float
    test: Permuted


@dataclass(frozen=True)
class Comparison:
    """`left_out` are (question id, why); `despite` says what differs though it was compared."""

    before: Run
    after: Run
    pairs: tuple[Pair, ...]
    left_out: tuple[tuple[str, str], ...]
    despite: dict[str, str]
    totals: tuple[Change, ...]
    cells: tuple[Change, ...]
    scores: tuple[Scores, ...]
    flips: tuple[Flip, ...]


def compare(before: Run, after: Run, despite: Sequence[str] = ()) -> Comparison:
    """The comparison; InvalidInput where the runs differ in what `despite` does not name."""
    differing = differences(before, after)
    refused = [f"{what}: {text}" for what, text in differing.items() if what not in despite]
    if refused:
        names = ",".join(differing)
        raise InvalidInput(
            [f"{before.name} and {after.name} cannot be compared: {fault}" for fault in refused],
            f"--despite {names} compares them all the same, on unchanged questions, and says so in"
            " its output.",
        )
    pairs, left_out = paired(before.verdicts, after.verdicts)
    if not pairs:
        raise InvalidInput(
            [f"{before.name} and {after.name}: no unchanged question was answered in both"]
        )
    measures = tuple(dict.fromkeys(m.name for pair in pairs for m in pair[0].measures))
    places = tuple(dict.fromkeys((a.question.set, a.question.language) for a, _ in pairs))
    cells = [change(pairs, name, *place) for name in measures for place in places]
    return Comparison(
        before,
        after,
        pairs,
        left_out,
        despite=differing,
        totals=adjusted([change(pairs, name) for name in measures]),
        cells=adjusted(cells),
        scores=tuple(scores for name in measures if (scores := mean_scores(pairs, name))),
        flips=tuple(flip for name in measures for flip in flips(pairs, name)),
    )


def differences(before: Run, after: Run) -> dict[str, str]:
    """Which of `DESPITE` differ between two runs, each with both sides."""
    return {
        what: f"{before.shown[what]} against {after.shown[what]}"
        for what in DESPITE
        if before.made_with[what] != after.made_with[what]
    }


# Changes ------------------------------------------------------------------------------------------


def change(pairs: Sequence[Pair], measure: str, site: str = "", language: str = "") -> Change:
    """A measure's change over the pairs of a site and language; "" takes all."""
    here = counted(pairs, measure, site, language)
    values = [(a.reviewed[measure] is True, b.reviewed[measure] is True) for a, b in here]
    gained, lost = values.count((False, True)), values.count((True, False))
    sums = by_concept(
        [(a.question, new - old) for (a, _), (old, new) in zip(here, values, strict=True)]
    )
    return Change(
        measure,
        site,
        language,
        of=len(here),
        before=sum(old for old, _ in values),
        after=sum(new for _, new in values),
        gained=gained,
        lost=lost,
        p=statistics.mcnemar(lost, gained),
        by_concept=statistics.sign_flip(sums) if len(sums) < len(here) else None,
        concepts=len(sums),
    )


def adjusted(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Those that count any pair, their p-values adjusted after Holm for being tested together."""
    tested = [c for c in changes if c.of]
    ps = statistics.holm([c.tested for c in tested])
    return tuple(replace(c, adjusted=p) for c, p in zip(tested, ps, strict=True))


def mean_scores(pairs: Sequence[Pair], measure: str) -> Scores | None:
    """A graded measure's means; None where nothing was graded in both runs."""
    found = [
        (a.question, x, y)
        for a, b in pairs
        if (x := _score(a, measure)) is not None and (y := _score(b, measure)) is not None
    ]
    if not found:
        return None
    test = statistics.sign_flip(by_concept([(question, y - x) for question, x, y in found]))
    return Scores(
        measure, len(found), fmean(x for _, x, _ in found), fmean(y for _, _, y in found), test
    )


def _score(verdict: Verdict, measure: str) -> float | None:
    return measured(verdict, measure).score


def measured(verdict: Verdict, measure: str) -> Measure:
    """A verdict's measure by its name; one without a value where it has none of that name."""
    return next((m for m in verdict.measures if m.name == measure), Measure(measure, None, ""))


def flips(pairs: Sequence[Pair], measure: str) -> Iterator[Flip]:
    """What fails now, then what passes now."""
    found = [
        Flip(measure, a, b)
        for a, b in counted(pairs, measure, "", "")
        if a.reviewed[measure] != b.reviewed[measure]
    ]
    yield from sorted(found, key=lambda flip: flip.gained)
