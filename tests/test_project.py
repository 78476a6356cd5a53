"""What the project is started with: the README's two commands, tox.ini, .ci/run, pinned
requirements, workflows."""

from __future__ import annotations

import ast
import configparser
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.project import QUARTER, ROOT, copy

README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"```sh\n(.*?)\n```", README, re.S)
RUN, TEST = COMMANDS
CI = (ROOT / ".ci" / "run").read_text("utf-8")
WORKFLOWS = {
    path.name: path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")
}
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PINNED = re.compile(r"^([a-z0-9.-]+)(?:\[[a-z,]+\])?==(\S+)", re.M)
HASH = re.compile(r"^    --hash=sha256:[0-9a-f]{64}\b", re.M)
SUPPORTED = ("3.10", "3.11", "3.12", "3.13")


def tox() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(ROOT / "tox.ini", "utf-8")
    return parser


def last_words(command: str) -> str:
    """What a chain of commands ends with, from `pytest` on."""
    return "pytest" + command.partition("-m pytest")[2]


# Commands -----------------------------------------------------------------------------------------


def test_readme_has_two_commands_of_one_line() -> None:
    """A newcomer pastes one line for the benchmark and one for the tests."""
    assert len(COMMANDS) == 2
    assert all("\n" not in command for command in COMMANDS)


def test_readme_and_tox_run_the_same() -> None:
    """tox.ini has the README's commands, with the same requirements; its tests are all of them, the
    slow ones too."""
    for command, section, more in ((RUN, "testenv:demo", ""), (TEST, "testenv", ' -m ""')):
        env = tox()[section]
        posargs = re.sub(r"\{posargs:?(.*?)\}", r"\1", env["commands"]).strip()
        assert last_words(command) + more == last_words(posargs)
        assert env["deps"] in command


def test_ci_finds_the_readmes_commands() -> None:
    """.ci/run takes both from the README, so that a command which does not work is found there."""
    greps = re.findall(r"\$\((grep .*? README\.md)\)", CI)
    found = [subprocess.check_output(["bash", "-c", grep], cwd=ROOT, text=True) for grep in greps]
    assert [line.strip() for line in found] == [RUN, TEST]


def test_ci_script_is_bash() -> None:
    """.ci/run parses, and stops at the first fault."""
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=True)
    assert "set -euo pipefail" in CI


@pytest.mark.slow
def test_readmes_table_is_the_runs(tmp_path: Path, demo_url: str) -> None:
    """The README's first command leaves the table that the README shows, with the exit code that it
    tells of."""
    project = copy(tmp_path, demo_url)
    shown = [line for line in README.splitlines() if re.match(r"\| \w+ \| .*%", line)]
    reviews = ROOT / "reviews" / f"reviews-{QUARTER}.demo.json"
    (project.root / "reviews" / reviews.name).write_bytes(reviews.read_bytes())
    done = project.pytest(*shlex.split(last_words(RUN))[1:], "--tb=no")
    assert done.code == 1, done.said[-2000:]
    written = (project.folder / "results.md").read_text("utf-8").replace("\\", "")
    assert len(shown) == 5
    assert [line for line in shown if line not in written.splitlines()] == []


# Requirements -------------------------------------------------------------------------------------


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_requirements_are_pinned(lock: Path) -> None:
    """Every package has one version and hashes, and no file names a place to download from."""
    content = lock.read_text("utf-8")
    packages = re.findall(r"^(?!#)\S.*?(?=^\S|\Z)", content, re.M | re.S)
    assert packages
    assert all(PINNED.match(package) and HASH.search(package) for package in packages)
    assert re.search(r"://|--index-url|--find-links|--trusted-host|@ file", content) is None


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_requirements_are_made_from_their_lists(lock: Path) -> None:
    """Each pinned file has every package of its .in file, and what it builds on in the same
    versions."""
    versions = dict(PINNED.findall(lock.read_text("utf-8")))
    listed = lock.with_suffix(".in").read_text("utf-8")
    assert set(re.findall(r"^[a-z][\w.-]*", listed, re.M)) <= set(versions)
    for below in re.findall(r"^-r (\S+)", listed, re.M):
        pinned = PINNED.findall((lock.parent / below).read_text("utf-8"))
        assert [(name, version) for name, version in pinned if versions.get(name) != version] == []


def imported(folder: Path) -> Iterator[str]:
    """Top-level names of what the modules of a folder import, wherever in a module."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield str(node.module).partition(".")[0]


@pytest.mark.parametrize(
    ("folder", "lists"), [("benchmark", ["run", "local-llm"]), ("tests", ["run", "test"])]
)
def test_imports_are_required(folder: str, lists: list[str]) -> None:
    """Whatever the code imports beyond the standard library stands in a list of its own, and not by
    another's grace."""
    own = {path.stem for path in (ROOT / "tests").glob("*.py")} | {"benchmark", "support"}
    names = set(imported(ROOT / folder)) - sys.stdlib_module_names - own
    listed = "\n".join((ROOT / "requirements" / f"{name}.in").read_text("utf-8") for name in lists)
    required = {name.replace("-", "_") for name in re.findall(r"^[a-z][\w.-]*", listed, re.M)}
    assert names - required - {"yaml", "markdown_it"} == set()


def test_scoring_is_kept_from_every_package() -> None:
    """The contract that scoring needs nothing but Python names each package of a run, but for the
    two that are loaded late and have a contract of their own."""
    part = (ROOT / "pyproject.toml").read_text("utf-8").partition('id = "scoring-side"')[2]
    forbidden = re.search(r"forbidden_modules = \[(.*?)\]", part, re.S)
    assert forbidden
    named = set(re.findall(r'"(\w+)"', forbidden[1]))
    listed = (ROOT / "requirements" / "run.in").read_text("utf-8")
    packages = set(re.findall(r"^[a-z][\w.-]*", listed, re.M))
    kept_from = {package for package in packages if modules(package) & named}
    assert packages - kept_from == {"rapidfuzz", "selectolax"}


def modules(package: str) -> set[str]:
    """What can be imported of an installed package, by its files."""
    return {path.parts[0].removesuffix(".py") for path in metadata.files(package) or ()}


# Linters ------------------------------------------------------------------------------------------


def test_linters_are_the_same_everywhere() -> None:
    """Before a commit, in CI and in .ci/run the same environments of tox.ini check the code."""
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    entries = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    runs = [step["run"] for step in steps("tests.yml") if "-e lint" in step.get("run", "")]
    scripts = re.findall(r"tox run .*-e lint.*", CI)
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    assert _environments(entries) == _environments(runs) == _environments(scripts)
    assert _environments(entries) == ["lint", "types"]


def _environments(commands: list[str]) -> list[str]:
    """What `tox run -e A,B` names, of all commands together."""
    return ",".join(command.rpartition("-e ")[2].strip() for command in commands).split(",")


# Workflows ----------------------------------------------------------------------------------------


def steps(workflow: str) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(WORKFLOWS[workflow])["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_actions_are_pinned_and_permissions_small(workflow: str) -> None:
    """An action is named by its commit, and a workflow may only read unless a job says what else it
    needs."""
    uses = [step["uses"] for step in steps(workflow) if "uses" in step]
    assert uses
    assert [action for action in uses if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []
    assert yaml.safe_load(WORKFLOWS[workflow])["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_no_input_is_pasted_into_a_script(workflow: str) -> None:
    """What comes from outside reaches a script as an environment variable, never as part of its
    text."""
    runs = [step.get("run", "").replace("${{ matrix.", "") for step in steps(workflow)]
    assert [script for script in runs if "${{" in script] == []


def test_tests_run_on_every_supported_python() -> None:
    """The workflow and tox.ini have the same Pythons, and the README names the first and last of
    them."""
    matrix = yaml.safe_load(WORKFLOWS["tests.yml"])["jobs"]["tests"]["strategy"]["matrix"]["python"]
    assert tuple(matrix) == SUPPORTED
    env_list = re.split(r"[,\s]+", tox()["tox"]["env_list"])
    expected = [f"py{version.replace('.', '')}" for version in SUPPORTED]
    assert [name for name in env_list if name.startswith("py")] == expected
    assert f"Python {SUPPORTED[0]} to {SUPPORTED[-1]}" in " ".join(README.split())


def test_quarter_gets_every_secret_of_the_live_target() -> None:
    """The scheduled run hands over each variable that the live target needs, under its own name."""
    needed = set(re.findall(r"\$\{(\w+)\}", (ROOT / "targets" / "live.json").read_text("utf-8")))
    env = yaml.safe_load(WORKFLOWS["quarter.yml"])["jobs"]["quarter"]["env"]
    assert {name: f"${{{{ secrets.{name} }}}}" for name in needed}.items() <= env.items()


def choose(tmp_path: Path, **environment: str) -> tuple[int, str]:
    """Exit code of the step that chooses quarter and target, and what it hands on."""
    chosen = next(s for s in steps("quarter.yml") if s.get("name", "").startswith("Choose"))
    handed_on = tmp_path / "env"
    handed_on.touch()
    env = {"PATH": "/usr/bin:/bin", "GITHUB_ENV": str(handed_on), "SLATECH_WIDGET_KEY": ""}
    command = ["bash", "-e", "-c", chosen["run"]]
    done = subprocess.run(command, env=env | environment, capture_output=True, check=False)
    return done.returncode, handed_on.read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "handed_on"),
    [
        (("2026-Q4", "auto", ""), ("2026-Q4", "demo", "2026-Q4.demo")),
        (("2026-Q4", "auto", "k"), ("2026-Q4", "live", "2026-Q4")),
        (("2027-Q1", "demo", "k"), ("2027-Q1", "demo", "2027-Q1.demo")),
    ],
    ids=["no secrets", "secrets", "rehearsal by hand"],
)
def test_quarter_asks_live_where_the_secrets_are(
    tmp_path: Path, given: tuple[str, ...], handed_on: tuple[str, ...]
) -> None:
    """With secrets a scheduled run is live, without them a rehearsal; by hand one may choose."""
    names = ("QUARTER", "TARGET", "SLATECH_WIDGET_KEY")
    code, said = choose(tmp_path, **dict(zip(names, given, strict=True)))
    expected = zip(("QUARTER", "TARGET", "RUN"), handed_on, strict=True)
    assert (code, said) == (0, "".join(f"{name}={value}\n" for name, value in expected))


def test_quarter_defaults_to_the_current_one(tmp_path: Path) -> None:
    """Without an input it is a quarter that the benchmark itself would take."""
    code, handed_on = choose(tmp_path, QUARTER="", TARGET="demo")
    assert code == 0
    assert re.match(r"QUARTER=\d{4}-Q[1-4]\n", handed_on)


@pytest.mark.parametrize("quarter", ["2026-Q5", "../2026-Q4", "2026-Q4\nRUN=x", "2026-Q4; echo"])
def test_quarter_takes_nothing_but_the_form(tmp_path: Path, quarter: str) -> None:
    """A quarter names a folder: anything else stops the job before a word is handed on."""
    assert choose(tmp_path, QUARTER=quarter, TARGET="demo") == (4, "")
