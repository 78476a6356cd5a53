"""One test a question: `pytest --quarter 2026-Q4`. It lies here, not in benchmark/, so that `-k en`
means English."""

from benchmark.core.records import Measure, Record


def test_question(response: Record, measures: tuple[Measure, ...]) -> None:
    """Every measure that applies to the question passes its response; all that fail are named.

    Setup asked and measured. What a person's review changes is changed in conftest's hooks."""
    failed = {measure.name: measure.reason for measure in measures if measure.value is False}
    assert not failed, f"{response.id}: {failed}"
