"""The sites' pages at their public paths, their list at ``/``, the widget's script and style."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from benchmark.demo.sites import Site, environment, strings

_ASSETS = {"/widget.js": "text/javascript", "/site.css": "text/css"}
_FOLDER = Path(__file__).parent / "static"


class Website:
    """Everything is rendered when it is made; a request only looks up its path."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = sites
        self._pages = {_local(page.url): page.html for site in sites for page in site.pages}
        self._pages["/"] = _plain(
            "en", "Demo sites", [(_path(site.root_url), site.name) for site in sites]
        )
        self._assets = {path: (_FOLDER / path[1:]).read_text("utf-8") for path in _ASSETS}

    async def serve(self, request: Request) -> Response:
        """A page, an asset, a redirect to where a slash is added, or 404 in the site's language."""
        path = unicodedata.normalize("NFC", request.scope["path"])
        if path in self._assets:
            return Response(self._assets[path], media_type=_ASSETS[path])
        if path in self._pages:
            return HTMLResponse(self._pages[path])
        if f"{path}/" in self._pages:
            return RedirectResponse(f"{quote(path)}/", 308)
        return self._missing(path)

    def _missing(self, path: str) -> Response:
        if path.startswith("/v1/"):
            raise HTTPException(404, "there is nothing at this address")
        site = next((site for site in self._sites if path.startswith(_local(site.root_url))), None)
        language, home = (site.language, _path(site.root_url)) if site else ("en", "/")
        text = strings()[language]
        return HTMLResponse(_plain(language, text["not_found"], [(home, text["home"])]), 404)


def _plain(language: str, title: str, links: list[tuple[str, str]]) -> str:
    page = environment().get_template("plain.html")
    return page.render(language=language, title=title, links=links)


def _path(url: str) -> str:
    """The path that a link on this server has; encoded, as in ``url``."""
    return urlsplit(url).path


def _local(url: str) -> str:
    """The path that a request for it arrives with: decoded."""
    return unicodedata.normalize("NFC", unquote(_path(url)))
