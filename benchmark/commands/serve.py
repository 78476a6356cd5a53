"""`serve`: serve suites and runs over a read-only HTTP API, with a board."""

from __future__ import annotations

import argparse
import socket
from pathlib import Path

from benchmark.commands.common import argument
from benchmark.core.errors import InvalidInput

_PORT, _HOST = "the port (default: 8007; 0: a free one)", "the address (default: loopback only)"
ARGUMENTS = (
    argument("--port", _PORT, type=int, default=8007, metavar="N"),
    argument("--host", _HOST, default="127.0.0.1", metavar="ADDRESS"),
)


def run(options: argparse.Namespace) -> int:
    import uvicorn

    from benchmark.board.api import create_app
    from benchmark.board.shelf import Shelf

    Shelf(Path.cwd()).suites()  # a fault of theirs is told here and now, not to each visitor
    listener = _listening(options.host, options.port)
    app, port = create_app(Path.cwd()), listener.getsockname()[1]
    address = f"http://{options.host}:{port}"
    print(f"serving {address} (API documentation at /docs; Ctrl-C stops)", flush=True)
    config = uvicorn.Config(app, access_log=False, log_level="warning")
    uvicorn.Server(config).run(sockets=[listener])
    return 0


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port))
    except (OSError, OverflowError) as fault:
        reason = f"cannot serve on {host} port {port}: {fault}"
        raise InvalidInput([reason], "--port 0 takes a free one.") from None
