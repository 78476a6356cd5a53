"""The records that everything else passes on: frozen, and made of plain JSON types (this module
knows no other).

One question's way: `Question` -> `Record` (what was asked and what came back, unchanged) ->
`Measure`s (mechanical) -> `Review` (a person's) -> `Verdict`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, TypeVar

Made = TypeVar("Made")
Json = bool | int | float | str | list[Any] | dict[str, Any] | None
LANGUAGES = ("en", "he", "ru", "ar")
ANSWERABLE, NOT_ON_SITE = "answerable", "not_on_site"
EXACT, FUZZY, JUDGE = METHODS = "exact_match", "fuzzy_match", "llm_judge"


class Span(NamedTuple):
    """Characters `start` to `end` of the answer as received, and `what` was found there."""

    start: int
    end: int
    what: str


@dataclass(frozen=True)
class Question:
    """One question of a set or suite. The rules for its fields are the rubric's "The question file"
    and "Track B".

    Track A uses the fields from `source_url` to `concept`, a suite those from `reference_answer`
    on; `set` is its id."""

    id: str
    set: str
    language: str
    kind: str
    question: str
    source_url: str = ""
    also_source_urls: tuple[str, ...] = ()
    evidence: str = ""
    facts: tuple[tuple[str, ...], ...] = ()
    must_not_include: tuple[str, ...] = ()
    concept: str = ""
    reference_answer: str = ""
    scoring: str = ""
    required: tuple[tuple[str, ...], ...] = ()
    metadata: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class QuestionSet:
    """A question file: `sha256` is of its bytes, so that an edit after the first answer is
    found."""

    set: str
    version: str
    questions: tuple[Question, ...]
    sha256: str
    path: str
    name: str = ""
    category: str = ""
    description: str = ""


@dataclass(frozen=True)
class Attempt:
    """One request: `status` is None and `error` says why where no HTTP response came. Latency in
    milliseconds."""

    status: int | None
    error: str | None
    latency_ms: float
    started_at: str


@dataclass(frozen=True)
class Record:
    """A raw line. `body` is the response's text exactly as received, or else `body_base64`, where
    it is no UTF-8."""

    id: str
    asked_at: str
    attempts: tuple[Attempt, ...]
    status: int | None
    headers: dict[str, str]
    latency_ms: float | None
    body: str | None
    body_sha256: str
    page: str
    request: dict[str, Any]
    body_base64: str | None = None


@dataclass(frozen=True)
class Places:
    """Where things are in a response (rubric): dotted paths; `[]` is every element of a list, `[0]`
    one."""

    answer: str = "answer"
    sources: str = "sources[].sourceUrl"
    no_grounding: str = "hasGroundingContent"
    error: str = "error"
    version: str = "version"
    finish: str = ""


@dataclass(frozen=True)
class Reply:
    """What a record says: `answer` is None where none was delivered, and `problem` then says
    why."""

    status: int | None
    answer: str | None
    problem: str
    sources: tuple[str, ...]
    grounded: Json
    page: str
    version: str
    finish: str = ""
    judged: tuple[str | None, ...] = ()  # a judge's replies to this answer, None where none came


@dataclass(frozen=True)
class Measure:
    """One measure of one answer. `value` is None where it does not apply, or where `fault` says why
    it has none.

    `spans` are places in the answer; `score` (0-100) is there where the measure is graded, and
    passes from 70."""

    name: str
    value: bool | None
    reason: str
    spans: tuple[Span, ...] = ()
    score: float | None = None
    fault: str = ""


@dataclass(frozen=True)
class Review:
    """What a person said of one answer. `verdicts` are (measure, new value); a digest ties it to
    the answer read."""

    id: str
    verdicts: dict[str, bool] = field(default_factory=dict)
    reason: str = ""
    reviewer: str = ""
    faulty: bool = False
    read: bool = False
    answer_sha256: str = ""


@dataclass(frozen=True)
class Verdict:
    """A question's outcome: mechanical `measures`, and `reviewed`, their values after review.

    `stale`: the review was of another answer, so it is not applied. `read`: a person has read this
    answer."""

    question: Question
    asked: bool
    delivered: bool
    measures: tuple[Measure, ...]
    reviewed: dict[str, bool | None]
    answer: str = ""
    sources: tuple[str, ...] = ()
    version: str = ""
    latency_ms: float | None = None
    faulty: bool = False
    stale: bool = False
    read: bool = False
    review: Review | None = None
    again: tuple[
        dict[str, bool | None], ...
    ] = ()  # values of the same question asked again, where a run repeats
    judge_scores: tuple[float | None, ...] = ()  # grades of the same answer, where it was judged

    @property
    def failed(self) -> bool:
        """Whether a measure fails after review; a faulty question is in no score, so it neither
        passes nor fails."""
        return not self.faulty and any(value is False for value in self.reviewed.values())

    @property
    def must_be_read(self) -> bool:
        """Rubric, "Review": every answer to a not-on-site question and every failed answerable
        one."""
        failed = any(measure.value is False or measure.fault for measure in self.measures)
        return self.asked and (self.question.kind != ANSWERABLE or failed)


def to_plain(record: Any) -> dict[str, Any]:
    """Any of these records as plain JSON types: named tuples and the like would not survive a way
    between processes."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(record)))
    return plain


def from_plain(kind: Callable[..., Made], plain: Mapping[str, Any]) -> Made:
    """A record of those of its fields that are there: an older file lacks some, and a newer one may
    have more."""
    names = kind.__dataclass_fields__  # type: ignore[attr-defined]
    return kind(**{name: plain[name] for name in names if name in plain})


def verdict_of(plain: dict[str, Any]) -> Verdict:
    """The inverse of `to_plain` for a verdict, also after a way through JSON, and of an earlier or
    later version."""
    question = dict(plain["question"])
    question |= {
        key: tuple(question[key])
        for key in ("also_source_urls", "must_not_include")
        if key in question
    }
    question |= {
        key: tuple(map(tuple, question[key])) for key in ("facts", "required") if key in question
    }
    review = from_plain(Review, plain["review"]) if plain.get("review") else None
    changed = {
        "question": from_plain(Question, question),
        "measures": tuple(map(_measure, plain["measures"])),
        "review": review,
    }
    lists = {key: tuple(plain[key]) for key in ("sources", "again", "judge_scores") if key in plain}
    return from_plain(Verdict, plain | changed | lists)


def _measure(plain: dict[str, Any]) -> Measure:
    spans = tuple(Span(*span[:3]) for span in plain.get("spans", ()))
    return from_plain(Measure, plain | {"spans": spans})
