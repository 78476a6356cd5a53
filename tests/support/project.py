"""Runs of the benchmark as a user starts them: pytest as a process of its own, in a copy of the
project's files.

Its fixtures are those of every test module, by conftest.py.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests

from benchmark.demo.process import running as demo_running

ROOT = Path(__file__).resolve().parents[2]
QUARTER = "2026-Q4"
NOBODY = "http://127.0.0.1:9"  # the discard port: refused at once
ALONE, TWO_WORKERS = (), ("-n", "2")
WAYS = [pytest.param(ALONE, id="alone"), pytest.param(TWO_WORKERS, id="n2", marks=pytest.mark.slow)]
BOTH_WAYS = pytest.mark.parametrize("workers", WAYS)
_COPIED = ("conftest.py", "test_questions.py", "pytest.ini", "questions")
_DECLINES = {
    "en": "There is no information about that.",
    "he": "אין לי מידע על כך.",
    "ru": "У меня нет информации об этом.",
}

Json = dict[str, Any]


# The project and its runs -------------------------------------------------------------------------


@dataclass(frozen=True)
class Done:
    """A finished process. `said` is what it wrote, standard output first."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err

    def names(self, *words: str) -> bool:
        """Whether every one of these stands in what it wrote."""
        return all(word in self.said for word in words)


@dataclass(frozen=True)
class Project:
    """A copy of what a newcomer checks out, without reports and reviews; `url` is whom the demo
    target asks."""

    root: Path
    url: str = ""
    run_name: str = f"{QUARTER}.demo"

    @property
    def folder(self) -> Path:
        return self.root / "reports" / self.run_name

    def quarter(self, *arguments: str, **environment: str) -> Done:
        """`pytest --quarter 2026-Q4 …`."""
        return self.pytest("--quarter", QUARTER, *arguments, **environment)

    def pytest(self, *arguments: str, **environment: str) -> Done:
        return self._finished("pytest", "-p", "no:cacheprovider", *arguments, **environment)

    def command(self, *arguments: str, **environment: str) -> Done:
        """`python -m benchmark …`."""
        return self._finished("benchmark", *arguments, **environment)

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        """`pytest --quarter 2026-Q4 …` as a process group of its own, to be interrupted as from a
        keyboard."""
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "no:cacheprovider",
            "--quarter",
            QUARTER,
            *arguments,
        ]
        before = signal.signal(
            signal.SIGINT, signal.default_int_handler
        )  # a background job ignores it, and so on down
        try:
            return subprocess.Popen(
                command,
                cwd=self.root,
                env=self.environment(**environment),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
        finally:
            signal.signal(signal.SIGINT, before)

    def _finished(self, module: str, *arguments: str, **environment: str) -> Done:
        """`python -m MODULE …`, forked from a process that has imported it."""
        with tempfile.TemporaryDirectory() as folder:
            output = [Path(folder) / name for name in ("out", "err")]
            request = {
                "module": module,
                "arguments": arguments,
                "folder": str(self.root),
                "environment": self.environment(**environment),
                "output": [*map(str, output)],
            }
            code = _warm(self.environment()).ask(request)
            return Done(code, *(path.read_text("utf-8") for path in output))

    def environment(self, **more: str) -> dict[str, str]:
        """As a user has it: nothing of the pytest that runs these tests, and of its plugins those
        that a run uses.

        Byte code is kept for the next process.
        """
        ours = ("PYTEST_", "BENCHMARK_", "SLATECH_", "PYTHONDONTWRITEBYTECODE")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        kept = Path(tempfile.gettempdir()) / f"benchmark-tests-{os.getuid()}"
        fixed = {
            "PYTHONPATH": str(ROOT),
            "PYTHONPYCACHEPREFIX": str(kept),
            "COLUMNS": "200",
            "PYTHONIOENCODING": "utf-8",
        }
        fixed |= {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "-p xdist -p metadata -p pytest_jsonreport",
        }
        return inherited | fixed | ({"BENCHMARK_DEMO_URL": self.url} if self.url else {}) | more

    def asking(self, server: Assistant) -> Project:
        """The same files, with the demo target asking that assistant."""
        return dataclasses.replace(self, url=server.url)

    # What lies in it

    def set_file(self, name: str) -> Path:
        return self.root / "questions" / f"questions-{name}.json"

    def questions(self) -> list[Json]:
        """Every question, in the order in which they are asked."""
        return [
            q
            for name in ("med", "biz")
            for q in json.loads(self.set_file(name).read_text("utf-8"))["questions"]
        ]

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
        return {
            path.name: path.read_bytes() for path in sorted(self.folder.glob("*")) if path.is_file()
        }

    def review(self, entries: Json) -> Path:
        """Write the run's review file."""
        path = self.root / "reviews" / f"reviews-{self.run_name}.json"
        path.write_text(json.dumps({"quarter": QUARTER, "reviews": entries}), "utf-8")
        return path

    def target(self, name: str, **changes: Any) -> Path:
        """A target file of the test's own: the embedded one with changes."""
        shipped = json.loads((ROOT / "targets" / "demo.json").read_text("utf-8"))
        path = self.root / f"{name}.json"
        path.write_text(json.dumps(shipped | {"name": name} | changes), "utf-8")
        return path


class _Warm:
    """The process of `fork_server.py`, which ends with this one; a command that takes five minutes
    is taken for stuck."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        command = [sys.executable, str(Path(__file__).with_name("fork_server.py"))]
        self._process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._answer()

    def ask(self, request: Json) -> int:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return int(self._answer())

    def _answer(self) -> Any:
        assert self._process.stdout
        assert select.select([self._process.stdout], [], [], 300)[0], "the command does not end"
        return json.loads(self._process.stdout.readline())


@cache
def _started(process: int, environment: tuple[tuple[str, str], ...]) -> _Warm:
    return _Warm(dict(environment))


def _warm(environment: Mapping[str, str]) -> _Warm:
    """One for this process, whatever the project asks of whom."""
    kept = {name: value for name, value in environment.items() if not name.startswith("BENCHMARK_")}
    return _started(os.getpid(), tuple(sorted(kept.items())))


# An assistant of the tests' own -------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A request that an assistant got; `at` is in seconds, header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: Json
    at: float

    @property
    def question(self) -> str:
        return str(self.body.get("question", ""))


@dataclass(frozen=True)
class Reply:
    """What it sends back: `body` after `wait_s`, byte by byte if `drip_s`; `declared` is a length,
    if not its own."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    wait_s: float = 0.0
    drip_s: float = 0.0
    declared: int | None = None


Script = Callable[[Asked], Reply | None]


@dataclass
class Assistant:
    """A running one: where it is, what it was asked, and how many questions were under way at once
    at most."""

    url: str
    stop: Callable[[], None]
    asked: list[Asked] = field(default_factory=list)
    most_at_once: int = 0
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, question: str) -> int:
        return sum(asked.question == question for asked in self.asked)

    @contextmanager
    def _counted(self, asked: Asked) -> Iterator[None]:
        with self._lock:
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield
        finally:
            with self._lock:
                self._at_once -= 1


@contextmanager
def assistant(script: Script, pages: Mapping[str, str] | None = None) -> Iterator[Assistant]:
    """Serve `script` for every POST, and `pages` by path for GET. None from the script hangs up
    without an answer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script, pages or {}))
    server.daemon_threads = True
    state = Assistant(f"http://127.0.0.1:{server.server_port}", server.server_close)
    server.state = state  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


def _handler(script: Script, pages: Mapping[str, str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_OPTIONS(self) -> None:
            self._send(Reply(status=204))

        def do_GET(self) -> None:
            html = pages.get(self.path)
            kind = {"Content-Type": "text/html"}
            self._send(
                Reply(html.encode(), headers=kind)
                if html is not None
                else Reply(b"no page", 404, kind)
            )

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.path, headers, body, time.monotonic())
            with self.server.state._counted(asked):  # type: ignore[attr-defined]
                reply = script(asked)
                time.sleep(reply.wait_s if reply else 0)
            if reply:  # counted no more, for once it has come the next question may be here at once
                self._send(reply)

        def _send(self, reply: Reply) -> None:
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header(
                    "Content-Length",
                    str(len(reply.body) if reply.declared is None else reply.declared),
                )
                self.end_headers()
                for piece in (
                    [bytes([byte]) for byte in reply.body] if reply.drip_s else [reply.body]
                ):
                    self.wfile.write(piece)
                    time.sleep(reply.drip_s)
            except OSError:  # the benchmark has hung up, which is what such a test is about
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Nothing: a test's output is not the place."""

    return Handler


def as_json(value: Any, **more: Any) -> Reply:
    return Reply(json.dumps(value).encode(), **more)


def right(question: Json) -> Json:
    """A response that passes every measure: the page's own words and its address, or a plain
    decline."""
    if question["kind"] == "not_on_site":
        return {
            "answer": _DECLINES[question["language"]],
            "sources": [],
            "hasGroundingContent": False,
            "version": "t-1",
        }
    sources = [{"sourceUrl": question["source_url"], "snippet": question["evidence"]}]
    return {
        "answer": question["evidence"],
        "sources": sources,
        "hasGroundingContent": True,
        "version": "t-1",
    }


def perfect(questions: list[Json]) -> Script:
    """Answers every question rightly."""
    replies = {question["question"]: as_json(right(question)) for question in questions}
    return lambda asked: replies[asked.question]


def text_of(questions: list[Json], name: str) -> str:
    """A question's words by its id."""
    return next(str(question["question"]) for question in questions if question["id"] == name)


# Fixtures -----------------------------------------------------------------------------------------


def copy(root: Path, url: str = "") -> Project:
    """A fresh copy under `root`."""
    for name in _COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, root / name)
    for name in ("reports", "reviews", "tests"):
        (root / name).mkdir()
    return Project(root, url)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A copy whose demo target is where nobody answers: a test gives it an assistant with `asking`,
    or needs none."""
    return copy(tmp_path, NOBODY)


def once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Json]
) -> tuple[Path, Json]:
    """A folder that all of xdist's workers share, and what its making said: the first that needs it
    makes it.

    It is not to be changed: two workers may read it at the same time.
    """
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
    return dataclasses.asdict(done)


@pytest.fixture
def replayable(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Project:
    """A copy of a finished run of 120 right answers, whose demo target is gone: whatever is asked
    stops the run."""
    folder, done = once(tmp_path_factory, "complete", _complete)
    assert done["code"] == 0, done
    return copy_of(folder, tmp_path)


def copy_of(folder: Path, root: Path) -> Project:
    """A copy of a project with its runs, whose demo target is gone."""
    shutil.copytree(folder, root, dirs_exist_ok=True)
    return Project(root, NOBODY)


@pytest.fixture(scope="session")
def demo_url() -> Iterator[str]:
    """The embedded assistant itself, started once for all tests."""
    with demo_running() as url:
        yield url


def asked_of_demo(url: str) -> int:
    """The demo server's own counter."""
    return int(requests.get(f"{url}/v1/stats", timeout=10).json()["asked"])
