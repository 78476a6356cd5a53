"""What a failed question says to a person at a terminal. Answers are hostile text: nothing of them
reaches it raw."""

from __future__ import annotations

import unicodedata

from benchmark.core.records import Measure, Verdict

_SHOWN = 400  # characters of an answer; the results page has all of it


def printable(text: str) -> str:
    """Text that cannot steer a terminal: control, format and surrogate characters are escapes."""
    return "".join(
        c if not unicodedata.category(c).startswith(("C", "Zl", "Zp")) else _escape(c) for c in text
    )


def _escape(c: str) -> str:
    return ascii(c)[1:-1]


def failure(verdict: Verdict) -> str:
    """The measures that failed, why, which spelling would have passed, and the answer."""
    failed = [m for m in verdict.measures if verdict.reviewed[m.name] is False]
    lines = [
        "failed " + ", ".join(m.name for m in failed),
        f"question: {verdict.question.question}",
    ]
    lines += [f"{m.name}: {why(m, verdict)}" for m in failed]
    if verdict.delivered:
        lines.append(f"answer: {verdict.answer[:_SHOWN]}{'…' * (len(verdict.answer) > _SHOWN)}")
    if verdict.stale:
        lines.append("its review is of another answer (stale), so it is not applied")
    return "\n".join(printable(line) for line in lines)


def why(measure: Measure, verdict: Verdict) -> str:
    """A measure's reason: the reviewer's where one gave it a value, else the mechanical one."""
    by_review = (
        verdict.review is not None and measure.name in verdict.review.verdicts and verdict.read
    )
    return f"by review: {verdict.review.reason}" if by_review and verdict.review else measure.reason


def ungraded(verdict: Verdict) -> str:
    """Why a measure that applies has no value even after review; "" where all have one."""
    return printable(
        "; ".join(
            m.reason for m in verdict.measures if m.fault and verdict.reviewed[m.name] is None
        )
    )


def faulty(verdict: Verdict) -> str:
    return printable(f"faulty question: {verdict.review.reason if verdict.review else ''}")
