"""Files: read with every fault named, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from benchmark.errors import InvalidInput


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
        raise InvalidInput([f"{path}: cannot be read ({error.strerror or error}); a readable file is needed"]) from None


def read_json(path: Path) -> Any:
    """A JSON file as plain values, objects as `Twice`. InvalidInput says where the file stops being JSON."""
    return parse_json(read_bytes(path), str(path))


def parse_json(data: bytes, where: str) -> Any:
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise InvalidInput([f"{where}: byte {error.start} is no UTF-8; the file must be UTF-8 text"]) from None
    except json.JSONDecodeError as error:
        raise InvalidInput([f"{where}: line {error.lineno} column {error.colno}: no JSON ({error.msg})"]) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput([f"{where}: no JSON that can be read ({error})"]) from None


def _object(pairs: list[tuple[str, Any]]) -> Twice:
    value = Twice(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        value.repeated = tuple(sorted({key for key in keys if keys.count(key) > 1}))
    return value


def to_json(value: Any) -> str:
    """Readable JSON with a last line break; NaN is an error here, not in the reader's hands."""
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False).replace("\x7f", "\\u007f") + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all. InvalidInput where the place cannot be written to."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        with open(unfinished, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError as error:
        raise InvalidInput(
            [f"{path}: cannot be written ({error.strerror or error})"], "Nothing was changed there."
        ) from None
