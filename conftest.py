"""pytest's side of the benchmark: fixtures and hooks, each of which hands over in one line.

Options are declared in benchmark/run/plugin.py, which pytest.ini loads before this is read."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import pytest

from benchmark.core.records import Measure, Question, Record
from benchmark.run import session
from benchmark.run.ending import Ending
from benchmark.run.question_test import QuestionTests


def pytest_configure(config: pytest.Config) -> None:
    if config.option.quarter is not None:
        config.pluginmanager.register(Quarter(*session.start(config)))


@dataclass(frozen=True, eq=False)
class Quarter:
    """A run's fixtures and hooks; without --quarter there are none."""

    tests: QuestionTests
    ending: Ending | None  # a worker of xdist has none

    @pytest.fixture
    def response(self, request: pytest.FixtureRequest, question: Question) -> Record:
        """The raw record of the question's answer: replayed if there is one, else asked once."""
        return self.tests.respond(request.node, question)

    @pytest.fixture
    def measures(self, request: pytest.FixtureRequest, response: Record) -> tuple[Measure, ...]:
        """Every measure of that answer. A fault in here is an error of ours, no wrong answer."""
        return self.tests.measure(request.node)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        self.tests.parametrize(metafunc)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.tests.add_keywords(items)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """The review is applied to what the test reported."""
        return self.tests.review(item, call, (yield))

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_runtest_metadata(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> dict[str, Any]:
        return self.tests.metadata(item, call.when)

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        """The results table is rendered from the JSON report."""
        if self.ending:
            self.ending.render(json_report)
