"""Latency of delivered answers, in milliseconds, end to end from the run machine. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmark.results.statistics import quantile, quantile_interval

# answers: under it no 95% interval bounds a 95th percentile (0.95 ** 71 is still over 0.025)
ENOUGH = 72


@dataclass(frozen=True)
class Latency:
    """`of` answers; None where there are too few to say. Intervals are 95%, by ranks."""

    of: int
    median: float | None = None
    median_interval: tuple[float, float] | None = None
    p95: float | None = None
    p95_interval: tuple[float, float] | None = None
    least: float | None = None
    greatest: float | None = None


def of(values: Sequence[float]) -> Latency:
    if not values:
        return Latency(0)
    has_p95 = len(values) >= ENOUGH
    return Latency(
        len(values),
        median=median(values),
        median_interval=quantile_interval(values, 0.5),
        p95=quantile(values, 0.95) if has_p95 else None,
        p95_interval=quantile_interval(values, 0.95) if has_p95 else None,
        least=min(values),
        greatest=max(values),
    )
