"""How a quarter starts: from which folder, with which plugins, and by none of the rules of the
project's own tests."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest
from support.assistant import assistant, perfect
from support.project import BOTH_WAYS, ROOT, Project, copy

from benchmark import __version__

ONE = "med-ru-07"
QUESTIONS = "test_questions.py"
PLUGIN = """
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


def with_plugin(project: Project) -> Project:
    """With a plugin `fake` that has the options of those which repeat tests."""
    (project.root / "fake.py").write_text(PLUGIN, "utf-8")
    return project.alone


# Its own rules ------------------------------------------------------------------------------------


@BOTH_WAYS
def test_a_warning_while_asking_breaks_no_question(
    project: Project, workers: tuple[str, ...]
) -> None:
    """In the project's own tests a warning is an error; of a quarter's answers it says nothing."""
    with open(project.root / "conftest.py", "a", encoding="utf-8") as conftest:
        conftest.write(WARNS)
    with assistant(perfect(project.questions())) as server:
        project.alone.asking(server).quarter("-k", ONE, *workers).expect(0, "1 passed")


def test_a_quarter_reads_no_conftest_of_the_projects_own_tests(replayable: Project) -> None:
    (replayable.root / "tests" / "conftest.py").write_text("raise RuntimeError", "utf-8")
    replayable.quarter("-k", ONE).expect(0)
    assert "RuntimeError" in replayable.pytest().said


def test_own_tests_name_what_is_not_installed(project: Project) -> None:
    """One line, instead of an error for each module that imports it."""
    tests, needed = project.root / "tests", project.root / "requirements" / "test.in"
    shutil.copytree(ROOT / "tests" / "support", tests / "support")
    shutil.copy(ROOT / "tests" / "conftest.py", tests)
    needed.parent.mkdir()
    needed.write_text("no-such-package\n", "utf-8")
    assert project.alone.pytest().expect(4).err.strip() == (
        "ERROR: not installed: no-such-package; the project's own tests need"
        " `pip install -r requirements/test.txt`"
    )


# Where from ---------------------------------------------------------------------------------------


@BOTH_WAYS
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
    plain = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "", "PYTEST_ADDOPTS": ""}
    with assistant(perfect(project.questions())) as server:
        asking = dataclasses.replace(project.asking(server), run_name="2026-Q4.mine")
        asking.quarter(*form, "-k", ONE, *workers, **plain).expect(0, "1 passed")
    assert asking.line(ONE)["status"] == 200


@pytest.mark.parametrize("name", [QUESTIONS, f"{QUESTIONS}::test_question[{ONE}]"])
def test_the_file_of_the_questions_may_be_named(replayable: Project, name: str) -> None:
    replayable.quarter(name, "-k", ONE).expect(0)


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
    done = with_plugin(project).quarter(*arguments).expect(4)
    assert fault in done.err
    assert len(done.said.strip().splitlines()) == 1
    assert not project.folder.exists()


def test_such_a_plugin_may_be_there(replayable: Project) -> None:
    """Installed, and not asked to repeat anything."""
    with_plugin(replayable).quarter("-p", "fake", "-k", ONE).expect(0)


def test_without_plugins_the_one_that_is_needed_is_named(project: Project) -> None:
    done = project.alone.quarter(PYTEST_ADDOPTS="").expect(4, "pytest-json-report is not loaded")
    assert len(done.said.strip().splitlines()) == 1


def test_a_package_that_is_missing_is_named_before_anything_is_asked(project: Project) -> None:
    """In a process that has imported nothing, so that no import of ours stands in for it."""
    hidden = 'import sys\nsys.modules["selectolax"] = None\n'
    (project.root / "hidden.py").write_text(hidden, "utf-8")
    done = project.alone.quarter("-p", "hidden").expect(4)
    expected = "ERROR: not installed: selectolax; `pip install -r requirements/run.txt`"
    assert done.err.strip() == expected
