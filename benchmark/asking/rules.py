"""The rules of a score, identified by what they decide and not by the text of their source.

`VERSION` is raised with every change that moves a verdict. The digest is of the verdicts on the
golden cases of `scoring/golden/`, so that a change which nobody announced is found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from benchmark.asking import record_file
from benchmark.asking.models import PLACES
from benchmark.core.files import sha256
from benchmark.core.provenance import UsedRules
from benchmark.core.records import (
    ANSWERABLE,
    Places,
    Record,
    SiteQuestion,
    SuiteQuestion,
    Verdict,
    from_plain,
)
from benchmark.questions import decline
from benchmark.scoring.judge_reply import judge_score
from benchmark.scoring.matching import score
from benchmark.scoring.rules import Rules
from benchmark.scoring.site_measures import site_rules
from benchmark.scoring.suite_measures import SUITE_RULES
from benchmark.scoring.verdicts import verdict

VERSION = "2026-12-01"
GOLDEN = Path(__file__).resolve().parents[1] / "scoring" / "golden"
Case = dict[str, Any]


def about(track: str) -> UsedRules:
    """The rules of a track (`Question.track`) as a manifest names them."""
    return UsedRules(VERSION, digest(track))


@cache
def digest(track: str) -> str:
    """SHA-256 of the verdicts on a track's golden cases. A suite's need rapidfuzz (ImportError)."""
    verdicts = {case["case"]: _VERDICT[track](case) for case in cases(track)}
    return sha256(json.dumps(verdicts, sort_keys=True).encode())


def cases(track: str) -> Iterator[Case]:
    for path in sorted(GOLDEN.glob(f"{_FILES[track]}*.jsonl")):
        yield from map(json.loads, filter(None, path.read_text("utf-8").split("\n")))


def measured(case: Case) -> dict[str, bool | None]:
    """Every measure's value of a site's answer."""
    question = from_plain(SiteQuestion, {"id": case["case"], "set": "", **case["question"]})
    return _values(verdict(_rules(), Places(), question, record_of(case)))


def _values(result: Verdict) -> dict[str, bool | None]:
    return {measure.name: measure.value for measure in result.measures}


def record_of(case: Case) -> Record:
    """The record of a case's response; a body that is a text stands for its bytes."""
    body, status = case["response"]["body"], case["response"]["status"]
    text = body if isinstance(body, str) else json.dumps(body)
    line = {"id": case["case"], "status": status, "page": PAGE.format(**_ASKED | case["question"])}
    return record_file.record_of(line | record_file.kept(text.encode("utf-8", "surrogateescape")))


def graded(case: Case) -> dict[str, Any]:
    """What a suite's response, or a judge's reply alone, comes to; scores to six decimals."""
    if "question" not in case:
        return {"score": judge_score(case["judge_output"])}
    question = from_plain(SuiteQuestion, _ASKED | case["question"])
    if isinstance(case["response"], dict):  # a model's whole response, and not its text
        return dict(_values(verdict(SUITE_RULES, PLACES, question, record_of(case))))
    judged = [case["judge_output"]] if "judge_output" in case else []
    result = score(question, case["response"], judged)
    return {
        "pass": result.passed,
        "score": None if result.score is None else round(result.score, 6),
        "numbers_missing": list(result.numbers_missing),
        "truncated": result.truncated,
        "judge_error": result.judge_error,
    }


@cache
def _rules() -> Rules:
    lists = decline.load(GOLDEN / "decline.json")
    return site_rules(lists.phrases(lists.latest))


PAGE = "https://med.slatech.ai/demo/clinic/{language}/"
_ASKED = {"id": "", "set": "", "language": "ar", "kind": ANSWERABLE}
_FILES = {SiteQuestion.track: "answers", SuiteQuestion.track: "suites"}
_VERDICT = {SiteQuestion.track: measured, SuiteQuestion.track: graded}
