"""The desk: what the reviewer sees, and what each action writes."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmark.core.records import Review, Verdict
from benchmark.desk import reading
from benchmark.desk.compared import Comparison, compare
from benchmark.desk.evidence import Pages
from benchmark.desk.reading import Group
from benchmark.desk.run import Run
from benchmark.desk.store import Entry, Store, Version
from benchmark.scoring import reviews


class Refused(Exception):
    """An action that says too little, and what is missing. Nothing was written."""


@dataclass(frozen=True)
class State:
    """A run as a version of its review file has it."""

    version: Version
    verdicts: tuple[Verdict, ...]
    groups: tuple[Group, ...]

    @cached_property
    def order(self) -> list[Verdict]:
        """What is walked through, and after it all the rest."""
        return [v for group in self.groups for v in group.verdicts]

    @cached_property
    def walked(self) -> list[Verdict]:
        return reading.walk(self.groups)

    @property
    def left(self) -> int:
        return sum(not v.read for v in self.walked)

    @property
    def status(self) -> str:
        return "final" if reviews.is_final(self.verdicts) else "draft"

    def verdict(self, name: str) -> Verdict | None:
        return next((v for v in self.verdicts if v.question.id == name), None)

    def group_of(self, name: str) -> Group:
        return next(g for g in self.groups if any(v.question.id == name for v in g.verdicts))

    def beside(self, name: str, step: int) -> str:
        """Id of the question `step` places further on; the ends meet."""
        ids = [v.question.id for v in self.order]
        return ids[(ids.index(name) + step) % len(ids)]

    def next_unread(self, after: str = "") -> str:
        return reading.next_unread(self.walked, after)


@dataclass(frozen=True)
class Done:
    """An action that can be undone: an entry before and after it."""

    id: str
    what: str
    before: Entry | None
    after: Entry


@dataclass(frozen=True)
class Other:
    """Another reviewer's file of the same run; no `comparison` while that reviewer is not done."""

    name: str
    left: int
    comparison: Comparison | None


class Desk:
    """One reviewer at one review file. `others`: review files of the same run, by their names.

    `blind`: nothing of the others is shown until this reviewer has read everything; once it has
    been, the desk takes no more changes, since they would not be blind."""

    def __init__(
        self,
        run: Run,
        store: Store,
        reviewer: str,
        others: Callable[[], Mapping[str, Store]] = dict,
        blind: bool = False,
    ) -> None:
        self.run, self.reviewer, self.blind = run, reviewer, blind
        self.pages = Pages(run.embedded)
        self._store, self._others = store, others
        self._digests = {v.question.id: run.digests(v) for v in run.verdicts}
        self._done: list[Done] = []
        self._one_at_a_time = threading.Lock()
        self._compared = False

    def now(self) -> State:
        """The run with the review file as it lies on the disk. InvalidInput lists its faults."""
        return self._state(self._store.read())

    @property
    def last(self) -> Done | None:
        """What `undo` would undo."""
        return self._done[-1] if self._done else None

    def agree(self, name: str, seen: str) -> None:
        """Read, and the mechanical verdict is right."""
        self._write(name, "agreed", {"read": True}, seen)

    def change(self, name: str, verdicts: Mapping[str, bool], reason: str, seen: str) -> None:
        """Other values for some measures, with a reason. `Refused` without either."""
        applicable = self._store.applicable[name]
        mechanical = {m.name: m.value for m in self._verdict(name).measures if m.name in applicable}
        if unknown := [measure for measure in verdicts if measure not in mechanical]:
            raise Refused(f"{', '.join(unknown)}: no such measure applies to this question.")
        changed = {name: value for name, value in verdicts.items() if value != mechanical[name]}
        if not changed:
            raise Refused("No measure would change: choose one and its new value, or agree.")
        self._write(name, "changed", {"verdicts": changed, "reason": _one_line(reason)}, seen)

    def faulty(self, name: str, reason: str, seen: str) -> None:
        """The question is faulty, and left out. `Refused` without a reason."""
        self._write(name, "marked faulty", {"faulty": True, "reason": _one_line(reason)}, seen)

    def undo(self, seen: str) -> str:
        """Put back the entry before the last action; its question's id. `Refused` if none."""
        with self._one_at_a_time:
            last = self.last
            if last is None:
                raise Refused(
                    "Nothing is left to undo of what was done since this desk was started."
                )
            self._check_open()
            now = self._store.read()
            if now.digest == seen and now.entries.get(last.id) != last.after:
                self._done.pop()
                raise Refused(f"The entry of {last.id} was changed outside this desk since.")
            self._store.set(last.id, last.before, seen)
            self._done.pop()
            return last.id

    def compared(self) -> list[Other]:
        """Each other reviewer; nobody while this one is not done."""
        mine = self.now()
        others = {} if mine.left else self._others()
        return [self._compared_with(mine, name, store) for name, store in others.items()]

    def _compared_with(self, mine: State, name: str, store: Store) -> Other:
        other = self._state(store.read())
        if other.left and not self.blind:  # what is still to be read there must not become known
            return Other(name, other.left, None)
        self._compared = self.blind
        first, second = (other, mine) if self.blind else (mine, other)
        return Other(name, other.left, compare(first.verdicts, second.verdicts))

    def _state(self, version: Version) -> State:
        verdicts = tuple(self._reviewed(v, version.reviews) for v in self.run.verdicts)
        return State(version, verdicts, reading.groups(verdicts, self.run.name))

    def _reviewed(self, verdict: Verdict, entries: Mapping[str, Review]) -> Verdict:
        review = entries.get(verdict.question.id)
        if review is None or not verdict.asked:
            return dataclasses.replace(verdict, review=review)
        return reviews.apply(review, verdict, self._digests[verdict.question.id])

    def _verdict(self, name: str) -> Verdict:
        return next(v for v in self.run.verdicts if v.question.id == name)

    def _write(self, name: str, what: str, entry: dict[str, Any], seen: str) -> None:
        if not self._verdict(name).asked:
            raise Refused("This question was not asked: there is no answer to review.")
        with self._one_at_a_time:
            self._check_open()
            digest = {"answer_sha256": digests[0]} if (digests := self._digests[name]) else {}
            after = entry | digest | {"reviewer": self.reviewer}
            self._done.append(Done(name, what, self._store.set(name, after, seen), after))

    def _check_open(self) -> None:
        if self._compared:
            raise Refused(
                "You have seen the other reviewer's entries: a change would no longer be blind."
                f" Settle it in the first review: python -m benchmark review {self.run.name}"
            )


def _one_line(reason: str) -> str:
    """A reason as the review file takes it. `Refused` where it is empty."""
    line = " ".join(reason.split())
    if not line:
        raise Refused("A reason of one line is needed: it is published with the change.")
    return line
