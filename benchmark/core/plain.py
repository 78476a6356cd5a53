"""Records to plain JSON values and back, by their annotations.

A file of an earlier form lacks fields that have a default here, one of a later form has more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, field, fields, is_dataclass
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from benchmark.core.errors import InvalidInput
from benchmark.core.validation import shown

Made = TypeVar("Made")
Place = tuple[object, ...]
Reader = Callable[[Any, Place, list[str]], Any]
_SHOWN = 5  # faults of one file


def optional(default: Any) -> Any:
    """A field that is written only where it differs from its default."""
    return field(default=default, metadata={"is_optional": True})


def plain(value: Any) -> Any:
    """A record, or a collection of them, as JSON values. `ALSO` names properties to be written."""
    if is_dataclass(value):
        written = {
            f.name: plain(given)
            for f in fields(value)
            if (given := getattr(value, f.name)) != f.default or not f.metadata
        }
        return written | {name: plain(getattr(value, name)) for name in getattr(value, "ALSO", ())}
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def read(kind: type[Made], value: Any, where: object) -> Made:
    """A record of that kind. InvalidInput names the fields that are missing or of another type."""
    faults: list[str] = []
    record: Made = _reader(cast(Any, kind))(value, (where,), faults)
    if faults:
        raise InvalidInput(faults[:_SHOWN])
    return record


@cache
def _reader(kind: Any) -> Reader:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda value, place, faults: value
    if origin in (Union, UnionType):
        some = _reader(next(each for each in inner if each is not NoneType))
        return lambda value, place, faults: value if value is None else some(value, place, faults)
    if origin is tuple:
        return partial(_items, _reader(inner[0]))
    if origin is dict:
        return partial(_values, _reader(inner[1]))
    return partial(_record if is_dataclass(kind) else _single, kind)


def _fault(value: Any, place: Place, faults: list[str], expected: str) -> None:
    faults.append(f"{': '.join(map(str, place))}: got {shown(value)}; expected {expected}")


def _items(reader: Reader, value: Any, place: Place, faults: list[str]) -> Any:
    if not isinstance(value, list):
        return _fault(value, place, faults, "a list")
    return tuple(reader(item, (*place, n), faults) for n, item in enumerate(value, 1))


def _values(reader: Reader, value: Any, place: Place, faults: list[str]) -> Any:
    if not isinstance(value, dict):
        return _fault(value, place, faults, "an object")
    return {key: reader(inner, (*place, key), faults) for key, inner in value.items()}


def _single(kind: Any, value: Any, place: Place, faults: list[str]) -> Any:
    if type(value) is kind or (kind is float and type(value) is int):
        return value
    return _fault(value, place, faults, kind.__name__)


def _record(kind: Any, value: Any, place: Place, faults: list[str]) -> Any:
    if not isinstance(value, dict):
        return _fault(value, place, faults, "an object")
    readers, needed = _fields(kind)
    missing = [name for name in needed if name not in value]
    faults += [f"{': '.join(map(str, place))}: {name} is missing" for name in missing]
    values = {
        name: reader(value[name], (*place, name), faults)
        for name, reader in readers.items()
        if name in value
    }
    return None if missing else kind(**values)


@cache
def _fields(kind: Any) -> tuple[dict[str, Reader], list[str]]:
    """A reader for each field, and the names of those that have no default."""
    hints, listed = get_type_hints(kind), fields(kind)
    needed = [f.name for f in listed if f.default is MISSING and f.default_factory is MISSING]
    return {f.name: _reader(hints[f.name]) for f in listed}, needed
