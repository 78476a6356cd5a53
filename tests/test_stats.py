"""The Wilson interval, by its definition and by the published figures; test_statistics.py has the
rest of `stats`."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import pytest

from benchmark.results.statistics import wilson

COUNTS = [
    (k, n)
    for n in (1, 2, 3, 5, 15, 20, 90, 120, 100_000)
    for k in sorted({0, 1, n // 3, n // 2, n - 1, n})
]


@pytest.mark.parametrize(
    "k, n, low, high",
    [(13, 15, 0.621180, 0.962639), (5, 5, 0.565518, 1.0), (88, 90, 0.922555, 0.993885)],
)
def test_published_figures(k: int, n: int, low: float, high: float) -> None:
    """The values that the project was given, to their last digit."""
    assert [round(bound, 6) for bound in wilson(k, n)] == [low, high]


@pytest.mark.parametrize("k, n", COUNTS)
def test_the_interval_holds_what_a_score_test_does_not_reject(k: int, n: int) -> None:
    """By definition: at either end the share that was seen lies 1.96 standard errors of that end
    away."""
    z, seen = NormalDist().inv_cdf(0.975), k / n
    for bound, is_open in zip(wilson(k, n), (k > 0, k < n), strict=True):
        if is_open:
            assert abs(seen - bound) == pytest.approx(z * sqrt(bound * (1 - bound) / n), rel=1e-9)
        else:
            assert bound == seen  # exactly 0 or 1, not a hair beside it


@pytest.mark.parametrize("k, n", COUNTS)
def test_passes_and_fails_mirror_each_other(k: int, n: int) -> None:
    """The interval of what failed is the same, seen from the other end; it holds the share, and
    lies within 0 and 1."""
    low, high = wilson(k, n)
    assert (1 - high, 1 - low) == pytest.approx(wilson(n - k, n), abs=1e-12)
    assert 0 <= low <= k / n <= high <= 1
    assert low < high


def test_more_answers_make_it_narrower() -> None:
    """The same share of more answers is known better."""
    widths = [high - low for low, high in (wilson(2 * n, 3 * n) for n in (1, 2, 5, 30, 1000))]
    assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("k, n", [(0, 0), (1, 0), (-1, 5), (6, 5), (0, -1)])
def test_what_is_no_count(k: int, n: int) -> None:
    """There is no interval of nothing: an error, never a number."""
    with pytest.raises(ValueError, match="is no count"):
        wilson(k, n)
