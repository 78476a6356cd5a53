"""What the two tracks do differently, behind one face: the requests of a question, and its verdict.

All else (record, replay, manifest, reviews, results, reports) is one pipeline that knows `Track`
alone. A record's id is the question's, with `~2` for the second time of asking it, and `~1j1t1` for
a judge's reply to the first answer: first judging, first try.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from benchmark.asking import targets
from benchmark.asking.models import PLACES
from benchmark.asking.targets import Prepared, Target
from benchmark.core.provenance import AskedModel, ScoredWith, UsedDecline, UsedJudge, UsedPrompt
from benchmark.core.records import JUDGE, Places, Question, Record, Review, Verdict
from benchmark.core.records import SuiteQuestion as Asked
from benchmark.questions.decline import DeclineLists
from benchmark.questions.judge_prompt import Prompt, graded, messages
from benchmark.results.rates import declining
from benchmark.scoring import reply as replies
from benchmark.scoring.judge_reply import first_grade
from benchmark.scoring.matching import PASS
from benchmark.scoring.rules import Rules
from benchmark.scoring.site_measures import site_rules
from benchmark.scoring.suite_measures import SUITE_RULES, is_truncated
from benchmark.scoring.thought import without_thought
from benchmark.scoring.verdicts import verdict

Records = Mapping[str, Record]
Send = Callable[[Target, Prepared], Record]
TRIES = 2  # of a judge's reply that has no score


class Track(Protocol):
    """What a run needs to know of its track."""

    @property
    def name(self) -> str:
        """As its questions have it (`Question.track`)."""
        ...

    @property
    def rules(self) -> Rules: ...

    @property
    def has_pages(self) -> bool: ...

    def about(self) -> ScoredWith:
        """What goes in the manifest and may change with a replay."""
        ...

    def pinned(self, quarter: str) -> str | None:
        """The date of the decline lists that a quarter is scored with, where it is fixed."""
        ...

    def answer_ids(self, question: Question) -> list[str]:
        """Record ids of the question's answers, however often it is asked."""
        ...

    def is_recorded(self, question: Question, records: Records) -> bool: ...

    def ask(self, question: Question, records: Records, send: Send, base: str) -> Iterator[Record]:
        """Send what is missing among `records`, in order; each record as it comes."""
        ...

    def verdict(
        self, question: Question, records: Records, review: Review | None = None
    ) -> Verdict: ...

    def declining(self, questions: Sequence[Question], records: Records) -> frozenset[str]:
        """Ids of the questions whose answers decline, whatever their kind."""
        ...


@dataclass(frozen=True)
class SiteTrack:
    """Track A: one request a question, scored by fixed rules."""

    target: Target
    decline: DeclineLists
    date: str
    name = "site"
    has_pages = True

    @cached_property
    def rules(self) -> Rules:
        return site_rules(self.decline.phrases(self.date))

    def about(self) -> ScoredWith:
        digests = self.decline.digests(self.date)
        used = UsedDecline(self.date, tuple(digests), self.decline.sha256, digests)
        return ScoredWith(decline=used)

    def pinned(self, quarter: str) -> str | None:
        return self.decline.pinned.get(quarter)

    def answer_ids(self, question: Question) -> list[str]:
        return [question.id]

    def is_recorded(self, question: Question, records: Records) -> bool:
        return question.id in records

    def ask(self, question: Question, records: Records, send: Send, base: str) -> Iterator[Record]:
        if question.id not in records:
            yield send(self.target, targets.prepare(self.target, question, base))

    def verdict(
        self, question: Question, records: Records, review: Review | None = None
    ) -> Verdict:
        record = records.get(question.id)
        return verdict(self.rules, self.target.places, question, record, review=review)

    def declining(self, questions: Sequence[Question], records: Records) -> frozenset[str]:
        read = [
            (q, replies.read(records[q.id], self.target.places))
            for q in questions
            if q.id in records
        ]
        return declining(self.decline.phrases(self.date), read)


@dataclass(frozen=True)
class Judge:
    """A model that grades, with its prompt; each answer is judged `repeats` times."""

    target: Target
    prompt: Prompt
    repeats: int = 1

    def prepare(self, name: str, question: Asked, answer: str) -> Prepared:
        """The request that asks for a grade of an answer."""
        chat = messages(self.prompt, question.question, question.reference_answer, answer)
        body = {**self.target.body, "messages": chat}
        return Prepared(name, "", self.target.endpoint, self.target.headers, body)


@dataclass(frozen=True)
class SuiteTrack:
    """Track B: a model's answers, each asked `repeats` times. No judge, no grade."""

    target: Target
    judge: Judge | None
    repeats: int = 1
    places: Places = PLACES
    name = "suite"
    has_pages = False
    rules: Rules = SUITE_RULES

    def about(self) -> ScoredWith:
        model = AskedModel(self.target.body["model"], self.target.endpoint)
        judge = about_judge(self.judge, model) if self.judge else None
        return ScoredWith(model=model, repeats=self.repeats, judge=judge)

    def pinned(self, quarter: str) -> str | None:
        return None

    def answer_ids(self, question: Question) -> list[str]:
        return [question.id, *(f"{question.id}~{n}" for n in range(2, self.repeats + 1))]

    def is_recorded(self, question: Question, records: Records) -> bool:
        return next(self._missing(question, records), None) is None

    def ask(self, question: Question, records: Records, send: Send, base: str) -> Iterator[Record]:
        known = dict(records)
        while step := next(self._missing(question, known), None):
            target, prepared = step
            known[prepared.id] = send(target, prepared)
            yield known[prepared.id]
            if target is not self.target and known[prepared.id].status != 200:
                return  # no judge is there: a later run asks it again, until then there is no grade

    def _missing(self, question: Question, records: Records) -> Iterator[tuple[Target, Prepared]]:
        """The requests that are still to be sent, the next one first."""
        for name in self.answer_ids(question):
            if name not in records:
                prepared = targets.prepare(self.target, question)
                yield self.target, dataclasses.replace(prepared, id=name)
        if self.judge and question.method == JUDGE:
            for name in self.answer_ids(question):
                yield from self._unjudged(self.judge, question, name, records)

    def _unjudged(
        self, judge: Judge, question: Any, name: str, records: Records
    ) -> Iterator[tuple[Target, Prepared]]:
        """The requests for the grades that an answer lacks; none where there is nothing to read."""
        answer = self._to_judge(records.get(name))
        for n in range(1, judge.repeats + 1) if answer else ():
            if first_grade(self._judged(name, n, answer, records)) is not None:
                continue
            for name_of_try in tries(name, n):
                if not is_reply_to(records.get(name_of_try), answer):
                    yield judge.target, judge.prepare(name_of_try, question, answer)

    def _to_judge(self, record: Record | None) -> str:
        """What a judge is to read; "" where nothing was delivered, or where it was cut off."""
        reply = replies.read(record, self.places) if record else None
        if reply is None or reply.answer is None or is_truncated(reply):
            return ""
        return without_thought(reply.answer)[0].strip()

    def _judged(self, name: str, n: int, answer: str, records: Records) -> list[str]:
        """What the judge said of an answer in its `n`-th judging, tries in order."""
        came = (records.get(each) for each in tries(name, n))
        return [judge_words(r, self.places) for r in came if r and is_reply_to(r, answer)]

    def verdict(
        self, question: Question, records: Records, review: Review | None = None
    ) -> Verdict:
        first, *others = self.answer_ids(question)
        result = self._one(question, first, records, review)
        again = tuple(
            self._one(question, name, records).reviewed for name in others if name in records
        )
        grades = self._grades(question, records)
        return dataclasses.replace(result, again=again, judge_scores=grades)

    def _one(
        self, question: Question, name: str, records: Records, review: Review | None = None
    ) -> Verdict:
        record = records.get(name)
        judged = self._judged(name, 1, self._to_judge(record), records)
        return verdict(self.rules, self.places, question, record, review=review, judged=judged)

    def _grades(self, question: Question, records: Records) -> tuple[float | None, ...]:
        """The grade of each judging of the first answer; None where it gave none."""
        answer = self._to_judge(records.get(question.id))
        judgings = range(1, _judgings(question, records) + 1)
        return tuple(first_grade(self._judged(question.id, n, answer, records)) for n in judgings)

    def declining(self, questions: Sequence[Question], records: Records) -> frozenset[str]:
        return frozenset()


def judge_words(record: Record, places: Places = PLACES) -> str:
    """A judge's reply; "", which has no grade, where none came or where it was cut off."""
    reply = replies.read(record, places)
    return "" if reply.answer is None or is_truncated(reply) else reply.answer


def _judgings(question: Question, records: Records) -> int:
    """How often the first answer was judged, by the record."""
    n = 0
    while any(name in records for name in tries(question.id, n + 1)):
        n += 1
    return n


def tries(answer: str, n: int = 1) -> list[str]:
    """Ids of the records of an answer's `n`-th judging, in order."""
    return [reply_name(answer, n, t) for t in range(1, TRIES + 1)]


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
    """Whether a judge's reply came, and was to this very answer: it may have been asked again."""
    if not record or not said or record.status != 200:
        return False
    return graded(str(record.request["json"]["messages"][-1]["content"])) == said


def about_judge(judge: Judge, model: AskedModel) -> UsedJudge:
    """The judge as the manifest names it; a model that judges itself is named as that."""
    name, endpoint = judge.target.body["model"], judge.target.endpoint
    return UsedJudge(
        name,
        endpoint,
        UsedPrompt(judge.prompt.version, judge.prompt.sha256),
        judge.repeats,
        is_the_model=AskedModel(name, endpoint) == model,
        passes_from=PASS,
    )
