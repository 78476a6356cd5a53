"""Intervals and tests for counts, pairs and latencies. Pure: numbers in, numbers out, standard
library, no rounding.

Everything is 95% and two-sided. Tests are exact; where a permutation is too large to be counted
out, it is drawn with a fixed seed, so that the same runs always give the same number."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from math import ceil, comb, exp, fsum, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import NamedTuple

ALPHA = 0.05
POWER = 0.8
BACKGROUND = (
    0.05  # share of pairs that would flip, half of them each way, were nothing changed at all
)
SMALL = 20  # up to so many answers the exact interval is shown beside Wilson's
_Z = NormalDist().inv_cdf(1 - ALPHA / 2)
_HALVINGS = 50  # of an interval of length 1: what is left is below 1e-15
_NEGLIGIBLE = 1e-12  # a probability that is left out of a power
_MOST_SUMS = 1 << 16  # distinct sums up to which a permutation is counted out
_DRAWS = 20_000
_SEED = 20261130


# One proportion -----------------------------------------------------------------------------------


def wilson(k: int, n: int) -> tuple[float, float]:
    """95% Wilson score interval of k of n, as fractions (E. B. Wilson, 1927). ValueError unless 0
    <= k <= n, n > 0."""
    _check(k, n)
    share, z2 = k / n, _Z * _Z
    middle = share + z2 / (2 * n)
    spread = _Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    scale = 1 + z2 / n
    # At 0 of n and n of n the formula is exactly 0 and 1, and floating point a hair beside it.
    return (
        0.0 if k == 0 else (middle - spread) / scale,
        1.0 if k == n else (middle + spread) / scale,
    )


@cache
def clopper_pearson(k: int, n: int) -> tuple[float, float]:
    """95% exact interval of k of n (C. J. Clopper, E. S. Pearson, 1934), as fractions. ValueError
    as for `wilson`."""
    _check(k, n)
    low = 0.0 if k == 0 else _bisect(lambda p: tail(n, range(k, n + 1), p) < ALPHA / 2)
    high = 1.0 if k == n else _bisect(lambda p: tail(n, range(k + 1), p) > ALPHA / 2)
    return low, high


def wants_exact(k: int, n: int) -> bool:
    """Whether the exact interval belongs beside Wilson's: few answers, or all or none passed."""
    return n > 0 and (n <= SMALL or k in (0, n))


def tail(n: int, counts: range, p: float) -> float:
    """Probability that a binomial count of n with chance p is among `counts`."""
    return min(1.0, fsum(binomial(k, n, p) for k in counts))


def binomial(k: int, n: int, p: float) -> float:
    """Probability of k of n with chance p; in logarithms, so that no n is too large for a float."""
    if p in (0.0, 1.0):
        return float(k == n * p)
    return exp(_log_comb(n, k) + k * log(p) + (n - k) * log1p(-p))


@cache
def _log_comb(n: int, k: int) -> float:
    return log(comb(n, k)) if n <= 1000 else lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _bisect(is_below: Callable[[float], bool], halvings: int = _HALVINGS) -> float:
    """Where `is_below`, true from 0 on, turns false."""
    low, high = 0.0, 1.0
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2


def _check(k: int, n: int) -> None:
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"{k} of {n} is no count")


# Latencies ----------------------------------------------------------------------------------------


def quantile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed. ValueError without
    values."""
    if not values or not 0 < share < 1:
        raise ValueError(f"no quantile {share} of {len(values)} values")
    return sorted(values)[ceil(share * len(values) - 1e-9) - 1]  # 0.95 * 20 is a hair above 19


def quantile_interval(values: Sequence[float], share: float) -> tuple[float, float] | None:
    """95% interval of a quantile by ranks, whatever the distribution: the count of values under the
    true quantile is binomial. None where there are too few values to bound it: under 6 for a
    median, under 72 for a 95th percentile."""
    n, ordered = len(values), sorted(values)
    low, high, below = 0, n + 1, 0.0
    for rank in range(1, n + 1):
        below += binomial(
            rank - 1, n, share
        )  # chance that fewer than `rank` values lie under the quantile
        low = rank if below <= ALPHA / 2 else low
        high = rank if 1 - below <= ALPHA / 2 and high > n else high
    return (ordered[low - 1], ordered[high - 1]) if low >= 1 and high <= n else None


# Pairs --------------------------------------------------------------------------------------------


def mcnemar(lost: int, gained: int) -> float:
    """Exact two-sided p that pairs flip one way as often as the other (Q. McNemar, 1947). 1 where
    none flipped."""
    n, fewer = lost + gained, min(lost, gained)
    return min(1.0, sum(comb(n, k) for k in range(fewer + 1)) * 2 / (1 << n))


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """p-values adjusted for there being several, in their order (S. Holm, 1979)."""
    adjusted, least = [0.0] * len(ps), 0.0
    for tested, at in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, (len(ps) - tested) * ps[at]))
        adjusted[at] = least
    return tuple(adjusted)


class Permuted(NamedTuple):
    """A p-value, and whether every permutation was counted (else it is from seeded draws)."""

    p: float
    is_exact: bool


def sign_flip(differences: Sequence[float]) -> Permuted:
    """Two-sided p that each difference had its sign by chance. One difference a concept: what its
    translations share then counts once. Exact while the sums that can come about are few, which
    whole numbers' always are."""
    moved = [abs(d) for d in differences if d]
    seen = (
        abs(fsum(differences)) - 1e-9
    )  # sums of floats in another order differ in their last digits
    counts: dict[float, int] | None = {0.0: 1}
    for d in moved:
        counts = _both_ways(counts, d) if counts and len(counts) <= _MOST_SUMS else None
    if counts is None:
        return _drawn(moved, seen)
    return Permuted(
        sum(n for total, n in counts.items() if abs(total) >= seen) / (1 << len(moved)), True
    )


def _both_ways(counts: dict[float, int], d: float) -> dict[float, int]:
    found: dict[float, int] = {}
    for total, n in counts.items():
        for moved in (total + d, total - d):
            found[moved] = found.get(moved, 0) + n
    return found


def _drawn(moved: Sequence[float], seen: float) -> Permuted:
    draws = random.Random(_SEED)
    far = sum(
        abs(fsum(d if draws.random() < 0.5 else -d for d in moved)) >= seen for _ in range(_DRAWS)
    )
    return Permuted((far + 1) / (_DRAWS + 1), False)  # the permutation that was seen is one of them


@cache
def smallest_detectable(n: int, background: float = BACKGROUND) -> float | None:
    """The smallest change of a share, as a fraction, that exact McNemar finds in `POWER` of the
    cases over n pairs, of which `background` flip by chance, half each way. None where n pairs are
    too few for any change."""
    largest = 1 - background
    if _power(n, background, largest) < POWER:
        return None
    return _bisect(
        lambda change: change < largest and _power(n, background, change) < POWER, halvings=16
    )


def _power(n: int, background: float, change: float) -> float:
    """Chance that the flips of n pairs are significantly more one way, over all numbers of flips
    that may come."""
    lost, flipping = background / 2, background + change
    chances = ((flips, binomial(flips, n, flipping)) for flips in range(n + 1))
    return fsum(
        chance * tail(flips, range(_critical(flips) + 1), lost / flipping)
        for flips, chance in chances
        if chance > _NEGLIGIBLE
    )


@cache
def _critical(flips: int) -> int:
    """The largest count of the rarer way, of so many flips, that McNemar finds significant; -1
    where there is none."""
    few, ways = -1, 1
    while 2 * few < flips and ways * 2 <= ALPHA * (1 << flips):
        few += 1
        ways += comb(flips, few + 1)
    return few
