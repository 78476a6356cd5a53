"""The grade in a judge's reply (rubric, "Track B", `llm_judge`). Pure, and linear in its length.

It is the top-level `score` of the last JSON object that has one. Only a reply without such an
object, that does not begin as one, is read as text: the last number labelled `score`, or a reply
that is nothing but a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from benchmark.scoring.thought import without_thought

_VALUE = r"(?P<value>[-+\u2212]?\d[\d.,]*)(?!\w)"
_OUT_OF = (
    r"(?:\s*%|\s*[(\[]?\s*(?:/|out\s+of|of|من|из|מתוך)\s*(?P<of>\d+))?"  # a stated denominator
)
_MARKS = r"[\"'`*_]{0,6}"
_LABELLED = re.compile(
    rf"(?<!\w)score{_MARKS}\s*(?:[:=]|\bis\b|\bof\b)?\s*{_MARKS}\s*{_VALUE}{_OUT_OF}"
    r"(?!\s*[-\u2013]\s*\d)",
    re.I,
)
_ALONE = re.compile(_VALUE + _OUT_OF)
_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d+)?\s*")


def judge_score(output: str) -> float | None:
    """The grade, 0 to 100; None where the reply has none."""
    said, is_cut = without_thought(output)
    if is_cut:
        return None
    scores = [value for item in _objects(said) if (value := _number(item.get("score"))) is not None]
    if scores:
        return _in_range(scores[-1])
    return None if said.lstrip().startswith("{") else _as_text(said)


def first_grade(replies: Iterable[str]) -> float | None:
    """The grade of the first reply that has one."""
    return next((grade for text in replies if (grade := judge_score(text)) is not None), None)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a text that stand in no other; one that is broken hides what it holds."""
    start = text.find("{")
    while start >= 0:
        try:
            value, end = _DECODER.raw_decode(text, start)
            yield value
        except json.JSONDecodeError as error:
            end = max(start + 1, error.pos)
        except (ValueError, RecursionError):
            return
        start = text.find("{", end)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_int=float, parse_constant=_no_constant)


def _number(value: Any) -> float | None:
    """A number, or a number as a string."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return float(value)
    return value if isinstance(value, float) else None


def _as_text(said: str) -> float | None:
    said = " ".join(said.split())  # a model that goes on with white space for ever is read at once
    labelled = list(_LABELLED.finditer(said))
    match = labelled[-1] if labelled else _ALONE.fullmatch(said)
    if match is None or int((match["of"] or "100")[:9]) != 100:
        return None
    try:
        return _in_range(float(match["value"].rstrip(".,").replace("\u2212", "-")))
    except ValueError:  # such as 1,000 or 1.2.3
        return None


def _in_range(value: float) -> float | None:
    return value if 0 <= value <= 100 else None
