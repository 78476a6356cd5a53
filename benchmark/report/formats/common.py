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
    """As the tests have it; what was not asked or not scored is neither right nor wrong."""
    if verdict.faulty:
        return SKIPPED
    if verdict.failed:
        return FAILED
    return PASSED if verdict.asked and not _unscored(verdict) else OTHER


def _unscored(verdict: Verdict) -> list[Measure]:
    return [m for m in verdict.measures if m.fault and verdict.reviewed[m.name] is None]


def counted(verdict: Verdict) -> list[Measure]:
    """The measures with a value after review; none of a faulty question (rubric, "Review")."""
    measures = () if verdict.faulty else verdict.measures
    return [m for m in measures if verdict.reviewed[m.name] is not None]


def message(verdict: Verdict) -> str:
    """Why the outcome is what it is, a line a measure; "" where the question passed."""
    if verdict.faulty:
        return f"faulty question: {verdict.review.reason if verdict.review else ''}"
    if not verdict.asked:
        return "not asked"
    wrong = [m for m in verdict.measures if verdict.reviewed[m.name] is False]
    lines = [f"{m.name}: {why(m, verdict)}" for m in wrong]
    return "\n".join(lines + [f"{m.name}: {m.fault}: {m.reason}" for m in _unscored(verdict)])


def label(value: Results) -> str:
    """What must stand beside every number of this run: a rehearsal or not, draft or final."""
    rehearsal = "rehearsal, not a result of any vendor's platform; "
    return (rehearsal if value.target.rehearsal else "") + str(value.status)


def milliseconds(moment: str) -> int:
    """An ISO 8601 time as milliseconds since 1970-01-01 UTC."""
    return round(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp() * 1000)


def window(value: Results) -> tuple[str, str]:
    """First and last moment of asking; a run that asked nothing has the epoch for both."""
    first, last = value.window or ("1970-01-01T00:00:00Z",) * 2
    return first, last


def uuid_of(*names: str) -> str:
    """A version 4 UUID that the same names always give: a report made again keeps its name."""
    return str(UUID(bytes=hashlib.sha256("\0".join(names).encode()).digest()[:16], version=4))
