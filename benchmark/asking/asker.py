"""Asking ahead: so many questions at a time, at a steady pace, in the order given."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, Lock

from benchmark.core.records import Question, Record


class Pace:
    """At most so many requests a minute, evenly spaced, over all threads; no rate, no wait."""

    def __init__(self, per_minute: float | None) -> None:
        self._gap = 60 / per_minute if per_minute else 0.0
        self._next, self._lock = 0.0, Lock()

    def __call__(self) -> None:
        with self._lock:
            wait = max(0.0, self._next - time.monotonic())
            self._next = time.monotonic() + wait + self._gap
        time.sleep(wait)


class Asker:
    """Asks `concurrency` questions at a time; `result(id)` is that question's records."""

    def __init__(
        self,
        ask: Callable[[Question], Iterator[Record]],
        questions: Mapping[str, Question],
        concurrency: int,
    ) -> None:
        self._ask, self._waiting = ask, deque(questions.values())
        self._pool = ThreadPoolExecutor(concurrency, thread_name_prefix="ask")
        self._asked: dict[str, Future[list[Record]]] = {}
        self._came: dict[str, list[Record]] = {}
        self._is_stopped = Event()
        for _ in range(concurrency):
            self._ask_next()

    def _ask_next(self) -> None:
        if self._waiting:
            question = self._waiting.popleft()
            self._asked[question.id] = self._pool.submit(self._records, question)

    def _records(self, question: Question) -> list[Record]:
        """All that the question needs, unless asking is stopped between two requests."""
        records = self._came.setdefault(question.id, [])
        for record in self._ask(question):
            records.append(record)
            if self._is_stopped.is_set():
                break
        return records

    def result(self, question_id: str) -> list[Record]:
        """Wait for a question's records, and ask one more ahead. KeyError if it was not to be
        asked."""
        while question_id not in self._asked and self._waiting:
            self._ask_next()
        records = self._asked[question_id].result()
        self._ask_next()
        return records

    def finish(self) -> list[list[Record]]:
        """Stop asking; all records that came, taken or not, for an interrupt can come between
        taking and writing down."""
        self._is_stopped.set()
        self._waiting.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)
        return list(self._came.values())
