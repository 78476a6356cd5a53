"""A run's folder as what `benchmark.results.comparison` compares: verdicts as published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmark.archive.run_folder import RunFolder, opened
from benchmark.archive.seal import DECLINE
from benchmark.asking.manifest import Manifest
from benchmark.core.provenance import UsedRules
from benchmark.questions import decline
from benchmark.results.comparison import Run
from benchmark.scoring.reviews import is_final


def read_run(path: Path) -> Run:
    """A folder's run. InvalidInput where it is not one, or not whole."""
    folder = opened(path)
    manifest = folder.manifest
    verdicts = tuple(reported.verdict for reported in folder.reported())
    return Run(
        name=manifest.run or path.name,
        label=manifest.target.label or "an unknown target",
        is_rehearsal=manifest.target.rehearsal,
        is_final=is_final(verdicts),
        window=manifest.window or (),
        version=", ".join(sorted({v.version for v in verdicts if v.version})) or "undisclosed",
        made_with=_made_with(folder, manifest),
        shown=_shown(manifest),
        verdicts=verdicts,
    )


def _made_with(folder: RunFolder, manifest: Manifest) -> dict[str, Any]:
    """What two runs must share: question files by digest, rules and judge, and the decline phrases
    in force (their file also pins quarters, so that it differs from one quarter to the next though
    every phrase is the same)."""
    used, judge = manifest.decline, manifest.judge
    phrases: Any = used
    if used and used.date and (folder.path / DECLINE).exists():
        phrases = sorted(decline.load(folder.file(DECLINE)).phrases(used.date))
    return {
        "questions": {name: s.sha256 for name, s in manifest.questions.items()},
        "rules": ((manifest.rules or UsedRules()).sha256, judge and (judge.name, judge.prompt)),
        "decline": phrases,
    }


def _shown(manifest: Manifest) -> dict[str, str]:
    """The same for people."""
    sets, judge, used = manifest.questions, manifest.judge, manifest.decline
    versions = ", ".join(f"{n} {s.version} ({s.sha256[:12]})" for n, s in sets.items())
    prompt = f", judged by {judge.name} with prompt {judge.prompt.sha256[:12]}" if judge else ""
    return {
        "questions": versions or "unknown",
        "rules": f"rules {(manifest.rules or UsedRules()).sha256[:12]}{prompt}",
        "decline": f"lists of {', '.join(used.lists)} ({used.sha256[:12]})" if used else "no lists",
    }
