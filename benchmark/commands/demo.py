"""`demo`: serve the embedded sites and their assistant on loopback."""

from __future__ import annotations

import argparse
from typing import Any

from benchmark.core.errors import InvalidInput


def add(commands: Any) -> None:
    demo = commands.add_parser(
        "demo", help="serve the embedded sites and their assistant on loopback"
    )
    demo.add_argument(
        "--port", type=int, default=0, metavar="N", help="the port (default: a free one)"
    )
    demo.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from benchmark.demo import DemoError
    from benchmark.demo.server import serve

    try:
        serve(options.port)
    except DemoError as fault:
        raise InvalidInput([str(fault)]) from None
    return 0
