"""Files: read with every fault named, written whole or not at all."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from benchmark.core.errors import InvalidInput


class Twice(dict[str, Any]):
    """A JSON object that kept in `repeated` the keys which stood in it more than once."""

    repeated: tuple[str, ...] = ()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_bytes(path: Path) -> bytes:
    """The file's bytes; InvalidInput where there is no readable file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(
            [f"{path}: cannot be read ({error.strerror or error}); a readable file is needed"]
        ) from None


def read_json(path: Path) -> Any:
    """A JSON file as plain values, objects as `Twice`. InvalidInput says where the file stops being
    JSON."""
    return parse_json(read_bytes(path), str(path))


def parse_json(data: bytes, where: str) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise InvalidInput(
            [f"{where}: byte {error.start} is not UTF-8; expected a UTF-8 text"]
        ) from None
    except json.JSONDecodeError as error:
        raise InvalidInput(
            [f"{where}: line {error.lineno} column {error.colno}: not JSON ({error.msg})"]
        ) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput([f"{where}: not JSON that can be read ({error})"]) from None


def read_json_lines(path: Path) -> list[tuple[int, Any]]:
    """Every line that holds something, with its number: its JSON value, or its text where it is no
    JSON.

    Only a line feed ends a line: a JSON text may hold the other characters that end one elsewhere,
    such as U+2028."""
    lines = read_bytes(path).removeprefix(codecs.BOM_UTF8).split(b"\n")
    return [(number, _value(line.strip())) for number, line in enumerate(lines, 1) if line.strip()]


def _value(line: bytes) -> Any:
    try:
        return json.loads(line.decode("utf-8"), object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return line.decode("utf-8", "replace")


def _object(pairs: list[tuple[str, Any]]) -> Twice:
    value = Twice(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        value.repeated = tuple(sorted({key for key in keys if keys.count(key) > 1}))
    return value


def to_json(value: Any, indent: int | None = 1) -> str:
    """JSON with a last line break, for people with an `indent`; NaN is an error here, not in the
    reader's hands."""
    return (
        json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False).replace(
            "\x7f", "\\u007f"
        )
        + "\n"
    )


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8, whole or not at all; a lone surrogate as its escape."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. InvalidInput where the place cannot be written to."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, data)
    except OSError as error:
        raise InvalidInput(
            [f"{path}: cannot be written ({error.strerror or error})"], "Nothing was changed there."
        ) from None


def _replace(path: Path, data: bytes) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(
            missing_ok=True
        )  # else it would be sealed with the folder, as one of the run's files
