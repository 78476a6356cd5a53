"""The review file (rubric, "Review"): read with every fault named, and applied to verdicts."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_json
from benchmark.core.records import Review, Verdict

_FIELDS = ("verdicts", "reason", "reviewer", "faulty", "read", "answer_sha256")


def load(
    path: Path,
    quarter: str | None,
    applicable: Mapping[str, Sequence[str]],
    other_sets: Sequence[str] = (),
) -> dict[str, Review]:
    """Reviews by question id; InvalidInput lists every fault of the file.

    `applicable`: each known question's measures. `other_sets`: prefixes of ids that belong to a
    question file not at hand (one review file serves a whole run). `quarter` None takes any."""
    value = read_json(path)
    faults = [
        f"{path}: {fault}"
        for fault in _faults(value, quarter, applicable, tuple(f"{name}-" for name in other_sets))
    ]
    if faults:
        raise InvalidInput(
            faults, "Nothing was applied or written. docs/reviewing.md describes the file."
        )
    return {
        name: Review(name, **entry)
        for name, entry in value["reviews"].items()
        if name in applicable
    }


def _faults(
    value: Any,
    quarter: str | None,
    applicable: Mapping[str, Sequence[str]],
    others: tuple[str, ...],
) -> Iterator[str]:
    if not isinstance(value, dict) or not isinstance(value.get("reviews"), dict):
        yield "accepted is an object with quarter and reviews (an object, one entry a question id)"
        return
    yield from (
        f"{key}: unknown field, accepted are quarter and reviews"
        for key in value
        if key not in ("quarter", "reviews")
    )
    yield from (f"{key}: stands twice, accepted is once" for key in getattr(value, "repeated", ()))
    given = value.get("quarter")
    if not isinstance(given, str) or quarter not in (None, given):
        yield f"quarter: given {given!r}, accepted is {quarter or 'a quarter such as 2026-Q4'!r}"
    reviews = value["reviews"]
    yield from (
        f"{name}: stands twice, accepted is one entry a question"
        for name in getattr(reviews, "repeated", ())
    )
    for name, entry in reviews.items():
        if name in applicable:
            yield from (f"{name}: {fault}" for fault in _entry(entry, applicable[name]))
        elif not name.startswith(others or ("\0",)):
            yield (
                f"{name!a}: unknown question, accepted is the id of a question in the question file"
            )


def _entry(entry: Any, measures: Sequence[str]) -> Iterator[str]:
    if not isinstance(entry, dict):
        yield f"given a JSON {type(entry).__name__}, accepted is an object"
        return
    yield from (
        f"{key}: unknown field, accepted are {', '.join(_FIELDS)}"
        for key in entry
        if key not in _FIELDS
    )
    yield from (f"{key}: stands twice in one entry" for key in getattr(entry, "repeated", ()))
    for key in ("reason", "reviewer", "answer_sha256"):
        if not isinstance(entry.get(key, ""), str):
            yield f"{key}: given {entry[key]!r}, accepted is a text"
    for key in ("faulty", "read"):
        if not isinstance(entry.get(key, False), bool):
            yield f"{key}: given {entry[key]!r}, accepted is true or false"
    yield from _verdicts(entry.get("verdicts", {}), measures)
    yield from _meaning(entry)


def _verdicts(verdicts: Any, measures: Sequence[str]) -> Iterator[str]:
    if not isinstance(verdicts, dict):
        yield f"verdicts: given {verdicts!r}, accepted is an object of measure and true or false"
        return
    yield from (f"verdicts: {name}: stands twice" for name in getattr(verdicts, "repeated", ()))
    for name, value in verdicts.items():
        if name not in measures:
            yield (
                f"verdicts: {name!a} is unknown or does not apply, accepted are"
                f" {', '.join(measures)}"
            )
        if not isinstance(value, bool):
            yield f"verdicts: {name}: given {value!r}, accepted is true or false"


def _meaning(entry: dict[str, Any]) -> Iterator[str]:
    reason = entry.get("reason", "")
    if (
        not entry.get("verdicts")
        and entry.get("faulty") is not True
        and entry.get("read") is not True
    ):
        yield "says nothing: accepted is verdicts, or faulty true, or read true"
    if isinstance(reason, str) and len(reason.splitlines()) > 1:
        yield "reason: stands on several lines, accepted is one line"
    if (entry.get("verdicts") or entry.get("faulty") is True) and not (
        isinstance(reason, str) and reason.strip()
    ):
        yield "reason: missing, accepted is one line that says why the verdict changes"
    digest = entry.get("answer_sha256", "")
    if isinstance(digest, str) and digest and not re.fullmatch("[0-9a-f]{64}", digest):
        yield (
            f"answer_sha256: given {digest!a}, accepted are 64 hexadecimal digits, or leave it out"
        )


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
