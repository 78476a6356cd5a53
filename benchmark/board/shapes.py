"""The shapes of the API's answers: pydantic models, from which its OpenAPI is made."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, Field

from benchmark.core.provenance import AskedTarget
from benchmark.results.summary import Counts

Item = TypeVar("Item")


class Benchmark(BaseModel):
    """A suite, without its questions."""

    id: str
    name: str
    category: str
    description: str
    question_count: int
    scoring_methods: list[str]


class SuiteQuestion(BaseModel):
    """A question as its suite's file has it."""

    id: str
    question: str
    reference_answer: str
    scoring: str
    metadata: dict[str, Any]
    required: list[list[str]]


class BenchmarkWithQuestions(Benchmark):
    """A suite with its questions."""

    questions: list[SuiteQuestion]


class Page(BaseModel, Generic[Item]):
    """A page of items; `total` counts all of them."""

    items: list[Item]
    total: int
    limit: int
    offset: int


class BenchmarkPage(Page[Benchmark]):
    """A page of suites; `total` counts all of them."""


class Run(BaseModel, from_attributes=True):
    """A complete run in short."""

    run: str
    quarter: str
    target: AskedTarget
    status: str = Field(
        description="draft until every answer that must be read has been, then final"
    )
    counts: Counts
    window: list[str] = Field(description="first and last moment of asking, UTC, ISO 8601")


class RunPage(Page[Run]):
    """A page of runs; `total` counts all of them."""


class AskedQuestion(BaseModel):
    """One question of a run: its verdict with the answer, and every recorded request and response,
    a judge's too."""

    verdict: dict[str, Any]
    records: list[dict[str, Any]]


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
