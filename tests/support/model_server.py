"""A model by OpenAI's protocol whose replies a test scripts: every odd way that endpoints have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from werkzeug import Request, Response

from support.server import serving

Script = Callable[[dict[str, Any]], "Said"]


@dataclass
class Said:
    """One HTTP response: `body` as text, or the chat completion of `content`."""

    content: str | None = ""
    finish: str = "stop"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None

    def response(self, model: str) -> Response:
        message = {"role": "assistant", "content": self.content}
        choice = {"index": 0, "finish_reason": self.finish, "message": message}
        body = json.dumps({"model": model, "choices": [choice]}) if self.body is None else self.body
        return Response(body, self.status, {"Content-Type": "application/json"} | self.headers)


@dataclass
class Model:
    """The running endpoint: its address, and the bodies of all requests with their headers."""

    script: Script
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def judged(self) -> int:
        return sum(is_judging(body) for body in self.asked)

    def answer(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status=204)
        body = json.loads(request.data)
        self.asked.append(body)
        self.headers.append(dict(request.headers))
        return self.script(body).response(body["model"] + "-as-served")


def is_judging(body: dict[str, Any]) -> bool:
    return bool(body["messages"][0]["role"] == "system")


def prompt_of(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


@contextmanager
def scripted(script: Script) -> Iterator[Model]:
    """Serve `script` for as long as the block lasts."""
    model = Model(script)
    with serving(model.answer) as server:
        model.url = server.url_for("/v1")
        yield model
