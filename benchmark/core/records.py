"""The records that everything else passes on: frozen, and made of plain JSON types (this module
knows no other).

One question's way: `Question` -> `Record` (what was asked and what came back, unchanged) ->
`Measure`s (mechanical) -> `Review` (a person's) -> `Verdict`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeVar

from benchmark.core.reasons import Reason, in_words

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
    """What the questions of both tracks have; `set` is the id of their file."""

    id: str
    set: str
    language: str
    kind: str
    question: str
    track: ClassVar[str]
    file: ClassVar[str]  # where a set's question file lies, in the project and in a run's folder

    @property
    def method(self) -> str:
        """The measure that grades the answer; "" where several fixed rules do."""
        return ""

    @property
    def references(self) -> tuple[str, ...]:
        """What a right answer says."""
        return ()

    @property
    def pages(self) -> tuple[str, ...]:
        """Addresses of the pages that hold the answer."""
        return ()

    @property
    def passage(self) -> str:
        """The text of the first page that proves the answer."""
        return ""

    @property
    def wanted(self) -> tuple[tuple[str, ...], ...]:
        """Groups of spellings; one of each must appear in the answer."""
        return ()

    @property
    def unwanted(self) -> tuple[str, ...]:
        """What must not appear in it."""
        return ()

    @property
    def details(self) -> Mapping[str, Json]:
        """What its file says of it for readers alone."""
        return {}

    @property
    def topic(self) -> tuple[str, ...]:
        """What a question shares with its translations; without a concept it stands alone."""
        return (self.set, "", self.id)

    @property
    def tags(self) -> tuple[str, ...]:
        """Words by which it can be selected, beside its id."""
        return (self.kind,)

    def is_in(self, site: str, language: str) -> bool:
        """Whether it is of that set and language; "" is any."""
        return site in ("", self.set) and language in ("", self.language)


@dataclass(frozen=True)
class SiteQuestion(Question):
    """A question of Track A (rubric, "The question file")."""

    source_url: str = ""
    also_source_urls: tuple[str, ...] = ()
    evidence: str = ""
    facts: tuple[tuple[str, ...], ...] = ()
    must_not_include: tuple[str, ...] = ()
    concept: str = ""
    track: ClassVar[str] = "site"
    file: ClassVar[str] = "questions/questions-{set}.json"

    @property
    def references(self) -> tuple[str, ...]:
        return tuple(" | ".join(group) for group in self.facts)

    @property
    def pages(self) -> tuple[str, ...]:
        return tuple(url for url in (self.source_url, *self.also_source_urls) if url)

    @property
    def passage(self) -> str:
        return self.evidence

    @property
    def wanted(self) -> tuple[tuple[str, ...], ...]:
        return self.facts

    @property
    def unwanted(self) -> tuple[str, ...]:
        return self.must_not_include

    @property
    def topic(self) -> tuple[str, ...]:
        return (self.set, self.concept) if self.concept else super().topic


@dataclass(frozen=True)
class SuiteQuestion(Question):
    """A question of Track B (rubric, "Track B"); `scoring` is one of `METHODS`."""

    reference_answer: str = ""
    scoring: str = ""
    required: tuple[tuple[str, ...], ...] = ()
    metadata: dict[str, Json] = field(default_factory=dict)
    track: ClassVar[str] = "suite"
    file: ClassVar[str] = "questions/suites/{set}.json"

    @property
    def method(self) -> str:
        return self.scoring

    @property
    def references(self) -> tuple[str, ...]:
        return (self.reference_answer,)

    @property
    def wanted(self) -> tuple[tuple[str, ...], ...]:
        return self.required

    @property
    def details(self) -> Mapping[str, Json]:
        return self.metadata

    @property
    def tags(self) -> tuple[str, ...]:
        return (self.kind, *map(str, self.metadata.values()))


@dataclass(frozen=True)
class QuestionSet:
    """A question file: `sha256` is of its bytes, so that an edit after the first answer is
    found."""

    set: str
    version: str
    questions: tuple[Any, ...]  # of one track
    sha256: str
    path: str
    name: str = ""


@dataclass(frozen=True)
class SiteSet(QuestionSet):
    """The questions of one site, in all its languages."""

    questions: tuple[SiteQuestion, ...]


@dataclass(frozen=True)
class SuiteSet(QuestionSet):
    """A suite for models."""

    questions: tuple[SuiteQuestion, ...]
    category: str = ""
    description: str = ""


@dataclass(frozen=True)
class Attempt:
    """One request: `status` is None and `error` says why where no HTTP response came. Latency in
    milliseconds."""

    status: int | None = None
    error: str | None = None
    latency_ms: float = 0.0
    started_at: str = ""


@dataclass(frozen=True)
class Record:
    """A raw line. `body` is the response's text exactly as received, or else `body_base64`, where
    it is no UTF-8."""

    id: str
    asked_at: str = ""
    attempts: tuple[Attempt, ...] = ()
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    latency_ms: float | None = None
    body: str | None = None
    body_sha256: str = ""
    page: str = ""
    request: dict[str, Any] = field(default_factory=dict)
    body_base64: str | None = field(default=None, metadata={"is_optional": True})


@dataclass(frozen=True)
class Places:
    """Where things are in a response (rubric): dotted paths; `[]` is all of a list, `[0]` one."""

    answer: str = "answer"
    sources: str = "sources[].sourceUrl"
    no_grounding: str = "hasGroundingContent"
    error: str = "error"
    version: str = "version"
    finish: str = ""
    refusal: str = ""  # of a model: its answer where there is no content


@dataclass(frozen=True)
class Reply:
    """What a record says: `answer` is None where none was delivered; `problem` then says why."""

    status: int | None
    answer: str | None
    problem: Reason | None
    sources: tuple[str, ...]
    grounded: Json
    page: str
    version: str
    finish: str = ""
    judged: tuple[str | None, ...] = ()  # a judge's replies to this answer, None where none came


@dataclass(frozen=True)
class Measure:
    """One measure of one answer, graded from 0 to 100 where it has a `score`; it passes from 70.

    `value` is None where it does not apply, or where `fault` says why it has none. `reason` is
    `reasons` in English words; a run of the first form holds the words alone."""

    name: str
    value: bool | None
    reason: str = ""
    spans: tuple[Span, ...] = ()
    score: float | None = None
    fault: str = ""
    reasons: tuple[Reason, ...] = ()

    def __post_init__(self) -> None:
        if self.reasons and not self.reason:
            object.__setattr__(self, "reason", in_words(self.reasons))


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
    again: tuple[dict[str, bool | None], ...] = ()  # values of the same question asked again
    judge_scores: tuple[float | None, ...] = ()  # grades of the same answer, where it was judged

    @property
    def failed(self) -> bool:
        """Whether a measure fails after review; a faulty question is in no score, so it neither
        passes nor fails."""
        return not self.faulty and any(value is False for value in self.reviewed.values())

    @property
    def must_be_read(self) -> bool:
        """Rubric, "Review": answers to not-on-site questions, and failed answerable ones."""
        failed = any(measure.value is False or measure.fault for measure in self.measures)
        return self.asked and (self.question.kind != ANSWERABLE or failed)


def from_plain(kind: Callable[..., Made], plain: Mapping[str, Any]) -> Made:
    """A record of those of its fields that are there; an older or newer form has fewer or more."""
    names = kind.__dataclass_fields__  # type: ignore[attr-defined]
    return kind(**{name: _as_tuples(plain[name]) for name in names if name in plain})


def _as_tuples(value: Any) -> Any:
    """Lists of JSON as the tuples that records hold; objects stay as they are."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def verdict_of(plain: Mapping[str, Any]) -> Verdict:
    """The inverse of `core.plain.plain` for a verdict, also of an earlier or later form."""
    question = plain["question"]
    track = SuiteQuestion if question.get("scoring") else SiteQuestion
    values = {
        "question": from_plain(track, question),
        "measures": tuple(map(_measure, plain["measures"])),
        "review": from_plain(Review, plain["review"]) if plain.get("review") else None,
    }
    return from_plain(Verdict, {**plain, **values})


def _measure(plain: Mapping[str, Any]) -> Measure:
    spans = tuple(Span(*span[:3]) for span in plain.get("spans", ()))
    reasons = tuple(from_plain(Reason, reason) for reason in plain.get("reasons", ()))
    return from_plain(Measure, {**plain, "spans": spans, "reasons": reasons})
