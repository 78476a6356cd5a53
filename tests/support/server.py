"""A server of pytest-httpserver that hands every request to a test's function.

Servers are kept for the next test: to end one takes as long as ten of them take to answer."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

_free: list[HTTPServer] = []
logging.getLogger("werkzeug").setLevel(logging.ERROR)  # a line a request


@contextmanager
def serving(handler: Callable[[Request], Response]) -> Iterator[HTTPServer]:
    """On a free port of loopback; requests come in threads of their own."""
    server = _free.pop() if _free else HTTPServer("127.0.0.1", threaded=True)
    if not server.is_running():
        server.start()
    server.expect_request(re.compile("")).respond_with_handler(handler)
    try:
        yield server
    finally:
        server.clear()
        if server.server and server.server.fileno() >= 0:  # no test has closed it
            _free.append(server)


def hung_up(request: Request) -> Response:
    """The connection ends without an answer."""
    request.environ["werkzeug.socket"].shutdown(2)
    return Response()
