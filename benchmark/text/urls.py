"""Which URLs name one page (rubric, Cited). Pure: nothing is fetched."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import SplitResult, quote, urlencode, urljoin, urlsplit

_LONGEST_URL = 65_536
_DEFAULT_PORTS = {"http": 80, "https": 443}
# Click and campaign identifiers, as of 2026-12-01 (rubric, Cited).
_TRACKING = re.compile(
    "utm_.*|gclid|fbclid|yclid|srsltid|ysclid|gad_source|gad_campaignid|gbraid|wbraid|dclid"
    "|msclkid|ttclid|twclid|igshid|li_fat_id|mc_cid|mc_eid|_gl|_ga|_openstat",
    re.DOTALL,
)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def same_page(a: str, b: str, base: str | None = None) -> bool:
    """Whether two URLs name the same page (rubric, Cited); one that names none is like no other."""
    identity = page_identity(a, base)
    return identity is not None and identity == page_identity(b, base)


def page_identity(url: str, base: str | None = None) -> str | None:
    """One string for all URLs that name one page (rubric, Cited), relative ones resolved against
    ``base``.

    ``None`` for what is empty or no http(s) URL, and for what ``urllib`` refuses. Never raises.
    """
    try:
        parts = _absolute(url, base)
        host, query = _host(parts), _query(parts.query)
    except ValueError:
        return None
    return f"https://{host}{_path(parts.path)}" + (f"?{query}" if query else "")


def _absolute(url: str, base: str | None) -> SplitResult:
    """The parts of an absolute http(s) URL.

    Encoded dots are decoded before a relative URL is resolved: ``urljoin`` would count ``%2e%2e``
    as a folder."""
    parts = urlsplit(_checked(url))
    if not parts.scheme and base is not None:
        parts = urlsplit(urljoin(_checked(base), _checked(url)))
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise ValueError("no http(s) URL")
    return parts


def _checked(url: str) -> str:
    url = url.strip(" \t\n\r\f")
    if not 0 < len(url) <= _LONGEST_URL or any(
        unicodedata.category(char) in ("Cc", "Cs") for char in url
    ):
        raise ValueError("empty, too long, or with a control character or lone surrogate")
    return re.sub("%2e", ".", url, flags=re.IGNORECASE)


def _host(parts: SplitResult) -> str:
    """Host in lower case and punycode, and the port unless it is the scheme's own."""
    host = (parts.hostname or "").lower()
    if re.search(r"[\s\\<>\"^`{|}]", host):
        raise ValueError("no host name")
    host = f"[{host}]" if ":" in host else _punycode(host)
    return host if parts.port in (None, _DEFAULT_PORTS[parts.scheme]) else f"{host}:{parts.port}"


def _punycode(host: str) -> str:
    """Left as it is where IDNA refuses it; so is what no host name can be as long as (the codec is
    slow on it)."""
    try:
        return host.encode("idna").decode("ascii").lower() if len(host) <= 253 else host
    except UnicodeError:
        return host


def _path(path: str) -> str:
    """Decoded once, NFC, dot segments resolved, without ``index.htm(l)`` and trailing slash.

    What is left of ``/``, ``?``, ``#`` and ``%`` inside a segment is written encoded, so that no
    two paths meet."""
    segments: list[str] = []
    for segment in (parts := [_decoded(part) for part in path.split("/")[1:]]):
        if segment == "..":
            del segments[-1:]
        elif segment != ".":
            segments.append(segment)
    if parts and parts[-1] in (".", ".."):
        segments.append("")
    if segments and segments[-1] in ("index.html", "index.htm"):
        segments[-1] = ""
    if segments and not segments[-1]:
        segments.pop()
    kept = (re.sub("[%/?#]", lambda char: quote(char[0], safe=""), segment) for segment in segments)
    return "".join(f"/{segment}" for segment in kept)


def _query(query: str) -> str:
    pairs = [pair.partition("=") for pair in query.replace("+", " ").split("&") if pair]
    decoded = sorted((_decoded(name), _decoded(value)) for name, _, value in pairs)
    return urlencode([pair for pair in decoded if not _TRACKING.fullmatch(pair[0])])


def _decoded(text: str) -> str:
    """Percent-decoded once as UTF-8, and NFC; a sequence that is no UTF-8 stays as it is
    written."""
    return unicodedata.normalize("NFC", _ESCAPES.sub(lambda run: _decoded_run(run[0]), text))


def _decoded_run(written: str) -> str:
    octets = bytes.fromhex(written.replace("%", ""))
    decoded, start = "", 0
    while start < len(octets):
        try:
            return decoded + octets[start:].decode()
        except UnicodeDecodeError as error:
            good, bad = start + error.start, start + error.end
            decoded += octets[start:good].decode() + written[3 * good : 3 * bad]
            start = bad
    return decoded
