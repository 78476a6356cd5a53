"""`python -m benchmark score-suite`: recorded responses of a suite to scores, offline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark.core import validation
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_json_lines
from benchmark.core.messages import printable
from benchmark.core.reasons import Reason
from benchmark.core.records import SuiteQuestion
from benchmark.questions import suites
from benchmark.scoring.matching import Scored, score

_FIELDS: dict[str, validation.Check] = {
    "id": validation.ID,
    "response": validation.ANY_TEXT,
    "judge_output": validation.ANY_TEXT,
}
_LINE = validation.Object(_FIELDS, optional=("judge_output",))


def score_suite(suite_file: Path, response_file: Path) -> dict[str, Any]:
    """Each question's score, in the suite's order. InvalidInput lists the faults of both files."""
    suite, lines = suites.load(suite_file), read_json_lines(response_file)
    known = {suites.local_id(q): q for q in suite.questions}
    if faults := [f"{response_file}: {fault}" for fault in _faults(lines, known)]:
        hint = 'A line is {"id", "response"} and, where a judge was asked, "judge_output".'
        raise InvalidInput(faults, hint)
    by_id = {line["id"]: line for _, line in lines}
    return {"questions": [_scored(name, q, by_id.get(name)) for name, q in known.items()]}


def _faults(lines: list[tuple[int, Any]], known: dict[str, SuiteQuestion]) -> Iterator[str]:
    yield from validation.faults_of_lines(lines, _LINE)
    for number, line in lines:
        if isinstance(line, dict) and isinstance(line.get("id"), str) and line["id"] not in known:
            expected = "the id of a question of the suite"
            yield f"line {number}: id: {validation.got(line['id'], expected)}"


def _scored(name: str, question: SuiteQuestion, line: dict[str, Any] | None) -> dict[str, Any]:
    """One question; not asked where there is no line, and then it has neither score nor pass."""
    scored = Scored(None, None, (Reason("not_asked"),))
    if line is not None:
        judged = (line["judge_output"],) if "judge_output" in line else ()
        scored = score(question, line["response"], judged)
    return {
        "id": name,
        "score": scored.score,
        "pass": scored.passed,
        "numbers_missing": list(scored.numbers_missing),
        "truncated": scored.truncated,
        "judge_error": scored.judge_error,
        "reason": scored.reason,
        "asked": line is not None,
    }


def as_text(scored: dict[str, Any]) -> str:
    """A line a question, for a terminal."""
    words = {True: "pass", False: "fail", None: "none"}
    lines = (f"{q['id']}  {words[q['pass']]}  {q['reason']}" for q in scored["questions"])
    return "".join(printable(line) + "\n" for line in lines)
