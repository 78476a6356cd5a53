"""Asking: the only HTTP and the only clock (design, "One question's way").

A question is sent once. One retry, only when the request itself failed (anything but HTTP 200);
every attempt is kept. Each request stands alone: no cookies, no history, no conversation."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from datetime import datetime, timezone
from ipaddress import ip_address
from urllib.parse import urlsplit

import requests
import urllib3.exceptions

from benchmark.asking.targets import Prepared, Target, sent
from benchmark.core.files import sha256
from benchmark.core.records import Attempt, Record

ATTEMPTS = 2
LONGEST_PAUSE_S = 30.0
LARGEST = 64 * 1024 * 1024  # bytes of a body; more is a fault of the transport
_CHUNK = 1 << 16
_LIBRARY_FAULTS = (requests.RequestException, urllib3.exceptions.HTTPError)
_FAULTS = (*_LIBRARY_FAULTS, OSError, ValueError)


class TooLarge(ValueError):
    """A body that is no answer any more."""


def now() -> str:
    """UTC now, ISO 8601 with milliseconds."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ask(target: Target, prepared: Prepared, pace: Callable[[], None] = lambda: None) -> Record:
    """Ask one question. What network or platform do is in the record: it never raises for that."""
    attempts: list[Attempt] = []
    headers: dict[str, str] = {}
    body = b""
    for _ in range(ATTEMPTS):
        if attempts:
            time.sleep(_pause(attempts[-1], headers))
        pace()
        attempt, body, headers = _attempt(target, prepared)
        attempts.append(attempt)
        if attempt.status == 200 and attempt.error is None:
            break
    return _record(prepared, attempts, headers, body)


def _record(
    prepared: Prepared, attempts: list[Attempt], headers: dict[str, str], body: bytes
) -> Record:
    """The raw line's record: the last attempt is the one that counts."""
    last = attempts[-1]
    text, body_base64 = _text(body)
    return Record(
        id=prepared.id,
        asked_at=attempts[0].started_at,
        attempts=tuple(attempts),
        status=last.status if last.error is None else None,
        headers=headers,
        latency_ms=last.latency_ms,
        body=text,
        body_sha256=sha256(body),
        page=prepared.page,
        request={
            "method": "POST",
            "url": prepared.url,
            "headers": prepared.headers,
            "json": prepared.body,
        },
        body_base64=body_base64,
    )


def _pause(attempt: Attempt, headers: dict[str, str]) -> float:
    """Seconds before the one retry: what a server that is overrun asks for (if the target keeps
    that header), else one; none after any other failure."""
    if attempt.status not in (429, 503):
        return 0.0
    wanted = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    is_seconds = wanted.isascii() and wanted.isdigit()
    return min(float(wanted), LONGEST_PAUSE_S) if is_seconds else 1.0


def _attempt(target: Target, prepared: Prepared) -> tuple[Attempt, bytes, dict[str, str]]:
    """One request, first byte sent to last received. A body that breaks off is an error."""
    started_at, started = now(), time.perf_counter()
    status, error, body, headers = None, None, b"", {}
    request = sent(target, prepared)
    try:
        with (
            _session(request.url) as session,
            session.post(
                request.url,
                json=request.body,
                headers=request.headers,
                timeout=target.timeout_s,
                allow_redirects=False,
                stream=True,
            ) as response,
        ):
            status = response.status_code
            kept = (name for name in target.keep_headers if name in response.headers)
            headers = {name: response.headers[name] for name in kept}
            body = _body(response, started + target.timeout_s)
    except _FAULTS as fault:
        error = _described(fault, target.timeout_s)
    latency_ms = round((time.perf_counter() - started) * 1000, 1)
    return Attempt(status, error, latency_ms, started_at), body, headers


def _session(url: str) -> requests.Session:
    """No proxy of the environment for an address on this machine, and no password of ~/.netrc in
    place of the target's own key."""
    session = requests.Session()
    session.trust_env = not is_loopback(url)
    session.auth = _unchanged
    return session


def _unchanged(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def _body(response: requests.Response, deadline: float) -> bytes:
    """The whole body. `read1` gives what has come; `iter_content` waits for a whole chunk, however
    slowly it drips."""
    chunks, size, has_more = [], 0, True
    while has_more:
        chunk = response.raw.read1(_CHUNK, decode_content=True)
        has_more, size = bool(chunk), size + len(chunk)
        chunks.append(chunk)
        if size > LARGEST:
            raise TooLarge(f"the body is larger than {LARGEST} bytes")
        if time.perf_counter() > deadline:
            raise requests.Timeout("the body did not end in time")
    return b"".join(chunks)


def _described(fault: Exception, timeout_s: float) -> str:
    """A transport fault in one line: its kind alone, for a library's own words may hold a header's
    value (a key)."""
    if isinstance(fault, (requests.Timeout, urllib3.exceptions.TimeoutError)):
        return f"timeout: no whole response within {timeout_s:g} s"
    inner = next((arg for arg in fault.args if isinstance(arg, Exception)), fault)
    reason = getattr(inner, "reason", None)
    kind = type(reason if isinstance(reason, Exception) else inner).__name__
    if isinstance(fault, (requests.ConnectionError, urllib3.exceptions.ProtocolError)):
        return f"connection error: {kind}"
    return str(fault) if isinstance(fault, TooLarge) else kind


def _text(body: bytes) -> tuple[str | None, str | None]:
    """The body as text, or in base64 where it is not UTF-8."""
    try:
        return body.decode("utf-8"), None
    except UnicodeDecodeError:
        return None, base64.b64encode(body).decode("ascii")


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def unreachable(url: str, timeout_s: float = 10) -> str | None:
    """Why nothing answers at an address; None when anything does. Sends OPTIONS, asks nothing."""
    try:
        with _session(url) as session:
            session.options(url, timeout=timeout_s, allow_redirects=False, stream=True).close()
    except _FAULTS as fault:
        return _described(fault, timeout_s)
    return None


def fetch_page(url: str, timeout_s: float = 30) -> str:
    """A page's HTML, for `check` on live pages. OSError, with a reason of one line, without one."""
    try:
        with _session(url) as session, session.get(url, timeout=timeout_s, stream=True) as response:
            body = _body(response, time.perf_counter() + timeout_s)
            if response.status_code == 200:
                return body.decode(_encoding(response), "replace")
            raise OSError(f"HTTP {response.status_code}")
    except (*_LIBRARY_FAULTS, ValueError, LookupError) as fault:
        raise OSError(_described(fault, timeout_s)) from None


def _encoding(response: requests.Response) -> str:
    """The encoding that the server names, else UTF-8 (requests would read text/* as Latin-1)."""
    is_named = "charset" in response.headers.get("content-type", "")
    return response.encoding if is_named and response.encoding else "utf-8"
