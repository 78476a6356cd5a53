"""Who asks: one process that asks ahead, or xdist's workers, one question at a time each.

Everything that must hold is checked before the first request, once, by the process that runs the
session."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from benchmark.asking import http
from benchmark.asking.asker import Asker, Pace
from benchmark.asking.manifest import Manifest
from benchmark.asking.targets import Prepared, Target
from benchmark.core.errors import InvalidInput
from benchmark.core.records import Question, Record
from benchmark.run.plan import Plan
from benchmark.run.preflight import prepare


@dataclass
class Start:
    """What a session began with. `expected`: node ids of the questions that were selected."""

    plan: Plan
    manifest: Manifest
    expected: set[str] = field(default_factory=set)
    base: str = ""
    is_asking: bool = False
    is_refused: bool = False
    open: ExitStack = field(default_factory=ExitStack)

    def prepare(self, ids: Sequence[str], concurrency: int) -> list[Question]:
        """The questions to ask, everything prepared; nothing is done when there are none."""
        to_ask = self.plan.to_ask(ids)
        try:
            if to_ask:
                plan = dataclasses.replace(self.plan, concurrency=concurrency)
                self.base, self.manifest = prepare(plan, to_ask, self.open)
                self.is_asking = True
        except InvalidInput as fault:
            self.open.close()
            self.is_refused = True
            raise pytest.UsageError(str(fault)) from None
        return to_ask


def sender(plan: Plan, pace: Pace, base: str) -> Callable[[Question], Iterator[Record]]:
    """Sends what a question lacks to the address `base`, at that pace."""

    def send(target: Target, prepared: Prepared) -> Record:
        return http.ask(target, prepared, pace)

    return lambda question: plan.track.ask(question, plan.known(question), send, base)


class Alone:
    """The only process: it asks ahead of the tests."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.asker: Asker | None = None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.start.expected.update(item.nodeid for item in session.items)
        if session.config.option.collectonly:
            return
        plan = self.start.plan
        to_ask = self.start.prepare([*map(_id_of, self.start.expected)], plan.concurrency)
        if to_ask:
            ask = sender(plan, Pace(plan.rate_per_minute), self.start.base)
            self.asker = Asker(ask, {q.id: q for q in to_ask}, plan.concurrency)

    def ask(self, question: Question) -> list[Record]:
        assert self.asker
        return self.asker.result(question.id)

    def stop(self) -> list[Record]:
        """Ask nothing more; every record that came."""
        asker, self.asker = self.asker, None
        return [record for records in asker.finish() for record in records] if asker else []


class Controller:
    """xdist's controller. Workers start before the selection is known: a file has the address."""

    def __init__(self, start: Start) -> None:
        self.start, self.workers = start, 0
        self.base_file = Path(start.open.enter_context(TemporaryDirectory())) / "base"

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        self.workers += 1
        node.workerinput["base_file"] = str(self.base_file)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """Before the first worker is given a question; all workers collect the same."""
        is_first = not self.start.expected
        self.start.expected.update(ids)
        if is_first and ids:
            self.start.prepare([*map(_id_of, ids)], self.workers)
            self.base_file.write_text(self.start.base, "utf-8")

    def ask(self, question: Question) -> list[Record]:
        raise NotImplementedError("a controller runs no test")

    def stop(self) -> list[Record]:
        return []


class Worker:
    """xdist's worker: one question at a time, at its share of the rate."""

    def __init__(self, plan: Plan, base_file: str) -> None:
        rate, workers = plan.rate_per_minute, int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        self.plan, self.pace, self.base_file = plan, Pace(rate and rate / workers), Path(base_file)

    def ask(self, question: Question) -> list[Record]:
        base = self.base_file.read_text("utf-8")
        return list(sender(self.plan, self.pace, base)(question))


def _id_of(nodeid: str) -> str:
    return nodeid.rpartition("[")[2].removesuffix("]")
