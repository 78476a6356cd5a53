"""`serve`: suites and runs over a read-only HTTP API, with a board."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmark.core.errors import InvalidInput


def add(commands: Any) -> None:
    serve = commands.add_parser(
        "serve", help="serve suites and runs over a read-only HTTP API, with a board"
    )
    serve.add_argument(
        "--port",
        type=int,
        default=8007,
        metavar="N",
        help="the port (default: 8007; 0: a free one)",
    )
    serve.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address (default: loopback only)",
    )
    serve.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    import socket

    import uvicorn

    from benchmark.board.api import create_app
    from benchmark.board.shelf import Shelf

    Shelf(Path.cwd()).suites()  # a fault of theirs is told here and now, not to each visitor
    try:
        listener = socket.create_server((options.host, options.port))
    except (OSError, OverflowError) as fault:
        raise InvalidInput(
            [f"cannot serve on {options.host} port {options.port}: {fault}"],
            "--port 0 takes a free one.",
        ) from None
    app = create_app(Path.cwd())
    print(
        f"serving http://{options.host}:{listener.getsockname()[1]} (API documentation at /docs;"
        " Ctrl-C stops)",
        flush=True,
    )
    uvicorn.Server(uvicorn.Config(app, access_log=False, log_level="warning")).run(
        sockets=[listener]
    )
    return 0
