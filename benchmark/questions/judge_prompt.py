"""The judge's prompt: data with a digest, and the three texts each in a fence that they cannot
close. Pure.

A fence carries a code made from the texts themselves: no text can know it, and the same texts
always get the same prompt, so that a recorded reply can be checked against what was asked."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.core import validation

_PLACES = ("question", "reference", "response")
_LINES = validation.ListOf(validation.ANY_TEXT)
_FILE = validation.Object({"version": validation.TEXT, "system": _LINES, "user": _LINES})


@dataclass(frozen=True)
class Prompt:
    """`system` and `user` texts; `user` has {question}, {reference} and {response}, each filled
    with a fenced text."""

    version: str
    system: str
    user: str
    sha256: str


def load(path: Path) -> Prompt:
    """The prompt of a file. InvalidInput says what is wrong with it."""
    value, digest = validation.load(path, _faults)
    system, user = ("\n".join(value[name]) for name in ("system", "user"))
    return Prompt(value["version"], system, user, digest)


def _faults(value: Any) -> list[str]:
    if faults := list(_FILE.faults(value)):
        return faults
    user = "\n".join(value["user"])
    return [f"user: {{{name}}} is missing" for name in _PLACES if f"{{{name}}}" not in user]


def messages(prompt: Prompt, question: str, reference: str, response: str) -> list[dict[str, str]]:
    """What the judge is sent, as chat messages."""
    texts = dict(zip(_PLACES, (question, reference, response), strict=True))
    code = _code(texts)
    fenced = {
        name: f"<<<{name.upper()} {code}\n{text}\n{name.upper()} {code}>>>"
        for name, text in texts.items()
    }
    user = re.sub(r"\{(\w+)\}", lambda place: fenced.get(place[1], place[0]), prompt.user)
    return [{"role": "system", "content": prompt.system}, {"role": "user", "content": user}]


def graded(content: str) -> str | None:
    """The response that a judge was given in `content`, as `messages` made it; None where it was
    not made so."""
    found = re.search(r"<<<RESPONSE ([0-9a-f]{16})\n(.*)\nRESPONSE \1>>>", content, re.S)
    return found[2] if found else None


def _code(texts: dict[str, str]) -> str:
    """Sixteen hexadecimal digits that stand in none of the texts."""
    seed = json.dumps(texts, ensure_ascii=True)
    while (code := hashlib.sha256(seed.encode()).hexdigest()[:16]) in "".join(texts.values()):
        seed += code
    return code
