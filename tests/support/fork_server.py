"""A Python process that has imported everything and forks for each command, so that no test waits
for imports.

A forked command has its own folder, environment and output, and ends as `python -m …` does. `python
fork_server.py` serves: a request is a line of JSON on standard input, and its exit code a line on
standard output."""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import sys
from typing import Any

IMPORTED = (
    *(
        "benchmark.commands",
        "benchmark.run.session",
        "benchmark.run.writing",
        "benchmark.archive.verify",
        "benchmark.archive.rescore",
    ),
    *("xdist.plugin", "pytest_jsonreport.plugin", "selectolax.lexbor", "rapidfuzz.fuzz"),
)


def serve() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()  # what is there stays: a collection looks at the child's own alone
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        if not (child := os.fork()):
            _run(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)


def _run(
    module: str, arguments: list[str], folder: str, environment: dict[str, str], output: list[str]
) -> None:
    """`python -m MODULE ARGUMENTS`, with standard output and errors in two files. Never returns."""
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(output, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.argv, sys.path[0] = [module, *arguments], folder
    os._exit(_exit_code(module))


def _exit_code(module: str) -> int:
    code: Any = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return int(code) if isinstance(code, int) else 0 if code is None else 1


if __name__ == "__main__":
    serve()
