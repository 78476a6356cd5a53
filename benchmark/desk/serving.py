"""The desk's server: loopback only, on a port that is taken before its address is printed."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from benchmark.core.errors import InvalidInput
from benchmark.desk.app import create_app
from benchmark.desk.desk import Desk
from benchmark.desk.guard import Guard

HOST = "127.0.0.1"


def serve(desk: Desk, port: int, tell: Callable[[str], object]) -> None:
    """Serve a desk until Ctrl-C. InvalidInput where the port cannot be used."""
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
        left = f"left to read by {desk.reviewer}: {desk.now().left}"
        tell(f"{left}; Ctrl-C stops, everything is saved at once")
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
        [f"--port: got {port}, which cannot be used ({reason}); expected a free port up to 65535"],
        "Leave --port out to take a free one.",
    )
