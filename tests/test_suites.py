"""The suites: their form, what they must hold, and every fault of a suite file."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from benchmark.core.errors import InvalidInput
from benchmark.core.records import EXACT, FUZZY, JUDGE, QuestionSet
from benchmark.questions import suites
from benchmark.results import calibration
from benchmark.scoring.matching import PASS, fuzzy, score
from benchmark.text.appears import Haystack

ROOT = Path(__file__).parent.parent
SUITES = {suite.set: suite for suite in suites.load_all(ROOT / "questions" / "suites")}
METHODS = {
    "arabic-comprehension": {FUZZY},
    "arabic-grounded-answering": {FUZZY, EXACT, JUDGE},
    "arabic-pii-detection": {FUZZY},
    "arabic-safety-refusal": {JUDGE},
    "arabic-translation": {JUDGE},
    "gcc-government-knowledge": {JUDGE},
    "government-service-qa": {JUDGE},
}
EACH = pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)


def test_there_are_seven_suites_of_fifteen() -> None:
    """105 questions in all, each suite scored as it says."""
    assert {name: {q.scoring for q in suite.questions} for name, suite in SUITES.items()} == METHODS
    assert {len(suite.questions) for suite in SUITES.values()} == {15}


@EACH
def test_every_question_says_where_it_is_from(suite: QuestionSet) -> None:
    """Difficulty, topic, country and source stand with every question; a date where the fact can
    change."""
    for question in suite.questions:
        assert {"difficulty", "topic", "country", "source"} <= question.metadata.keys(), question.id
        assert question.metadata["difficulty"] in ("easy", "medium", "hard"), question.id
        source = str(question.metadata["source"])
        assert source.startswith("http") or source in ("composed", "synthetic"), question.id
    if suite.set == "government-service-qa":
        assert all("as_of" in question.metadata for question in suite.questions)


@EACH
def test_a_reference_passes_against_itself(suite: QuestionSet) -> None:
    """A reference that its own rule would fail is no reference."""
    for question in suite.questions:
        reference = question.reference_answer
        assert fuzzy(reference, reference) == 100
        assert score(question, reference, ('{"score": 100}',)).passed, question.id


@EACH
def test_an_unrelated_answer_does_not_pass(suite: QuestionSet) -> None:
    """Nor does the reference of another question, unless it is the same answer ("not stated")."""
    for question, other in itertools.permutations(suite.questions, 2):
        if question.reference_answer != other.reference_answer:
            near = fuzzy(question.reference_answer, other.reference_answer) >= PASS
            answer = Haystack(other.reference_answer)
            assert not near or not all(map(answer.find_any, question.required)), question.id
    for question in suite.questions:
        assert not score(question, "الطقس جميل اليوم والسماء صافية", ('{"score": 0}',)).passed, (
            question.id
        )


def test_a_third_of_the_grounded_questions_has_no_answer_in_its_text() -> None:
    """Five of fifteen are answered by "not stated", four are summaries."""
    questions = SUITES["arabic-grounded-answering"].questions
    assert sum(q.scoring == EXACT for q in questions) == 5
    assert {q.reference_answer for q in questions if q.scoring == EXACT} == {"غير مذكور في النص"}
    assert sum(q.scoring == JUDGE for q in questions) == 4


def test_the_safety_suite_refuses_answers_and_withstands() -> None:
    """Eight to refuse, five look-alikes to answer, two injections to withstand."""
    topics = [
        str(q.metadata["topic"]).partition("_")[0]
        for q in SUITES["arabic-safety-refusal"].questions
    ]
    assert {topic: topics.count(topic) for topic in topics} == {
        "refuse": 8,
        "answer": 5,
        "injection": 2,
    }


def test_translation_goes_both_ways() -> None:
    """From English into Arabic and back."""
    languages = [q.language for q in SUITES["arabic-translation"].questions]
    assert languages.count("ar") >= 7 or languages.count("en") >= 7
    directions = [
        any("a" <= c.lower() <= "z" for c in q.reference_answer[:40])
        for q in SUITES["arabic-translation"].questions
    ]
    assert 7 <= sum(directions) <= 8


def test_personal_data_must_be_found_to_the_digit() -> None:
    """One wrong digit of an identifier fails, though the text is nearly the same."""
    for question in SUITES["arabic-pii-detection"].questions:
        digits = [c for group in question.required for c in group[0] if c.isdigit()]
        if digits:
            wrong = question.reference_answer.replace(digits[0], str((int(digits[0]) + 1) % 10))
            assert not score(question, wrong).passed, question.id


def test_the_calibration_set_is_whole() -> None:
    """40 labelled rows in two languages, half right, with every trap that a judge may fall for."""
    rows = calibration.load(ROOT / "questions" / "judge-check.jsonl")
    assert len(rows) == 40
    assert {row.label: sum(r.label == row.label for r in rows) for row in rows} == {
        "right": 20,
        "wrong": 20,
    }
    assert {"padded", "injected", "fluent_wrong", "terse_right"} <= {row.trait for row in rows}
    assert {row.language for row in rows} == {"ar", "en"}


# Faults of a suite file ---------------------------------------------------------------------------

GOOD: dict[str, Any] = {
    "id": "made",
    "name": "Made",
    "category": "Language",
    "description": "For a test.",
    "questions": [
        {
            "id": "q-001",
            "question": "ما العاصمة؟",
            "reference_answer": "الرياض",
            "scoring": "exact_match",
            "metadata": {"difficulty": "easy", "topic": "capital"},
        }
    ],
}


def _load(value: Any, folder: Path) -> QuestionSet:
    path = folder / "made.json"
    path.write_text(json.dumps(value))
    return suites.load(path)


def test_a_file_of_the_published_form_loads_as_it_is(tmp_path: Path) -> None:
    """Ids become unique over suites; the suite's own id stays what its file says."""
    suite = _load(GOOD, tmp_path)
    assert (suite.set, suite.questions[0].id, suites.local_id(suite.questions[0])) == (
        "made",
        "made-q-001",
        "q-001",
    )


def _with(**changed: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda good: {**good, "questions": [{**good["questions"][0], **changed}]}


Change = Callable[[dict[str, Any]], Any]
BAD: dict[str, Change] = {
    "scoring": _with(scoring="fuzzy"),
    "empty reference": _with(reference_answer=" "),
    "type": _with(question=5),
    "metadata": _with(metadata=[]),
    "required": _with(required=[[]]),
    "unknown": _with(answer="x"),
    "twice": lambda good: {**good, "questions": good["questions"] * 2},
    "none": lambda good: {**good, "questions": []},
    "no object": lambda good: {**good, "questions": ["?"]},
    "name": lambda good: {key: good[key] for key in good if key != "name"},
    "list": lambda good: [],
}


@pytest.mark.parametrize("change", BAD.values(), ids=BAD)
def test_a_fault_names_place_given_and_accepted(
    change: Change, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """File, id, field, what was given, what is accepted."""
    with pytest.raises(InvalidInput) as fault:
        _load(change(GOOD), tmp_path)
    assert [each.removeprefix(f"{tmp_path}/made.json: ") for each in fault.value.faults] == snapshot


def test_all_faults_come_at_once(tmp_path: Path) -> None:
    """Two wrong questions and a missing name: three faults in one error."""
    bad = {**GOOD, "questions": [{**GOOD["questions"][0], "scoring": "x"}, {"id": "q-002"}]}
    del bad["name"]
    with pytest.raises(InvalidInput) as fault:
        _load(bad, tmp_path)
    assert len(fault.value.faults) == 5


def test_unknown_suites_are_named(tmp_path: Path) -> None:
    """`--suites` lists what there is."""
    with pytest.raises(InvalidInput, match="expected all, or some of .*arabic-comprehension"):
        suites.load_all(ROOT / "questions" / "suites", ("arabic-poetry",))
