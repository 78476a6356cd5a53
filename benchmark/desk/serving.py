"""The desk's server: loopback only, on a port that is taken before its address is printed."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from benchmark.core.errors import InvalidInput
from benchmark.desk import reviewers
from benchmark.desk.app import create_app
from benchmark.desk.guard import Guard
from benchmark.desk.run import load

HOST = "127.0.0.1"


def serve(
    root: Path,
    run_name: str,
    port: int,
    *,
    reviewer: str | None,
    blind: bool,
    tell: Callable[[str], object],
) -> None:
    """Serve the desk of a run until Ctrl-C. InvalidInput where run, reviewer, review file or port
    cannot be used."""
    desk = reviewers.desk(root, load(root, run_name), reviewer, blind)
    with _listening(port) as listener:
        guard = Guard(listener.getsockname()[1], secrets.token_urlsafe(32))
        # The log names every address, and one holds the token: so no access log.
        config = uvicorn.Config(
            create_app(desk, guard),
            access_log=False,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        tell(
            f"left to read by {desk.reviewer}: {desk.now().left}; Ctrl-C stops, everything is saved"
            " at once"
        )
        tell(f"open http://{HOST}:{guard.port}/?token={guard.token}")
        with suppress(KeyboardInterrupt):  # uvicorn raises it once more after it has stopped
            uvicorn.Server(config).run(sockets=[listener])


def _listening(port: int) -> socket.socket:
    reason = "" if 0 <= port <= 65535 else "there is no such port"
    if not reason:
        try:
            return socket.create_server((HOST, port))
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
    raise InvalidInput(
        [
            f"--port: given {port}, which cannot be used ({reason}); accepted is a free port up to"
            " 65535"
        ],
        "Leave --port out to take a free one.",
    )
