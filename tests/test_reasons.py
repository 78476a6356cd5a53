"""Why a measure came out as it did: what each rule says of an answer, with every place and number.

What a reason stands for in words and in other languages is in test_results_pages.py."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.scoring_inputs import (
    ANSWERABLE,
    NOT_ON_SITE,
    PRICES,
    Json,
    judged,
    line,
    question,
    rules,
)
from syrupy.assertion import SnapshotAssertion

from benchmark.asking.models import PLACES
from benchmark.asking.record_file import record_of
from benchmark.core.records import EXACT, FUZZY, JUDGE, Measure, Review, SuiteQuestion
from benchmark.scoring.matching import score
from benchmark.scoring.reply import at
from benchmark.scoring.rules import applicable
from benchmark.scoring.suite_measures import SUITE_RULES
from benchmark.scoring.verdicts import verdict


def told(measures: tuple[Measure, ...]) -> list[str]:
    """A line a measure that applies: its value, score, fault, reasons and places."""
    return [" | ".join(_parts(m)) for m in measures if m.reasons[0].code != "does_not_apply"]


def _parts(m: Measure) -> Iterator[str]:
    yield f"{m.name}: {m.value}"
    yield from (str(each) for each in (m.score, m.fault) if each or each == 0)
    yield from (f"{r.code} {json.dumps(r.args, ensure_ascii=False)}" for r in m.reasons)
    yield from (f"{span.what} at {span.start}-{span.end}" for span in m.spans)


TWO = ANSWERABLE | {"facts": [["120", "$120"], ["30 minutes", "half an hour"]]}
GROUNDED: Json = {"sources": [], "hasGroundingContent": False}
SITE: dict[str, tuple[Json, Any, int | None]] = {
    "all is right": (TWO, "It costs $120, for half an hour.", 200),
    "a fact is missing": (TWO, "It costs $120.", 200),
    "no page": (TWO, {"answer": "It costs $120."}, 200),
    "other pages": (TWO, {"answer": "$120", "sources": [PRICES + "a", "x"]}, 200),
    "sources that are no texts": (
        ANSWERABLE,
        {"answer": "$120", "sources": [5, {"sourceUrl": 7}]},
        200,
    ),
    "another script": (ANSWERABLE, "Это стоит $120 за visit.", 200),
    "no letter of its script": (ANSWERABLE, "Это стоит $120.", 200),
    "no letters": (ANSWERABLE, "120!", 200),
    "a phrase": (NOT_ON_SITE, "Sorry, I couldn't find that on this site.", 200),
    "no grounding": (NOT_ON_SITE, GROUNDED | {"answer": "Hm."}, 200),
    "no grounding and a phrase": (NOT_ON_SITE, GROUNDED | {"answer": "I couldn't find that."}, 200),
    "a phrase, and what is forbidden": (
        NOT_ON_SITE,
        "I couldn't find that, but we accept Delta.",
        200,
    ),
    "neither": (NOT_ON_SITE, "Perhaps.", 200),
    "not HTTP 200": (ANSWERABLE, "It costs $120.", 503),
    "no response": (ANSWERABLE, b"", None),
    "an empty body": (ANSWERABLE, b"", 200),
    "not UTF-8": (ANSWERABLE, b"\xff", 200),
    "not JSON": (ANSWERABLE, b"<html>" + b"x" * 100, 200),
    "not a number of JSON": (ANSWERABLE, b'{"answer": NaN}', 200),
    "too deep": (ANSWERABLE, b"[" * 100_000, 200),
    "a long number": (ANSWERABLE, b'{"answer": "It costs $120.", "n": ' + b"1" * 5000 + b"}", 200),
    "a number of 400 digits": (ANSWERABLE, b'{"error": ' + b"1" * 400 + b"}", 200),
    "a number of 399 digits": (ANSWERABLE, b'{"error": ' + b"1" * 399 + b"}", 200),
    "no object": (ANSWERABLE, b"[1]", 200),
    "an error": (ANSWERABLE, {"error": "rate limited " * 20, "answer": "$120"}, 200),
    "no text": (ANSWERABLE, {"answer": 5}, 200),
    "no answer": (ANSWERABLE, {}, 200),
    "a blank answer": (ANSWERABLE, {"answer": " \u200b"}, 200),
}


@pytest.mark.parametrize("item, body, status", SITE.values(), ids=SITE)
def test_a_sites_answer(
    item: Json, body: Any, status: int | None, snapshot: SnapshotAssertion
) -> None:
    """What was found where, or what was looked for and not found."""
    assert told(judged(item, line(item["id"], body, status)).measures) == snapshot


ATTEMPTS = {
    "timeout": "timeout: no whole response within 60.5 s",
    "a timeout and more": "timeout: no whole response within 60 s, then none",
    "connection": "connection error: ConnectionRefused",
    "another": "too many redirects",
    "none": None,
}


@pytest.mark.parametrize("error", ATTEMPTS.values(), ids=ATTEMPTS)
def test_no_response(error: str | None, snapshot: SnapshotAssertion) -> None:
    """The last attempt's error is the reason."""
    earlier = {"status": 500, "error": "earlier"}
    attempts = [earlier, earlier, {"status": None, "error": error}]
    raw = line("med-en-01", b"", None, attempts=attempts)
    (delivered, facts, *_) = judged(ANSWERABLE, raw).measures
    assert told((delivered, facts)) == snapshot


def test_what_was_not_asked(snapshot: SnapshotAssertion) -> None:
    review = Review("med-en-01", read=True)
    found = judged(ANSWERABLE, None, review)
    assert (found.asked, found.delivered, found.review) == (False, False, review)
    assert told(found.measures) == snapshot


REFERENCE = "The fee is 50 dirhams"
SUITE: dict[str, tuple[str, str, list[str | None], str]] = {
    "verbatim": (EXACT, f"{REFERENCE}.", [], "stop"),
    "not verbatim": (EXACT, "No.", [], "stop"),
    "fuzzy, a number missing": (FUZZY, "The fee is 500 or 5 dirhams", [], "stop"),
    "fuzzy, all there": (FUZZY, REFERENCE, [], ""),
    "fuzzy, too far": (FUZZY, "No.", [], "stop"),
    "judged": (JUDGE, "x", ['{"score": 70}'], "stop"),
    "judged, a point short": (JUDGE, "x", ['{"score": 69.9}'], "stop"),
    "judged at the second time": (JUDGE, "x", [None, "Hm.", "score: 80"], "stop"),
    "the first grade counts": (JUDGE, "x", ["score: 80", "score: 10"], "stop"),
    "no grade": (JUDGE, "x", ["Hm.", "Hm."], "stop"),
    "never judged": (JUDGE, "x", [None], "stop"),
    "cut off": (JUDGE, REFERENCE, ["score: 80"], "LENGTH"),
    "thought without an end": (EXACT, f"<think>{REFERENCE}", [], "stop"),
}


@pytest.mark.parametrize("method, said, replies, finish", SUITE.values(), ids=SUITE)
def test_a_suites_answer(
    method: str, said: str, replies: list[str | None], finish: str, snapshot: SnapshotAssertion
) -> None:
    """The grade and what it needed, missing numbers, what no judge graded, what was cut off."""
    required = (("dirham", "AED"),) if method == FUZZY else ()
    words: dict[str, Any] = {"reference_answer": REFERENCE, "scoring": method, "required": required}
    asked = SuiteQuestion("q-1", "s", "ar", "answerable", "?", **words)
    choice = {"message": {"content": said}, "finish_reason": finish}
    record = record_of(line("q-1", {"choices": [choice]}))
    assert told(verdict(SUITE_RULES, PLACES, asked, record, judged=replies).measures) == snapshot


def test_a_verdict_has_the_answer_and_its_time() -> None:
    """An answer that was not delivered is empty, and has a time too."""
    right, lost = (judged(ANSWERABLE, line("med-en-01", body)) for body in ("$120", b""))
    assert (right.answer, right.latency_ms, lost.answer, lost.latency_ms) == (
        "$120",
        12.5,
        "",
        12.5,
    )


PLACES_IN: dict[str, tuple[Any, str, list[Any]]] = {
    "a field of a field": ({"a": {"b": 1}}, "a.b", [1]),
    "a field of every element": ({"a": [{"b": 1}, {"b": 2}, {}]}, "a[].b", [1, 2]),
    "one element": ({"a": [1, 2, 3]}, "a[1]", [2]),
    "an element that is not there": ({"a": [1]}, "a[1]", []),
    "a text in a list stands for itself": ({"a": ["x"]}, "a[].b", ["x"]),
    "in a list alone too": (["x"], "[].b", ["x"]),
    "a text in one element does not": ({"a": ["x"]}, "a[0].b", []),
    "a text in no list does not": ({"a": "x"}, "a.b", []),
    "an object is no list": ({"a": {"0": 1}}, "a[0]", []),
    "no path leads nowhere": ({"a": 1}, "", []),
}


@pytest.mark.parametrize("value, path, found", PLACES_IN.values(), ids=PLACES_IN)
def test_what_is_at_a_path(value: Any, path: str, found: list[Any]) -> None:
    """ "A target names the path of the answer, of the sources' URLs and of the no-grounding
    report"."""
    assert list(at(value, path)) == found


def test_a_response_alone_is_scored_with_its_reasons() -> None:
    """As `score-suite` does: endless thought passes no judge, and every missing number is named."""
    judge, fuzzy = (
        SuiteQuestion("q", "s", "ar", "answerable", "?", reference_answer="5 7", scoring=method)
        for method in (JUDGE, FUZZY)
    )
    endless = score(judge, "<think>5 7", ["score: 90"])
    assert (endless.passed, endless.truncated) == (False, True)
    assert [reason.code for reason in endless.reasons] == ["endless_thought", "judge"]
    assert score(judge, "5 7", ["Hm."]).judge_error == "no score in the judge's reply"
    assert score(fuzzy, "5.5", []).reasons[1].args == {"numbers": "5, 7"}


def test_the_measures_of_a_question() -> None:
    assert applicable(rules(), question(NOT_ON_SITE)) == ("delivered", "language", "declined")
