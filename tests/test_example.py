"""The worked example: all seven suites asked of the small real model, shipped with its record, readings and scores."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from making import ROOT

from benchmark import local_model, suites, verifying

EXAMPLE = ROOT / "examples" / f"2026-Q4.{local_model.NAME}"
AGAIN = "docs/suites.md says how it is made again from its record"


def read(name: str) -> Any:
    return json.loads((EXAMPLE / name).read_text("utf-8"))


def test_it_proves_itself() -> None:
    """By the rules of this checkout: a rule that moved one of its verdicts is found here."""
    pytest.importorskip("rapidfuzz")
    assert list(verifying.verify(EXAMPLE)) == [], AGAIN


def test_it_was_asked_the_questions_that_are_shipped() -> None:
    """All seven suites, every question once; a suite that was edited since needs a run of its own."""
    shipped = {suite.set: suite.sha256 for suite in suites.load_all(ROOT / "questions" / "suites")}
    assert {name: about["sha256"] for name, about in read("manifest.json")["questions"].items()} == shipped
    lines = [json.loads(line)["id"] for path in EXAMPLE.glob("raw-*.jsonl") for line in path.read_text().splitlines()]
    assert Counter(lines) == Counter(q.id for s in suites.load_all(ROOT / "questions" / "suites") for q in s.questions)
    assert len(lines) == 105


def test_it_says_who_judged_and_how_far_that_is_to_be_trusted() -> None:
    """The model itself, whose calibration stands beside its grades, and what a reader made of the same answers."""
    results = read("results.json")
    assert results["judge"]["is_the_model"] is True
    assert results["judge_check"]["judge"] == local_model.NAME
    assert results["status"] == "final"
    assert results["judging"]["agreement"]["of"] > 0


def test_the_docs_tell_its_scores_as_they_are() -> None:
    """docs/suites.md: each row of its table is one of the run's own results."""
    docs, written = ((path).read_text("utf-8") for path in (ROOT / "docs" / "suites.md", EXAMPLE / "results.md"))
    section = docs.partition("## The worked example")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| \w+_\w+ \|.*$", section, re.MULTILINE)
    assert len(rows) == 3
    assert [row for row in rows if row not in written.splitlines()] == []


def test_the_reviews_are_of_these_answers() -> None:
    """None is stale, and each says that a language model read."""
    entries = read(f"reviews/reviews-2026-Q4.{local_model.NAME}.json")["reviews"]
    assert read("results.json")["counts"]["stale"] == 0
    assert all("language model" in entry["reviewer"] for entry in entries.values())


def test_no_file_of_it_names_a_path_of_the_machine() -> None:
    data = [path.read_bytes() for path in EXAMPLE.rglob("*") if path.is_file()]
    assert not any(b"/tmp/" in each or b"/root/" in each or b"/home/" in each for each in data)
    assert Path(EXAMPLE / "index.html").stat().st_size
