"""Every case of Track B comes out as written: given verdicts, and further ones derived from the
rubric's words."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from benchmark.archive import rescore_suite
from benchmark.core.records import ANSWERABLE, SuiteQuestion
from benchmark.scoring.judge_reply import judge_score
from benchmark.scoring.matching import score
from benchmark.scoring.thought import without_thought

CASES = Path(__file__).parents[1] / "benchmark" / "scoring" / "golden"


def _cases() -> list[Any]:
    lines = [
        line
        for name in ("suites", "suites-edges")
        for line in (CASES / f"{name}.jsonl").read_text().splitlines()
    ]
    return [
        pytest.param(case, id=f"{case['case']} {case['about']}") for case in map(json.loads, lines)
    ]


def _question(case: dict[str, Any]) -> SuiteQuestion:
    given = case["question"]
    required = tuple(tuple(group) for group in given.get("required", ()))
    return SuiteQuestion(
        "q",
        "s",
        "ar",
        ANSWERABLE,
        given["question"],
        reference_answer=given["reference_answer"],
        scoring=given["scoring"],
        required=required,
    )


@pytest.mark.parametrize("case", _cases())
def test_a_case_comes_out_as_written(case: dict[str, Any]) -> None:
    """Scores agree to one decimal, as the cases are written; everything else exactly."""
    if "question" not in case:
        assert judge_score(case["judge_output"]) == case["expect"]["score"]
        return
    found = score(
        _question(case), case["response"], (case["judge_output"],) if "judge_output" in case else ()
    )
    values = {
        "pass": found.passed,
        "score": None if found.score is None else round(found.score, 1),
        "numbers_missing": list(found.numbers_missing),
        "truncated": found.truncated,
        "judge_error": found.judge_error,
    }
    for key, expected in case["expect"].items():
        assert values[key] == expected or (
            key == "judge_error" and bool(values[key]) == bool(expected)
        ), (key, found)


def test_the_command_gives_the_same_offline(tmp_path: Path) -> None:
    """`score-suite` on a suite made of the cases: contract keys, unrounded scores, null for an
    exact match."""
    cases = [
        case
        for param in _cases()
        if (case := param.values[0]).get("question", {}).get("reference_answer")
    ]
    questions = [{"id": case["case"], **case["question"], "metadata": {}} for case in cases]
    suite = {
        "id": "cases",
        "name": "Cases",
        "category": "",
        "description": "",
        "questions": questions,
    }
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    given = [
        {"id": case["case"], "response": case["response"]}
        | ({"judge_output": case["judge_output"]} if "judge_output" in case else {})
        for case in cases
    ]
    (tmp_path / "responses.jsonl").write_text("".join(json.dumps(line) + "\n" for line in given))
    command = [
        sys.executable,
        "-m",
        "benchmark",
        "score-suite",
        "suite.json",
        "responses.jsonl",
        "--json",
        "out.json",
    ]
    root = Path(__file__).parent.parent
    subprocess.run(command, cwd=tmp_path, check=True, env={"PYTHONPATH": str(root), "PATH": ""})
    scored = json.loads((tmp_path / "out.json").read_text())["questions"]
    assert [line["id"] for line in scored] == [case["case"] for case in cases]
    for case, line in zip(cases, scored, strict=True):
        assert {"id", "score", "pass", "numbers_missing", "truncated", "judge_error"} <= line.keys()
        assert line["pass"] == case["expect"].get("pass", line["pass"])
        assert line["score"] is None or case["question"]["scoring"] != "exact_match"


@pytest.mark.parametrize(
    "lines, said",
    [
        ('{"id": "nobody", "response": "x"}', "'nobody'"),
        ('{"id": "q-001"}', "response: missing"),
        ('{"id": "q-001", "response": 5}', "response: got 5"),
        ("prose", "got 'prose'"),
        (
            '{"id": "q-001", "response": "x"}\n\n{"id": "q-001", "response": "y"}',
            "line 3: id: q-001 stands on line 1 too",
        ),
    ],
    ids=["unknown question", "no response", "no text", "no JSON", "twice"],
)
def test_foreign_response_lines_are_refused(lines: str, said: str, tmp_path: Path) -> None:
    """A line without a question, or that is none, is invalid input: exit 4, and nothing is
    written."""
    suite = Path(__file__).parent.parent / "questions" / "suites" / "arabic-comprehension.json"
    (tmp_path / "responses.jsonl").write_text(lines)
    command = [
        sys.executable,
        "-m",
        "benchmark",
        "score-suite",
        str(suite),
        "responses.jsonl",
        "--json",
        "out.json",
    ]
    env = {"PYTHONPATH": str(Path(__file__).parent.parent), "PATH": ""}
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env=env, check=False
    )
    assert (done.returncode, said in done.stderr) == (4, True), done.stderr
    assert not (tmp_path / "out.json").exists()


def test_a_reason_is_told_whole_and_safe_for_a_terminal() -> None:
    scored = {"questions": [{"id": "q-001", "pass": False, "reason": "x" * 200 + "\x1b[2J"}]}
    assert rescore_suite.as_text(scored) == f"q-001  fail  {'x' * 200}\\x1b[2J\n"


MANY = 30_000
ENDLESS = [
    "score" + " " * MANY + "x",
    "score" + "*" * MANY,
    "<a" * MANY,
    "</think" + " " * MANY,
    "score: 1,0 " * MANY,
]


@pytest.mark.parametrize("text", ENDLESS, ids=lambda text: text[:12])
def test_a_judge_that_goes_on_for_ever_is_read_in_time(text: str) -> None:
    """White space without an end is how a model's JSON goes wrong."""
    started = time.process_time()
    assert judge_score(text) is None
    assert without_thought(text) == (text, False)
    assert time.process_time() - started < 1
