"""The demo server as a child process, for a benchmark run or a test that needs one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO

from benchmark.demo import DemoError

_READY = re.compile(r"serving (http://\S+)")
_PROJECT = Path(__file__).parents[2]
_STOPS_WITHIN_S = 5.0


@contextmanager
def running(port: int = 0, timeout_s: float = 60) -> Iterator[str]:
    """Yield the base URL of a demo server that runs as long as the block does.

    The child ends with its standard input, so it ends with this process too, however that dies.
    ``DemoError`` carries the last lines that it wrote to standard error: when it ends before it
    serves, or is not ready in ``timeout_s``."""
    # A file, since nobody reads a pipe while the child runs.
    with tempfile.TemporaryFile() as errors:
        child = _start(port, errors)
        try:
            yield _base_url(child, errors, timeout_s)
        finally:
            _stop(child)


def _start(port: int, errors: IO[bytes]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "benchmark.demo", "--port", str(port), "--with-parent"]
    paths = [str(_PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=environment,
        start_new_session=True,  # Ctrl-C is for who asks: what is under way is still answered
    )


def _base_url(child: subprocess.Popen[bytes], errors: IO[bytes], timeout_s: float) -> str:
    lines: Queue[str] = Queue()
    Thread(target=lambda: lines.put(_ready_line(child)), daemon=True).start()
    try:
        line = lines.get(timeout=timeout_s)
    except Empty:
        raise DemoError(
            f"the demo server was not ready in {timeout_s:g} s{_last_lines(errors)}"
        ) from None
    if (ready := _READY.search(line)) is None:
        raise DemoError(
            f"the demo server ended before it served (exit {child.wait()}){_last_lines(errors)}"
        )
    return ready[1]


def _ready_line(child: subprocess.Popen[bytes]) -> str:
    """The line that says it serves; empty when standard output ends without one."""
    lines = (line.decode("utf-8", "replace") for line in child.stdout or ())
    return next((line for line in lines if _READY.search(line)), "")


def _last_lines(errors: IO[bytes], count: int = 10) -> str:
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()[-count:]
    return ":\n" + "\n".join(lines) if lines else ""


def _stop(child: subprocess.Popen[bytes]) -> None:
    """Ask, and if that is not enough, insist. Returns when the child is gone."""
    if child.stdin:
        child.stdin.close()
    try:
        child.wait(_STOPS_WITHIN_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    if child.stdout:
        child.stdout.close()
