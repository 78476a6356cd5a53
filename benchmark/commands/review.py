"""`review`: the desk at which a person reads what must be read."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    review = commands.add_parser(
        "review", help="read the answers that must be read, and say what is right, in a browser"
    )
    review.add_argument("name", metavar="RUN", help="a complete run, such as 2026-Q4.demo")
    port = "the port on loopback (default: a free one)"
    review.add_argument("--port", type=int, default=0, metavar="N", help=port)
    name = "your name, as it is published (default: git's user.name)"
    review.add_argument("--reviewer", metavar="NAME", help=name)
    blind = "review a second time: the first reviewer's entries are hidden until you are done"
    review.add_argument("--blind", action="store_true", help=blind)
    review.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from benchmark.desk import reviewers
    from benchmark.desk.run import load
    from benchmark.desk.serving import serve

    root = Path.cwd()
    desk = reviewers.desk(root, load(root, options.name), options.reviewer, options.blind)
    serve(desk, options.port, lambda line: print(line, flush=True))
    return 0
