"""Runs of the benchmark as a user starts them, in a copy of the project's files.

Most are made in this process, by pytester; what must not leak out of a run, or is shared by tests,
is a process of its own."""

from __future__ import annotations

import dataclasses
import fcntl
import importlib
import io
import json
import os
import pkgutil
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

import benchmark
from benchmark.__main__ import main
from benchmark.demo.process import running as demo_running
from support.assistant import Assistant, Json, assistant, perfect

ROOT = Path(__file__).resolve().parents[2]
QUARTER = "2026-Q4"
NOBODY = "http://127.0.0.1:9"  # the discard port: refused at once
ALONE, TWO_WORKERS = (), ("-n", "2")
WAYS = [pytest.param(ALONE, id="alone"), pytest.param(TWO_WORKERS, id="n2", marks=pytest.mark.slow)]
BOTH_WAYS = pytest.mark.parametrize("workers", WAYS)
_COPIED = ("conftest.py", "test_questions.py", "pytest.ini", "questions")
# pytester forgets what a run imports; a module imported again would be another one, unpatched.
_IMPORTED = [*(m.name for m in pkgutil.walk_packages(benchmark.__path__, "benchmark."))]
for _name in (*_IMPORTED, "rapidfuzz.fuzz", "selectolax.lexbor", "xdist.plugin"):
    importlib.import_module(_name)
_OURS = ("PYTEST_", "BENCHMARK_", "SLATECH_", "PYTHONDONTWRITEBYTECODE")


@dataclass(frozen=True)
class Done:
    """A finished run or command. `said` is what it wrote, standard output first."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err

    def names(self, *words: str) -> bool:
        """Whether every one of these stands in what it wrote."""
        return all(word in self.said for word in words)

    def expect(self, code: int, *words: str) -> Done:
        """The exit code, and that every one of these stands in what it wrote."""
        missing = [word for word in words if word not in self.said]
        assert (self.code, missing) == (code, []), self.said
        return self


@dataclass(frozen=True)
class Project:
    """A copy of what a newcomer checks out, without reports and reviews; the demo target asks
    `url`. Without `pytester`, pytest is a process of its own."""

    root: Path
    url: str = ""
    run_name: str = f"{QUARTER}.demo"
    pytester: pytest.Pytester | None = None

    @property
    def folder(self) -> Path:
        return self.root / "reports" / self.run_name

    @property
    def alone(self) -> Project:
        """The same, run as a process of its own."""
        return dataclasses.replace(self, pytester=None)

    def asking(self, server: Assistant) -> Project:
        """The same files, with the demo target asking that assistant."""
        return dataclasses.replace(self, url=server.url)

    def quarter(self, *arguments: str, **environment: str) -> Done:
        """`pytest --quarter 2026-Q4 …`."""
        return self.pytest("--quarter", QUARTER, *arguments, **environment)

    def pytest(self, *arguments: str, **environment: str) -> Done:
        words = ("-p", "no:cacheprovider", *arguments)
        if not self.pytester:
            done = subprocess.run(**self.process("pytest", *words, **environment), timeout=300)
            return Done(done.returncode, done.stdout, done.stderr)
        with as_user(self, environment):
            result = self.pytester.runpytest_inprocess(*words)
        return Done(int(result.ret), f"{result.stdout}\n", f"{result.stderr}\n")

    def command(self, *arguments: str, **environment: str) -> Done:
        """`python -m benchmark …`, in this process."""
        out, err = (io.BytesIO(), io.BytesIO())
        texts = [io.TextIOWrapper(each, "utf-8", write_through=True) for each in (out, err)]
        redirected = redirect_stdout(texts[0]), redirect_stderr(texts[1])
        with as_user(self, environment), redirected[0], redirected[1]:
            code = _exit_code(arguments)
        return Done(code, out.getvalue().decode(), err.getvalue().decode())

    def process(self, module: str, *arguments: str, **environment: str) -> dict[str, Any]:
        """What `subprocess` is to be given for `python -m MODULE …`."""
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
        command = {"args": [sys.executable, "-m", module, *arguments], "cwd": self.root}
        return command | {"env": self.environment(**environment)} | streams

    def environment(self, **more: str) -> dict[str, str]:
        """As a user has it: nothing of the pytest that runs these tests, and of its plugins those
        that a run uses. Byte code is kept for the next process."""
        inherited = {
            name: value for name, value in os.environ.items() if not name.startswith(_OURS)
        }
        fixed = {
            "PYTHONPATH": str(ROOT),
            "PYTHONPYCACHEPREFIX": f"{tempfile.gettempdir()}/benchmark-tests-{os.getuid()}",
            "COLUMNS": "200",
            "PYTHONIOENCODING": "utf-8",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "-p xdist -p metadata -p pytest_jsonreport",
        }
        return inherited | fixed | ({"BENCHMARK_DEMO_URL": self.url} if self.url else {}) | more

    # What lies in it

    def set_file(self, name: str) -> Path:
        return self.root / "questions" / f"questions-{name}.json"

    def questions(self) -> list[Json]:
        """Every question, in the order in which they are asked."""
        sets = [json.loads(self.set_file(name).read_text("utf-8")) for name in ("med", "biz")]
        return [question for each in sets for question in each["questions"]]

    def text_of(self, name: str) -> str:
        """A question's words by its id."""
        return next(str(q["question"]) for q in self.questions() if q["id"] == name)

    def raw_file(self, name: str) -> Path:
        return self.folder / f"raw-{name}.jsonl"

    def lines(self) -> list[Json]:
        """Every line of the record, med before biz."""
        files = [file for name in ("med", "biz") if (file := self.raw_file(name)).exists()]
        return [json.loads(line) for file in files for line in file.read_text("ascii").splitlines()]

    def line(self, name: str) -> Json:
        """The last line of a question."""
        return [line for line in self.lines() if line["id"] == name][-1]

    def read(self, name: str) -> Any:
        """A JSON file of the run's folder."""
        return json.loads((self.folder / name).read_text("utf-8"))

    def files(self) -> dict[str, bytes]:
        """Every file of the run's folder with its bytes."""
        paths = sorted(path for path in self.folder.glob("*") if path.is_file())
        return {path.name: path.read_bytes() for path in paths}

    def review(self, entries: Json) -> Path:
        """Write the run's review file."""
        path = self.root / "reviews" / f"reviews-{self.run_name}.json"
        path.write_text(json.dumps({"quarter": QUARTER, "reviews": entries}), "utf-8")
        return path

    def forget_record(self) -> None:
        """As after a session that did not end: its manifest has no digest of the record."""
        manifest = self.read("manifest.json") | {"record": None}
        (self.folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")

    def target(self, name: str, **changes: Any) -> Path:
        """A target file of the test's own: the embedded one with changes."""
        shipped = json.loads((ROOT / "targets" / "demo.json").read_text("utf-8"))
        path = self.root / f"{name}.json"
        path.write_text(json.dumps(shipped | {"name": name} | changes), "utf-8")
        return path


@contextmanager
def as_user(project: Project, more: dict[str, str]) -> Iterator[None]:
    """In the project's folder, with a user's environment."""
    wanted = project.environment(**more)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.root)
        for name in os.environ.keys() - wanted.keys():
            patch.delenv(name)
        for name, value in wanted.items():
            patch.setenv(name, value)
        yield


def _exit_code(arguments: tuple[str, ...]) -> int:
    try:
        return main(list(arguments))
    except SystemExit as end:
        return int(end.code or 0)


def copy(root: Path, url: str = "", pytester: pytest.Pytester | None = None) -> Project:
    """A fresh copy under `root`."""
    for name in _COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, root / name)
    for name in ("reports", "reviews", "tests"):
        (root / name).mkdir()
    return Project(root, url, pytester=pytester)


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    """A copy whose demo target is where nobody answers: a test gives it an assistant with `asking`,
    or needs none."""
    return copy(pytester.path, NOBODY, pytester)


def once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Json]
) -> tuple[Path, Json]:
    """A folder that all of xdist's workers share, and what its making said: the first that needs it
    makes it. It is not to be changed: two workers may read it at the same time."""
    own = factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder, said = shared / name, shared / f"{name}.json"
    with open(shared / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            said.write_text(json.dumps(make(folder)), "utf-8")
    return folder, json.loads(said.read_text("utf-8"))


def _complete(folder: Path) -> Json:
    project = copy(folder)
    with assistant(perfect(project.questions())) as server:
        done = project.asking(server).quarter()
    return dataclasses.asdict(done.expect(0))


@pytest.fixture
def replayable(tmp_path_factory: pytest.TempPathFactory, pytester: pytest.Pytester) -> Project:
    """A copy of a finished run of 120 right answers, whose demo target is gone: whatever is asked
    stops the run."""
    return copy_of(once(tmp_path_factory, "complete", _complete)[0], pytester)


def copy_of(folder: Path, pytester: pytest.Pytester) -> Project:
    """A copy of a project with its runs, whose demo target is gone."""
    shutil.copytree(folder, pytester.path, dirs_exist_ok=True)
    return Project(pytester.path, NOBODY, pytester=pytester)


@pytest.fixture(scope="session")
def demo_url() -> Iterator[str]:
    """The embedded assistant itself, started once for all tests."""
    with demo_running() as url:
        yield url


def asked_of_demo(url: str) -> int:
    """The demo server's own counter."""
    return int(requests.get(f"{url}/v1/stats", timeout=10).json()["asked"])
