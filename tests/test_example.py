"""The worked example: all seven suites asked of the small real model, shipped with its record,
readings and scores."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.scoring_inputs import ROOT

from benchmark.archive import verify
from benchmark.demo import local_model
from benchmark.questions import suites

EXAMPLE = ROOT / "examples" / f"2026-Q4.{local_model.NAME}"
AGAIN = "docs/suites.md says how it is made again from its record"


def read(name: str) -> Any:
    return json.loads((EXAMPLE / name).read_text("utf-8"))


def test_it_proves_itself() -> None:
    """By the rules of this checkout: a rule that moved one of its verdicts is found here."""
    pytest.importorskip("rapidfuzz")
    assert list(verify.verify(EXAMPLE)) == [], AGAIN


def test_it_was_asked_the_questions_that_are_shipped() -> None:
    """All seven suites, every question once; a suite that was edited since needs a run of its
    own."""
    shipped = {suite.set: suite.sha256 for suite in suites.load_all(ROOT / "questions" / "suites")}
    asked = read("manifest.json")["questions"]
    assert {name: about["sha256"] for name, about in asked.items()} == shipped
    lines = [
        json.loads(line)["id"]
        for path in EXAMPLE.glob("raw-*.jsonl")
        for line in path.read_text().splitlines()
    ]
    assert Counter(lines) == Counter(
        q.id for s in suites.load_all(ROOT / "questions" / "suites") for q in s.questions
    )
    assert len(lines) == 105


def test_it_says_who_judged_and_how_far_that_is_to_be_trusted() -> None:
    """The model itself, whose calibration stands beside its grades, and what a reader made of the
    same answers."""
    results = read("results.json")
    assert results["judge"]["is_the_model"] is True
    assert results["judge_check"]["judge"] == local_model.NAME
    assert results["status"] == "final"
    assert results["judging"]["agreement"]["of"] > 0


def test_the_docs_tell_its_scores_as_they_are() -> None:
    """docs/suites.md, "The worked example": the rows of its table, and how far judge and reader
    agree."""
    docs = (
        (ROOT / "docs" / "suites.md")
        .read_text("utf-8")
        .partition("## The worked example")[2]
        .partition("\n## ")[0]
    )
    totals = {
        r["measure"]: r for r in read("results.json")["totals"] if r["site"] == r["language"] == ""
    }
    rows = re.findall(
        r"^\| (\w+) \| (\d+)/(\d+)(?: \((\d+)/\d+\))? \| (\d+)–(\d+)% \|$", docs, re.MULTILINE
    )
    assert [row[0] for row in rows] == ["complete", "exact_match", "fuzzy_match", "llm_judge"]
    for name, *figures in rows:
        row, (low, high) = totals[name], totals[name]["interval"]
        mechanical = row["mechanical"] if row["mechanical"] != row["reviewed"] else ""
        counted = (row["reviewed"], row["of"], mechanical, round(100 * low), round(100 * high))
        assert figures == [str(figure) for figure in counted]
    table = read("results.json")["judging"]["agreement"]["table"]
    passed, failed = table["both"] + table["judge_only"], table["person_only"] + table["neither"]
    told = (
        f"passed {passed} answers",
        f"found {table['judge_only']} of them",
        f"{table['person_only']} of the {failed}",
    )
    assert all(words in docs for words in told)


def test_the_reviews_are_of_these_answers() -> None:
    """None is stale, and each says that a language model read."""
    entries = read(f"reviews/reviews-2026-Q4.{local_model.NAME}.json")["reviews"]
    assert read("results.json")["counts"]["stale"] == 0
    assert all("language model" in entry["reviewer"] for entry in entries.values())


def test_no_file_of_it_names_a_path_of_the_machine() -> None:
    data = [path.read_bytes() for path in EXAMPLE.rglob("*") if path.is_file()]
    assert not any(b"/tmp/" in each or b"/root/" in each for each in data)
    assert Path(EXAMPLE / "index.html").stat().st_size
