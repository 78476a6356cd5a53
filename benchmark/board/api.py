"""The read-only HTTP API and the board (FastAPI). Loopback by default; only GET and HEAD; errors as
problem JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from benchmark import __version__
from benchmark.board import page
from benchmark.board.shapes import (
    AskedQuestion,
    BenchmarkPage,
    BenchmarkWithQuestions,
    Problem,
    Run,
    RunPage,
    SuiteQuestion,
)
from benchmark.board.shelf import Shelf, plain_question, plain_suite
from benchmark.core.errors import InvalidInput

PROBLEM = "application/problem+json"
_FAULTS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "content": {PROBLEM: {}}, "description": text}
    for code, text in (
        (404, "No such thing"),
        (422, "A value that is not accepted"),
        (503, "A file cannot be read"),
    )
}
Limit = Annotated[int, Query(ge=1, le=100, description="how many items at the most")]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="how many items to leave out first")]


def create_app(root: Path) -> FastAPI:
    """The app over a project folder (its questions/suites/ and reports/)."""
    app = FastAPIOffline(title="Answer-quality benchmark", version=__version__, description=__doc__)
    app.include_router(_router(Shelf(root)), prefix="/api/v1", responses=_FAULTS)
    app.add_api_route("/", lambda: HTMLResponse(page.board(Shelf(root))), include_in_schema=False)
    app.add_exception_handler(StarletteHTTPException, _http_fault)
    app.add_exception_handler(RequestValidationError, _value_fault)
    app.add_exception_handler(InvalidInput, partial(_file_fault, root))
    app.add_exception_handler(Exception, _own_fault)
    app.middleware("http")(_tagged)
    app.add_middleware(_Head)
    return app


def _router(shelf: Shelf) -> APIRouter:
    router = APIRouter()

    @router.get("/benchmarks", summary="The suites")
    def benchmarks(limit: Limit = 50, offset: Offset = 0) -> BenchmarkPage:
        return BenchmarkPage(
            **_page([plain_suite(suite) for suite in shelf.suites()], limit, offset)
        )

    @router.get("/benchmarks/{benchmark_id}", summary="One suite, with its questions")
    def benchmark(benchmark_id: str) -> BenchmarkWithQuestions:
        suite = next((suite for suite in shelf.suites() if suite.set == benchmark_id), None)
        found = _found(suite, f"no suite {benchmark_id!r}")
        return BenchmarkWithQuestions(
            **plain_suite(found),
            questions=[SuiteQuestion(**plain_question(q)) for q in found.questions],
        )

    @router.get("/runs", summary="Complete runs, newest first")
    def runs(limit: Limit = 50, offset: Offset = 0) -> RunPage:
        items = [Run.model_validate(results) for results in shelf.runs()]
        return RunPage(**_page(items, limit, offset))

    @router.get("/runs/{run}", summary="The results of a run")
    def run(run: str) -> dict[str, Any]:
        results: dict[str, Any] = _found(shelf.run(run), f"no complete run {run!r}")
        return results

    @router.get(
        "/runs/{run}/questions/{question_id}",
        summary="One question of a run: answer, verdict, records",
    )
    def question(run: str, question_id: str) -> AskedQuestion:
        found: AskedQuestion = _found(
            shelf.question(run, question_id), f"no question {question_id!r} in a run {run!r}"
        )
        return found

    return router


def _page(items: Sequence[Any], limit: int, offset: int) -> dict[str, Any]:
    return {
        "items": items[offset : offset + limit],
        "total": len(items),
        "limit": limit,
        "offset": offset,
    }


def _found(thing: Any, detail: str) -> Any:
    if thing is None:
        raise HTTPException(404, detail)
    return thing


def _problem(status: int, title: str, detail: str, headers: Any = None) -> JSONResponse:
    content = Problem(title=title, status=status, detail=detail).model_dump()
    return JSONResponse(content, status, headers=headers, media_type=PROBLEM)


async def _http_fault(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, StarletteHTTPException)
    title = {404: "Not found", 405: "Method not allowed"}.get(fault.status_code, "Refused")
    return _problem(fault.status_code, title, str(fault.detail), fault.headers)


async def _value_fault(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, RequestValidationError)
    details = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in fault.errors())
    return _problem(422, "A value is not accepted", details)


async def _file_fault(root: Path, request: Request, fault: Exception) -> Response:
    """A file of the project, named as seen from its folder: where that lies is nobody's
    business."""
    return _problem(503, "A file cannot be read", str(fault).replace(f"{root}/", ""))


async def _own_fault(request: Request, fault: Exception) -> Response:
    return _problem(
        500, "The server failed", f"{type(fault).__name__}; the terminal of the server says where"
    )


class _Head:
    """HEAD is GET, answered without the body: the server leaves that out, for it knows what it was
    asked."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["type"] == "http" and scope["method"] == "HEAD"
        await self._app({**scope, "method": "GET"} if is_head else scope, receive, send)


async def _tagged(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    """An ETag on every answer, and 304 to a client that has it already; nothing is cached unasked,
    nothing sniffed."""
    response = await call_next(request)
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    response.headers.update(headers)
    if response.status_code != 200 or request.url.path.startswith("/static"):
        return response
    body = b"".join([chunk async for chunk in response.body_iterator])  # type: ignore[attr-defined]
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    if tag in {given.strip() for given in request.headers.get("if-none-match", "").split(",")}:
        return Response(status_code=304, headers=headers | {"ETag": tag})
    return Response(body, 200, dict(response.headers) | {"ETag": tag})
