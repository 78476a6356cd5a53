"""The thought of a reasoning model, cut before any scoring (rubric, "Track B"). Pure."""

from __future__ import annotations

import re

_NAMES = "think|thinking|thought|reasoning|seed:think"
_FINAL = r"<\|channel\|>final<\|message\|>"
_CLOSES = re.compile(rf"</(?:{_NAMES})\s*>|\[/THINK\]|◁/think▷|{_FINAL}", re.I)
_OPENS = re.compile(rf"<(?:{_NAMES})\s*>|\[THINK\]|◁think▷|<\|channel\|>(?!final<)", re.I)


def without_thought(response: str) -> tuple[str, bool]:
    """The response after its last closing mark, and whether thought that never closes cut it off
    (then nothing is left)."""
    ends = (mark.end() for mark in _CLOSES.finditer(response))
    said = response[max(ends, default=0) :]
    return ("", True) if _OPENS.search(said) else (said, False)
