"""Reviews (rubric, "Review"): what a person may change, in which file, and when a report is
final."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.scoring_inputs import (
    ANSWERABLE,
    NOT_ON_SITE,
    Json,
    judged,
    line,
    question,
    review_file,
    rules,
)
from support.verdicts import value
from syrupy.assertion import SnapshotAssertion

from benchmark.core.errors import InvalidInput
from benchmark.core.plain import plain
from benchmark.core.records import Review, Verdict, verdict_of
from benchmark.report import pages
from benchmark.results import counts
from benchmark.results.summary import Summary
from benchmark.scoring import reviews
from benchmark.scoring.rules import applicable

WRONG = "It costs twelve tens of dollars."
KNOWN = {item["id"]: applicable(rules(), question(item)) for item in (ANSWERABLE, NOT_ON_SITE)}
CHANGE: Json = {
    "verdicts": {"facts": True},
    "reason": "says 'twelve tens', which is 120",
    "reviewer": "A. B.",
}


def load(path: Path, quarter: str | None = None, others: tuple[str, ...] = ()) -> dict[str, Review]:
    return reviews.load(path, quarter, KNOWN, others)


def faults(path: Path, quarter: str | None = None) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        load(path, quarter)
    assert caught.value.hint.startswith("Nothing was applied or written. docs/reviewing.md ")
    return list(caught.value.faults)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# The file -----------------------------------------------------------------------------------------


def test_the_rubrics_own_example(tmp_path: Path) -> None:
    """A change with its reason and digest, an answer that was only read, and a faulty question."""
    known = {"med-en-03": ("facts",), "med-he-17": ("declined",), "biz-ru-04": ("facts",)}
    entries = {
        "med-en-03": CHANGE | {"answer_sha256": "0" * 64},
        "med-he-17": {"read": True, "reviewer": "A. B."},
        "biz-ru-04": {"faulty": True, "reason": "the contacts page also names the second office"},
    }
    read = reviews.load(review_file(tmp_path / "r.json", entries), "2026-Q4", known)
    assert read == {
        "med-en-03": Review(
            "med-en-03", {"facts": True}, CHANGE["reason"], "A. B.", answer_sha256="0" * 64
        ),
        "med-he-17": Review("med-he-17", reviewer="A. B.", read=True),
        "biz-ru-04": Review(
            "biz-ru-04", reason="the contacts page also names the second office", faulty=True
        ),
    }


BAD: dict[str, tuple[str, Any]] = {
    "an unknown question": ("med-en-99", CHANGE),
    "an unknown measure": ("med-en-01", CHANGE | {"verdicts": {"style": True}}),
    "an inapplicable measure": ("med-en-01", CHANGE | {"verdicts": {"declined": True}}),
    "another inapplicable measure": ("med-en-16", CHANGE),
    "a change without a reason": ("med-en-01", {"verdicts": {"facts": True}}),
    "a blank reason": ("med-en-01", CHANGE | {"reason": " \t"}),
    "faulty without a reason": ("med-en-01", {"faulty": True}),
    "a reason of two lines": ("med-en-01", CHANGE | {"reason": "a\nb"}),
    "a reason of two paragraphs": ("med-en-01", CHANGE | {"reason": "a\u2029b"}),
    "a reason that is no text": ("med-en-01", CHANGE | {"reason": 5}),
    "a reviewer that is no text": ("med-en-01", CHANGE | {"reviewer": ["A"]}),
    "a verdict that is no truth": ("med-en-01", CHANGE | {"verdicts": {"facts": 1}}),
    "a verdict taken away": ("med-en-01", CHANGE | {"verdicts": {"facts": None}}),
    "verdicts that are none": ("med-en-01", CHANGE | {"verdicts": ["facts"]}),
    "faulty in words": ("med-en-01", CHANGE | {"faulty": "yes"}),
    "read in numbers": ("med-en-01", CHANGE | {"read": 1}),
    "an unknown field": ("med-en-01", CHANGE | {"note": "x"}),
    "a short digest": ("med-en-01", CHANGE | {"answer_sha256": "abc"}),
    "nothing said": ("med-en-01", {"reviewer": "A. B."}),
    "read false": ("med-en-01", {"read": False}),
    "no entry": ("med-en-01", []),
}


@pytest.mark.parametrize("name, entry", BAD.values(), ids=BAD)
def test_a_fault_is_named(
    name: str, entry: Any, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """Each fault says file, id and field, what was given and what is accepted."""
    path = review_file(tmp_path / "r.json", {name: entry})
    assert [fault.removeprefix(f"{path}: ") for fault in faults(path)] == snapshot


def test_all_faults_at_once(tmp_path: Path) -> None:
    """ "One error that lists them all": no entry hides the faults of another."""
    entries = {f"med-en-{n:02}": CHANGE for n in range(50, 60)} | {
        "med-en-16": CHANGE | {"reason": "a\nb"}
    }
    found = faults(review_file(tmp_path / "r.json", entries), "2026-Q3")
    assert len(found) == 13
    assert "quarter: got '2026-Q4'; expected '2026-Q3'" in found[0]


DUPLICATES: dict[str, Any] = {
    "an id": '"med-en-01": {"read": true}, "med-en-01": {"read": true}',
    "a field": '"med-en-01": {"read": true, "read": true}',
    "a measure": '"med-en-01": {"verdicts": {"facts": true, "facts": false}, "reason": "x"}',
    "all entries": '"med-en-01": {"read": true}}, "reviews": {',
}


@pytest.mark.parametrize("entries", DUPLICATES.values(), ids=DUPLICATES)
def test_what_stands_twice_is_a_fault(
    entries: str, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """JSON lets a key stand twice and drops one: a review must not be lost that way."""
    path = tmp_path / "r.json"
    path.write_text(f'{{"quarter": "2026-Q4", "reviews": {{{entries}}}}}', "utf-8")
    assert [fault.removeprefix(f"{path}: ") for fault in faults(path)] == snapshot


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"quarter": "2026-Q4"}',
        '{"quarter": "2026-Q4", "reviews": []}',
        '{"quarter": 5, "reviews": {}}',
    ],
)
def test_a_file_that_is_no_review_file(text: str, tmp_path: Path) -> None:
    """Anything else than quarter and reviews is said, as of any other input."""
    path = tmp_path / "r.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInput):
        load(path)


def test_entries_of_another_set(tmp_path: Path) -> None:
    """One review file serves a whole run: entries of a set that is not at hand are left alone,
    others are faults."""
    path = review_file(tmp_path / "r.json", {"biz-en-01": CHANGE, "med-en-01": CHANGE})
    assert list(load(path, others=("biz",))) == ["med-en-01"]
    assert faults(path) == [
        f"{path}: 'biz-en-01': unknown question; expected the id of one in the question file"
    ]


# What an entry does -------------------------------------------------------------------------------


def reviewed(entry: Json, item: Json = ANSWERABLE, answer: Any = WRONG, **changes: Any) -> Verdict:
    return judged(item, line(item["id"], answer, **changes), Review(item["id"], **entry))


def test_a_change() -> None:
    """The value changes, the mechanical one stays beside it, and what was not named stays as it
    was."""
    found = reviewed(CHANGE)
    assert {m.name: m.value for m in found.measures if m.value is not None} | {"facts": True} == {
        name: value for name, value in found.reviewed.items() if value is not None
    }
    assert [m.value for m in found.measures if m.name == "facts"] == [False]
    assert (found.read, found.stale, found.faulty, found.reviewed["declined"]) == (
        True,
        False,
        False,
        None,
    )


def test_a_change_to_the_worse() -> None:
    """A reviewer turns a pass as well as a fail."""
    found = reviewed(
        {"verdicts": {"facts": False}, "reason": "it denies that"}, answer="It does not cost $120."
    )
    assert (found.reviewed["facts"], [m.value for m in found.measures if m.name == "facts"]) == (
        False,
        [True],
    )


def test_reading_changes_nothing() -> None:
    """`read` is all it says."""
    plain, read = judged(ANSWERABLE, line("med-en-01", WRONG)), reviewed({"read": True})
    assert (read.reviewed, read.measures, plain.read, read.read) == (
        plain.reviewed,
        plain.measures,
        False,
        True,
    )


STALE = {
    "the answer's": (digest(WRONG), False),
    "another answer's": (digest("It costs $120."), True),
    "none": ("", False),
}


@pytest.mark.parametrize("sha256, is_stale", STALE.values(), ids=STALE)
def test_a_digest_ties_a_review_to_its_answer(sha256: str, is_stale: bool) -> None:
    """An entry whose digest is not this answer's is stale: not applied, not even as faulty or read;
    the rest is."""
    for entry in (CHANGE, {"faulty": True, "reason": "x"}, {"read": True}):
        found = reviewed(entry | {"answer_sha256": sha256})
        assert (found.stale, found.read) == (is_stale, not is_stale)
        assert found.faulty == (not is_stale and "faulty" in entry)
        assert found.reviewed["facts"] is (not is_stale and "verdicts" in entry)
        assert found.review is not None


def test_an_answer_that_did_not_come_has_a_digest_too() -> None:
    """Where there is no answer the whole body is what was read, in whatever form it was kept."""
    for octets in (b"<html>502</html>", b"\xff\xfe", b""):
        sha256 = hashlib.sha256(octets).hexdigest()
        assert not reviewed(
            {"read": True, "answer_sha256": sha256}, answer=octets, status=502
        ).stale
        assert reviewed({"read": True, "answer_sha256": "0" * 64}, answer=octets, status=502).stale


def test_a_review_of_what_was_not_asked() -> None:
    """There is nothing to apply it to: it is no verdict, and nothing is faulty or read by it."""
    found = judged(ANSWERABLE, None, Review("med-en-01", faulty=True, reason="x"))
    assert (found.asked, found.faulty, found.read, found.stale) == (False, False, False, False)
    assert set(found.reviewed.values()) == {None}


# What is to be read, and what a report then says --------------------------------------------------

MUST_BE_READ: dict[str, tuple[Json, Any, bool]] = {
    "right": (ANSWERABLE, "It costs $120.", False),
    "wrong": (ANSWERABLE, WRONG, True),
    "right in the wrong language": (ANSWERABLE, "Это стоит $120.", True),
    "right and not delivered": (ANSWERABLE, b"", True),
    "declined": (NOT_ON_SITE, "I couldn't find that.", True),
    "invented": (NOT_ON_SITE, "Yes, we accept Delta.", True),
}


@pytest.mark.parametrize("item, answer, expected", MUST_BE_READ.values(), ids=MUST_BE_READ)
def test_what_must_be_read(item: Json, answer: Any, expected: bool) -> None:
    """ "Every answer to a not-on-site question and every failed answerable one is read by a
    person"."""
    assert judged(item, line(item["id"], answer)).must_be_read is expected
    assert judged(item, None).must_be_read is False


def test_a_change_does_not_make_a_failed_answer_one_that_nobody_need_read() -> None:
    """What must be read is said of the mechanical values: a reviewed pass still counts among what
    was read."""
    summary = Summary.of([reviewed(CHANGE)])
    assert (summary.counts.to_read, summary.counts.read, summary.status) == (1, 1, "final")


def run(*entries: Json | None) -> Summary:
    """A run of a right answer, a wrong one and a decline, each with its entry."""
    given: list[tuple[Json, str]] = [
        (ANSWERABLE, "It costs $120."),
        (ANSWERABLE | {"id": "med-en-02"}, WRONG),
        (NOT_ON_SITE, "I couldn't find that."),
    ]
    found = [
        judged(item, line(item["id"], answer), Review(item["id"], **entry) if entry else None)
        for (item, answer), entry in zip(given, entries, strict=True)
    ]
    return Summary.of(found)


READ: Json = {"read": True}
STALE_READ: Json = READ | {"answer_sha256": "0" * 64}
FAULTY: Json = {"faulty": True, "reason": "x"}
RUNS: dict[str, tuple[tuple[Json | None, ...], int, str]] = {
    "nothing read": ((None, None, None), 0, "draft"),
    "a pass read": ((READ, None, None), 0, "draft"),
    "one of two read": ((None, CHANGE, None), 1, "draft"),
    "all read": ((None, CHANGE, READ), 2, "final"),
    "faulty is read": ((None, FAULTY, READ), 2, "final"),
    "a stale entry": ((None, CHANGE, STALE_READ), 1, "draft"),
    "a stale entry of a pass": ((STALE_READ, CHANGE, READ), 2, "draft"),
}


@pytest.mark.parametrize("entries, read, status", RUNS.values(), ids=RUNS)
def test_draft_or_final(entries: tuple[Json | None, ...], read: int, status: str) -> None:
    """A report "says how many of those have been read, and is a draft until all have"; a stale
    entry keeps it one."""
    summary = run(*entries)
    assert (summary.counts.to_read, summary.counts.read, summary.status) == (2, read, status)


def test_a_run_that_is_not_whole_is_no_final_one() -> None:
    """What was not asked cannot have been read."""
    found = [judged(ANSWERABLE, line("med-en-01")), judged(NOT_ON_SITE, None)]
    assert Summary.of(found).status == "draft"


def test_the_table_shows_both_values() -> None:
    """The value after review, and "the mechanical one in brackets where they differ": 14/15
    (13/15)."""
    right = [judged(ANSWERABLE, line("med-en-01"))] * 13
    text = {
        "14/15 (13/15)": [*right, reviewed(CHANGE), judged(ANSWERABLE, line("med-en-01", WRONG))],
        "13/15": [*right, *[judged(ANSWERABLE, line("med-en-01", WRONG))] * 2],
        "12/13 (13/13)": [
            *right[1:],
            reviewed({"verdicts": {"facts": False}, "reason": "x"}, answer="It costs $120."),
        ],
    }
    assert [counts.row(found, "facts").text for found in text.values()] == list(text)


def test_results_md_says_by_whom_a_measure_fails() -> None:
    """A measure that fails by review alone is listed with the reviewer's reason, as the terminal
    has it."""
    found = [
        reviewed(
            {"verdicts": {"facts": False}, "reason": "it denies that"},
            answer="It does not cost $120.",
        )
    ]
    markdown = pages.markdown(value(found, model=None, judge=None, judge_check=None), found)
    (said,) = [text for text in markdown.splitlines() if text.startswith("  - facts: ")]
    assert "it denies that" in said


def test_two_changes_that_cancel_out_are_counted() -> None:
    """One to the better and one to the worse leave the same number, and both verdicts are listed as
    changed."""
    worse = {"verdicts": {"facts": False}, "reason": "it denies that"}
    found = [
        reviewed(CHANGE),
        reviewed(worse, answer="It costs $120."),
        judged(ANSWERABLE, line("med-en-01")),
    ]
    assert counts.row(found, "facts").text == "2/3"
    assert list(counts.changed_by_review(found)) == found[:2]


def test_a_faulty_question_is_left_out() -> None:
    """ "Left out of the scores": of every measure, in `of`, passes and delivered alike; and it is
    counted as faulty."""
    faulty = reviewed({"faulty": True, "reason": "the page says it otherwise"})
    found = [judged(ANSWERABLE, line("med-en-01")), faulty]
    assert {
        (r.measure, r.reviewed, r.of, r.delivered)
        for r in counts.table(found)
        if r.measure != "declined"
    } == {(name, 1, 1, 1) for name in ("delivered", "facts", "cited", "language")}
    assert Summary.of(found).counts.faulty == 1
    assert counts.gate(found, {"facts": 100}) == []


def test_a_reviewed_verdict_survives_json() -> None:
    """Verdicts go through a report's JSON, and from a worker to the controller: nothing of them is
    lost."""
    entry = CHANGE | {"reason": 'says "$120" — <b>\u202e\\', "answer_sha256": digest(WRONG)}
    for found in (reviewed(entry), judged(NOT_ON_SITE, line("med-en-16", b"\xff"))):
        assert verdict_of(json.loads(json.dumps(plain(found)))) == found


def test_a_verdict_of_another_version_is_read() -> None:
    """A frozen report lacks what was added since, and a later one has more; what a verdict needs
    must be there."""
    found = judged(ANSWERABLE, line("med-en-01"))
    written = plain(found)
    later = written | {
        "mood": 1,
        "question": written["question"] | {"mood": 1},
        "review": {"id": "x", "mood": 1},
    }
    later["measures"] = [{**m, "mood": 1} for m in written["measures"]]
    assert verdict_of(later) == replace(found, review=Review("x"))
    for key in ("concept", "facts"):
        del written["question"][key]
    for measure in written["measures"]:
        del measure["fault"], measure["spans"]
    del written["again"], written["judge_scores"], written["review"]
    assert [m.value for m in verdict_of(written).measures] == [m.value for m in found.measures]
    del written["reviewed"]
    with pytest.raises(TypeError, match="reviewed"):
        verdict_of(written)
