"""The golden cases: small inputs with the right verdicts, as the project was given them, and its
edges beside them.

A case is a question without its id and a response; `expect` holds every measure that applies, or
what a suite's answer and a judge's reply come to."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.scoring_inputs import Json, judged, line, question_file, raw_file, score

from benchmark.archive import rescore_suite
from benchmark.asking import rules
from benchmark.scoring.judge_reply import judge_score
from benchmark.scoring.thought import without_thought

ROOT = Path(__file__).parents[1]
MEASURES = ("delivered", "facts", "cited", "language", "declined")
COUNTS = {"answers": 110, "answers-edges": 254, "suites": 43, "suites-edges": 134}


def cases(name: str) -> list[Json]:
    text = (rules.GOLDEN / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(each) for each in text.split("\n") if each]


def named(*files: str) -> list[Any]:
    every = [case for name in files for case in cases(name)]
    return [pytest.param(case, id=f"{case['case']} {case['about']}") for case in every]


def asked(case: Json) -> Json:
    return {**case["question"], "id": case["case"]}


def answered(case: Json) -> Json:
    """A body that is a text stands for its bytes: a surrogate in it is a byte that is no UTF-8."""
    body = case["response"]["body"]
    octets = body.encode("utf-8", "surrogateescape") if isinstance(body, str) else body
    page = rules.PAGE.format(**case["question"])
    return line(case["case"], octets, case["response"]["status"], page=page)


@pytest.mark.parametrize("case", named("answers", "answers-edges"))
def test_an_answer_comes_out_as_written(case: Json) -> None:
    """Every measure that applies, with a reason and places; the others have no value."""
    verdict = judged(asked(case), answered(case))
    assert {m.name: m.value for m in verdict.measures if m.value is not None} == case["expect"]
    assert all(m.reason for m in verdict.measures)
    spans = [span for m in verdict.measures for span in m.spans]
    assert all(0 <= span.start < span.end <= len(verdict.answer) for span in spans)


@pytest.mark.parametrize("case", named("suites", "suites-edges"))
def test_a_suites_answer_comes_out_as_written(case: Json) -> None:
    """Scores agree to one decimal, as the cases are written; everything else exactly."""
    found = rules.graded(case)
    if isinstance(score := found.get("score"), float):
        found["score"] = round(score, 1)
    if isinstance(case["expect"].get("judge_error"), bool):
        found["judge_error"] = bool(found["judge_error"])
    assert {key: found[key] for key in case["expect"]} == case["expect"]


@pytest.mark.parametrize("name", ["answers", "answers-edges"])
def test_cases_through_the_command(name: str, tmp_path: Path) -> None:
    """`score` gives the same verdicts, in the file's order, and null where a measure does not
    apply."""
    given = cases(name)
    questions = question_file(tmp_path / "questions.json", list(map(asked, given)))
    raw = raw_file(tmp_path / "raw.jsonl", list(map(answered, given)))
    done = score(questions, raw, "--json", "-")
    assert (done.returncode, done.stderr) == (0, "")
    scored = json.loads(done.stdout)["questions"]
    assert [one["id"] for one in scored] == [case["case"] for case in given]
    found = [
        {name: measure and measure["mechanical"] for name, measure in one["measures"].items()}
        for one in scored
    ]
    assert found == [{**dict.fromkeys(MEASURES), **case["expect"]} for case in given]


@pytest.mark.parametrize("name", COUNTS)
def test_no_case_is_lost(name: str) -> None:
    """As many cases as there were, each with its own number."""
    numbers = [case["case"] for case in cases(name)]
    assert (len(numbers), len(set(numbers))) == (COUNTS[name], COUNTS[name])


def test_cases_fail_as_well_as_pass() -> None:
    """The cases hold both outcomes of every measure, so that none of them is tested from one side
    alone."""
    expected = [case["expect"] for name in ("answers", "answers-edges") for case in cases(name)]
    seen = {(measure, value) for one in expected for measure, value in one.items()}
    assert seen == {(measure, value) for measure in MEASURES for value in (True, False)}


# `score-suite` ------------------------------------------------------------------------------------


def score_suite(folder: Path, suite: Path) -> subprocess.CompletedProcess[str]:
    """`score-suite` on `responses.jsonl` of a folder, in next to no environment."""
    command = ["score-suite", str(suite), "responses.jsonl", "--json", "out.json"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    return subprocess.run(
        [sys.executable, "-m", "benchmark", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment,
    )


def test_the_command_gives_the_same_offline(tmp_path: Path) -> None:
    """Contract keys, unrounded scores, null for an exact match."""
    every = [case for name in ("suites", "suites-edges") for case in cases(name)]
    given = [
        case
        for case in every
        if case.get("question", {}).get("reference_answer") and isinstance(case["response"], str)
    ]
    questions = [{**asked(case), "metadata": {}} for case in given]
    head = {"id": "cases", "name": "Cases", "category": "", "description": ""}
    (tmp_path / "suite.json").write_text(json.dumps(head | {"questions": questions}))
    lines = [
        {"id": case["case"]} | {k: case[k] for k in ("response", "judge_output") if k in case}
        for case in given
    ]
    raw_file(tmp_path / "responses.jsonl", lines)
    assert score_suite(tmp_path, tmp_path / "suite.json").returncode == 0
    scored = json.loads((tmp_path / "out.json").read_text())["questions"]
    assert [one["id"] for one in scored] == [case["case"] for case in given]
    for case, one in zip(given, scored, strict=True):
        assert {"id", "score", "pass", "numbers_missing", "truncated", "judge_error"} <= one.keys()
        assert one["pass"] == case["expect"].get("pass", one["pass"])
        assert one["score"] is None or case["question"]["scoring"] != "exact_match"


LINE = '{"id": "q-001", "response": "x"}'
FOREIGN = {
    "unknown question": ('{"id": "nobody", "response": "x"}', "'nobody'"),
    "no response": ('{"id": "q-001"}', "response: missing"),
    "no text": ('{"id": "q-001", "response": 5}', "response: got 5"),
    "no JSON": ("prose", "got 'prose'"),
    "twice": (f"{LINE}\n\n{LINE}", "line 3: id: q-001 stands on line 1 too"),
}


@pytest.mark.parametrize("lines, said", FOREIGN.values(), ids=FOREIGN)
def test_foreign_response_lines_are_refused(lines: str, said: str, tmp_path: Path) -> None:
    """A line without a question, or that is none: exit 4, and nothing is written."""
    (tmp_path / "responses.jsonl").write_text(lines)
    done = score_suite(tmp_path, ROOT / "questions" / "suites" / "arabic-comprehension.json")
    assert (done.returncode, said in done.stderr) == (4, True), done.stderr
    assert not (tmp_path / "out.json").exists()


def test_a_reason_is_told_whole_and_safe_for_a_terminal() -> None:
    scored = {"questions": [{"id": "q-001", "pass": False, "reason": "x" * 200 + "\x1b[2J"}]}
    assert rescore_suite.as_text(scored) == f"q-001  fail  {'x' * 200}\\x1b[2J\n"


MANY = 30_000
ENDLESS = [
    *("score" + " " * MANY + "x", "score" + "*" * MANY, "<a" * MANY, "</think" + " " * MANY),
    "score: 1,0 " * MANY,
]


@pytest.mark.parametrize("text", ENDLESS, ids=lambda text: text[:12])
def test_a_judge_that_goes_on_for_ever_is_read_in_time(text: str) -> None:
    """White space without an end is how a model's JSON goes wrong."""
    started = time.process_time()
    assert judge_score(text) is None
    assert without_thought(text) == (text, False)
    assert time.process_time() - started < 1


def test_thought_that_never_closes_leaves_nothing() -> None:
    assert without_thought("Yes.</think> No. <think>Yes") == ("", True)
