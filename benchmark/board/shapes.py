"""The shapes of the API's answers: pydantic models, from which its OpenAPI is made."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, Field, ValidationError

from benchmark.core.errors import InvalidInput

Shape = TypeVar("Shape", bound=BaseModel)
_SHOWN = 5  # faults of one file


def shaped(shape: type[Shape], value: Any, where: object) -> Shape:
    """A file's value as a shape; InvalidInput where it has none."""
    try:
        return shape.model_validate(value)
    except ValidationError as fault:
        faults = [f"{where}: {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in fault.errors()]
        raise InvalidInput(faults[:_SHOWN]) from None


def _with(*keys: str) -> AfterValidator:
    def checked(value: dict[str, Any]) -> dict[str, Any]:
        if missing := [key for key in keys if key not in value]:
            raise ValueError(f"{', '.join(missing)} missing")
        return value

    return AfterValidator(checked)


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


class BenchmarkPage(BaseModel):
    """A page of suites; `total` counts all of them."""

    items: list[Benchmark]
    total: int
    limit: int
    offset: int


class Run(BaseModel):
    """A complete run in short."""

    run: str
    quarter: str
    target: Annotated[dict[str, Any], _with("name", "label")]
    status: str = Field(
        description="draft until every answer that must be read has been, then final"
    )
    counts: Annotated[dict[str, int], _with("asked", "delivered")]
    window: list[str] = Field(description="first and last moment of asking, UTC, ISO 8601")


class Total(BaseModel):
    """A count of one measure, as the board shows it."""

    measure: str
    site: str
    language: str
    reviewed: int
    of: int
    faults: int = 0
    interval: tuple[float, float] | None = None
    mean_score: float | None = None


class Named(BaseModel):
    """A model that answered, or that judged."""

    name: str
    is_the_model: bool = False


class Results(Run):
    """What is read of a run's `results.json`."""

    model: Named | None = None
    judge: Named | None = None
    totals: list[Total]


class Tested(BaseModel):
    """A test of the test runner's report; `metadata` is that of a question where it has a
    verdict."""

    metadata: dict[str, Any] = {}


class Report(BaseModel):
    """What is read of a run's `report.json`."""

    tests: list[Tested]


class RunPage(BaseModel):
    """A page of runs; `total` counts all of them."""

    items: list[Run]
    total: int
    limit: int
    offset: int


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
