"""The rules of a score are known by what they decide, not by the text of their source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmark.asking import rules

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = next((ROOT / "examples").glob("2026-Q4.*"))
DIGESTS = "from benchmark.asking.rules import digest; print(digest('site'), digest('suite'))"


def copied(folder: Path) -> Path:
    """The package alone, in a folder of its own."""
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "benchmark", folder / "benchmark", ignore=skipped)
    shutil.copytree(ROOT / "questions", folder / "questions")
    return folder


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with the package of a folder."""
    command, environment = [sys.executable, *arguments], os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_comment_in_a_rule_changes_nothing(tmp_path: Path) -> None:
    """`verify` of a finished run stays clean when the source of a rule says the same otherwise."""
    folder = copied(tmp_path)
    rule = folder / "benchmark" / "scoring" / "site_measures.py"
    rule.write_text(rule.read_text("utf-8") + "\n# Nothing that decides.\n", "utf-8")
    assert python(folder, "-c", DIGESTS).stdout.split() == [
        rules.digest(track) for track in ("site", "suite")
    ]
    done = python(folder, "-m", "benchmark", "verify", str(EXAMPLE))
    assert (done.returncode, "no findings" in done.stdout) == (0, True), done.stdout


def test_a_rule_that_decides_otherwise_has_another_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """70 of 100 passes; were it 71, the golden cases would tell."""
    before = rules.digest("suite")
    monkeypatch.setattr("benchmark.scoring.matching.PASS", 71)
    assert rules.digest.__wrapped__("suite") != before


def test_the_rules_of_each_track_are_named() -> None:
    """A manifest names the version and the digest of the track's own golden cases."""
    assert rules.about("site").version == rules.about("suite").version == rules.VERSION
    assert rules.about("site").sha256 != rules.about("suite").sha256
