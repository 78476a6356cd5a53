"""What pytest must know before it reads a conftest.py: the options of a run, and which file has its
questions.

`pytest.ini` loads this. Where a path such as `../mine.json` makes pytest look for that file in
another folder, `benchmark.egg-info` does, and pytest starts again in the right one. Nothing that
only a run needs is imported here, so that a missing package can be named. PYTEST_DONT_REWRITE"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmark.run import options

QUESTIONS = "test_questions.py"
_PACKAGES = ("babel", "jinja2", "markupsafe", "rapidfuzz", "requests", "selectolax", "urllib3")
_REPEATING = {"reruns": (None, 0), "count": (None, 1), "forked": (None, False)}  # by their defaults


def pytest_addoption(parser: pytest.Parser) -> None:
    options.add(parser)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """With --quarter, the questions are the only test file, and its conftest.py the only one."""
    known = early_config.known_args_namespace
    folder = early_config.invocation_params.dir
    faults = options.without_quarter(known) if known.quarter is None else [*_faults(early_config)]
    if faults:
        raise pytest.UsageError("\n".join(faults))
    if known.quarter is not None:
        known.file_or_dir = known.file_or_dir or [str(_project(folder) / QUESTIONS)]
        others = [name for name in known.file_or_dir if not _is_of_questions(folder, name)]
        if others:
            raise pytest.UsageError(
                f"--quarter: got {', '.join(others)} too; expected no other file than {QUESTIONS}"
                " (-k selects questions)"
            )
        args.extend(name for name in known.file_or_dir if name not in args)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Start again if another folder was taken for the project's, and let the report be made."""
    if config.option.quarter is None:
        return None
    project = _project(config.invocation_params.dir)
    if config.rootpath != project and not config.option.inifilename:
        return pytest.main(["-c", str(project / "pytest.ini"), *config.invocation_params.args])
    config.option.json_report = True
    if config.option.json_report_file == ".report.json":
        config.option.json_report_file = None  # it is a part of the run's folder, once complete
    config.option.json_report_summary = False
    config.option.json_report_omit = ["collectors", "keywords", "log", "streams"]
    return None


def _project(folder: Path) -> Path:
    """The folder of the questions' test file: this one or the nearest above it."""
    for project in (folder, *folder.parents):
        if (project / QUESTIONS).is_file():
            return project
    raise pytest.UsageError(f"--quarter: no {QUESTIONS} in {folder} or above; expected a checkout")


def _is_of_questions(folder: Path, name: str) -> bool:
    return (folder / name.partition("::")[0]).resolve() == _project(folder).resolve() / QUESTIONS


def _faults(config: pytest.Config) -> Iterator[str]:
    """What a run cannot do with, or without."""
    known, plugins = config.known_args_namespace, config.pluginmanager.list_name_plugin()
    if missing := [name for name in _PACKAGES if find_spec(name) is None]:
        yield f"not installed: {', '.join(missing)}; `pip install -r requirements/run.txt`"
    if not any(plugin and name.startswith("pytest_jsonreport") for name, plugin in plugins):
        yield (
            "pytest-json-report is not loaded; expected it installed (requirements/run.txt), and"
            " neither `-p no:pytest_jsonreport` nor PYTEST_DISABLE_PLUGIN_AUTOLOAD"
        )
    for name, defaults in _REPEATING.items():
        if getattr(known, name, None) not in defaults:
            yield f"--{name}: a question is asked once and tested once; leave it out"
    if getattr(known, "dist", "no") == "each":
        yield "--dist each: would ask each question once a worker; expected -n N alone"
