"""What several formats say alike: an outcome, its reasons, labels, times and names."""

from __future__ import annotations

import hashlib
from datetime import datetime
from uuid import UUID

from benchmark.core.messages import why
from benchmark.core.records import Measure, Verdict
from benchmark.results.summary import Results

PASSED, FAILED, SKIPPED, OTHER = "passed", "failed", "skipped", "other"
SUITE = "answer-quality-benchmark"
# Who asks, publishes and answers for the questions (rubric, "Track A": the owner's rule).
PUBLISHER, PUBLISHER_URL = "SLAtech", "https://slatech.ai/"


def outcome(verdict: Verdict) -> str:
    """As the tests have it: a faulty question is skipped; one not asked or not scored is neither
    right nor wrong."""
    if verdict.faulty:
        return SKIPPED
    if verdict.failed:
        return FAILED
    scored = verdict.asked and not any(
        m.fault and verdict.reviewed[m.name] is None for m in verdict.measures
    )
    return PASSED if scored else OTHER


def counted(verdict: Verdict) -> list[Measure]:
    """The measures that count: those with a value after review. A faulty question has none (rubric,
    "Review")."""
    return (
        []
        if verdict.faulty
        else [m for m in verdict.measures if verdict.reviewed[m.name] is not None]
    )


def message(verdict: Verdict) -> str:
    """Why the outcome is what it is, a line a measure; "" where the question passed."""
    if verdict.faulty:
        return f"faulty question: {verdict.review.reason if verdict.review else ''}"
    wrong = [m for m in verdict.measures if verdict.reviewed[m.name] is False]
    unscored = [m for m in verdict.measures if m.fault and verdict.reviewed[m.name] is None]
    lines = [f"{m.name}: {why(m, verdict)}" for m in wrong] + [
        f"{m.name}: {m.fault}: {m.reason}" for m in unscored
    ]
    return "\n".join(lines) if verdict.asked else "not asked"


def labels(value: Results) -> list[str]:
    """What must stand beside every number of this run: whether it is a rehearsal, and draft or
    final."""
    rehearsal = (
        ["rehearsal, not a result of any vendor's platform"] if value.target.rehearsal else []
    )
    return [*rehearsal, value.status]


def milliseconds(moment: str) -> int:
    """An ISO 8601 time as milliseconds since 1970-01-01 UTC."""
    return round(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000)


def window(value: Results) -> tuple[str, str]:
    """First and last moment of asking; a run that asked nothing has the epoch for both."""
    first, last = value.window or ("1970-01-01T00:00:00Z",) * 2
    return first, last


def uuid_of(*names: str) -> str:
    """A version 4 UUID that the same names always give, so that a report made again has the same
    name."""
    return str(UUID(bytes=hashlib.sha256("\0".join(names).encode()).digest()[:16], version=4))
