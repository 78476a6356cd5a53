"""The raw record: one JSON line a question, appended, fsynced, never rewritten (design,
"Contracts")."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_bytes
from benchmark.core.records import Attempt, Record, from_plain, to_plain

_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "id": ((str,), "a text"),
    "status": ((int, type(None)), "a number or null"),
    "body": ((str, type(None)), "the response text or null"),
    "body_base64": ((str, type(None)), "a text or null"),
    "latency_ms": ((int, float, type(None)), "milliseconds or null"),
    "attempts": ((list,), "a list"),
    "headers": ((dict,), "an object"),
    "request": ((dict,), "an object"),
    "asked_at": ((str,), "a UTC time, ISO 8601"),
    "body_sha256": ((str,), "a SHA-256 in hexadecimal"),
    "page": ((str,), "an address"),
}
_NEEDED = ("id", "status")
_NO_ATTEMPT = {"status": None, "error": None, "latency_ms": 0.0, "started_at": ""}
_EMPTY: dict[str, Any] = {
    "asked_at": "",
    "headers": {},
    "latency_ms": None,
    "body": None,
    "body_sha256": "",
    "page": "",
    "request": {},
}


def line_of(record: Record) -> dict[str, Any]:
    """A record as the plain values of its raw line."""
    line = to_plain(record)
    return {key: value for key, value in line.items() if key != "body_base64" or value is not None}


def record_of(line: Mapping[str, Any]) -> Record:
    """A raw line's record; what older or foreign lines lack is empty."""
    attempts = (
        from_plain(Attempt, _NO_ATTEMPT | {k: v for k, v in attempt.items() if v is not None})
        for attempt in line.get("attempts", ())
    )
    return from_plain(Record, {**_EMPTY, **line, "attempts": tuple(attempts)})


def kept(body: bytes) -> dict[str, str | None]:
    """How a response's bytes are kept: as text, or in base64 where they are not UTF-8."""
    try:
        return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"body": None, "body_base64": base64.b64encode(body).decode("ascii")}


def read(path: Path, known: Sequence[str], further: bool = False) -> tuple[list[Record], str]:
    """All records of a file in its order, and a torn last line ("" if none). InvalidInput lists
    foreign lines.

    `further`: a question may have more records than one, as a suite's have (see
    `benchmark.asking.tracks`)."""
    lines = read_bytes(path).split(b"\n")
    torn = lines.pop().decode("utf-8", "replace")  # every whole line ends with a line break
    if torn and _parsed(torn.encode()) is not None:
        lines, torn = [*lines, torn.encode()], ""
    numbered = [
        (n, fault) for n, line in enumerate(lines, 1) for fault in _faults(line, known, further)
    ]
    faults = [f"{path}: line {n}: {fault}" for n, fault in numbered]
    if faults:
        raise InvalidInput(
            faults, "Raw records are never edited: restore the file from where it was published."
        )
    return [record_of(json.loads(line)) for line in lines if line.strip()], torn


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _faults(line: bytes, known: Sequence[str], further: bool) -> Iterator[str]:
    value = _parsed(line) if line.strip() else {"id": known[0], "status": 0} if known else None
    if not isinstance(value, dict):
        yield (
            f"given {ascii(line[:60].decode('utf-8', 'replace'))}, accepted is one JSON object a"
            " line"
        )
        return
    yield from (
        f"{key}: missing, accepted is {_KINDS[key][1]}" for key in _NEEDED if key not in value
    )
    for key, given in value.items():
        if key in _KINDS and (not isinstance(given, _KINDS[key][0]) or isinstance(given, bool)):
            yield f"{key}: given {ascii(given)[:60]}, accepted is {_KINDS[key][1]}"
    attempts = value.get("attempts")
    if isinstance(attempts, list) and not all(isinstance(attempt, dict) for attempt in attempts):
        yield "attempts: accepted is a list of objects"
    if isinstance(value.get("body_base64"), str) and not _is_base64(value["body_base64"]):
        yield f"body_base64: given {ascii(value['body_base64'])[:60]}, accepted is base64"
    if isinstance(value.get("id"), str) and not _is_known(value["id"], known, further):
        yield (
            f"id: given {ascii(value['id'])[:90]}, accepted is the id of a question in the question"
            " file"
        )


def _is_known(name: str, known: Sequence[str], further: bool) -> bool:
    """A question's id, or where there are such that of a further answer or a judge's reply
    (`benchmark.asking.tracks`)."""
    question, mark, rest = name.partition("~")
    return question in known and (
        not mark or further and re.fullmatch(r"\d+(j\d+t\d+)?", rest) is not None
    )


def _is_base64(text: str) -> bool:
    try:
        return bool(base64.b64decode(text, validate=True))
    except ValueError:
        return False


def aside(path: Path) -> Path:
    """Where the torn lines of a record are kept."""
    return path.with_name(f"{path.name}.torn")


def set_aside_torn(path: Path, torn: str) -> None:
    """Move a torn last line into a file beside the record, and cut the record back to its whole
    lines."""
    with open(aside(path), "a", encoding="utf-8") as file:
        file.write(torn + "\n")
    data = path.read_bytes()
    with open(path, "r+b") as record:
        record.truncate(data.rfind(b"\n") + 1)
        os.fsync(record.fileno())


def open_for_lines(path: Path) -> None:
    """Make sure that lines can be added before there are any: an answer that cannot be kept must
    not be asked for."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        open(path, "ab").close()
    except OSError as error:
        raise InvalidInput(
            [f"{path}: cannot be written ({error.strerror or error})"], "Nothing was asked."
        ) from None


def _break(file: BinaryIO) -> str:
    """The line break that a whole last line may lack, where the writer died between the two."""
    if not file.tell():
        return ""
    file.seek(-1, os.SEEK_END)
    return "" if file.read(1) == b"\n" else "\n"


def holds(path: Path, record: Record) -> bool:
    """Whether the file has this very record's line."""
    return (
        path.exists()
        and f"{json.dumps(line_of(record), ensure_ascii=True)}\n".encode("ascii")
        in path.read_bytes()
    )


def append(path: Path, record: Record) -> None:
    """Add one line and make it last: it is on the disk when this returns."""
    line = json.dumps(line_of(record), ensure_ascii=True, allow_nan=False) + "\n"
    with open(path, "ab+") as file:
        file.write((_break(file) + line).encode("ascii"))
        file.flush()
        os.fsync(file.fileno())
