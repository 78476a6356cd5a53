"""What lies in a project folder: suites under questions/suites/, complete runs under reports/."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchmark.archive import run_folder
from benchmark.archive.run_folder import REPORT, RESULTS
from benchmark.board.shapes import AskedQuestion
from benchmark.core.errors import InvalidInput
from benchmark.core.records import SuiteQuestion, SuiteSet
from benchmark.questions import suites
from benchmark.results.summary import Results

_SHOWN = 5  # faults of one file


@dataclass(frozen=True)
class Shelf:
    """A project folder; only its suites and reports are read. InvalidInput where one cannot be."""

    root: Path

    def suites(self) -> tuple[SuiteSet, ...]:
        return suites.load_all(self.root / "questions" / "suites")

    def runs(self) -> list[Results]:
        """Complete runs, newest quarter first, but for any that cannot be read: `run` says why."""
        found: list[Results] = []
        for _, folder in run_folder.runs(self.root, RESULTS):
            with suppress(InvalidInput):
                found.append(folder.results)
        return found[::-1]

    def run(self, name: str) -> dict[str, Any] | None:
        """A run's results as written, or None where there is no such complete run."""
        folder = run_folder.find(self.root, name, RESULTS)
        return folder.json(RESULTS) if folder and folder.results else None

    def question(self, run: str, name: str) -> AskedQuestion | None:
        """One question of a run: its answer, verdict, and the records behind them."""
        folder = run_folder.find(self.root, run, RESULTS)
        if folder is None or not folder.results:
            return None
        asked = (test["metadata"] for test in folder.tests())
        found = next((m for m in asked if _id_of(m) == name), None)
        return found and _asked(folder.path / REPORT, found)


def _id_of(metadata: dict[str, Any]) -> Any:
    question = metadata["verdict"].get("question")
    return question.get("id") if isinstance(question, dict) else None


def _asked(path: Path, metadata: dict[str, Any]) -> AskedQuestion:
    try:
        return AskedQuestion.model_validate(metadata)
    except ValidationError as fault:
        faults = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in fault.errors()]
        raise InvalidInput([f"{path}: {text}" for text in faults[:_SHOWN]]) from None


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
