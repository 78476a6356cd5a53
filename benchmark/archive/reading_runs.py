"""A run's folder as what `benchmark.results.comparison` compares: its verdicts as published, and
what it was made with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmark.archive.run_folder import at
from benchmark.archive.seal import DECLINE
from benchmark.asking import record_file
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_json
from benchmark.core.records import Record, Verdict, verdict_of
from benchmark.questions import decline
from benchmark.results.comparison import Run
from benchmark.scoring.reviews import is_final

_RUN = "Accepted is the folder of a complete run, such as reports/2026-Q4."


def read_run(folder: Path) -> Run:
    """A folder's run. InvalidInput where it is none, or not whole."""
    if not folder.is_dir():
        raise InvalidInput([f"{folder}: no such folder"], _RUN)
    manifest, report = (read_json(folder / name) for name in ("manifest.json", "report.json"))
    verdicts = tuple(verdict for verdict, _ in judged(folder / "report.json", report))
    window = at(manifest, "window")
    return Run(
        name=str(at(manifest, "run") or folder.name),
        label=str(at(manifest, "target", "label") or "an unknown target"),
        is_rehearsal=at(manifest, "target", "rehearsal") is not False,
        is_final=is_final(verdicts),
        window=tuple(map(str, window)) if isinstance(window, list) else (),
        version=", ".join(sorted({v.version for v in verdicts if v.version})) or "undisclosed",
        made_with=_made_with(folder, manifest),
        shown=_shown(manifest),
        verdicts=verdicts,
    )


def judged(path: Path, report: Any) -> tuple[tuple[Verdict, tuple[Record, ...]], ...]:
    """What a report says of each question: its verdict, and its records. InvalidInput where it is
    no run's report."""
    try:
        found = tuple(
            (
                verdict_of(test["metadata"]["verdict"]),
                tuple(map(record_file.record_of, test["metadata"].get("records", ()))),
            )
            for test in report["tests"]
            if "verdict" in test.get("metadata", {}) and "call" in test
        )
    except (KeyError, TypeError, AttributeError, ValueError) as fault:
        raise InvalidInput(
            [f"{path}: holds no verdicts that can be read ({type(fault).__name__}: {fault})"], _RUN
        ) from None
    if not found:
        raise InvalidInput([f"{path}: holds no verdict"], _RUN)
    return found


def _made_with(folder: Path, manifest: Any) -> dict[str, Any]:
    """What two runs must share: question files by digest, rules and judge, and the decline phrases
    in force (their file also pins quarters, so that it differs from one quarter to the next though
    every phrase is the same)."""
    sets, used = at(manifest, "questions"), at(manifest, "decline")
    date, path = at(used, "date"), folder / DECLINE
    has_lists = isinstance(date, str) and path.exists()
    return {
        "questions": (
            {name: at(s, "sha256") for name, s in sets.items()} if isinstance(sets, dict) else None
        ),
        "rules": (
            at(manifest, "rules", "sha256"),
            at(manifest, "judge", "name"),
            at(manifest, "judge", "prompt"),
        ),
        "decline": sorted(decline.load(path).phrases(date)) if has_lists else used,
    }


def _shown(manifest: Any) -> dict[str, str]:
    """The same for people."""
    sets, judge = at(manifest, "questions"), at(manifest, "judge")
    versions = (
        [f"{n} {at(s, 'version')} ({_short(at(s, 'sha256'))})" for n, s in sets.items()]
        if isinstance(sets, dict)
        else []
    )
    prompt = (
        f", judged by {at(judge, 'name')} with prompt {_short(at(judge, 'prompt', 'sha256'))}"
        if judge
        else ""
    )
    lists = at(manifest, "decline", "lists")
    dates = ", ".join(map(str, lists)) if isinstance(lists, list) else "none"
    return {
        "questions": ", ".join(versions) or "unknown",
        "rules": f"rules {_short(at(manifest, 'rules', 'sha256'))}{prompt}",
        "decline": f"lists of {dates} ({_short(at(manifest, 'decline', 'sha256'))})",
    }


def _short(digest: Any) -> str:
    return str(digest)[:12]
