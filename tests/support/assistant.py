"""A site's assistant whose answers a test scripts, and what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from werkzeug import Request, Response

from support.server import hung_up, serving

Json = dict[str, Any]
DECLINES = {
    "en": "There is no information about that.",
    "he": "אין לי מידע על כך.",
    "ru": "У меня нет информации об этом.",
}


@dataclass(frozen=True)
class Asked:
    """A request that an assistant got."""

    path: str
    headers: dict[str, str]
    body: Json

    @property
    def question(self) -> str:
        return str(self.body.get("question", ""))


@dataclass(frozen=True)
class Reply:
    """`body` after `wait_s`, byte by byte if `drip_s`; `declared` is a length, if not its own."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    drip_s: float = 0.0
    declared: int | None = None

    def response(self) -> Response:
        length = len(self.body) if self.declared is None else self.declared
        headers = {"Content-Type": "application/json", "Content-Length": str(length)}
        return Response(self._pieces(), self.status, headers | dict(self.headers))

    def _pieces(self) -> Iterator[bytes]:
        """An iterator, for the length of anything else would be set to its own."""
        step = 1 if self.drip_s else len(self.body) or 1
        for at in range(0, len(self.body), step):
            yield self.body[at : at + step]
            time.sleep(self.drip_s)


Script = Callable[[Asked], Reply | None]


@dataclass
class Assistant:
    """A running one: `most_at_once` questions were under way at once. It hangs up where its script
    gives None."""

    script: Script
    pages: Mapping[str, str]
    url: str = ""
    stop: Callable[[], None] = lambda: None
    asked: list[Asked] = field(default_factory=list)
    most_at_once: int = 0
    _at_once: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, question: str) -> int:
        return sum(asked.question == question for asked in self.asked)

    def answer(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status=204)
        if request.method == "GET":
            html = self.pages.get(request.environ["REQUEST_URI"])
            return Response(html or "no page", 200 if html else 404, mimetype="text/html")
        asked = Asked(request.path, dict(request.headers), json.loads(request.data))
        with self._counted(asked):
            reply = self.script(asked)
            time.sleep(reply.wait_s if reply else 0)
        return reply.response() if reply else hung_up(request)

    @contextmanager
    def _counted(self, asked: Asked) -> Iterator[None]:
        with self._lock:
            self.asked.append(asked)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield
        finally:
            with self._lock:
                self._at_once -= 1


@contextmanager
def assistant(script: Script, pages: Mapping[str, str] | None = None) -> Iterator[Assistant]:
    """Serve `script` for every POST, and `pages` by their path."""
    state = Assistant(script, pages or {})
    with serving(state.answer) as server:
        assert server.server
        state.url = f"http://{server.host}:{server.port}"
        state.stop = server.server.server_close
        yield state


def as_json(value: Any, **more: Any) -> Reply:
    return Reply(json.dumps(value).encode(), **more)


def right(question: Json) -> Json:
    """Passes every measure: the page's own words and its address, or a plain decline."""
    grounded = question["kind"] == "answerable"
    answer = question["evidence"] if grounded else DECLINES[question["language"]]
    source = {"sourceUrl": question.get("source_url"), "snippet": question.get("evidence")}
    value = {"answer": answer, "sources": [source] if grounded else []}
    return value | {"hasGroundingContent": grounded, "version": "t-1"}


def perfect(questions: list[Json]) -> Script:
    """Answers every question rightly."""
    replies = {question["question"]: as_json(right(question)) for question in questions}
    return lambda asked: replies[asked.question]


def wrong(_: Asked) -> Reply:
    """The same wrong answer to every question."""
    return as_json({"answer": "No, sorry.", "sources": []})
