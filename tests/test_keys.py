"""The keys of the site questions against answers as people write them.

`questions/answers-{set}.json` holds right ones, which pass, and wrong or incomplete ones, which
fail."""

from __future__ import annotations

import json

import pytest
from support.scoring_inputs import ROOT

from benchmark.core.records import ANSWERABLE, Reply, SiteQuestion
from benchmark.questions import decline, sites
from benchmark.scoring.site_measures import site_rules
from benchmark.text.appears import Haystack

FOLDER = ROOT / "questions"
SETS = ("biz", "med")
ANSWERS: dict[str, dict[str, list[str]]] = {
    name: answers
    for stem in SETS
    for name, answers in json.loads((FOLDER / f"answers-{stem}.json").read_text("utf-8")).items()
}
QUESTIONS = {
    q.id: q for stem in SETS for q in sites.load(FOLDER / f"questions-{stem}.json").questions
}
LISTS = decline.load(FOLDER / "decline.json")
RULES = {rule.name: rule for rule in site_rules(LISTS.phrases(LISTS.latest))}


def passes(question: SiteQuestion, answer: str) -> bool:
    rule = RULES["facts" if question.kind == ANSWERABLE else "declined"]
    reply = Reply(200, answer, None, (), None, "", "")
    return rule.measure(question, reply, Haystack(answer)).value is True


def test_every_question_has_answers() -> None:
    assert set(ANSWERS) == set(QUESTIONS)
    for name, answers in ANSWERS.items():
        assert set(answers) == {"right", "wrong"}, name
        right, wrong = (set(answers[kind]) for kind in ("right", "wrong"))
        assert len(right) >= 4, name
        assert len(wrong) >= 2, name
        assert not right & wrong, name


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_right_answers_pass_and_wrong_ones_fail(name: str) -> None:
    question, answers = QUESTIONS[name], ANSWERS[name]
    assert [text for text in answers["right"] if not passes(question, text)] == []
    assert [text for text in answers["wrong"] if passes(question, text)] == []
