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
from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, read_bytes, sha256

_PLACES = ("question", "reference", "response")


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
    data = read_bytes(path)
    value = parse_json(data, str(path))
    lines: validation.Check = (_is_lines, "a list of texts")
    faults = list(
        validation.faults_of(value, {"version": validation.TEXT, "system": lines, "user": lines})
    )
    if not faults:
        user = "\n".join(value["user"])
        faults = [f"user: {{{name}}} is missing" for name in _PLACES if f"{{{name}}}" not in user]
    if faults:
        raise InvalidInput([f"{path}: {fault}" for fault in faults])
    return Prompt(
        value["version"], "\n".join(value["system"]), "\n".join(value["user"]), sha256(data)
    )


def _is_lines(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(line, str) for line in value)


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
