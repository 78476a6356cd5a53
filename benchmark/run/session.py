"""One run under pytest, put together from its parts.

The process that runs the session (the controller under xdist) alone appends to the record and
writes reports. Workers ask, and send what they got with the test's setup report."""

from __future__ import annotations

import pytest

from benchmark.core.errors import InvalidInput
from benchmark.run import options
from benchmark.run.ending import Ending
from benchmark.run.loading import load
from benchmark.run.plan import Plan
from benchmark.run.question_test import QuestionTests
from benchmark.run.recording import Recorder
from benchmark.run.sending import Alone, Controller, Start, Worker
from benchmark.scoring.rules import names


def start(config: pytest.Config) -> tuple[QuestionTests, Ending | None]:
    """What this process does: the questions' tests and, unless it is a worker, the ending. A fault
    of what was given ends it with exit code 4."""
    option = config.option
    try:
        plan = load(config.rootpath, option.quarter, option.target, options.asked(option))
        least = options.least(option, names(plan.track.rules))
    except InvalidInput as fault:
        raise pytest.UsageError(str(fault)) from None
    if worker := getattr(config, "workerinput", None):
        return QuestionTests(plan, Worker(plan, worker["base_file"]).ask), None
    return _conduct(config, plan, least)


def _conduct(
    config: pytest.Config, plan: Plan, least: dict[str, float]
) -> tuple[QuestionTests, Ending]:
    """Register what asks, records and reports."""
    begun, recorder = Start(plan, plan.manifest), Recorder(config, plan.files)
    has_workers = config.getoption("dist", "no") != "no"
    asking: Alone | Controller = Controller(begun) if has_workers else Alone(begun)

    def stop() -> None:
        recorder.keep_rest(asking.stop())
        begun.open.close()

    ending = Ending(begun, config.option, stop, least)
    for part in (recorder, asking, ending):
        config.pluginmanager.register(part)
    return QuestionTests(plan, asking.ask), ending
