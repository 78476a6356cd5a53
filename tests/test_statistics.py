"""`benchmark.results.statistics` against scipy and statsmodels, and against figures that were
computed elsewhere."""

from __future__ import annotations

import random
from itertools import product
from math import comb, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats as scipy_stats  # type: ignore[import-untyped]
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_elsewhere  # type: ignore[import-untyped]
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from benchmark.results import statistics

COUNTS = [
    (k, n) for n in (1, 2, 3, 5, 15, 20, 90, 120) for k in sorted({0, 1, n // 3, n // 2, n - 1, n})
]


@pytest.mark.parametrize(
    "k, n, low, high",
    [
        (13, 15, 0.621180, 0.962639),
        (5, 5, 0.565518, 1.0),
        (88, 90, 0.922555, 0.993885),
        (0, 5, 0.0, 0.434482),
    ],
)
def test_wilson_is_what_was_computed_elsewhere(k: int, n: int, low: float, high: float) -> None:
    assert statistics.wilson(k, n) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("k, n", COUNTS)
def test_intervals_of_a_share_agree_with_statsmodels(k: int, n: int) -> None:
    assert statistics.wilson(k, n) == pytest.approx(
        proportion_confint(k, n, method="wilson"), abs=1e-12
    )
    assert statistics.clopper_pearson(k, n) == pytest.approx(
        proportion_confint(k, n, method="beta"), abs=1e-9
    )


@pytest.mark.parametrize("k, n", [(3, 1500), (1500, 1500), (300, 2500)])
def test_the_exact_interval_holds_for_large_counts(k: int, n: int) -> None:
    """Where a binomial coefficient is too large for a float."""
    assert statistics.clopper_pearson(k, n) == pytest.approx(
        proportion_confint(k, n, method="beta"), abs=1e-9
    )


@pytest.mark.parametrize("interval", [statistics.wilson, statistics.clopper_pearson])
@pytest.mark.parametrize("k, n", [(0, 0), (1, 0), (-1, 5), (6, 5), (0, -1)])
def test_what_is_no_count_is_an_error(interval: object, k: int, n: int) -> None:
    assert callable(interval)
    with pytest.raises(ValueError, match=f"{k} of {n} is no count"):
        interval(k, n)


@pytest.mark.parametrize("k, n", COUNTS)
def test_the_interval_holds_what_a_score_test_does_not_reject(k: int, n: int) -> None:
    """By definition: at either end the share that was seen lies 1.96 standard errors of that end
    away."""
    z, seen = NormalDist().inv_cdf(0.975), k / n
    for bound, is_open in zip(statistics.wilson(k, n), (k > 0, k < n), strict=True):
        if is_open:
            assert abs(seen - bound) == pytest.approx(z * sqrt(bound * (1 - bound) / n), rel=1e-9)
        else:
            assert bound == seen  # exactly 0 or 1, not a hair beside it


@pytest.mark.parametrize("k, n", COUNTS)
def test_passes_and_fails_mirror_each_other(k: int, n: int) -> None:
    """The interval of what failed is the same, seen from the other end; it holds the share, and
    lies within 0 and 1."""
    low, high = statistics.wilson(k, n)
    assert (1 - high, 1 - low) == pytest.approx(statistics.wilson(n - k, n), abs=1e-12)
    assert 0 <= low <= k / n <= high <= 1
    assert low < high


def test_more_answers_make_it_narrower() -> None:
    """The same share of more answers is known better."""
    widths = [
        high - low for low, high in (statistics.wilson(2 * n, 3 * n) for n in (1, 2, 5, 30, 1000))
    ]
    assert widths == sorted(widths, reverse=True)


def test_the_exact_interval_stands_beside_few_answers_all_or_none() -> None:
    given = [(0, 0), (7, 20), (7, 21), (0, 90), (90, 90), (89, 90)]
    expected = [False, True, False, True, True, False]
    assert [statistics.wants_exact(*count) for count in given] == expected


# Latencies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [6, 20, 72, 120, 121])
@pytest.mark.parametrize("share", [0.5, 0.95])
def test_a_quantile_is_an_order_statistic(n: int, share: float) -> None:
    values = [random.Random(n).expovariate(1) for _ in range(n)]
    assert statistics.quantile(values, share) == np.quantile(values, share, method="inverted_cdf")


@pytest.mark.parametrize("n", [6, 7, 20, 72, 73, 120, 400])
@pytest.mark.parametrize("share", [0.5, 0.95])
def test_a_quantiles_interval_is_the_narrowest_by_ranks_with_its_coverage(
    n: int, share: float
) -> None:
    """Each tail leaves out at most 2.5%, and one rank further in would leave out more: by scipy's
    binomial."""
    found = statistics.quantile_interval(list(range(1, n + 1))[::-1], share)
    under = scipy_stats.binom(n, share)
    if found is None:
        assert under.pmf(n) > 0.025
        return
    low, high = found
    assert under.cdf(low - 1) <= 0.025 < under.cdf(low)
    assert under.sf(high - 1) <= 0.025 < under.sf(high - 2)


def test_a_median_is_bounded_from_6_values_and_a_95th_percentile_from_72() -> None:
    fewest = {
        share: next(n for n in range(1, 200) if statistics.quantile_interval(range(n), share))
        for share in (0.5, 0.95)
    }
    assert fewest == {0.5: 6, 0.95: 72}


def test_a_quantiles_interval_covers_the_truth_in_95_of_100_samples() -> None:
    draws, covered = random.Random(5), 0
    for _ in range(400):
        low, high = statistics.quantile_interval(
            [draws.expovariate(1) for _ in range(120)], 0.95
        ) or (0, 0)
        covered += low <= -np.log(0.05) <= high
    assert covered >= 372  # the 400 samples' own chance: fewer comes once in 30,000


@pytest.mark.parametrize("values, share", [([], 0.5), ([1.0], 0.0), ([1.0], 1.0)])
def test_no_quantile_of_nothing(values: list[float], share: float) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        statistics.quantile(values, share)


# Pairs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lost, gained, p", [(0, 5, 0.0625), (1, 8, 0.0391), (4, 14, 0.0309), (0, 0, 1.0), (3, 3, 1.0)]
)
def test_mcnemar_is_what_was_computed_elsewhere(lost: int, gained: int, p: float) -> None:
    assert statistics.mcnemar(lost, gained) == pytest.approx(p, abs=5e-5)
    assert statistics.mcnemar(gained, lost) == statistics.mcnemar(lost, gained)


@pytest.mark.parametrize("lost, gained", [(0, 1), (0, 6), (2, 9), (7, 8), (30, 55), (400, 1200)])
def test_mcnemar_agrees_with_statsmodels(lost: int, gained: int) -> None:
    elsewhere = mcnemar_elsewhere([[50, lost], [gained, 20]], exact=True).pvalue
    assert statistics.mcnemar(lost, gained) == pytest.approx(elsewhere, rel=1e-9)


@pytest.mark.parametrize(
    "ps", [[], [0.04], [0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 0.5], [0.02, 0.02, 0.9, 1.0, 0.001]]
)
def test_holm_agrees_with_statsmodels(ps: list[float]) -> None:
    elsewhere = multipletests(ps, method="holm")[1] if ps else []
    assert statistics.holm(ps) == pytest.approx(list(elsewhere))


@pytest.mark.parametrize(
    "differences",
    [
        [1, 1, 1, 1, 1],
        [3, -1, 2, 2, 0, 1],
        [1, -1],
        [2, 2, 3, -1, 1, 3, 2, -2, 1],
        [0.5, 12.25, -3.1, 7],
    ],
)
def test_a_sign_flip_is_exact_and_agrees_with_scipy(differences: list[float]) -> None:
    elsewhere = scipy_stats.permutation_test(
        (np.array(differences),), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    by_hand = [
        abs(sum(d * s for d, s in zip(differences, signs, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    expected = sum(total >= abs(sum(differences)) - 1e-9 for total in by_hand) / len(by_hand)
    p, is_exact = statistics.sign_flip(differences)
    assert is_exact
    assert p == pytest.approx(expected)
    assert expected == pytest.approx(elsewhere.pvalue)


def test_single_questions_give_mcnemars_p() -> None:
    """Where no translations share a concept, the sign-flip permutation is McNemar's test."""
    assert statistics.sign_flip([1] * 14 + [-1] * 4 + [0] * 40).p == pytest.approx(
        statistics.mcnemar(4, 14), rel=1e-12
    )


def test_forty_concepts_are_counted_out() -> None:
    """2^40 permutations of whole numbers, but only 241 sums."""
    p, is_exact = statistics.sign_flip([3] * 25 + [-3] * 15)
    assert is_exact
    assert p == pytest.approx(2 * sum(comb(40, k) for k in range(16)) / 2**40)


def test_too_many_sums_are_drawn_with_a_seed() -> None:
    """Scores differ in all their digits; the drawn p is near the exact one, the same each time, and
    never 0."""
    draws = random.Random(1)
    scores = [draws.gauss(8, 20) for _ in range(30)]
    p, is_exact = statistics.sign_flip(scores)
    assert not is_exact
    assert statistics.sign_flip(scores).p == p
    normal = 2 * scipy_stats.norm.sf(abs(sum(scores)) / np.sqrt(np.square(scores).sum()))
    assert p == pytest.approx(normal, abs=0.01)
    assert 0 < statistics.sign_flip([10 + 0.001 * d * d for d in range(40)]).p < 0.001


def test_the_smallest_detectable_change_is_about_10_points_over_120_questions() -> None:
    assert statistics.smallest_detectable(120) == pytest.approx(0.10, abs=0.005)
    assert statistics.smallest_detectable(5) is None  # five flips one way are p = .0625
    found = [statistics.smallest_detectable(n) or 1 for n in (6, 15, 30, 90, 120)]
    assert found == sorted(found, reverse=True)


def test_the_smallest_detectable_change_is_found_in_four_of_five_samples() -> None:
    change, n = statistics.smallest_detectable(60) or 0, 60
    draws = np.random.default_rng(7).multinomial(
        n, [0.025, 0.025 + change, 1 - 0.05 - change], 3000
    )
    found = np.mean(
        [
            statistics.mcnemar(lost, gained) <= 0.05 and gained > lost
            for lost, gained, _ in draws.tolist()
        ]
    )
    assert found == pytest.approx(0.8, abs=0.03)
