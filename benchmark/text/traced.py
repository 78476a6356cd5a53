"""A string that remembers where its characters came from, so that a match can be shown in the
answer as received."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass

TRACED = 300_000  # characters up to which an answer's matches can be shown in it


@dataclass(frozen=True)
class Traced:
    """A string, and for each of its characters the index in the original text that it came from."""

    text: str
    origin: array[int] | None  # None: too long to trace (time, not meaning, is at stake)

    @classmethod
    def of(cls, text: str) -> Traced:
        return cls(text, array("l", range(len(text))) if len(text) <= TRACED else None)

    def sub(
        self, pattern: re.Pattern[str], replacement: str | Callable[[re.Match[str]], str]
    ) -> Traced:
        """Like `re.sub`, keeping origins."""
        if self.origin is None:
            return Traced(pattern.sub(replacement, self.text), None)
        pieces: list[str] = []
        origin, done = array("l"), 0
        for match in pattern.finditer(self.text):
            new = match.expand(replacement) if isinstance(replacement, str) else replacement(match)
            start, end = match.span()
            pieces += (self.text[done:start], new)
            origin += self.origin[done:start] + self._origins(self.origin, start, end, new)
            done = end
        if not pieces:
            return self
        return Traced("".join(pieces) + self.text[done:], origin + self.origin[done:])

    def _origins(self, origin: array[int], start: int, end: int, new: str) -> array[int]:
        """Origins of `new` in the place of `start:end`: its own where it was kept, else the two
        ends of the stretch."""
        kept = (
            start
            if len(new) == end - start
            else self.text.find(new, start, end)
            if new.strip()
            else -1
        )
        if kept >= 0:
            return origin[kept : kept + len(new)]
        ends = [origin[start]] * (len(new) - 1) + [origin[end - 1 if len(new) > 1 else start]]
        return array("l", ends[-len(new) :] if new else [])

    def map(self, characters: Callable[[str], str]) -> Traced:
        """Each character through `characters` (a pure function of one character)."""
        changed = {c: new for c in set(self.text) if (new := characters(c)) != c}
        if not changed:
            return self
        if all(len(new) == 1 for new in changed.values()):
            return Traced(
                self.text.translate({ord(c): new for c, new in changed.items()}), self.origin
            )
        members = "".join(re.escape(c) for c in changed)
        return self.sub(re.compile(f"[{members}]"), lambda match: changed[match[0]])

    def flat(self) -> Traced:
        """One line: every white space is one space, none at the ends."""
        return self.sub(re.compile(r"\s{2,}|[^\S ]"), " ").sub(re.compile(r"^ | $"), "")

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original text behind characters `start` to `end`; (0, 0) where that is
        not traced."""
        return (0, 0) if self.origin is None else (self.origin[start], self.origin[end - 1] + 1)
