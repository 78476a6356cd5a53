"""The review file (rubric, "Review"): read with every fault named, and applied to verdicts."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmark.core import validation
from benchmark.core.records import Review, Verdict

_FIELDS: dict[str, validation.Check] = {
    "verdicts": validation.MapOf(validation.TRUE_OR_FALSE),
    "reason": validation.ANY_TEXT,
    "reviewer": validation.ANY_TEXT,
    "faulty": validation.TRUE_OR_FALSE,
    "read": validation.TRUE_OR_FALSE,
    "answer_sha256": validation.matching("|[0-9a-f]{64}", "64 hexadecimal digits, or leave it out"),
}
_ENTRY = validation.Object(_FIELDS, optional=_FIELDS)
_QUARTER = validation.Value(validation.is_text, "a quarter such as 2026-Q4")


def load(
    path: Path,
    quarter: str | None,
    applicable: Mapping[str, Sequence[str]],
    other_sets: Sequence[str] = (),
) -> dict[str, Review]:
    """Reviews by question id; InvalidInput lists every fault of the file.

    `applicable`: each known question's measures. `other_sets`: prefixes of ids that belong to a
    question file not at hand (one review file serves a whole run). `quarter` None takes any."""
    others = tuple(f"{name}-" for name in other_sets)
    hint = "Nothing was applied or written. docs/reviewing.md describes the file."
    value, _ = validation.load(path, lambda v: _faults(v, quarter, applicable, others), hint)
    entries = value["reviews"].items()
    return {name: Review(name, **entry) for name, entry in entries if name in applicable}


def _faults(
    value: Any,
    quarter: str | None,
    applicable: Mapping[str, Sequence[str]],
    others: tuple[str, ...],
) -> Iterator[str]:
    wanted = _QUARTER
    if quarter:
        wanted = validation.Value(lambda value: value == quarter, repr(quarter))
    yield from validation.Object({"quarter": wanted, "reviews": validation.OBJECT}).faults(value)
    reviews = value.get("reviews") if isinstance(value, dict) else None
    yield from validation.repeated(reviews)
    for name, entry in reviews.items() if isinstance(reviews, dict) else ():
        if name in applicable:
            yield from validation.at(name, _faults_of_entry(entry, applicable[name]))
        elif not name.startswith(others):
            yield f"{name!a}: unknown question; expected the id of one in the question file"


def _faults_of_entry(entry: Any, measures: Sequence[str]) -> Iterator[str]:
    yield from _ENTRY.faults(entry)
    if not isinstance(entry, dict):
        return
    verdicts = entry.get("verdicts")
    for name in verdicts if isinstance(verdicts, dict) else ():
        if name not in measures:
            expected = f"expected one of {', '.join(measures)}"
            yield f"verdicts: {name!a} is unknown or does not apply; {expected}"
    yield from _faults_of_meaning(entry)


def _faults_of_meaning(entry: Mapping[str, Any]) -> Iterator[str]:
    reason, changes = entry.get("reason", ""), bool(entry.get("verdicts") or entry.get("faulty"))
    if not isinstance(reason, str):
        return
    if not changes and not entry.get("read"):
        yield "says nothing; expected verdicts, or faulty true, or read true"
    if len(reason.splitlines()) > 1:
        yield "reason: stands on several lines; expected one line"
    if changes and not reason.strip():
        yield "reason: missing; expected one line that says why the verdict changes"


def apply(review: Review, verdict: Verdict, digests: Sequence[str]) -> Verdict:
    """The verdict after review. An entry of another answer (its digest is none of `digests`) is
    stale: not applied."""
    if review.answer_sha256 and review.answer_sha256 not in digests:
        return dataclasses.replace(verdict, stale=True, review=review)
    reviewed = verdict.reviewed | review.verdicts
    return dataclasses.replace(
        verdict, reviewed=reviewed, review=review, read=True, faulty=review.faulty
    )


def to_read(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Answers that the rubric wants read, in order."""
    return [verdict for verdict in verdicts if verdict.must_be_read]


def is_final(verdicts: Sequence[Verdict]) -> bool:
    """Everything asked, everything that must be read is read, and no entry is stale."""
    return bool(verdicts) and all(
        v.asked and not v.stale and (v.read or not v.must_be_read) for v in verdicts
    )
