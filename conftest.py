"""pytest's side of the benchmark: options, one test a question, and hooks that hand over (see
benchmark/session.py)."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.core.records import Question, Verdict
from benchmark.run import options, plugin


def pytest_addoption(parser: pytest.Parser) -> None:
    options.add(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    plugin.redirect(config)


def pytest_configure(config: pytest.Config) -> None:
    plugin.open_session(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "question" in metafunc.fixturenames and metafunc.config.option.quarter:
        plugin.of(metafunc.config).parametrize(metafunc)


@pytest.fixture
def verdict(
    request: pytest.FixtureRequest, question: Question, json_metadata: dict[str, Any]
) -> Verdict:
    """Setup: ask or replay, measure, apply the review. A fault in here is an error of ours, never a
    wrong answer."""
    return plugin.of(request.config).judge(request.node, question, json_metadata)
