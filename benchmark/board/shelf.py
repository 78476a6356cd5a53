"""What lies in a project folder: suites under questions/suites/, complete runs under reports/."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark import suites
from benchmark.data import Question, QuestionSet

RUN = re.compile(r"[0-9]{4}-Q[1-4](\.[a-z0-9][a-z0-9._-]*)?")


@dataclass(frozen=True)
class Shelf:
    """A project folder; nothing outside its suites and reports is ever read."""

    root: Path

    def suites(self) -> tuple[QuestionSet, ...]:
        return suites.load_all(self.root / "questions" / "suites")

    def runs(self) -> list[dict[str, Any]]:
        """Results of the complete runs, newest quarter first."""
        paths = (self.root / "reports").glob("*/results.json")
        found = [path for path in paths if RUN.fullmatch(path.parent.name)]
        return [
            json.loads(path.read_bytes()) for path in sorted(found, key=lambda path: path.parent.name, reverse=True)
        ]

    def run(self, name: str) -> dict[str, Any] | None:
        """A run's results, or None where there is no such complete run."""
        path = self.root / "reports" / name / "results.json"
        return json.loads(path.read_bytes()) if RUN.fullmatch(name) and path.is_file() else None

    def question(self, run: str, name: str) -> dict[str, Any] | None:
        """Everything about one question of a run: its answer, verdict, and the records behind them."""
        if self.run(run) is None:
            return None
        report = json.loads((self.root / "reports" / run / "report.json").read_bytes())
        tests = (test["metadata"] for test in report["tests"] if "verdict" in test.get("metadata", {}))
        return next((test for test in tests if test["verdict"]["question"]["id"] == name), None)


def plain_suite(suite: QuestionSet) -> dict[str, Any]:
    """A suite without its questions."""
    return {
        "id": suite.set,
        "name": suite.name,
        "category": suite.category,
        "description": suite.description,
        "question_count": len(suite.questions),
        "scoring_methods": sorted({question.scoring for question in suite.questions}),
    }


def plain_question(question: Question) -> dict[str, Any]:
    """A question as its suite's file has it."""
    return {
        "id": suites.local_id(question),
        "question": question.question,
        "reference_answer": question.reference_answer,
        "scoring": question.scoring,
        "metadata": question.metadata,
        "required": [list(group) for group in question.required],
    }
