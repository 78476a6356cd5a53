"""What a field of a JSON file may be, and the words for a field that is not: shared by question
files and suites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from benchmark.core.messages import printable

Check = tuple[Callable[[Any], bool], str]
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def is_groups(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(is_texts(group) and group for group in value)
    )


def one_of(*names: str) -> Check:
    return lambda value: isinstance(value, str) and value in names, f"one of {', '.join(names)}"


ID: Check = (
    lambda value: isinstance(value, str) and bool(_ID.fullmatch(value)),
    "1 to 64 of A-Z a-z 0-9 . _ -",
)
TEXT: Check = (is_text, "a text that is not empty")
TEXTS: Check = (is_texts, "a list of texts, none of them empty")
ANY_TEXT: Check = (lambda value: isinstance(value, str), "a text")
GROUPS: Check = (is_groups, "a list of groups, each a list of spellings, none of them empty")
LIST: Check = (lambda value: isinstance(value, list), "a list")
OBJECT: Check = (lambda value: isinstance(value, dict), "an object")


def shown(value: Any) -> str:
    """What was given, short enough for a line."""
    text = printable(repr(value))
    return text if len(text) <= 80 else text[:77] + "..."


def faults_of(
    value: Any, checks: Mapping[str, Check], optional: Iterable[str] = ()
) -> Iterator[str]:
    """Unknown, wrong, missing and repeated fields of an object; or that it is none."""
    if not isinstance(value, dict):
        yield f"given {shown(value)}, accepted is an object with {', '.join(checks)}"
        return
    for name, given in value.items():
        if name not in checks:
            yield f"{printable(name)}: unknown field, accepted are {', '.join(checks)}"
        elif not checks[name][0](given):
            yield f"{name}: given {shown(given)}, accepted is {checks[name][1]}"
    missing = [name for name in checks if name not in value and name not in optional]
    yield from (f"{name}: missing, accepted is {checks[name][1]}" for name in missing)
    yield from (f"{name}: stands twice in one object" for name in getattr(value, "repeated", ()))


def faults_of_lines(
    lines: Iterable[tuple[int, Any]], checks: Mapping[str, Check], optional: Iterable[str] = ()
) -> Iterator[str]:
    """Faults of JSON lines with their numbers, each named by its number, and ids that stand on two
    lines."""
    first: dict[str, int] = {}
    for number, line in lines:
        yield from (f"line {number}: {fault}" for fault in faults_of(line, checks, optional))
        name = line.get("id") if isinstance(line, dict) else None
        if isinstance(name, str) and first.setdefault(name, number) != number:
            yield (
                f"line {number}: id: {printable(name)} stands on line {first[name]} too, accepted"
                " is once"
            )


def faults_of_items(items: Any, faults: Callable[[Any], Iterator[str]]) -> Iterator[str]:
    """Faults of each item of a list, named by its id or its number, and ids that stand twice."""
    listed = items if isinstance(items, list) else []
    for number, item in enumerate(listed, 1):
        name = item.get("id") if isinstance(item, dict) else None
        where = printable(name) if isinstance(name, str) else f"question {number}"
        yield from (f"{where}: {fault}" for fault in faults(item))
    ids = Counter(
        item["id"] for item in listed if isinstance(item, dict) and isinstance(item.get("id"), str)
    )
    yield from (
        f"{printable(name)}: id: stands {n} times, accepted is once"
        for name, n in ids.items()
        if n > 1
    )
