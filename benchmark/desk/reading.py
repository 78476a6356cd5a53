"""What a reviewer reads, and in which order (rubric, "Review"). Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from benchmark.core.records import ANSWERABLE, Verdict

SAMPLE_PERCENT = 20


@dataclass(frozen=True)
class Group:
    """Answers read for one reason. `required`: until all are read the report is a draft."""

    title: str
    verdicts: tuple[Verdict, ...]
    required: bool
    on_the_way: bool = True  # walked through; False: only on request

    @property
    def read(self) -> int:
        return sum(v.read for v in self.verdicts)


def groups(verdicts: Sequence[Verdict], seed: str) -> tuple[Group, ...]:
    """Each verdict in one group: not on the site, failed, stale, sampled of the passes, the rest.

    The order depends on the run alone, not on what has been read, but for stale entries outside the
    first groups."""
    left = [v for v in verdicts if v.asked]
    off_site = _take(left, lambda v: v.question.kind != ANSWERABLE)
    failed = _take(left, lambda v: v.must_be_read)
    chosen = sample([v.question.id for v in left], seed)
    sampled = _take(left, lambda v: v.question.id in chosen)
    stale = _take(left, lambda v: v.stale)
    rest = (*left, *(v for v in verdicts if not v.asked))
    every = (
        Group("Not on the site", off_site, True),
        Group("Failed, or without a verdict", failed, True),
        Group("Stale reviews", stale, True),
        Group(f"Sample of the passes ({SAMPLE_PERCENT}%)", sampled, False),
        Group("Other passes", rest, False, on_the_way=False),
    )
    return tuple(group for group in every if group.verdicts)


def _take(left: list[Verdict], wanted: Callable[[Verdict], bool]) -> tuple[Verdict, ...]:
    """The wanted ones, which are `left` no more."""
    taken = tuple(filter(wanted, left))
    left[:] = [v for v in left if not wanted(v)]
    return taken


def sample(ids: Sequence[str], seed: str) -> frozenset[str]:
    """A seeded fifth, rounded up: the lowest by SHA-256 of "seed:id", so anyone can draw it."""
    drawn = sorted(ids, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())
    return frozenset(drawn[: ceil(len(ids) * SAMPLE_PERCENT / 100)])


def walk(groups: Sequence[Group]) -> list[Verdict]:
    """Everything that is read, in order."""
    return [v for group in groups if group.on_the_way for v in group.verdicts]


def next_unread(order: Sequence[Verdict], after: str = "") -> str:
    """Id of the next unread answer behind `after`, or else from the start; or ""."""
    ids = [v.question.id for v in order]
    start = ids.index(after) + 1 if after in ids else 0
    return next((v.question.id for v in [*order[start:], *order[:start]] if not v.read), "")
