"""A string that remembers where its characters came from, so that a match is shown as received.

Changes are kept as edits, and followed back only where a place is asked for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

Replacement = str | Callable[[re.Match[str]], str]


@dataclass(frozen=True)
class Traced:
    """A string, made from the one `before` by `edits`: (start, end, new) there, in order."""

    text: str
    before: Traced | None = None
    edits: tuple[tuple[int, int, str], ...] = ()

    def sub(self, pattern: re.Pattern[str], replacement: Replacement, needed: str = "") -> Traced:
        """Like `re.sub`, keeping origins; no time is lost on a text that lacks what is `needed`."""
        if needed not in self.text:
            return self
        edits: list[tuple[int, int, str]] = []
        pieces: list[str] = []
        done = 0
        for match in pattern.finditer(self.text):
            new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
            start, end = match.span()
            pieces += (self.text[done:start], new)
            edits.append((start, end, new))
            done = end
        if not edits:
            return self
        return Traced("".join(pieces) + self.text[done:], self, tuple(edits))

    def map(self, characters: Callable[[str], str]) -> Traced:
        """Each character through `characters` (a pure function of one character)."""
        changed = {c: new for c in set(self.text) if (new := characters(c)) != c}
        if not changed:
            return self
        if all(len(new) == 1 for new in changed.values()):
            return Traced(self.text.translate({ord(c): new for c, new in changed.items()}), self)
        members = "".join(map(re.escape, changed))
        return self.sub(re.compile(f"[{members}]"), lambda match: changed[match[0]])

    def flat(self) -> Traced:
        """One line: every white space is one space, none at the ends."""
        return self.sub(_WHITE, _space).sub(_OUTER, _nothing)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original text behind characters `start` to `end`, one at least."""
        return self._origin(start), self._origin(end - 1) + 1

    def _origin(self, index: int) -> int:
        """The index in the original text that a character came from."""
        text: Traced = self
        while text.before is not None:
            index = text._index_before(index)
            text = text.before
        return index

    def _index_before(self, index: int) -> int:
        """Kept characters are found again; of what is new, the last is the stretch's end."""
        at = bisect_right(self._starts, index) - 1
        if at < 0 or self.before is None:
            return index
        start, end, new = self.edits[at]
        offset = index - self._starts[at]
        if offset >= len(new):
            return end + offset - len(new)
        if len(new) == end - start:
            return start + offset
        kept = self.before.text.find(new, start, end) if new.strip() else -1
        if kept >= 0:
            return kept + offset
        return end - 1 if 0 < offset == len(new) - 1 else start

    @cached_property
    def _starts(self) -> list[int]:
        """Where each edit's new text begins."""
        starts, moved = [], 0
        for start, end, new in self.edits:
            starts.append(start + moved)
            moved += len(new) - (end - start)
        return starts


def _space(match: re.Match[str]) -> str:
    return " "


def _nothing(match: re.Match[str]) -> str:
    return ""


_WHITE, _OUTER = re.compile(r"\s{2,}|[^\S ]"), re.compile(r"^ | $")
