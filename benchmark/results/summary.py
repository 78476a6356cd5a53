"""What `results.json` holds, typed: what was tested and with what, then everything countable of its
verdicts. `benchmark.core.plain` reads and writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from benchmark.core.plain import optional
from benchmark.core.provenance import (
    AskedModel,
    AskedSet,
    AskedTarget,
    Git,
    UsedDecline,
    UsedJudge,
    UsedRules,
)
from benchmark.core.records import Measure, Verdict
from benchmark.results import counts, repeats
from benchmark.results.counts import Row
from benchmark.results.repeats import Judging, Repeats
from benchmark.scoring.reviews import is_final, to_read


@dataclass(frozen=True)
class Counts:
    """Questions by outcome; `stale` are reviews of another answer."""

    questions: int
    asked: int
    delivered: int
    faulty: int = 0
    stale: int = 0
    to_read: int = 0
    read: int = 0


@dataclass(frozen=True)
class Latency:
    """Median milliseconds over the answers that were delivered."""

    median: float | None = None
    of: int = 0


@dataclass(frozen=True)
class MeasureResult:
    """A measure's value before and after review; None where a `fault` says why it has none."""

    mechanical: bool | None
    reviewed: bool | None
    reason: str = ""
    score: float | None = optional(None)
    fault: str = optional("")


@dataclass(frozen=True)
class QuestionResult:
    """`measures` are None where they do not apply."""

    id: str
    measures: dict[str, MeasureResult | None]
    faulty: bool = False
    asked: bool = True

    @classmethod
    def of(cls, v: Verdict) -> QuestionResult:
        return cls(v.question.id, {m.name: _measured(v, m) for m in v.measures}, v.faulty, v.asked)


def _measured(v: Verdict, m: Measure) -> MeasureResult | None:
    if m.value is None and not m.fault:
        return None
    return MeasureResult(m.value, v.reviewed[m.name], m.reason, m.score, m.fault)


@dataclass(frozen=True, kw_only=True)
class Head:
    """What was tested, when and with what. `window`: first and last moment of asking, UTC, ISO
    8601. `judge_check`: the judge's calibration. `record`: digests of the raw files by name."""

    run: str
    quarter: str
    target: AskedTarget
    window: tuple[str, ...]
    platform_version: str = "undisclosed"
    question_sets: dict[str, AskedSet]
    decline: UsedDecline | None = None
    model: AskedModel | None = None
    judge: UsedJudge | None = None
    judge_check: dict[str, Any] | None = None
    rules: UsedRules | None = None
    suite: str | None = None
    git: Git | None = None
    concurrency: tuple[int, ...] = ()
    asked_again: tuple[str, ...] = ()
    record: dict[str, str] = field(default_factory=dict)

    @property
    def is_vendors(self) -> bool:
        """A run named by its quarter alone is the vendor's own."""
        return self.run == self.quarter


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Everything countable. `status`: draft until all that must be read has been, then final."""

    status: str
    counts: Counts
    latency_ms: Latency = Latency()
    versions: tuple[str, ...] = ()
    repeats: Repeats | None = None
    judging: Judging | None = None
    measures: tuple[str, ...]
    table: tuple[Row, ...]
    totals: tuple[Row, ...]
    questions: tuple[QuestionResult, ...]

    @classmethod
    def of(cls, verdicts: Sequence[Verdict]) -> Summary:
        latencies = [v.latency_ms for v in verdicts if v.delivered and v.latency_ms is not None]
        return cls(
            status="final" if is_final(verdicts) else "draft",
            counts=_counted(verdicts),
            latency_ms=Latency(median(latencies) if latencies else None, len(latencies)),
            versions=tuple(sorted({v.version for v in verdicts if v.version})),
            repeats=repeats.repeats(verdicts),
            judging=repeats.judging(verdicts),
            measures=counts.measure_names(verdicts),
            table=tuple(counts.table(verdicts)),
            totals=tuple(counts.totals(verdicts)),
            questions=tuple(map(QuestionResult.of, verdicts)),
        )

    def row(self, measure: str, site: str = "", language: str = "") -> Row | None:
        """The count of a measure in a place ("" is all); None where there is none."""
        place = (measure, site, language)
        rows = (*self.totals, *self.table)
        return next((r for r in rows if (r.measure, r.site, r.language) == place), None)


def _counted(verdicts: Sequence[Verdict]) -> Counts:
    read = to_read(verdicts)
    return Counts(
        questions=len(verdicts),
        asked=sum(v.asked for v in verdicts),
        delivered=sum(v.delivered for v in verdicts),
        faulty=sum(v.faulty for v in verdicts),
        stale=sum(v.stale for v in verdicts),
        to_read=len(read),
        read=sum(v.read for v in read),
    )


@dataclass(frozen=True, kw_only=True)
class Results(Summary, Head):
    """The whole of `results.json`, in its order."""

    @classmethod
    def of_run(cls, head: Head, summary: Summary) -> Results:
        return cls(**vars(head), **vars(summary))
