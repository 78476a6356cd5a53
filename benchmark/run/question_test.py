"""One question's test: setup asks or replays, and measures; the outcome is then reviewed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from benchmark.core.messages import failure, faulty, ungraded
from benchmark.core.plain import plain
from benchmark.core.records import Measure, Question, Record, Verdict
from benchmark.run.plan import Plan

RECORDS = pytest.StashKey[Mapping[str, Record]]()
FRESH = pytest.StashKey[Sequence[Record]]()
MEASURED = pytest.StashKey[Verdict]()  # by the rules alone
REVIEWED = pytest.StashKey[Verdict]()


@dataclass(frozen=True)
class QuestionTests:
    """What fixtures and hooks do for each question."""

    plan: Plan
    ask: Callable[[Question], list[Record]]  # sends what a question lacks, and gives what came

    def parametrize(self, metafunc: pytest.Metafunc) -> None:
        """One test a question, named by its id; of an earlier session's suite, what it asked."""
        wanted = self.plan.asked.suites
        questions = [
            pytest.param(q, id=q.id)
            for q in self.plan.questions
            if not wanted or q.set in wanted or q.id in self.plan.records
        ]
        metafunc.parametrize("question", questions)

    def add_keywords(self, items: list[pytest.Item]) -> None:
        """`-k` takes a question's tags too."""
        for item in items:
            item.extra_keyword_matches |= {*_question(item).tags}

    def respond(self, item: pytest.Item, question: Question) -> Record:
        """The raw record of the question's answer, recorded before or just now."""
        fresh = self.ask(question) if self.plan.is_to_ask(question) else []
        records = self.plan.known(question) | {record.id: record for record in fresh}
        item.stash[FRESH], item.stash[RECORDS] = fresh, records
        return records[question.id]

    def measure(self, item: pytest.Item) -> tuple[Measure, ...]:
        """Every measure of the answer, by the rules alone."""
        verdict = self.plan.track.verdict(_question(item), item.stash[RECORDS])
        item.stash[MEASURED] = verdict
        return verdict.measures

    def review(
        self, item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
    ) -> pytest.TestReport:
        """The report of a call that asserted the measures, after review; any other as it is.

        Fresh records travel with the setup's report, from a worker to the controller too."""
        if report.when == "setup" and (fresh := item.stash.get(FRESH, None)):
            report.fresh_records = _lines(fresh)  # type: ignore[attr-defined]
        by_measures = call.excinfo is None or call.excinfo.errisinstance(AssertionError)
        if report.when == "call" and by_measures:
            item.stash[REVIEWED] = verdict = self._after_review(item)
            report.outcome, reason = outcome(verdict)
            where = str(item.path), (item.location[1] or 0) + 1
            report.longrepr = (*where, reason) if report.skipped else reason or None
        return report

    def _after_review(self, item: pytest.Item) -> Verdict:
        question = _question(item)
        review = self.plan.reviews.get(question.id)
        if review is None:
            return item.stash[MEASURED]
        return self.plan.track.verdict(question, item.stash[RECORDS], review)

    def metadata(self, item: pytest.Item, when: str) -> dict[str, Any]:
        """What the JSON report holds of a question: its records, and the verdict after review."""
        if when == "setup" and RECORDS in item.stash:
            return {"records": _lines(item.stash[RECORDS].values())}
        if when == "call" and REVIEWED in item.stash:
            return {"verdict": _sendable(plain(item.stash[REVIEWED]))}
        return {}


def _question(item: pytest.Item) -> Question:
    question: Question = item.callspec.params["question"]  # type: ignore[attr-defined]
    return question


def outcome(verdict: Verdict) -> tuple[Literal["passed", "failed", "skipped"], str]:
    """A test's outcome, and why. A faulty question, or an answer without a grade, is skipped."""
    if verdict.faulty:
        return "skipped", faulty(verdict)
    if verdict.failed:
        return "failed", failure(verdict)
    reason = ungraded(verdict)
    return ("skipped", reason) if reason else ("passed", "")


def _lines(records: Iterable[Record]) -> list[dict[str, Any]]:
    return [_sendable(plain(record)) for record in records]


def _sendable(plain: Any) -> Any:
    """xdist carries UTF-8 alone: a lone surrogate in a question or a review becomes a `?`."""
    return json.loads(json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace"))
