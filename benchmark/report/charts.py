"""Geometry of the charts. Pure: numbers in, percent of the drawing's width and height out.

Horizontal places are percent from the start of the line, so that a right-to-left page mirrors them
by its own rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

_STEPS = (1, 1.5, 2, 3, 5, 7)  # bins of about equal width on a logarithmic scale, with round edges


@dataclass(frozen=True)
class Bar:
    """A share with its interval and the mechanical share, all in percent."""

    value: float
    low: float
    high: float
    mechanical: float


@dataclass(frozen=True)
class Segment:
    """A part of a stacked bar: which, from where, and how wide, in percent."""

    name: str
    start: float
    width: float


@dataclass(frozen=True)
class Bin:
    """Answers of `low` up to `high` milliseconds: how many, and in percent of the fullest bin."""

    low: float
    high: float
    count: int
    width: float


@dataclass(frozen=True)
class Point:
    """A quarter in a trend: across and down in percent of the drawing (down from 100% to 0%)."""

    x: float
    y: float
    top: float
    bottom: float


def bar(k: int, mechanical: int, n: int, interval: tuple[float, float]) -> Bar:
    return Bar(100 * k / n, 100 * interval[0], 100 * interval[1], 100 * mechanical / n)


def stacked(parts: Sequence[tuple[str, int]]) -> list[Segment]:
    """One bar of all parts; nothing where they are all empty."""
    ends = list(accumulate(count for _, count in parts))
    return [
        Segment(name, 100 * (end - count) / ends[-1], 100 * count / ends[-1])
        for (name, count), end in zip(parts, ends, strict=True)
        if count
    ]


def bins(latencies: Sequence[float]) -> list[Bin]:
    """A histogram on a logarithmic scale, from the bin of the least to that of the greatest."""
    if not latencies:
        return []
    pairs = list(pairwise(_edges(min(latencies), max(latencies))))
    counts = [sum(low <= value < high for value in latencies) for low, high in pairs]
    most = max(counts)
    return [Bin(*pair, n, 100 * n / most) for pair, n in zip(pairs, counts, strict=True)]


def _edges(least: float, greatest: float) -> list[float]:
    edges = [0.0, *(step * 10**power for power in range(8) for step in _STEPS)]
    first = max(at for at, edge in enumerate(edges) if edge <= least or at == 0)
    last = next((at for at, edge in enumerate(edges) if edge > greatest), len(edges) - 1)
    return [*edges[first:last], edges[last] if edges[last] > greatest else greatest + 1]


def trend(shares: Sequence[tuple[float, float, float]]) -> list[Point]:
    """(share, low, high) of each quarter, as fractions, evenly spread over the drawing."""
    return [
        Point(100 * (at + 0.5) / len(shares), 100 - 100 * share, 100 - 100 * high, 100 - 100 * low)
        for at, (share, low, high) in enumerate(shares)
    ]
