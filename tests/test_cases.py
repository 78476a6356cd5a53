"""The rubric's cases: small inputs with the right verdicts, as the project was given them, and its
edges beside them.

A case is a question without its id and a response; `expect` holds every measure that applies. A
body that is a text stands for its bytes: a surrogate in it is a byte that is no UTF-8."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.scoring_inputs import Json, judged, line, question_file, raw_file, score

CASES = Path(__file__).parents[1] / "benchmark" / "scoring" / "golden"
FILES = ("answers.jsonl", "answers-edges.jsonl")
MEASURES = ("delivered", "facts", "cited", "language", "declined")
COUNTS = {"answers.jsonl": 110, "answers-edges.jsonl": 236}


def cases(name: str) -> list[Json]:
    return [json.loads(text) for text in (CASES / name).read_text("utf-8").split("\n") if text]


ALL = [
    pytest.param(case, id=f"{case['case']} {case['about']}")
    for name in FILES
    for case in cases(name)
]


def asked(case: Json) -> Json:
    return {**case["question"], "id": case["case"]}


def answered(case: Json) -> Json:
    body = case["response"]["body"]
    octets = body.encode("utf-8", "surrogateescape") if isinstance(body, str) else body
    page = f"https://med.slatech.ai/demo/clinic/{case['question']['language']}/"
    return line(case["case"], octets, case["response"]["status"], page=page)


@pytest.mark.parametrize("case", ALL)
def test_case(case: Json) -> None:
    """Every measure that applies comes out as the case says, with a reason; the others have no
    value."""
    verdict = judged(asked(case), answered(case))
    assert {m.name: m.value for m in verdict.measures if m.value is not None} == case["expect"]
    assert all(m.reason for m in verdict.measures)
    assert all(
        0 <= span.start < span.end <= len(verdict.answer)
        for m in verdict.measures
        for span in m.spans
    )


@pytest.mark.parametrize("name", FILES)
def test_cases_through_the_command(name: str, tmp_path: Path) -> None:
    """`score` gives the same verdicts, in the file's order, and null where a measure does not
    apply."""
    given = cases(name)
    questions = question_file(tmp_path / "questions.json", [asked(case) for case in given])
    done = score(
        questions,
        raw_file(tmp_path / "raw.jsonl", [answered(case) for case in given]),
        "--json",
        "-",
    )
    assert (done.returncode, done.stderr) == (0, "")
    scored = json.loads(done.stdout)["questions"]
    assert [one["id"] for one in scored] == [case["case"] for case in given]
    found = [
        {name: measure and measure["mechanical"] for name, measure in one["measures"].items()}
        for one in scored
    ]
    assert found == list(map(_with_null, given))


def _with_null(case: Json) -> dict[str, Any]:
    return {**dict.fromkeys(MEASURES), **case["expect"]}


@pytest.mark.parametrize("name", FILES)
def test_no_case_is_lost(name: str) -> None:
    """As many cases as there were, each with its own number."""
    numbers = [case["case"] for case in cases(name)]
    assert (len(numbers), len(set(numbers))) == (COUNTS[name], COUNTS[name])


def test_cases_fail_as_well_as_pass() -> None:
    """The cases hold both outcomes of every measure, so that none of them is tested from one side
    alone."""
    expected = [case["expect"] for name in FILES for case in cases(name)]
    seen = {(measure, value) for one in expected for measure, value in one.items()}
    assert seen == {(measure, value) for measure in MEASURES for value in (True, False)}
