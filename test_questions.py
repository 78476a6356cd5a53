"""One test a question: `pytest --quarter 2026-Q4`. It lies here, not in benchmark/, so that `-k en`
means English."""

import pytest

from benchmark.core.messages import failure, faulty, ungraded
from benchmark.core.records import Question, Verdict


def test_question(question: Question, verdict: Verdict) -> None:
    """Every measure that applies passes, after review. A faulty question, and an answer without a
    grade, is skipped."""
    if verdict.faulty:
        pytest.skip(faulty(verdict))
    if verdict.failed:
        pytest.fail(failure(verdict), pytrace=False)
    if without_grade := ungraded(verdict):
        pytest.skip(without_grade)
