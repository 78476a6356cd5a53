"""How a quarter starts: from which folder, with which plugins, and by none of the rules of the
project's own tests."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest
from support.project import BOTH_WAYS, ROOT, TWO_WORKERS, Project, assistant, copy, perfect

from benchmark import __version__

ONE = "med-ru-07"
QUESTIONS = "test_questions.py"
PLUGIN = """
import sys
{does}

def pytest_addoption(parser):
    parser.addoption("--reruns", type=int)
    parser.addoption("--count", type=int, default=1)
    parser.addoption("--forked", action="store_true")
"""
WARNS = """
import warnings
from benchmark.asking import http

_ask = http.ask

def _warning(*given):
    warnings.warn("of an old library", DeprecationWarning)
    return _ask(*given)

http.ask = _warning
"""


def with_plugin(project: Project, does: str = "") -> Project:
    """With a plugin `fake` that has the options of those which repeat tests."""
    (project.root / "fake.py").write_text(PLUGIN.format(does=does), "utf-8")
    return project


# Its own rules ------------------------------------------------------------------------------------


@BOTH_WAYS
def test_a_warning_while_asking_breaks_no_question(
    project: Project, workers: tuple[str, ...]
) -> None:
    """In the project's own tests a warning is an error; of a quarter's answers it says nothing."""
    conftest = project.root / "conftest.py"
    conftest.write_text(conftest.read_text("utf-8") + WARNS, "utf-8")
    with assistant(perfect(project.questions())) as server:
        done = project.asking(server).quarter("-k", ONE, *workers)
    assert done.code == 0, done.said
    assert "1 passed" in done.out


def test_a_quarter_reads_no_conftest_of_the_projects_own_tests(replayable: Project) -> None:
    (replayable.root / "tests" / "conftest.py").write_text("raise RuntimeError", "utf-8")
    assert replayable.quarter("-k", ONE).code == 0
    assert "RuntimeError" in replayable.pytest().said


def test_own_tests_name_what_is_not_installed(project: Project) -> None:
    """One line, instead of an error for each module that imports it."""
    for name in ("tests/conftest.py", "requirements/test.in"):
        (project.root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, project.root / name)
    shutil.copytree(ROOT / "tests" / "support", project.root / "tests" / "support")
    with open(project.root / "requirements" / "test.in", "a", encoding="utf-8") as file:
        file.write("no-such-package\n")
    done = project.pytest()
    assert done.code == 4
    assert done.err.strip() == (
        "ERROR: not installed: no-such-package; the project's own tests need"
        " `pip install -r requirements/test.txt`"
    )


# Where from ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [(), pytest.param(TWO_WORKERS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", [("--target", "../mine.json"), ("--target=../mine.json",)])
def test_a_target_outside_the_checkout(
    tmp_path: Path, form: tuple[str, ...], workers: tuple[str, ...]
) -> None:
    """pytest takes the path of an option that it does not know yet for that of a test, and looks
    for its settings there."""
    (tmp_path / "checkout").mkdir()
    project = copy(tmp_path / "checkout")
    shutil.copytree(ROOT / "benchmark.egg-info", project.root / "benchmark.egg-info")
    project.target("mine").rename(tmp_path / "mine.json")
    with assistant(perfect(project.questions())) as server:
        asking = dataclasses.replace(project.asking(server), run_name="2026-Q4.mine")
        done = asking.quarter(
            *form, "-k", ONE, *workers, PYTEST_DISABLE_PLUGIN_AUTOLOAD="", PYTEST_ADDOPTS=""
        )
    assert done.code == 0, done.said
    assert asking.line(ONE)["status"] == 200
    assert "1 passed" in done.out


@pytest.mark.parametrize("arguments", [(QUESTIONS,), (f"{QUESTIONS}::test_question[{ONE}]",)])
def test_the_file_of_the_questions_may_be_named(
    replayable: Project, arguments: tuple[str, ...]
) -> None:
    assert replayable.quarter(*arguments, "-k", ONE).code == 0


def test_a_checkout_is_named_by_the_version_of_the_suite() -> None:
    """`benchmark.egg-info` is no installation, and says the same."""
    about = (ROOT / "benchmark.egg-info" / "PKG-INFO").read_text("utf-8")
    assert f"\nVersion: {__version__}\n" in about


# What it cannot do with, or without ---------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, fault",
    [
        (("tests/test_text.py",), "got tests/test_text.py too; expected no other file"),
        (("-p", "no:pytest_jsonreport"), "pytest-json-report is not loaded; expected"),
        (("-p", "fake", "--reruns", "2"), "--reruns: a question is asked once"),
        (("-p", "fake", "--count", "3"), "--count: a question is asked once"),
        (("-p", "fake", "--forked"), "--forked: a question is asked once"),
    ],
)
def test_what_a_quarter_cannot_run_with_is_one_line(
    project: Project, arguments: tuple[str, ...], fault: str
) -> None:
    done = with_plugin(project).quarter(*arguments)
    assert done.code == 4
    assert fault in done.err
    assert len(done.said.strip().splitlines()) == 1
    assert not project.folder.exists()


def test_such_a_plugin_may_be_there(replayable: Project) -> None:
    """Installed, and not asked to repeat anything."""
    assert with_plugin(replayable).quarter("-p", "fake", "-k", ONE).code == 0


def test_without_plugins_the_one_that_is_needed_is_named(project: Project) -> None:
    done = project.quarter(PYTEST_ADDOPTS="")
    assert done.code == 4
    assert "pytest-json-report is not loaded" in done.err
    assert len(done.said.strip().splitlines()) == 1


def test_a_package_that_is_missing_is_named_before_anything_is_asked(project: Project) -> None:
    missing = with_plugin(project, 'sys.modules["selectolax"] = None')
    done = missing.quarter("-p", "fake")
    assert done.code == 4
    assert done.err.strip() == (
        "ERROR: not installed: selectolax; `pip install -r requirements/run.txt`"
    )
