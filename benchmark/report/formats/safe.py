"""Text that stays harmless in a file of another program: JSON, XML and spreadsheet cells."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Any

from benchmark.core.messages import printable

CELL = 32_767  # characters; what is longer runs over into other cells of Excel
_UNUSUAL = re.compile(r"[^\n\x20-\x7e]")  # a line break only stands between values of JSON
_LINES = re.compile(r"([\n\t])")
# What a spreadsheet takes for a formula, at a cell's start or where another locale's separator
# would start a cell (OWASP, "CSV Injection"); the full-width forms count in East Asian locales.
_FORMULA = re.compile(r"((?:^|[;\t\r\n])\s*)(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")


def json_text(value: Any, indent: int | None = None) -> str:
    """JSON readable in every script, no control or bidi character raw. NaN is a ValueError."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return _UNUSUAL.sub(lambda match: _json_character(match.group()), text)


@lru_cache(maxsize=4096)
def _json_character(c: str) -> str:
    category = unicodedata.category(c)
    if category == "Cs":  # a lone surrogate: strict readers refuse its escape, so it is spelled out
        return f"\\\\u{ord(c):04x}"
    if not category.startswith(("C", "Zl", "Zp")):
        return c
    return json.dumps(c)[1:-1] if c != "\x7f" else "\\u007f"


def xml_text(text: str) -> str:
    """An element's text: what XML 1.0 does not allow, and what turns a line around, as escapes."""
    return "".join(part if part in "\n\t" else printable(part) for part in _LINES.split(text))


def xml_attribute(text: str) -> str:
    return printable(" ".join(text.split()))


def cell(text: str) -> str:
    """A spreadsheet's cell: whatever would run after an apostrophe; on one line, escaped."""
    safe = printable(_FORMULA.sub(r"\1'", text))
    if len(safe) <= CELL:
        return safe
    return f"{safe[: CELL - 60]}… (cut: {len(safe)} characters, results.jsonl has them all)"
