"""What a recorded response says: answer, sources, report of no grounding (rubric, "Delivered").

Pure: standard library only. Nothing here raises on a hostile body: its fault is `Reply.problem`."""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from benchmark.core.reasons import Reason
from benchmark.core.records import Json, Places, Record, Reply

_STEP = re.compile(r"([^.\[\]]+)|\[(\d*)\]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_NOTHING = ("Cc", "Cf", "Zs", "Zl", "Zp")
# As an attempt's error is recorded.
_TIMEOUT = re.compile(r"timeout: no whole response within ([\d.e+]+) s")
_CONNECTION = "connection error: "


def read(record: Record, places: Places) -> Reply:
    """The reply of a record; its `answer` is None, with a `problem`, where none was delivered."""
    body, problem = _object(record)
    answer = None
    if not problem:
        answer, problem = _answer(body, places)
    if record.status != 200:
        answer, problem = None, _not_200(record)
    return Reply(
        record.status,
        answer,
        problem,
        sources=tuple(map(_utf8, filter(_is_text, at(body, places.sources)))),
        grounded=next(at(body, places.no_grounding), None),
        page=record.page,
        version=_utf8(_text_at(body, places.version)),
        finish=_text_at(body, places.finish),
    )


def _text_at(body: Json, path: str) -> str:
    return next(filter(_is_text, at(body, path)), "")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _utf8(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


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


def _object(record: Record) -> tuple[Json, Reason | None]:
    """The body as a JSON object, or an empty one and what is wrong."""
    if record.body is None:
        return {}, Reason("not_utf8" if record.body_base64 else "no_body")
    try:
        body = parse(record.body.removeprefix("\ufeff"))
    except ValueError as error:
        return {}, Reason("not_json", {"error": str(error)[:80], "start": repr(record.body[:60])})
    if not isinstance(body, dict):
        return {}, Reason("not_object", {"type": type(body).__name__})
    return body, None


def _answer(body: Json, places: Places) -> tuple[str | None, Reason | None]:
    error = next(at(body, places.error), None)
    if not (error is None or error is False or error in ("", [], {})):
        return None, Reason("error_field", {"place": places.error, "value": repr(str(error)[:80])})
    answer = next(at(body, places.answer), None)
    if places.refusal:
        answer = _of_model(answer, body, places)
    if not isinstance(answer, str):
        return None, Reason("no_text", {"place": repr(places.answer)})
    return (None, Reason("empty")) if is_blank(answer) else (_utf8(answer), None)


def _of_model(content: Any, body: Json, places: Places) -> Any:
    """A model's `content` is a text or a list of parts; without any, its refusal is the answer."""
    if isinstance(content, list):
        texts = (part if _is_text(part) else next(at(part, "text"), "") for part in content)
        content = "".join(filter(_is_text, texts))
    if content is None or content == "":
        return next(filter(_is_text, at(body, places.refusal)), content)
    return content


def _not_200(record: Record) -> Reason:
    error = record.attempts[-1].error if record.attempts else None
    if error and (timeout := _TIMEOUT.fullmatch(error)):
        return Reason("timeout", {"n": timeout[1]})
    if error:
        kind = error.removeprefix(_CONNECTION)
        is_other = kind == error
        return Reason("text", {"text": error}) if is_other else Reason("connection", {"kind": kind})
    if record.status is None:
        return Reason("no_response")
    return Reason("http", {"status": record.status})


def _number(digits: str) -> int | float:
    # Python refuses to read an int of 4,301 digits.
    return int(digits) if len(digits) < 400 else float(digits)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def body_bytes(record: Record) -> bytes:
    """The response's bytes as received, from either form they were kept in."""
    if record.body_base64:
        return base64.b64decode(record.body_base64)
    return (record.body or "").encode("utf-8", "surrogatepass")
