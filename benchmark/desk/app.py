"""The desk over HTTP: addresses, and who is let in to them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.base import RequestResponseEndpoint

from benchmark.core.errors import InvalidInput
from benchmark.desk.desk import Desk
from benchmark.desk.guard import HEADERS, Guard
from benchmark.desk.views import Views

_STATIC = Path(__file__).parent / "static"


def create_app(desk: Desk, guard: Guard) -> FastAPI:
    """The application of one desk; `guard` lets its one reviewer in."""
    views = Views(desk)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    pages: dict[str, Callable[..., Response]] = {
        "/": views.overview,
        "/q/{name}": views.question,
        "/pages/{name}": views.pages,
        "/agreement": views.agreement,
        "/seen": views.seen,
    }
    for address, page in pages.items():
        app.add_api_route(address, page, methods=["GET"], response_model=None)
    app.add_api_route("/q/{name}/{action}", views.act, methods=["POST"], response_model=None)
    app.add_api_route("/undo", views.undo, methods=["POST"], response_model=None)
    app.mount("/static", StaticFiles(directory=_STATIC))
    app.add_exception_handler(InvalidInput, views.broken)
    app.add_exception_handler(HTTPException, views.problem)

    @app.middleware("http")
    async def admit(request: Request, call_next: RequestResponseEndpoint) -> Response:
        response = _refused(guard, request) or _entered(guard, request) or await call_next(request)
        response.headers.update(HEADERS)
        return response

    return app


def _refused(guard: Guard, request: Request) -> Response | None:
    reason = guard.refusal(request)
    return PlainTextResponse(f"Refused: {reason}.\n", 403) if reason else None


def _entered(guard: Guard, request: Request) -> Response | None:
    """The token goes from the address into a cookie, so that no history and no Referer keeps it."""
    if not guard.enters(request):
        return None
    response = RedirectResponse("/", 303)
    response.set_cookie(guard.cookie, guard.token, httponly=True, samesite="strict", path="/")
    return response
