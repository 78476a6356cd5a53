"""A finished run has every format in its folder, tells GitHub its results, and is published as
`verify` rechecks it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.project import Project

from benchmark.archive import seal, verify
from benchmark.archive.run_folder import RunFolder
from benchmark.core.records import verdict_of
from benchmark.report import formats


def test_a_runs_folder_holds_every_format_and_its_seal_names_them(replayable: Project) -> None:
    verdicts = [
        verdict_of(test["metadata"]["verdict"]) for test in replayable.read("report.json")["tests"]
    ]
    sums = (replayable.folder / seal.SUMS).read_text("utf-8")
    for name, text in formats.files(RunFolder(replayable.folder).results, verdicts).items():
        assert (replayable.folder / name).read_bytes() == text.encode(), name
        assert f"  {name}\n" in sums


@pytest.mark.slow
def test_a_run_appends_its_results_to_githubs_summary_also_where_answers_failed(
    replayable: Project,
) -> None:
    summary, reviews = (
        replayable.root / "summary.md",
        replayable.root / f"reviews/reviews-{replayable.run_name}.json",
    )
    entry = {"verdicts": {"facts": False}, "reason": "of another year", "reviewer": "A. B."}
    reviews.parent.mkdir(exist_ok=True)
    reviews.write_text(json.dumps({"quarter": "2026-Q4", "reviews": {"med-en-01": entry}}), "utf-8")
    replayable.quarter(GITHUB_STEP_SUMMARY=str(summary)).expect(1)
    assert (
        summary.read_text("utf-8")
        == (replayable.folder / "results.md").read_text("utf-8").rstrip("\n") + "\n\n"
    )
    replayable.quarter("-k", "med-en-02", GITHUB_STEP_SUMMARY=str(summary)).expect(0)
    assert "a part of the run" in summary.read_text("utf-8")


def test_a_real_run_is_published_and_the_published_folder_verifies(
    replayable: Project, tmp_path: Path
) -> None:
    """By the command, with the real check: a draft first, since nobody has read the answers."""
    to = tmp_path / "site"
    assert replayable.command("publish", replayable.run_name, "--to", str(to)).code == 4
    assert not to.exists()
    replayable.command("publish", replayable.run_name, "--to", str(to), "--draft").expect(0)
    frozen = to / "eval" / replayable.run_name / "1" / "report"
    assert list(verify.verify(frozen)) == []
    for language in ("en", "he", "ru"):
        link = f"../../eval/{replayable.run_name}/1/report/{language}/index.html"
        assert f'href="{link}"' in (to / language / "eval/index.html").read_text("utf-8")
        assert (to / language / "eval" / link).resolve().is_file()
    with (replayable.folder / "results.csv").open("ab") as file:
        file.write(b" ")
    refused = replayable.command(
        "publish", replayable.run_name, "--to", str(to), "--draft", "--correction", "none"
    )
    refused.expect(4, "results.csv: its SHA-256 is")
