"""What a recorded response says: answer, sources, report of no grounding (rubric, "Where things
are", "Delivered").

Pure: standard library only. Nothing in here raises on a hostile body; what is wrong with it becomes
`Reply.problem`."""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from benchmark.core.records import Json, Places, Record, Reply

_STEP = re.compile(r"([^.\[\]]+)|\[(\d*)\]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOTHING = ("Cc", "Cf", "Zs", "Zl", "Zp")


def read(record: Record, places: Places) -> Reply:
    """The reply of a record; `answer` is None, and `problem` a sentence, where nothing was
    delivered."""
    body, problem = _object(record)
    answer = None
    if not problem:
        answer, problem = _answer(body, places)
    if record.status != 200:
        answer, problem = None, _no_200(record)
    sources = tuple(
        _SURROGATE.sub("\ufffd", url) for url in at(body, places.sources) if isinstance(url, str)
    )
    grounded = next(at(body, places.no_grounding), None)
    version = next(
        (_SURROGATE.sub("\ufffd", v) for v in at(body, places.version) if isinstance(v, str)), ""
    )
    finish = next((v for v in at(body, places.finish) if isinstance(v, str)), "")
    return Reply(record.status, answer, problem, sources, grounded, record.page, version, finish)


def at(value: Json, path: str) -> Iterator[Any]:
    """Every value at a dotted path; `[]` is each element of a list, `[2]` the third. A string in a
    list that the path would enter stands for itself (rubric: a source that is a string is its own
    URL). An empty path leads nowhere."""
    steps = [(name, index) for name, index in _STEP.findall(path)]
    values: list[Any] = [value] if steps else []
    for position, (name, index) in enumerate(steps):
        listed = position > 0 and steps[position - 1] == ("", "")
        values = [found for value in values for found in _enter(value, name, index, listed)]
    yield from values


def _enter(value: Any, name: str, index: str, listed: bool) -> list[Any]:
    if name and listed and isinstance(value, str):
        return [value]
    if name:
        return [value[name]] if isinstance(value, dict) and name in value else []
    if not isinstance(value, list):
        return []
    return value if not index else value[int(index) : int(index) + 1]


def parse(text: str) -> Json:
    """Strict JSON to plain values. ValueError names the fault (NaN and too deep nesting too)."""
    try:
        value: Json = json.loads(text, parse_int=_number, parse_constant=_no_constant)
        return value
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def is_blank(text: str) -> bool:
    """White space, zero-width and control characters alone (rubric, "Delivered")."""
    return all(unicodedata.category(c) in _NOTHING for c in set(text))


def _object(record: Record) -> tuple[Json, str]:
    """The body as a JSON object, or an empty one and what is wrong."""
    if record.body is None:
        return {}, "the body is not UTF-8" if record.body_base64 else "no body came"
    try:
        body = parse(record.body.removeprefix("\ufeff"))
    except ValueError as error:
        return {}, f"the body is no JSON ({str(error)[:80]}): {record.body[:60]!r}"
    return (
        (body, "")
        if isinstance(body, dict)
        else ({}, f"the body is a JSON {type(body).__name__}, not an object")
    )


def _answer(body: Json, places: Places) -> tuple[str | None, str]:
    error = next(at(body, places.error), None)
    if error is not None:
        return None, f"{places.error} is {str(error)[:80]!r}"
    answer = next(at(body, places.answer), None)
    if not isinstance(answer, str):
        return None, f"no text at {places.answer!r}"
    return (
        (None, "the answer is empty")
        if is_blank(answer)
        else (_SURROGATE.sub("\ufffd", answer), "")
    )


def _no_200(record: Record) -> str:
    last = record.attempts[-1].error if record.attempts else None
    return last or (f"HTTP {record.status}" if record.status is not None else "no response")


def _number(digits: str) -> int | float:
    return (
        int(digits) if len(digits) < 400 else float(digits)
    )  # Python refuses to read an int of 4,301 digits


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def body_bytes(record: Record) -> bytes:
    """The response's bytes as received, from either form they were kept in."""
    return base64.b64decode(record.body_base64 or "") or (record.body or "").encode(
        "utf-8", "surrogatepass"
    )
