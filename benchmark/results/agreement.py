"""How far two reviewers agree. Pure: pairs of verdicts in, numbers out; no rounding.

Percent agreement, Cohen's kappa and Gwet's AC1 stand together: where nearly all verdicts are the
same, kappa alone misleads (116 times both pass and 2 + 2 split is 96.7% agreement, and a kappa
below nothing)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Agreement:
    """A 2x2 table: answers that both pass, only the first, only the second, and neither of them."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def of(self) -> int:
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def observed(self) -> float | None:
        """Share of answers with the same verdict, 0 to 1; None where there are none."""
        return (self.both + self.neither) / self.of if self.of else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (1960): chance is each reviewer's own share of passes. None where it is
        0/0: all verdicts are the same, or there are none."""
        if not self.of:
            return None
        first, second = (
            (self.both + self.first_only) / self.of,
            (self.both + self.second_only) / self.of,
        )
        return self._beyond(first * second + (1 - first) * (1 - second))

    @property
    def ac1(self) -> float | None:
        """Gwet's AC1 (2008): chance is 2p(1 - p), with p the mean share of passes. None where there
        are no verdicts."""
        if not self.of:
            return None
        share = (2 * self.both + self.first_only + self.second_only) / (2 * self.of)
        return self._beyond(2 * share * (1 - share))

    def _beyond(self, chance: float) -> float | None:
        """Agreement beyond `chance`, as a share of what there is beyond it."""
        observed = self.observed
        return None if observed is None or chance == 1 else (observed - chance) / (1 - chance)


def agreement(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """The table of (first reviewer's verdict, second reviewer's verdict) of the same answers."""
    counted = Counter((bool(first), bool(second)) for first, second in pairs)
    return Agreement(
        counted[True, True], counted[True, False], counted[False, True], counted[False, False]
    )
