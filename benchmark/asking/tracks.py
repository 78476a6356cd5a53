"""What the two tracks do differently, behind one face: which requests a question needs, and how its
records are judged.

Everything else (record, replay, manifest, reviews, results, reports) is one pipeline and knows only
`Track`. A record's id is the question's, with `~2` for the second time of asking it, and `~1j1t1`
for a judge's reply to the first answer: first judging, first try."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from benchmark.asking import targets
from benchmark.asking.models import PLACES
from benchmark.asking.targets import Prepared, Target
from benchmark.core.records import JUDGE, Places, Question, Record, Review, Verdict
from benchmark.questions.decline import DeclineLists
from benchmark.questions.judge_prompt import Prompt, graded, messages
from benchmark.scoring import reply as replies
from benchmark.scoring.matching import PASS, judge_score, without_thought
from benchmark.scoring.site_measures import Measuring, measures
from benchmark.scoring.suite_measures import MEASURES, is_truncated
from benchmark.scoring.verdicts import verdict

Records = Mapping[str, Record]
Send = Callable[[Target, Prepared], Record]
TRIES = 2  # of a judge's reply that has no score


class Track(Protocol):
    """What a run needs to know of its track."""

    @property
    def measuring(self) -> tuple[Measuring, ...]: ...

    @property
    def has_pages(self) -> bool: ...

    def about(self) -> dict[str, Any]:
        """What belongs into the manifest and may change with a replay."""
        ...

    def is_recorded(self, question: Question, records: Records) -> bool: ...

    def ask(self, question: Question, records: Records, send: Send, base: str) -> Iterator[Record]:
        """Send what is missing among `records`, in order; each record as it comes."""
        ...

    def verdict(self, question: Question, records: Records, review: Review | None) -> Verdict: ...


@dataclass(frozen=True)
class SiteTrack:
    """Track A: one request a question, scored by fixed rules."""

    target: Target
    decline: DeclineLists
    date: str
    has_pages = True

    @cached_property
    def measuring(self) -> tuple[Measuring, ...]:
        return measures(self.decline.phrases(self.date))

    def about(self) -> dict[str, Any]:
        lists = list(self.decline.dates(self.date))
        return {"decline": {"date": self.date, "lists": lists, "sha256": self.decline.sha256}}

    def is_recorded(self, question: Question, records: Records) -> bool:
        return question.id in records

    def ask(self, question: Question, records: Records, send: Send, base: str) -> Iterator[Record]:
        if question.id not in records:
            yield send(self.target, targets.prepare(self.target, question, base))

    def verdict(self, question: Question, records: Records, review: Review | None) -> Verdict:
        return verdict(
            self.measuring, self.target.places, question, records.get(question.id), review
        )


@dataclass(frozen=True)
class Judge:
    """A model that grades, with its prompt; each answer is judged `repeats` times."""

    target: Target
    prompt: Prompt
    repeats: int = 1

    def prepare(self, name: str, question: Question, said: str) -> Prepared:
        """The request that asks for a grade of what was said."""
        chat = messages(self.prompt, question.question, question.reference_answer, said)
        return Prepared(
            name,
            "",
            self.target.endpoint,
            self.target.headers,
            {**self.target.body, "messages": chat},
        )


@dataclass(frozen=True)
class SuiteTrack:
    """Track B: a model's answers, each asked `repeats` times, graded by match or by a judge. No
    judge, no grade."""

    target: Target
    judge: Judge | None
    repeats: int = 1
    places: Places = PLACES
    has_pages = False
    measuring = MEASURES

    def about(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "model": {"name": self.target.body["model"], "endpoint": self.target.endpoint}
        }
        values["repeats"] = self.repeats
        if self.judge:
            values["judge"] = about_judge(self.judge, self.target)
        return values

    def is_recorded(self, question: Question, records: Records) -> bool:
        return next(self._missing(question, records), None) is None

    def ask(self, question: Question, records: Records, send: Send, base: str) -> Iterator[Record]:
        known = dict(records)
        while step := next(self._missing(question, known), None):
            target, prepared = step
            known[prepared.id] = send(target, prepared)
            yield known[prepared.id]
            if target is not self.target and known[prepared.id].status != 200:
                # no judge is there: the question stays without a grade, and a later run asks the
                # judge again
                return

    def _missing(self, question: Question, records: Records) -> Iterator[tuple[Target, Prepared]]:
        """The requests that are still to be sent, the next one first."""
        for name in answer_names(question, self.repeats):
            if name not in records:
                prepared = targets.prepare(self.target, question)
                yield self.target, dataclasses.replace(prepared, id=name)
        if self.judge and question.scoring == JUDGE:
            for name in answer_names(question, self.repeats):
                yield from self._unjudged(self.judge, question, name, records)

    def _unjudged(
        self, judge: Judge, question: Question, name: str, records: Records
    ) -> Iterator[tuple[Target, Prepared]]:
        said = self._said(records.get(name))
        for n in range(1, judge.repeats + 1) if said else ():
            if not any(
                judge_score(text) is not None for text in self._replies(name, n, said, records)
            ):
                for t in range(1, TRIES + 1):
                    judge_name = reply_name(name, n, t)
                    if not is_reply_to(records.get(judge_name), said):
                        yield judge.target, judge.prepare(judge_name, question, said)

    def _said(self, record: Record | None) -> str:
        """What a judge is to read: nothing where nothing was delivered, or where it was cut off."""
        reply = replies.read(record, self.places) if record else None
        return (
            without_thought(reply.answer)[0].strip()
            if reply and reply.answer and not is_truncated(reply)
            else ""
        )

    def _replies(self, name: str, n: int, said: str, records: Records) -> list[str]:
        """What the judge said of an answer in its `n`-th judging, tries in order."""
        found = [records.get(reply_name(name, n, t)) for t in range(1, TRIES + 1)]
        read = [
            replies.read(record, self.places)
            for record in found
            if record and is_reply_to(record, said)
        ]
        return [reply.answer or "" for reply in read]

    def verdict(self, question: Question, records: Records, review: Review | None) -> Verdict:
        first, *others = answer_names(question, self.repeats)
        result = self._one(question, first, records, review)
        again = tuple(
            self._one(question, name, records, None).reviewed for name in others if name in records
        )
        return dataclasses.replace(
            result, again=again, judge_scores=self._judge_scores(question, records)
        )

    def _one(
        self, question: Question, name: str, records: Records, review: Review | None
    ) -> Verdict:
        record = records.get(name)
        judged = tuple(self._replies(name, 1, self._said(record), records))
        return verdict(self.measuring, self.places, question, record, review, judged=judged)

    def _judge_scores(self, question: Question, records: Records) -> tuple[float | None, ...]:
        """The grade of each judging of the first answer; None where it gave none."""
        said = self._said(records.get(question.id))
        judgings = (
            self._replies(question.id, n, said, records)
            for n in range(1, _judgings(question, records) + 1)
        )
        return tuple(
            next((s for text in said_ if (s := judge_score(text)) is not None), None)
            for said_ in judgings
        )


def _judgings(question: Question, records: Records) -> int:
    """How often the first answer was judged, by the record."""
    n = 0
    while any(reply_name(question.id, n + 1, t) in records for t in range(1, TRIES + 1)):
        n += 1
    return n


def answer_names(question: Question, repeats: int) -> list[str]:
    return [question.id, *(f"{question.id}~{n}" for n in range(2, repeats + 1))]


def reply_name(answer: str, n: int, t: int) -> str:
    return f"{answer if '~' in answer else answer + '~1'}j{n}t{t}"


def by_question(records: Records) -> dict[str, dict[str, Record]]:
    """The records of each question: its answers and what a judge said of them."""
    found: dict[str, dict[str, Record]] = {}
    for name, record in records.items():
        found.setdefault(name.partition("~")[0], {})[name] = record
    return found


def is_judging(record_id: str) -> bool:
    """Whether a record is a judge's reply."""
    return "j" in record_id.partition("~")[2]


def is_reply_to(record: Record | None, said: str) -> bool:
    """Whether a judge's reply came, and was to this very answer (it may have been asked again
    since)."""
    if not record or not said or record.status != 200:
        return False
    return graded(str(record.request["json"]["messages"][-1]["content"])) == said


def about_judge(judge: Judge, model: Target) -> dict[str, Any]:
    """The judge as the manifest names it; a model that judges itself is named as that."""
    name, endpoint = judge.target.body["model"], judge.target.endpoint
    return {
        "name": name,
        "endpoint": endpoint,
        "prompt": {"version": judge.prompt.version, "sha256": judge.prompt.sha256},
        "repeats": judge.repeats,
        "is_the_model": (name, endpoint) == (model.body["model"], model.endpoint),
        "passes_from": PASS,
    }
