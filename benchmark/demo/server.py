"""The demo over HTTP: ``POST /v1/query/ask`` as the vendor documents it, and the sites' pages.

It keeps only a count of what it was asked (``/v1/stats``). Errors are problem JSON (RFC 9457)."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import compare_digest
from typing import Annotated

import uvicorn
from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.base import RequestResponseEndpoint

from benchmark.demo import DemoError
from benchmark.demo.assistant import Answer, Assistant
from benchmark.demo.embedding import E5Embedder, Embedder
from benchmark.demo.index import SHIPPED, build
from benchmark.demo.sites import WIDGET_KEY, Site, load
from benchmark.demo.website import Website
from benchmark.text.urls import page_identity

VERSION = "demo-1"
HOST = "127.0.0.1"
_MOST_BYTES = 64 * 1024
_HEADERS = {
    # Style attributes are let through: the pages hide text by them, and it must stay hidden.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline';"
        " connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


_TEXT = StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)


class Ask(BaseModel):
    """The body of a question; ``pageUrl`` is the page that the visitor is on."""

    model_config = ConfigDict(strict=True)

    question: Annotated[str, _TEXT]
    topK: Annotated[int, Field(ge=1, le=20)] = 10
    scoreThreshold: Annotated[float, Field(ge=0, le=1)] = 0.5
    pageUrl: str | None = None


def create_app(sites: Sequence[Site], embedder: Embedder, shipped: Path = SHIPPED) -> FastAPI:
    """The application for ``sites``; first makes what ``shipped`` lacks of the index."""
    index = build(sites, embedder, shipped)
    desk = _Desk(sites, Assistant(sites, index, embedder), f"{VERSION}.{index.digest[:8]}")
    website = Website(sites)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.add_api_route("/v1/query/ask", desk.ask, methods=["POST"])
    app.add_api_route("/v1/stats", desk.stats, methods=["GET"])
    app.add_route("/{path:path}", website.serve, methods=["GET"])
    app.add_exception_handler(HTTPException, _problem)
    app.add_exception_handler(Exception, _problem)
    app.middleware("http")(_add_headers)
    return app


class _Desk:
    """Takes questions in: who asks, what is asked, how many there were."""

    def __init__(self, sites: Sequence[Site], assistant: Assistant, version: str) -> None:
        self._sites = {site.site_id: site for site in sites}
        self._assistant = assistant
        self._version = version
        self._asked = 0

    async def ask(self, request: Request) -> Response:
        """Every request counts as asked, also one that is refused (401, 403, 413, 422)."""
        self._asked += 1
        site = self._admitted(request)
        ask = _read(await _body(request), site)
        answer = await run_in_threadpool(
            self._assistant.ask, site, ask.question, ask.pageUrl, ask.topK, ask.scoreThreshold
        )
        return _json(_answer(answer) | {"version": self._version})

    async def stats(self) -> Response:
        return _json({"asked": self._asked})

    def _admitted(self, request: Request) -> Site:
        key = request.headers.get("X-Widget-Key", "")
        if not compare_digest(key.encode(), WIDGET_KEY.encode()):
            raise HTTPException(401, "X-Widget-Key is missing or wrong")
        site_id = request.headers.get("X-Site-Id")
        if site_id is None:
            raise HTTPException(401, "X-Site-Id is missing: it takes the site's GUID")
        site = self._sites.get(site_id.lower())
        if site is None:
            raise HTTPException(403, "X-Site-Id: no site with this GUID is served here")
        return site


async def _body(request: Request) -> bytes:
    """The body, refused as soon as it is too long, whatever its ``Content-Length`` says."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise HTTPException(413, f"a question's body has at most {_MOST_BYTES} bytes")
    return bytes(body)


def _read(body: bytes, site: Site) -> Ask:
    try:
        ask = Ask.model_validate_json(body)
    except ValidationError as error:
        faults = (
            f"{'.'.join(map(str, fault['loc'])) or 'body'}: {fault['msg']}"
            for fault in error.errors()
        )
        raise HTTPException(422, "; ".join(faults)) from error
    if ask.pageUrl is not None and not _belongs(ask.pageUrl, site):
        raise HTTPException(422, f"pageUrl: it takes an address under {site.root_url}")
    return ask


def _belongs(url: str, site: Site) -> bool:
    identity, root = page_identity(url), page_identity(site.root_url)
    return identity is not None and (identity == root or identity.startswith(f"{root}/"))


def _answer(answer: Answer) -> dict[str, object]:
    sources = [
        {"sourceUrl": source.url, "snippet": source.snippet, "score": source.score}
        for source in answer.sources
    ]
    return {"answer": answer.text, "sources": sources, "hasGroundingContent": answer.grounded}


def _json(content: object, status: int = 200, kind: str = "json") -> Response:
    return JSONResponse(content, status, media_type=f"application/{kind}; charset=utf-8")


async def _problem(_: Request, error: Exception) -> Response:
    problem = error if isinstance(error, HTTPException) else HTTPException(500, "")
    content = {"type": "about:blank", "status": problem.status_code, "detail": problem.detail}
    return _json(content, problem.status_code, "problem+json")


async def _add_headers(request: Request, call_next: RequestResponseEndpoint) -> Response:
    response = await call_next(request)
    response.headers.update(_HEADERS)
    return response


def serve(
    port: int, open_ready: Callable[[str], object] = print, with_parent: bool = False
) -> None:
    """Serve the shipped sites on loopback until Ctrl-C; ``port`` 0 takes a free one.

    The socket is taken first, so a used port is known at once (``DemoError``); ``open_ready`` gets
    the one ready line. ``with_parent`` ends the server when its standard input ends, which it does
    when the parent dies."""
    if with_parent:
        threading.Thread(target=_end_with_stdin, daemon=True).start()
    with _listening(port) as listener:
        sites = load()
        app = create_app(sites, E5Embedder())
        open_ready(
            f"serving http://{HOST}:{listener.getsockname()[1]} ({len(sites)} sites; Ctrl-C stops)"
        )
        sys.stdout.flush()
        config = uvicorn.Config(
            app, access_log=False, log_level="warning", timeout_graceful_shutdown=3
        )
        with suppress(KeyboardInterrupt):  # uvicorn raises it once more after it has stopped
            uvicorn.Server(config).run(sockets=[listener])


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DemoError(
            f"cannot serve on port {port} of {HOST}: {reason}; --port 0 takes a free one"
        ) from error


def _end_with_stdin() -> None:
    """At once: there is no state to save, and a graceful end could wait for a client long gone."""
    sys.stdin.buffer.read()
    os._exit(0)
