"""What lies in a project folder: suites under questions/suites/, complete runs under reports/."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark.archive.run_folder import at
from benchmark.board.shapes import AskedQuestion, Report, Results, shaped
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_json
from benchmark.core.records import SuiteQuestion, SuiteSet
from benchmark.questions import suites

RUN = re.compile(r"[0-9]{4}-Q[1-4](\.[a-z0-9][a-z0-9._-]*)?")


@dataclass(frozen=True)
class Shelf:
    """A project folder; nothing outside its suites and reports is ever read. InvalidInput where a
    file cannot be."""

    root: Path

    def suites(self) -> tuple[SuiteSet, ...]:
        return suites.load_all(self.root / "questions" / "suites")

    def runs(self) -> list[Results]:
        """The complete runs, newest quarter first. One that cannot be read is left out; `run` says
        why."""
        found: list[Results] = []
        for path in sorted((self.root / "reports").glob("*/results.json"), reverse=True):
            with suppress(InvalidInput):
                found += (
                    [shaped(Results, read_json(path), path)]
                    if RUN.fullmatch(path.parent.name)
                    else []
                )
        return found

    def run(self, name: str) -> dict[str, Any] | None:
        """A run's results as written, or None where there is no such complete run."""
        path = self.root / "reports" / name / "results.json"
        if not RUN.fullmatch(name) or not path.is_file():
            return None
        results = read_json(path)
        shaped(Results, results, path)
        return dict(results)

    def question(self, run: str, name: str) -> AskedQuestion | None:
        """Everything about one question of a run: its answer, verdict, and the records behind
        them."""
        if self.run(run) is None:
            return None
        path = self.root / "reports" / run / "report.json"
        tests = shaped(Report, read_json(path), path).tests
        found = next(
            (t.metadata for t in tests if at(t.metadata, "verdict", "question", "id") == name), None
        )
        return None if found is None else shaped(AskedQuestion, found, path)


def plain_suite(suite: SuiteSet) -> dict[str, Any]:
    """A suite without its questions."""
    return {
        "id": suite.set,
        "name": suite.name,
        "category": suite.category,
        "description": suite.description,
        "question_count": len(suite.questions),
        "scoring_methods": sorted({question.scoring for question in suite.questions}),
    }


def plain_question(question: SuiteQuestion) -> dict[str, Any]:
    """A question as its suite's file has it."""
    return {
        "id": suites.local_id(question),
        "question": question.question,
        "reference_answer": question.reference_answer,
        "scoring": question.scoring,
        "metadata": question.metadata,
        "required": [list(group) for group in question.required],
    }
