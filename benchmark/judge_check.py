"""`python -m benchmark judge-check`: a judge grades the labelled rows once; its replies are recorded and replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmark import calibration, files, judging, models, raw, recording
from benchmark import reply as replies
from benchmark.calibration import Row
from benchmark.data import ANSWERABLE, JUDGE, Question, Record
from benchmark.errors import InvalidInput
from benchmark.models import PLACES
from benchmark.scoring import judge_score
from benchmark.tracks import TRIES, Judge, is_reply_to

Tell = Callable[[str], object]


def folder(root: Path, judge_name: str) -> Path:
    """Where a judge's calibration is kept."""
    return root / "reports" / "judge-checks" / models.safe_name(judge_name)


def check(root: Path, name: str, url: str, tell: Tell) -> int:
    """Grade what is not graded yet, then tell and write the report. InvalidInput where the judge does not answer."""
    target = models.target(name, url, models.JUDGE_KEY, {"response_format": {"type": "json_object"}})
    judge = Judge(target, judging.load(root / "questions" / "judge-prompt.json"))
    rows = calibration.load(root / "questions" / "judge-check.jsonl")
    records = _read(folder(root, name) / "replies.jsonl", rows)
    for row in rows:
        _grade(judge, row, records, folder(root, name) / "replies.jsonl", tell)
    made = calibration.report(rows, {row.id: _score(row, records) for row in rows})
    about = {
        "judge": name,
        "endpoint": target.endpoint,
        "prompt_sha256": judge.prompt.sha256,
        "checked_at": recording.now(),
    }
    files.write_text(folder(root, name) / "report.json", files.to_json(about | made))
    for line in calibration.as_text(made):
        tell(line)
    return 0


def _read(path: Path, rows: tuple[Row, ...]) -> dict[str, Record]:
    records = raw.read(path, [row.id for row in rows], further=True)[0] if path.exists() else []
    return {record.id: record for record in records}


def _grade(judge: Judge, row: Row, records: dict[str, Record], path: Path, tell: Tell) -> None:
    """Ask for a grade, once more where the reply has none; nothing is asked that was answered before."""
    question = Question(
        row.id,
        "judge-check",
        row.language,
        ANSWERABLE,
        row.question,
        reference_answer=row.reference_answer,
        scoring=JUDGE,
    )
    for t in range(1, TRIES + 1):
        name = f"{row.id}~1j1t{t}"
        if _score(row, records) is None and not is_reply_to(records.get(name), row.response):
            records[name] = recording.ask(judge.target, judge.prepare(name, question, row.response))
            if records[name].status != 200:
                raise InvalidInput(
                    [
                        f"judge {judge.target.body['model']} at {judge.target.endpoint}: {row.id}: "
                        f"{records[name].attempts[-1].error or records[name].status}"
                    ],
                    "What was graded is kept; run it again when the judge answers.",
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            raw.append(path, records[name])
            tell(f"{row.id}: labelled {row.label}, graded {_score(row, records)}")


def _score(row: Row, records: dict[str, Record]) -> float | None:
    for t in range(1, TRIES + 1):
        record = records.get(f"{row.id}~1j1t{t}")
        if record and is_reply_to(record, row.response):
            score = judge_score(replies.read(record, PLACES).answer or "")
            if score is not None:
                return score
    return None


def found(root: Path, judge_name: str, prompt_sha256: str) -> dict[str, Any] | None:
    """The calibration of a judge with this very prompt, or None where it was never checked."""
    path = folder(root, judge_name) / "report.json"
    made: dict[str, Any] = json.loads(path.read_bytes()) if path.exists() else {}
    return made if made.get("prompt_sha256") == prompt_sha256 else None
