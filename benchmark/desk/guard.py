"""Who gets in: the one browser that was given the printed address.

Any web page can make a browser send requests to loopback, and other people may have accounts on
this machine. So: the Host must be ours (a foreign name that resolves to loopback is not), what
changes anything must come from our own pages (Origin, Sec-Fetch-Site), and every request needs the
token: in the printed address once, then in a cookie."""

from __future__ import annotations

from dataclasses import dataclass
from secrets import compare_digest

from starlette.requests import Request

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src"
        " data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # no-referrer would make the Origin of our own forms "null"
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD")


@dataclass(frozen=True)
class Guard:
    port: int
    token: str

    @property
    def cookie(self) -> str:
        """Cookies do not tell ports apart: two desks would overwrite each other's."""
        return f"review-desk-{self.port}"

    @property
    def hosts(self) -> tuple[str, str]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def refusal(self, request: Request) -> str:
        """Why a request is refused; "" where it may pass."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        changes = request.method not in _SAFE
        if request.headers.getlist("host") != [host] or host not in self.hosts:
            return "this desk is reached at the address that it printed, and by no other name"
        if (origin is not None or changes) and origin != f"http://{host}":
            return "this request does not come from the desk's own page"
        if changes and request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "this request does not come from the desk's own page"
        if not self.has_token(request.cookies.get(self.cookie, "")) and not self.enters(request):
            return "open the address that the desk printed in its terminal: it holds the token"
        return ""

    def enters(self, request: Request) -> bool:
        """Whether a request is the printed address itself."""
        at_the_door = request.method == "GET" and request.url.path == "/"
        return at_the_door and self.has_token(request.query_params.get("token", ""))

    def has_token(self, text: str) -> bool:
        return compare_digest(text.encode("utf-8", "replace"), self.token.encode())
