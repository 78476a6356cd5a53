"""Agreement of two reviewers: the 2x2 table, percent agreement, Cohen's kappa and Gwet's AC1."""

from __future__ import annotations

from itertools import product

import pytest

from benchmark.results.agreement import Agreement, agreement

# (both, first only, second only, neither): observed, kappa, AC1
CASES = {
    "the issue's: nearly all pass": ((116, 2, 2, 0), 0.966667, -0.016949, 0.965537),
    "the issue's, counted from the other side": ((0, 2, 2, 116), 0.966667, -0.016949, 0.965537),
    "a textbook's": ((20, 5, 10, 15), 0.7, 0.4, 0.405941),
    "Gwet's own (2008)": ((118, 5, 2, 0), 0.944, -0.023392, 0.940776),
    "opposite in everything": ((0, 5, 5, 0), 0.0, -1.0, -1.0),
    "no better than chance": ((5, 5, 5, 5), 0.5, 0.0, 0.0),
    "the same, of both kinds": ((7, 0, 0, 3), 1.0, 1.0, 1.0),
}


@pytest.mark.parametrize(("table", "observed", "kappa", "ac1"), CASES.values(), ids=CASES)
def test_known_tables(
    table: tuple[int, int, int, int], observed: float, kappa: float, ac1: float
) -> None:
    found = Agreement(*table)
    assert (found.observed, found.kappa, found.ac1) == pytest.approx(
        (observed, kappa, ac1), abs=1e-6
    )


@pytest.mark.parametrize("table", [(9, 0, 0, 0), (0, 0, 0, 9)], ids=["all pass", "all fail"])
def test_kappa_is_undefined_where_all_verdicts_are_the_same(
    table: tuple[int, int, int, int],
) -> None:
    """It would be 0/0: there is nothing that chance could not explain. AC1 is 1 there."""
    found = Agreement(*table)
    assert (found.observed, found.kappa, found.ac1) == (1.0, None, 1.0)


def test_nothing_read_by_both_is_no_agreement() -> None:
    found = agreement([])
    assert (found.of, found.observed, found.kappa, found.ac1) == (0, None, None, None)


def test_pairs_are_counted_first_reviewer_first() -> None:
    pairs = [(True, True), (True, False), (True, False), (False, True), (False, False)]
    assert agreement(iter(pairs)) == Agreement(both=1, first_only=2, second_only=1, neither=1)


def test_no_table_leaves_the_scale() -> None:
    """Every table of up to 3 a cell: within -1 to 1, the same when the reviewers or pass and fail
    are exchanged."""
    for a, b, c, d in product(range(4), repeat=4):
        found = Agreement(a, b, c, d)
        for twin in (Agreement(a, c, b, d), Agreement(d, c, b, a)):
            assert (twin.kappa is None, twin.ac1 is None) == (
                found.kappa is None,
                found.ac1 is None,
            )
            if found.kappa is not None and found.ac1 is not None:
                assert (twin.kappa, twin.ac1) == pytest.approx((found.kappa, found.ac1))
                assert -1 - 1e-9 <= found.kappa <= 1
                assert -1 - 1e-9 <= found.ac1 <= 1
