"""An OpenAI-compatible endpoint on loopback whose replies a test scripts: every odd way that such
endpoints have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Script = Callable[[dict[str, Any]], "Said"]


@dataclass
class Said:
    """One HTTP response: `body` as text, or the chat completion of `content`."""

    content: str | None = ""
    finish: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None

    def text(self, model: str) -> str:
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "finish_reason": self.finish, "message": message}
        return (
            self.body
            if self.body is not None
            else json.dumps({"model": model, "choices": [choice]})
        )


@dataclass
class Model:
    """The running endpoint: its address, and the bodies of all requests with their headers."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def judged(self) -> int:
        return sum(is_judging(body) for body in self.asked)


def is_judging(body: dict[str, Any]) -> bool:
    return bool(body["messages"][0]["role"] == "system")


def prompt_of(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


@contextmanager
def scripted(script: Script) -> Iterator[Model]:
    """Serve `script` for as long as the block lasts."""
    model = Model("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.asked.append(body)
            model.headers.append(dict(self.headers))
            said = script(body)
            data = said.text(body["model"] + "-as-served").encode()
            self.send_response(said.status)
            for name, value in {"Content-Type": "application/json", **said.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_OPTIONS(self) -> None:
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            """Nothing: a test's output is its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
