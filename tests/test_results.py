"""From verdicts to tables (rubric, "Review" and "Published"; design, "Outcomes")."""

from __future__ import annotations

from typing import Any

import pytest
from support.scoring_inputs import ANSWERABLE, NOT_ON_SITE, ROOT, Json, judged, line
from support.verdicts import graded

from benchmark.core.plain import plain
from benchmark.core.records import Review, Verdict
from benchmark.report import tables
from benchmark.results import counts as results
from benchmark.results import statistics
from benchmark.results.counts import Row
from benchmark.results.statistics import wilson
from benchmark.results.summary import QuestionResult, Summary

MEASURES = ("delivered", "facts", "cited", "language", "declined")
RIGHT, WRONG, LOST = "It costs $120.", "It costs $125.", {"error": "overloaded"}
DECLINED, INVENTED = "I couldn't find that.", "Yes, we accept Delta."


def answered(name: str, answer: Any = RIGHT, review: Json | None = None, **changes: Any) -> Verdict:
    """An answerable question of the set and language that its id says; None is not asked."""
    site, language, _ = name.split("-")
    item = ANSWERABLE | {"id": name, "language": language}
    raw = None if answer is None else line(name, answer, **changes)
    return judged(item, raw, Review(name, **review) if review else None, site)


def absent(name: str, answer: Any = DECLINED) -> Verdict:
    site, language, _ = name.split("-")
    raw = None if answer is None else line(name, answer)
    return judged(NOT_ON_SITE | {"id": name, "language": language}, raw, None, site)


# Two sites, two languages, in the order of their files; one answer is lost, one wrong, one not
# asked, one faulty.
RUN = [
    answered("med-en-01"),
    answered("med-en-02", WRONG),
    answered("med-en-03", LOST),
    answered("med-en-04", None),
    answered("med-en-05", WRONG, {"verdicts": {"facts": True}, "reason": "x"}),
    absent("med-en-16"),
    absent("med-en-17", INVENTED),
    absent("med-en-18", LOST),
    answered("med-ru-01", "Это стоит 120."),
    answered("med-ru-02", RIGHT, {"faulty": True, "reason": "x"}),
    answered("biz-en-01", WRONG),
]


def texts(rows: list[Row]) -> dict[tuple[str, str, str], str]:
    return {(r.measure, r.site, r.language): r.text for r in rows}


def test_table() -> None:
    """A row for each measure, site and language, in the order of the files, over what was asked and
    is not faulty."""
    found = results.table(RUN)
    cells = [("med", "en"), ("med", "ru"), ("biz", "en")]
    assert [(r.measure, r.site, r.language) for r in found] == [
        (name, *cell) for name in MEASURES for cell in cells
    ]
    assert [r.text for r in found] == [
        *("5/7", "1/1", "1/1"),
        *("2/4 (1/4)", "1/1", "0/1"),
        *("3/4", "1/1", "1/1"),
        *("5/7", "1/1", "1/1"),
        *("1/3", "–", "–"),
    ]


def test_totals() -> None:
    """Each measure over a site, over a language of both sites, and over everything; each answer
    once in each."""
    found = texts(results.totals(RUN))
    assert {key[1:] for key in found} == {
        ("med", ""),
        ("biz", ""),
        ("", "en"),
        ("", "ru"),
        ("", ""),
    }
    facts = {key[1:]: text for key, text in found.items() if key[0] == "facts"}
    assert facts == {
        ("med", ""): "3/5 (2/5)",
        ("biz", ""): "0/1",
        ("", "en"): "2/5 (1/5)",
        ("", "ru"): "1/1",
        ("", ""): "3/6 (2/6)",
    }


def test_an_undelivered_answer_counts_and_is_told_apart() -> None:
    """ "Not delivered: … tables show `k/n` over all asked and over delivered"."""
    delivered, facts, *_, declined = (results.row(RUN, name, "med", "en") for name in MEASURES)
    assert [(r.reviewed, r.of, r.delivered) for r in (delivered, facts, declined)] == [
        (5, 7, 5),
        (2, 4, 3),
        (1, 3, 2),
    ]
    assert tables.counted(facts) == "2/4 (1/4) 15–85%, 2/3 of delivered"
    assert tables.counted(results.row(RUN, "facts", "biz")) == "0/1 0–79%"


def test_what_was_not_asked_is_in_no_count() -> None:
    """A question without a record has no verdict: it makes the run smaller, never worse."""
    before, after = RUN[:3], RUN[:4]
    assert results.table(before) == results.table(after)
    counts = Summary.of(after).counts
    assert (counts.questions, counts.asked, counts.delivered) == (4, 3, 2)
    assert plain(QuestionResult.of(after[3])) == {
        "id": "med-en-04",
        "measures": dict.fromkeys(MEASURES),
        "faulty": False,
        "asked": False,
    }


def test_a_number_never_stands_alone() -> None:
    """ "Beside every number its k/n and 95% Wilson interval"; where nothing was counted a dash, not
    0%."""
    assert all(
        r.interval == (wilson(r.reviewed, r.of) if r.of else None) for r in results.table(RUN)
    )
    nothing = results.row(RUN, "declined", "biz")
    assert (nothing.text, nothing.interval, tables.counted(nothing)) == ("–", None, "–")
    cells = [cell for _, *row in tables.grid(RUN)[1:] for cell in row]
    assert all(cell == "–" or ("/" in cell and "%" in cell) for cell in cells)


def test_the_interval_is_of_the_reviewed_value() -> None:
    """It belongs to the number that it stands beside."""
    assert results.row(RUN, "facts", "med", "en").interval == wilson(2, 4)


EXACT: dict[str, tuple[int, int, list[float] | None]] = {
    "few": (13, 15, [0.595397, 0.983424]),
    "all of few": (15, 15, [0.781981, 1.0]),
    "none of few": (0, 5, [0.0, 0.521824]),
    "as many as are few": (7, 20, [0.153909, 0.592189]),
    "one more": (7, 21, None),
    "many": (88, 90, None),
    "all of many": (90, 90, [0.959841, 1.0]),
    "nothing": (0, 0, None),
}


@pytest.mark.parametrize("k, n, bounds", EXACT.values(), ids=EXACT)
def test_the_exact_interval_stands_beside_where_wilsons_is_coarse(
    k: int, n: int, bounds: list[float] | None
) -> None:
    """Published in each row, null where Wilson's is close enough; the figures are scipy's too."""
    row = plain(Row("facts", "med", "en", k, k, n, n))
    assert row["exact_interval"] == (pytest.approx(bounds, abs=1e-6) if bounds else None)
    if bounds:
        from scipy import stats as scipy_stats  # type: ignore[import-untyped]

        elsewhere = scipy_stats.binomtest(k, n).proportion_ci(0.95, method="exact")
        assert row["exact_interval"] == pytest.approx([elsewhere.low, elsewhere.high], abs=1e-9)


def test_the_exact_interval_is_of_the_reviewed_value_in_every_row() -> None:
    """As the interval beside it, in the table and in the totals; and the rubric says up to how
    many."""
    summary = plain(Summary.of(RUN))
    for r in [*summary["table"], *summary["totals"]]:
        wanted = statistics.wants_exact(r["reviewed"], r["of"])
        assert r["exact_interval"] == (
            list(statistics.clopper_pearson(r["reviewed"], r["of"])) if wanted else None
        )
    assert f"Where {statistics.SMALL} or fewer answers were counted" in (
        ROOT / "docs/rubric.md"
    ).read_text("utf-8")


def test_summary_counts() -> None:
    """Everything that a report must not leave out, each counted once."""
    summary = plain(Summary.of(RUN))
    assert summary["counts"] == {
        "questions": 11,
        "asked": 10,
        "delivered": 8,
        "faulty": 1,
        "stale": 0,
        "to_read": 8,
        "read": 2,
    }
    assert summary["status"] == "draft"
    assert summary["measures"] == list(MEASURES)
    assert [q["id"] for q in summary["questions"]] == [v.question.id for v in RUN]


LATENCIES: dict[str, tuple[list[Verdict], float | None, int]] = {
    "the middle one": (
        [answered(f"med-en-0{n}", latency_ms=ms) for n, ms in enumerate((9.0, 1.0, 5.0))],
        5.0,
        3,
    ),
    "between two": (
        [answered(f"med-en-0{n}", latency_ms=ms) for n, ms in enumerate((1.0, 2.0))],
        1.5,
        2,
    ),
    "answers that came": (
        [answered("med-en-01"), answered("med-en-02", LOST, latency_ms=9000.0)],
        12.5,
        1,
    ),
    "faulty questions too": (
        [answered("med-en-01", review={"faulty": True, "reason": "x"})],
        12.5,
        1,
    ),
    "an older record without one": (
        [answered("med-en-01", latency_ms=None), answered("med-en-02")],
        12.5,
        1,
    ),
    "none": ([answered("med-en-01", LOST), answered("med-en-02", None)], None, 0),
}


@pytest.mark.parametrize("found, median, of", LATENCIES.values(), ids=LATENCIES)
def test_median_latency(found: list[Verdict], median: float | None, of: int) -> None:
    """Over the answers that were delivered, with how many those are: what failed fast is no fast
    answer."""
    assert plain(Summary.of(found).latency_ms) == {"median": median, "of": of}


def test_versions() -> None:
    """Every version of the platform that answered, once, sorted; none where none was disclosed."""
    bodies = [
        {"answer": RIGHT, "version": version} for version in ("2.1", "2.0", "2.1", "", 5, None)
    ]
    found = [answered(f"med-en-0{n}", body) for n, body in enumerate(bodies)]
    assert Summary.of(found).versions == ("2.0", "2.1")
    assert Summary.of(RUN).versions == ()


GATES: dict[str, tuple[dict[str, float], list[str]]] = {
    "reached": ({"facts": 50}, []),
    "just missed": ({"facts": 50.1}, ["facts: 3/6 (2/6) is under 50.1%"]),
    "after review": ({"facts": 34}, []),
    "all or nothing": ({"facts": 100, "language": 0}, ["facts: 3/6 (2/6) is under 100%"]),
    "several": (
        {"facts": 51, "cited": 80, "declined": 40},
        ["facts: 3/6 (2/6) is under 51%", "declined: 1/3 is under 40%"],
    ),
}


@pytest.mark.parametrize("least, said", GATES.values(), ids=GATES)
def test_gate(least: dict[str, float], said: list[str]) -> None:
    """`--fail-under facts=80`: after review, over everything, undelivered answers too; exactly that
    much passes."""
    assert results.gate(RUN, least) == said


@pytest.mark.parametrize("of", [3, 7, 15, 90])
def test_the_gate_does_not_round(of: int) -> None:
    """Neither up nor down: a share that is just under is under."""
    found = [answered("med-en-01")] * (of - 1) + [answered("med-en-02", WRONG)]
    assert results.gate(found, {"facts": 100 * (of - 1) / of}) == []
    assert len(results.gate(found, {"facts": 100 * (of - 1) / of + 1e-9})) == 1


def test_nothing_at_all() -> None:
    """No verdicts give an empty table, not an exception."""
    assert (results.table([]), results.cells([]), results.measure_names([])) == ([], [], ())
    assert results.gate([], {"facts": 80}) == ["facts: no answer was counted"], (
        "nothing known is no gate that is met"
    )
    assert plain(Summary.of([]).latency_ms) == {"median": None, "of": 0}


def test_a_run_without_a_question_is_no_final_one() -> None:
    """A report is "a draft until all have been read": a file that lost its questions is no finished
    run."""
    assert Summary.of([]).status == "draft"


def test_grid_as_text_and_as_markdown() -> None:
    """The same cells for a terminal and for a page: a measure a row, each site's language a column,
    and the total."""
    grid = tables.grid(RUN)
    assert grid[0] == ["measure", "med en", "med ru", "biz en", "total"]
    assert [row[0] for row in grid[1:]] == list(MEASURES)
    text, markdown = tables.as_text(grid), tables.as_markdown(grid)
    starts = {row.index(cell) for row, (_, cell, *_) in zip(text, grid, strict=True)}
    assert len(starts) == 1
    assert markdown[1] == "|---|---|---|---|---|"
    assert [line_.replace("\\", "") for line_ in markdown[2:]] == [
        "| " + " | ".join(row) + " |" for row in grid[1:]
    ]


def test_a_graded_measure_has_a_mean_of_its_grades_and_counts_its_faults() -> None:
    """What no judge could grade is in no mean and no share."""
    row = results.row([graded(1, 90), graded(2, 60), graded(3, None, "judge error")], "judge")
    assert (row.mean_score, row.faults, row.reviewed, row.of) == (75, 1, 1, 2)
    assert results.row([graded(3, None, "judge error")], "judge").mean_score is None
