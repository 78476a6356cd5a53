"""The read-only HTTP API and the board (FastAPI). Loopback by default; only GET and HEAD; errors as
problem JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request, Response
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
Thing = TypeVar("Thing")


def _shelf(request: Request) -> Shelf:
    shelf: Shelf = request.app.state.shelf
    return shelf


Shelved = Annotated[Shelf, Depends(_shelf)]
Limit = Annotated[int, Query(ge=1, le=100, description="how many items at the most")]
Offset = Annotated[int, Query(ge=0, le=1_000_000, description="how many items to leave out first")]
router = APIRouter(prefix="/api/v1", responses=_FAULTS)


def create_app(root: Path) -> FastAPI:
    """The app over a project folder (its questions/suites/ and reports/)."""
    app = FastAPIOffline(title="Answer-quality benchmark", version=__version__, description=__doc__)
    app.state.shelf = Shelf(root)
    app.include_router(router)
    app.add_api_route("/", _board, include_in_schema=False)
    app.add_exception_handler(StarletteHTTPException, _http_fault)
    app.add_exception_handler(RequestValidationError, _value_fault)
    app.add_exception_handler(InvalidInput, _file_fault)
    app.add_exception_handler(Exception, _own_fault)
    app.middleware("http")(_tagged)
    app.add_middleware(_Head)
    return app


def _board(shelf: Shelved) -> HTMLResponse:
    return HTMLResponse(page.board(shelf))


@router.get("/benchmarks", summary="The suites")
def benchmarks(shelf: Shelved, limit: Limit = 50, offset: Offset = 0) -> BenchmarkPage:
    suites = [plain_suite(suite) for suite in shelf.suites()]
    return BenchmarkPage(**_page(suites, limit, offset))


@router.get("/benchmarks/{benchmark_id}", summary="One suite, with its questions")
def benchmark(shelf: Shelved, benchmark_id: str) -> BenchmarkWithQuestions:
    suites = (suite for suite in shelf.suites() if suite.set == benchmark_id)
    suite = _existing(next(suites, None), f"no suite {benchmark_id!r}")
    questions = [SuiteQuestion(**plain_question(q)) for q in suite.questions]
    return BenchmarkWithQuestions(**plain_suite(suite), questions=questions)


@router.get("/runs", summary="Complete runs, newest first")
def runs(shelf: Shelved, limit: Limit = 50, offset: Offset = 0) -> RunPage:
    items = [Run.model_validate(results) for results in shelf.runs()]
    return RunPage(**_page(items, limit, offset))


@router.get("/runs/{run}", summary="The results of a run")
def run(shelf: Shelved, run: str) -> dict[str, Any]:
    return _existing(shelf.run(run), f"no complete run {run!r}")


@router.get(
    "/runs/{run}/questions/{question_id}", summary="One question of a run: answer, verdict, records"
)
def question(shelf: Shelved, run: str, question_id: str) -> AskedQuestion:
    detail = f"no question {question_id!r} in a run {run!r}"
    return _existing(shelf.question(run, question_id), detail)


def _page(items: Sequence[Any], limit: int, offset: int) -> dict[str, Any]:
    shown = items[offset : offset + limit]
    return {"items": shown, "total": len(items), "limit": limit, "offset": offset}


def _existing(thing: Thing | None, detail: str) -> Thing:
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


async def _file_fault(request: Request, fault: Exception) -> Response:
    """Names the file as seen from the project's folder: where that lies is nobody's business."""
    root = request.app.state.shelf.root
    return _problem(503, "A file cannot be read", str(fault).replace(f"{root}/", ""))


async def _own_fault(request: Request, fault: Exception) -> Response:
    detail = f"{type(fault).__name__}; the terminal of the server says where"
    return _problem(500, "The server failed", detail)


class _Head:
    """HEAD is GET; the server itself leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_head = scope["type"] == "http" and scope["method"] == "HEAD"
        await self._app({**scope, "method": "GET"} if is_head else scope, receive, send)


async def _tagged(
    request: Request, call_next: Callable[[Request], Awaitable[Response]]
) -> Response:
    """An ETag on every answer, and 304 to a client that has it; nothing is cached unasked, nothing
    sniffed."""
    response = await call_next(request)
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    response.headers.update(headers)
    if response.status_code != 200 or request.url.path.startswith("/static"):
        return response
    body = b"".join([chunk async for chunk in response.body_iterator])  # type: ignore[attr-defined]
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    if tag in {known.strip() for known in request.headers.get("if-none-match", "").split(",")}:
        return Response(status_code=304, headers=headers | {"ETag": tag})
    return Response(body, 200, dict(response.headers) | {"ETag": tag})
