"""The raw record: one JSON line an answer, appended, fsynced, never rewritten."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from benchmark.core import validation
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_bytes
from benchmark.core.plain import plain
from benchmark.core.records import Attempt, Record, from_plain
from benchmark.core.validation import Value, is_a

_NONE = type(None)
_LINE = validation.Object(
    {
        "id": validation.ANY_TEXT,
        "status": Value(is_a(int, _NONE), "a number or null"),
        "body": Value(is_a(str, _NONE), "the response text or null"),
        "body_base64": Value(lambda value: value is None or _is_base64(value), "base64 or null"),
        "latency_ms": Value(is_a(int, float, _NONE), "milliseconds or null"),
        "attempts": validation.ListOf(validation.OBJECT),
        "headers": validation.OBJECT,
        "request": validation.OBJECT,
        "asked_at": Value(is_a(str), "a UTC time, ISO 8601"),
        "body_sha256": Value(is_a(str), "a SHA-256 in hexadecimal"),
        "page": Value(is_a(str), "an address"),
    },
    optional=(
        *("body", "body_base64", "latency_ms", "attempts", "headers", "request"),
        *("asked_at", "body_sha256", "page"),
    ),
    is_open=True,
)
_FURTHER = re.compile(r"[0-9]+(j[0-9]+t[0-9]+)?")


def record_of(line: Mapping[str, Any]) -> Record:
    """A raw line's record; what older or foreign lines lack is empty."""
    attempts = (
        from_plain(Attempt, {k: v for k, v in attempt.items() if v is not None})
        for attempt in line.get("attempts", ())
    )
    return from_plain(Record, {**line, "attempts": tuple(attempts)})


def kept(body: bytes) -> dict[str, str | None]:
    """How a response's bytes are kept: as text, or in base64 where they are not UTF-8."""
    try:
        return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"body": None, "body_base64": base64.b64encode(body).decode("ascii")}


def read(path: Path, known: Sequence[str], further: bool = False) -> tuple[list[Record], str]:
    """All records of a file in its order, and a torn last line ("" if none).

    InvalidInput lists what is not a record of the questions `known`. `further`: a question may
    have more records than one, as a suite's have (see `asking.tracks`)."""
    lines = read_bytes(path).split(b"\n")
    torn = lines.pop()  # every whole line ends with a line break
    if torn and _parsed(torn) is not None:
        lines, torn = [*lines, torn], b""
    numbered = [(n, _parsed(line), line) for n, line in enumerate(lines, 1) if line.strip()]
    faults = [
        fault
        for n, value, line in numbered
        for fault in validation.at(f"{path}: line {n}", _faults(value, line, known, further))
    ]
    if faults:
        hint = "Raw records are never edited: restore the file from where it was published."
        raise InvalidInput(faults, hint)
    return [record_of(value) for _, value, _ in numbered], torn.decode("utf-8", "replace")


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _faults(value: Any, line: bytes, known: Sequence[str], further: bool) -> Iterator[str]:
    if not isinstance(value, dict):
        yield validation.got(line.decode("utf-8", "replace"), "one JSON object a line")
        return
    yield from _LINE.faults(value)
    name = value.get("id")
    if isinstance(name, str) and not _is_known(name, known, further):
        yield f"id: {validation.got(name, 'the id of a question in the question file')}"


def _is_known(name: str, known: Sequence[str], further: bool) -> bool:
    """A question's id, or that of a further answer or of a judge's reply where there are such."""
    question, mark, rest = name.partition("~")
    return question in known and (not mark or further and bool(_FURTHER.fullmatch(rest)))


def _is_base64(value: Any) -> bool:
    try:
        return bool(base64.b64decode(value, validate=True))
    except (ValueError, TypeError):
        return False


def aside(path: Path) -> Path:
    """Where the torn lines of a record are kept."""
    return path.with_name(f"{path.name}.torn")


def set_aside_torn(path: Path, torn: str) -> None:
    """Move a torn last line into a file beside the record, which keeps its whole lines."""
    data = path.read_bytes()
    if data.endswith(b"\n"):
        return
    with open(aside(path), "a", encoding="utf-8") as file:
        file.write(torn + "\n")
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


def _line(record: Record) -> str:
    return json.dumps(plain(record), ensure_ascii=True, allow_nan=False) + "\n"


def holds(path: Path, record: Record) -> bool:
    """Whether the file has this very record's line."""
    return path.exists() and _line(record).encode("ascii") in path.read_bytes()


def append(path: Path, record: Record) -> None:
    """Add one line and make it last: it is on the disk when this returns."""
    with open(path, "ab+") as file:
        file.write((_break(file) + _line(record)).encode("ascii"))
        file.flush()
        os.fsync(file.fileno())
