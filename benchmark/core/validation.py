"""What a JSON file may hold, as values to put together, and one wording of what is wrong with it.

A fault reads "PLACE: got X; expected Y". Every file that people write is checked with these.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, read_bytes, sha256
from benchmark.core.messages import printable

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LONGEST = 80  # characters of a value that a fault shows


class Check(Protocol):
    """`faults` are those of a value, each with its place below the value."""

    @property
    def expected(self) -> str: ...

    def faults(self, value: Any) -> Iterator[str]: ...


@dataclass(frozen=True)
class Value:
    """A value that is right or wrong as a whole."""

    is_valid: Callable[[Any], bool]
    expected: str

    def faults(self, value: Any) -> Iterator[str]:
        if not self.is_valid(value):
            yield got(value, self.expected)


@dataclass(frozen=True)
class Object:
    """A JSON object; one that `is_open` may have further fields."""

    fields: Mapping[str, Check]
    optional: Collection[str] = ()
    is_open: bool = False

    @property
    def expected(self) -> str:
        return f"an object with {', '.join(self.fields)}"

    def faults(self, value: Any) -> Iterator[str]:
        """Unknown, wrong, missing and repeated fields; or that it is not an object."""
        if not isinstance(value, dict):
            yield got(value, self.expected)
            return
        for name, inner in value.items():
            if name in self.fields:
                yield from at(name, self.fields[name].faults(inner))
            elif not self.is_open:
                yield unknown(name, self.fields)
        for name in self.fields:
            if name not in value and name not in self.optional:
                yield f"{name}: missing; expected {self.fields[name].expected}"
        yield from repeated(value)


@dataclass(frozen=True)
class MapOf:
    """A JSON object with any names, whose values are all of one kind."""

    check: Check

    @property
    def expected(self) -> str:
        return f"an object, each value {self.check.expected}"

    def faults(self, value: Any) -> Iterator[str]:
        if not isinstance(value, dict):
            yield got(value, self.expected)
            return
        for name, inner in value.items():
            yield from at(name, self.check.faults(inner))
        yield from repeated(value)


@dataclass(frozen=True)
class ListOf:
    """A JSON list of at least `least` values of one kind."""

    check: Check
    least: int = 0

    @property
    def expected(self) -> str:
        return f"a list{' that is not empty' * bool(self.least)}, each item {self.check.expected}"

    def faults(self, value: Any) -> Iterator[str]:
        if not isinstance(value, list) or len(value) < self.least:
            yield got(value, self.expected)
            return
        for number, inner in enumerate(value):
            yield from at(f"[{number}]", self.check.faults(inner))


def load(path: Path, faults: Callable[[Any], Iterable[str]], hint: str = "") -> tuple[Any, str]:
    """A JSON file's value and the SHA-256 of its bytes. InvalidInput lists every fault."""
    data = read_bytes(path)
    value = parse_json(data, str(path))
    if listed := list(at(str(path), faults(value))):
        raise InvalidInput(listed, hint)
    return value, sha256(data)


def at(place: str, faults: Iterable[str]) -> Iterator[str]:
    """Faults of a value that stands at a place; the number of an item follows without a colon."""
    name = printable(place)
    yield from (name + ("" if fault.startswith("[") else ": ") + fault for fault in faults)


def got(value: Any, expected: str) -> str:
    return f"got {shown(value)}; expected {expected}"


def unknown(name: str, known: Iterable[str]) -> str:
    return f"{printable(name)}: unknown field; expected one of {', '.join(known)}"


def repeated(value: Any) -> Iterator[str]:
    """Names that stand more than once in an object, as `core.files` reads them."""
    for name in getattr(value, "repeated", ()):
        yield f"{printable(name)}: stands twice; expected once"


def shown(value: Any) -> str:
    """A value short enough for a line."""
    text = printable(repr(value))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


# Values that several files have -------------------------------------------------------------------


def is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def is_groups(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(is_texts(g) and g for g in value)


def is_a(*kinds: type) -> Callable[[Any], bool]:
    """Whether a value is of a kind; true and false are not numbers."""
    return lambda value: isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))


def one_of(*names: str) -> Value:
    return Value(lambda value: isinstance(value, str) and value in names, f"one of {_list(names)}")


def matching(pattern: str, expected: str) -> Value:
    """A text that the whole of a pattern describes."""
    form = re.compile(pattern)
    return Value(lambda value: isinstance(value, str) and bool(form.fullmatch(value)), expected)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


ID = matching(_ID.pattern, "1 to 64 of A-Z a-z 0-9 . _ -")
TEXT = Value(is_text, "a text that is not empty")
TEXTS = Value(is_texts, "a list of texts, none of them empty")
ANY_TEXT = Value(is_a(str), "a text")
GROUPS = Value(is_groups, "a list of groups, each a list of spellings, none of them empty")
OBJECT = Value(is_a(dict), "an object")
TRUE_OR_FALSE = Value(is_a(bool), "true or false")


# Lists whose items have ids -----------------------------------------------------------------------


def faults_of_lines(lines: Iterable[tuple[int, Any]], check: Check) -> Iterator[str]:
    """Faults of numbered JSON lines, and ids that stand on two of them."""
    first: dict[str, int] = {}
    for number, line in lines:
        yield from at(f"line {number}", check.faults(line))
        name = line.get("id") if isinstance(line, dict) else None
        if isinstance(name, str) and first.setdefault(name, number) != number:
            where = f"line {number}: id: {printable(name)}"
            yield f"{where} stands on line {first[name]} too; expected once"


def faults_of_items(items: Any, faults: Callable[[Any], Iterator[str]]) -> Iterator[str]:
    """Faults of each item of a list, named by its id or its number, and ids that stand twice."""
    listed = items if isinstance(items, list) else []
    ids: Counter[str] = Counter()
    for number, item in enumerate(listed, 1):
        name = item.get("id") if isinstance(item, dict) else None
        ids.update([name] if isinstance(name, str) else [])
        yield from at(name if isinstance(name, str) else f"question {number}", faults(item))
    for name, count in ids.items():
        if count > 1:
            yield f"{printable(name)}: id: stands {count} times; expected once"
