"""`review`: read the answers that must be read, and say what is right, in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmark.commands.common import argument, tell

_NAME = "your name, as it is published (default: git's user.name)"
_PORT = "the port on loopback (default: a free one)"
_BLIND = "review a second time: the first reviewer's entries are hidden until you are done"
ARGUMENTS = (
    argument("name", "a complete run, such as 2026-Q4.demo", metavar="RUN"),
    argument("--port", _PORT, type=int, default=0, metavar="N"),
    argument("--reviewer", _NAME, metavar="NAME"),
    argument("--blind", _BLIND, action="store_true"),
)


def run(options: argparse.Namespace) -> int:
    from benchmark.desk import reviewers
    from benchmark.desk.run import load
    from benchmark.desk.serving import serve

    root = Path.cwd()
    desk = reviewers.desk(root, load(root, options.name), options.reviewer, options.blind)
    serve(desk, options.port, tell)
    return 0
