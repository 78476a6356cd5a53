"""Asking: the only HTTP and the only clock (design, "One question's way").

A question is sent once. One retry, only when the request itself failed (anything but HTTP 200);
every attempt is kept. Each request stands alone: no cookies, no history, no conversation."""

from __future__ import annotations

import base64
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime, timezone
from ipaddress import ip_address
from threading import Event, Lock
from urllib.parse import urlsplit

import requests
import urllib3.exceptions

from benchmark.asking.targets import Prepared, Target, sent
from benchmark.core.files import sha256
from benchmark.core.records import Attempt, Question, Record

ATTEMPTS = 2
LONGEST_PAUSE_S = 30.0
LARGEST = 64 * 1024 * 1024  # bytes of a body; more is a fault of the transport
_CHUNK = 1 << 16
_FAULTS = (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError)


class TooLarge(ValueError):
    """A body that is no answer any more."""


def now() -> str:
    """UTC now, ISO 8601 with milliseconds."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def ask(target: Target, prepared: Prepared, pace: Callable[[], None] = lambda: None) -> Record:
    """Ask one question. Never raises for what the network or the platform does: that is in the
    record."""
    attempts: list[Attempt] = []
    body: bytes = b""
    headers: dict[str, str] = {}
    for _ in range(ATTEMPTS):
        if attempts:
            time.sleep(_pause(attempts[-1], headers))
        pace()
        attempt, body, headers = _attempt(target, prepared)
        attempts.append(attempt)
        if attempt.status == 200 and attempt.error is None:
            break
    text, base64_ = _text(body)
    last = attempts[-1]
    request = {
        "method": "POST",
        "url": prepared.url,
        "headers": prepared.headers,
        "json": prepared.body,
    }
    return Record(
        prepared.id,
        attempts[0].started_at,
        tuple(attempts),
        last.status if last.error is None else None,
        headers,
        last.latency_ms,
        text,
        sha256(body),
        prepared.page,
        request,
        base64_,
    )


def _pause(attempt: Attempt, headers: dict[str, str]) -> float:
    """Seconds before the one retry: what a server that is overrun asks for (if the target keeps the
    header), or one."""
    if attempt.status not in (429, 503):
        return 0.0
    asked = next((value for name, value in headers.items() if name.lower() == "retry-after"), "")
    return min(float(asked), LONGEST_PAUSE_S) if asked.isascii() and asked.isdigit() else 1.0


def _attempt(target: Target, prepared: Prepared) -> tuple[Attempt, bytes, dict[str, str]]:
    """One request, first byte sent to last received. A body that breaks off is an error, and is
    dropped."""
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
            headers = {
                name: response.headers[name]
                for name in target.keep_headers
                if name in response.headers
            }
            body = _body(response, started + target.timeout_s)
    except _FAULTS as fault:
        error = _described(fault, target.timeout_s)
    return (
        Attempt(status, error, round((time.perf_counter() - started) * 1000, 1), started_at),
        body,
        headers,
    )


def _session(url: str) -> requests.Session:
    session = requests.Session()
    session.trust_env = not is_loopback(
        url
    )  # a proxy of the environment has no business on this machine
    session.auth = _as_it_is  # nor has a password of ~/.netrc in place of the target's own key
    return session


def _as_it_is(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def _body(response: requests.Response, deadline: float) -> bytes:
    """The whole body. `read1` gives what has come; `iter_content` waits for a whole chunk, however
    slowly it drips."""
    chunks, size = [], 0
    while chunk := response.raw.read1(_CHUNK, decode_content=True):
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGEST:
            raise TooLarge(f"the body is larger than {LARGEST} bytes")
        if time.perf_counter() > deadline:
            raise requests.Timeout("the body did not end in time")
    if time.perf_counter() > deadline:
        raise requests.Timeout("the body ended too late")
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
    """Why nothing answers at an address, or None when anything does. Sends OPTIONS, asks
    nothing."""
    try:
        with _session(url) as session:
            session.options(url, timeout=timeout_s, allow_redirects=False, stream=True).close()
    except _FAULTS as fault:
        return _described(fault, timeout_s)
    return None


def fetch_page(url: str, timeout_s: float = 30) -> str:
    """A page's HTML, for `check` on live pages. OSError with a one-line reason where there is
    none."""
    try:
        with _session(url) as session, session.get(url, timeout=timeout_s, stream=True) as response:
            body = _body(response, time.perf_counter() + timeout_s)
            if response.status_code != 200:
                raise OSError(f"HTTP {response.status_code}")
            is_named = "charset" in response.headers.get(
                "content-type", ""
            )  # requests takes text/* for Latin-1
            return body.decode(
                response.encoding if is_named and response.encoding else "utf-8", "replace"
            )
    except (
        requests.RequestException,
        urllib3.exceptions.HTTPError,
        ValueError,
        LookupError,
    ) as fault:
        raise OSError(_described(fault, timeout_s)) from None


class Pace:
    """At most so many requests a minute, evenly spaced, over all threads. Without a rate it never
    waits."""

    def __init__(self, per_minute: float | None) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._next, self._lock = 0.0, Lock()

    def __call__(self) -> None:
        with self._lock:
            wait = max(0.0, self._next - time.monotonic())
            self._next = time.monotonic() + wait + self._gap
        time.sleep(wait)


class Asker:
    """Asks ahead in the order given, `concurrency` questions at a time; `result(id)` is that
    question's records."""

    def __init__(
        self,
        ask: Callable[[Question], Iterator[Record]],
        questions: Mapping[str, Question],
        concurrency: int,
    ) -> None:
        self._ask, self._waiting = ask, deque(questions.values())
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="ask")
        self._asked: dict[str, Future[list[Record]]] = {}
        self._came: dict[str, list[Record]] = {}
        self._is_stopped = Event()
        for _ in range(concurrency):
            self._ask_next()

    def _ask_next(self) -> None:
        if self._waiting:
            question = self._waiting.popleft()
            self._asked[question.id] = self._pool.submit(self._records, question)

    def _records(self, question: Question) -> list[Record]:
        """All that the question needs, unless asking is stopped between two requests."""
        came = self._came.setdefault(question.id, [])
        for record in self._ask(question):
            came.append(record)
            if self._is_stopped.is_set():
                break
        return came

    def result(self, question_id: str) -> list[Record]:
        """Wait for a question's records; one more is asked ahead in its place. KeyError if it was
        not to be asked."""
        while question_id not in self._asked and self._waiting:
            self._ask_next()
        records = self._asked[question_id].result()
        self._ask_next()
        return records

    def finish(self) -> list[list[Record]]:
        """Stop asking; all records that came, taken or not: an interrupt can come between taking
        and writing down."""
        self._is_stopped.set()
        self._waiting.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)
        return list(self._came.values())
