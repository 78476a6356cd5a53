"""Intervals for counts. Pure: numbers in, numbers out; no rounding."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

_Z = NormalDist().inv_cdf(0.975)


def wilson(k: int, n: int) -> tuple[float, float]:
    """95% Wilson score interval of k of n, as fractions (E. B. Wilson, 1927). ValueError unless 0 <= k <= n, n > 0."""
    if not 0 <= k <= n or n == 0:
        raise ValueError(f"{k} of {n} is no count")
    share, z2 = k / n, _Z * _Z
    middle = share + z2 / (2 * n)
    spread = _Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    scale = 1 + z2 / n
    # At 0 of n and n of n the formula is exactly 0 and 1, and floating point a hair beside it.
    return (0.0 if k == 0 else (middle - spread) / scale, 1.0 if k == n else (middle + spread) / scale)
