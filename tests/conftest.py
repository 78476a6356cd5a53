"""Fixtures that several test modules share, and the rules of the project's own tests.

A quarter reads nothing of this: it runs by pytest.ini alone."""

from importlib import metadata
from pathlib import Path

import pytest
from support.browser import browser
from support.project import demo_url, project, replayable

pytest_plugins = ["pytester"]
__all__ = ["browser", "demo_url", "project", "replayable"]
NEEDED = Path(__file__).parents[1] / "requirements" / "test.in"
WARNINGS = (
    "error",
    "default::pytest.PytestWarning",
    # Ctrl-C inside a plugin's old-style hook: an interrupt (exit 2), not an internal error.
    "default::pluggy.PluggyTeardownRaisedWarning",
)


def pytest_configure(config: pytest.Config) -> None:
    if missing := [name for name in _needed() if not _is_installed(name)]:
        raise pytest.UsageError(
            f"not installed: {', '.join(missing)}; the project's own tests need"
            " `pip install -r requirements/test.txt`"
        )
    for line in WARNINGS:
        config.addinivalue_line("filterwarnings", line)


def _needed() -> list[str]:
    lines = NEEDED.read_text("utf-8").splitlines()
    return [line for line in lines if line and line[0] not in "#-"]


def _is_installed(name: str) -> bool:
    try:
        return bool(metadata.version(name))
    except metadata.PackageNotFoundError:
        return False
