"""`python -m benchmark judge-check`: a judge grades the labelled rows once; its replies are
recorded and replayed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmark.asking import http, models, record_file
from benchmark.asking.targets import Prepared
from benchmark.asking.tracks import Judge, judge_words, tries
from benchmark.core import files
from benchmark.core.errors import InvalidInput
from benchmark.core.provenance import UsedJudge
from benchmark.core.records import ANSWERABLE, JUDGE, Record, SuiteQuestion
from benchmark.questions import judge_prompt
from benchmark.results import calibration
from benchmark.results.calibration import Row
from benchmark.scoring.judge_reply import first_grade

Tell = Callable[[str], object]


def folder(root: Path, judge_name: str) -> Path:
    """Where a judge's calibration is kept."""
    return root / "reports" / "judge-checks" / models.safe_name(judge_name)


def check(root: Path, name: str, url: str, tell: Tell) -> int:
    """Grade what is not graded yet, then tell and write the report. InvalidInput where the judge
    does not answer."""
    target = models.target(
        name, url, models.JUDGE_KEY, {"response_format": {"type": "json_object"}}
    )
    judge = Judge(target, judge_prompt.load(root / "questions" / "judge-prompt.json"))
    rows = calibration.load(root / "questions" / "judge-check.jsonl")
    path = folder(root, name) / "replies.jsonl"
    records = _read(path, judge, rows, tell)
    for row in rows:
        _grade(judge, row, records, path, tell)
    made = calibration.report(rows, {row.id: _score(row, records) for row in rows})
    about = {
        "judge": name,
        "endpoint": target.endpoint,
        "prompt_sha256": judge.prompt.sha256,
        "checked_at": http.now(),
    }
    files.write_text(folder(root, name) / "report.json", files.to_json(about | made))
    for line in calibration.as_text(made):
        tell(line)
    return 0


def _read(path: Path, judge: Judge, rows: tuple[Row, ...], tell: Tell) -> dict[str, Record]:
    """The replies that were made as they would be asked for now: the report stamps them with the
    prompt's digest."""
    if not path.exists():
        return {}
    records, torn = record_file.read(path, [row.id for row in rows], further=True)
    if torn:
        record_file.set_aside_torn(path, torn)
        tell(f"{path}: its last line was torn, and is moved to {record_file.aside(path)}")
    asked = {prepared.id: prepared for row in rows for prepared in _requests(judge, row)}
    return {
        record.id: record
        for record in records
        if record.id in asked and _answers(record, asked[record.id])
    }


def _requests(judge: Judge, row: Row) -> list[Prepared]:
    """A row's tries, in order."""
    question = SuiteQuestion(
        id=row.id,
        set="judge-check",
        language=row.language,
        kind=ANSWERABLE,
        question=row.question,
        reference_answer=row.reference_answer,
        scoring=JUDGE,
    )
    return [judge.prepare(name, question, row.response) for name in tries(row.id)]


def _answers(record: Record, prepared: Prepared) -> bool:
    """Whether a record is a reply to this very request: the same text, prompt and settings at the
    same address."""
    made = (record.request.get("url"), record.request.get("json"))
    return record.status == 200 and made == (prepared.url, prepared.body)


def _grade(judge: Judge, row: Row, records: dict[str, Record], path: Path, tell: Tell) -> None:
    """Ask for a grade, once more where the reply has none; what was answered is not asked again."""
    for prepared in _requests(judge, row):
        if _score(row, records) is None and prepared.id not in records:
            record = http.ask(judge.target, prepared)
            if record.status != 200:
                raise InvalidInput(
                    [
                        f"judge {judge.target.body['model']} at {judge.target.endpoint}: {row.id}: "
                        f"{record.attempts[-1].error or record.status}"
                    ],
                    "What was graded is kept; run it again when the judge answers.",
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            record_file.append(path, record)
            records[record.id] = record
            tell(f"{row.id}: labelled {row.label}, graded {_score(row, records)}")


def _score(row: Row, records: dict[str, Record]) -> float | None:
    """The first grade among a row's replies."""
    return first_grade(judge_words(records[name]) for name in tries(row.id) if name in records)


def calibration_of(root: Path, judge: UsedJudge | None) -> dict[str, Any] | None:
    """The calibration of a judge with this very prompt, or None where it was never checked."""
    path = folder(root, judge.name) / "report.json" if judge else None
    made = files.read_json(path) if path and path.exists() else None
    is_of = isinstance(made, dict) and judge and made.get("prompt_sha256") == judge.prompt.sha256
    return made if is_of else None
