"""The exit code of a run: 0 all passed, 1 some answers failed, 2 interrupted, 3 the run itself
broke, 4 wrong use or invalid input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from benchmark.results.counts import gate
from benchmark.run.reports import Report

FAILED, INTERNAL, INVALID = 1, 3, 4


def exit_code(code: int, report: Report | None, least: Mapping[str, float], option: Any) -> int:
    """From pytest's own code and what was collected. `least` is what `--fail-under` asks for."""
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        return INVALID
    if code not in (0, FAILED) or report is None:
        return code
    if report.broken:
        return INTERNAL
    if report.missing:  # on purpose only where -x or --maxfail stopped at failed answers
        return code if option.maxfail and code == FAILED else INTERNAL
    if least:
        return FAILED if gate(report.verdicts, dict(least)) else 0
    has_failed = any(verdict.failed for verdict in report.verdicts)
    return FAILED if has_failed and not option.report_only else 0
