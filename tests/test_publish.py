"""`publish`: a quarter is frozen, a correction is a dated entry of its own, and nothing is ever
there by half."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser
from support.browser import violations
from support.verdicts import HOSTILE, folder, hostile, overruled, undelivered, verdict

from benchmark.__main__ import main
from benchmark.archive import index_page
from benchmark.archive import publish as publishing
from benchmark.archive import seal as publication
from benchmark.archive.editions import editions
from benchmark.archive.run_folder import results_of
from benchmark.core.errors import InvalidInput
from benchmark.core.files import write_text
from benchmark.core.records import Verdict

ROOT = Path(__file__).resolve().parents[1]
DEMO, LIVE = "2026-Q4.demo", "2026-Q4"
LANGUAGES = ("en", "he", "ru")
FAILED = [verdict("med-en-01"), verdict("med-en-02", passes=False, read=True)]
CORRECTED = [verdict("med-en-01"), overruled("med-en-02")]
UNREAD = [verdict("med-en-01"), verdict("med-en-02", passes=False)]
DAY = "2027-01-04T09:00:00Z"


class Site:
    """A project with one run or more, and the website that it is published to."""

    def __init__(self, path: Path) -> None:
        self.root, self.to = path / "project", path / "site"

    def run(self, verdicts: Sequence[Verdict] = FAILED, run: str = DEMO, **changes: Any) -> Path:
        return folder(self.root, verdicts, run, **changes)

    def publish(
        self, run: str = DEMO, when: str = DAY, findings: Sequence[str] = (), **more: Any
    ) -> list[str]:
        more |= {"clock": lambda: when, "check": lambda _: findings}
        return publishing.publish(self.root, run, self.to, **more)

    def published(
        self, verdicts: Sequence[Verdict] = FAILED, run: str = DEMO, **more: Any
    ) -> list[str]:
        """A run is made, and published."""
        self.run(verdicts, run)
        return self.publish(run, **more)

    def page(self, language: str = "en") -> str:
        return (self.to / language / "eval/index.html").read_text("utf-8")

    def text(self, language: str = "en") -> str:
        """What a reader of the page sees, in one line."""
        bare = re.sub(r"<style>.*?</style>|<[^>]*>", " ", self.page(language), flags=re.DOTALL)
        return " ".join(bare.split())

    def files(self) -> dict[str, bytes]:
        paths = [path for path in sorted(self.to.rglob("*")) if path.is_file()]
        return {path.relative_to(self.to).as_posix(): path.read_bytes() for path in paths}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Without waiting for the disk: only the publications that are killed, in processes of their
    own, do that."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return Site(tmp_path)


# A quarter ----------------------------------------------------------------------------------------


def test_a_run_is_published_byte_for_byte(site: Site) -> None:
    source = site.run()
    lines = site.publish()
    labels = "(rehearsal, not a result of any vendor's platform; final)"
    assert lines[0] == f"published: {site.to}/eval/{DEMO}/1 {labels}"
    frozen = site.to / f"eval/{DEMO}/1/report"
    names = [*publication.files(source), publication.SUMS]
    assert [*publication.files(frozen), publication.SUMS] == names
    assert all((frozen / name).read_bytes() == (source / name).read_bytes() for name in names)


def test_its_entry_is_dated_and_names_every_file_and_the_seal(site: Site) -> None:
    seal = publication.seal(site.run())
    site.publish()
    entry = json.loads((site.to / f"eval/{DEMO}/1/entry.json").read_text("utf-8"))
    expected = {"published_at": DAY, "digest": seal, "status": "final", "rehearsal": True}
    assert entry.items() >= expected.items()
    assert entry["files"]["SHA256SUMS"] == seal
    assert (entry["corrects"], entry["reason"]) == ("", "")


def test_an_edition_of_another_version_is_read(site: Site) -> None:
    """It is frozen, so it lacks what was added since; a later one has more. What it needs must be
    there."""
    site.published()
    (before,) = editions(site.to)
    path = site.to / f"eval/{DEMO}/1/entry.json"
    entry = json.loads(path.read_text("utf-8"))
    del entry["reason"], entry["changes"]["facts"]
    write_text(path, json.dumps(entry | {"mood": 1, "changes": entry["changes"] | {"mood": 1}}))
    assert editions(site.to) == [before]
    column = index_page.groups([before])[0].columns[0]
    results = json.loads((before.report.path / "results.json").read_text("utf-8"))
    for row in results["totals"]:
        del row["faults"]
    total = results_of(json.dumps(results | {"mood": 1}).encode(), "").row("right")
    assert (total, total and total.faults) == (column.results.row("right", "", ""), 0)
    five: list[Any] = [entry | {"changes": each} for each in (5, {"cells": 5})]
    broken = [[], {"run": DEMO}, *five]
    for value in broken:
        write_text(path, json.dumps(value))
        with pytest.raises(InvalidInput, match="entry.json: (.*: )?(got|.* is missing)"):
            editions(site.to)


def test_the_clock_is_that_of_now() -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", publishing.now())


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_index_stands_in_each_language_and_leads_to_the_results(
    site: Site, language: str
) -> None:
    site.published()
    page = site.page(language)
    assert f'<html lang="{language}" dir="{"rtl" if language == "he" else "ltr"}">' in page
    links = re.findall(r'href="([^"#][^"]*)"', page)
    inside = [(site.to / language / "eval" / link).resolve() for link in links]
    assert all(
        path.is_file() for path in inside if path.parent.name in LANGUAGES and DEMO in path.parts
    )
    tops = {path.relative_to(site.to).parts[0] for path in inside}
    assert tops == {*LANGUAGES, "eval"} - {language}
    assert not re.search(r'(?:src|href)="(?:https?:)?//', page), "nothing of another host"


def test_a_run_without_a_page_in_a_language_is_led_to_by_its_own_index(site: Site) -> None:
    """The made folder has an English page alone."""
    site.published()
    assert f'href="../../eval/{DEMO}/1/report/en/index.html"' in site.page("en")
    assert f'href="../../eval/{DEMO}/1/report/index.html"' in site.page("he")


def test_the_same_content_again_changes_nothing(site: Site) -> None:
    site.published()
    before = site.files()
    again = site.publish(when="2027-02-02T00:00:00Z")
    assert again[0] == f"published already, nothing changed: {site.to}/eval/{DEMO}/1"
    assert site.files() == before


def test_a_replay_alone_is_no_other_content(site: Site) -> None:
    """A replay writes the test runner's clock times anew, and nothing else: the frozen edition
    stays."""
    source = site.run()
    write_text(source / "report.json", '{"created": 1}')
    publication.seal(source)
    site.publish()
    before = site.files()
    write_text(source / "report.json", '{"created": 2}')
    publication.seal(source)
    site.publish()
    assert site.files() == before


# What is refused ----------------------------------------------------------------------------------


def test_other_content_is_refused_and_what_differs_is_named(site: Site) -> None:
    site.published()
    before = site.files()
    site.run(CORRECTED)
    with pytest.raises(InvalidInput) as refused:
        site.publish()
    cell, rest = "right med en 1/2 -> 2/2", ("questions med-en-02", "results.csv changed")
    for part in (f"{site.to}/eval/{DEMO}/1", cell, *rest, "--correction"):
        assert part in str(refused.value)
    assert site.files() == before


def test_a_draft_is_refused_unless_asked_for_and_then_labelled(site: Site) -> None:
    site.run(UNREAD, LIVE)
    with pytest.raises(InvalidInput, match="its report is a draft"):
        site.publish(LIVE)
    assert not site.to.exists()
    assert site.publish(LIVE, draft=True)[0].endswith("(draft)")
    for language, word in {"en": "Draft", "he": "טיוטה", "ru": "Черновик"}.items():
        assert word in site.text(language)


def test_a_final_report_after_a_draft_is_an_entry_of_its_own(site: Site) -> None:
    site.published(UNREAD, LIVE, draft=True)
    site.run(FAILED, LIVE)
    with pytest.raises(InvalidInput, match="status draft -> final"):
        site.publish(LIVE)
    site.publish(LIVE, correction="read to the end")
    assert "Draft → Final" in site.text()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rehearsal_is_labelled_in_every_language(site: Site, language: str) -> None:
    site.published()
    banner = {"en": "A rehearsal on", "he": "הרצת ניסיון על", "ru": "Пробный запуск на"}[language]
    assert banner in site.text(language)
    assert 'class="banner rehearsal"' in site.page(language)


def test_a_live_quarter_is_not_labelled_a_rehearsal(site: Site) -> None:
    site.run(run=LIVE)
    assert "rehearsal" not in site.publish(LIVE)[0]
    assert "ehearsal" not in site.text()


def test_a_rehearsal_never_passes_for_a_quarter(site: Site) -> None:
    """Neither by the folder's name nor by the name in its results."""
    (site.run()).rename(site.root / "reports" / LIVE)
    with pytest.raises(InvalidInput, match="is of the run '2026-Q4.demo', not of 2026-Q4"):
        site.publish(LIVE)
    site.run(run=LIVE, target={"name": "live", "label": "demo", "rehearsal": True})
    with pytest.raises(InvalidInput, match="is of a rehearsal"):
        site.publish(LIVE)


def test_what_verify_finds_is_not_published(site: Site) -> None:
    source = site.run()
    with pytest.raises(InvalidInput, match="raw-med.jsonl: line 3: broken") as refused:
        site.publish(findings=["raw-med.jsonl: line 3: broken", *map(str, range(30))])
    assert f"verify {source}" in str(refused.value)
    assert "and 11 more" in str(refused.value)
    assert not site.to.exists()


def test_verify_itself_is_the_check(site: Site) -> None:
    """The made folder has no record, so that the real check finds much in it."""
    site.run()
    with pytest.raises(InvalidInput, match="manifest.json"):
        publishing.publish(site.root, DEMO, site.to)


RUNS = ["2026-Q5", "../2026-Q4", "2026-Q4.", "2026-Q4/x", "2026-Q4.a/../b", "", "2026-Q4\n"]


@pytest.mark.parametrize("run", RUNS)
def test_a_name_that_is_no_runs_is_refused(site: Site, run: str) -> None:
    with pytest.raises(InvalidInput, match="RUN: got"):
        site.publish(run)


@pytest.mark.parametrize(
    "change, fault",
    [
        (lambda p: (p / "results.json").unlink(), "expected a complete run's folder"),
        (
            lambda p: write_text(p / "results.json", '{"run": 1}'),
            "results.json: quarter is missing",
        ),
        (lambda p: (p / "more.txt").symlink_to("/etc/hostname"), "more.txt: is a link"),
    ],
    ids=["no results", "another program's", "a link: what it leads to could change"],
)
def test_a_folder_that_is_no_runs_is_refused(site: Site, change: Any, fault: str) -> None:
    change(site.run())
    with pytest.raises(InvalidInput, match=fault):
        site.publish()


def test_a_page_of_somebody_else_is_not_overwritten(site: Site) -> None:
    site.run()
    write_text(site.to / "he/eval/index.html", "<h1>ours</h1>")
    with pytest.raises(InvalidInput, match="he/eval/index.html: is there already"):
        site.publish()
    assert site.page("he") == "<h1>ours</h1>"
    (site.to / "he/eval/index.html").unlink()
    assert site.publish()[0].startswith("published already")


@pytest.mark.parametrize(
    "change, fault",
    [
        (lambda p: p.write_bytes(b" " + p.read_bytes()[1:]), "was changed"),
        (lambda p: p.unlink(), "was removed"),
        (lambda p: write_text(p.parent / "new.txt", ""), "was added"),
    ],
    ids=["changed", "missing", "added"],
)
def test_nothing_is_published_beside_a_quarter_that_was_changed(
    site: Site, change: Any, fault: str
) -> None:
    site.run(run="2026-Q3.demo")
    site.publish("2026-Q3.demo")
    change(site.to / "eval/2026-Q3.demo/1/report/results.csv")
    site.run()
    with pytest.raises(InvalidInput, match=f"{fault} after it was published"):
        site.publish()
    assert not (site.to / "eval" / DEMO).exists()


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_read_only_website_is_said(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.run()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        InvalidInput, match="cannot be written .No space left on device."
    ) as refused:
        site.publish()
    assert "Nothing was published" in str(refused.value)
    assert not list((site.to / "eval" / DEMO).iterdir())


@pytest.mark.parametrize(
    "write", [lambda p: write_text(p, "new"), lambda p: publication._copy(Path(__file__), p)]
)
def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Any
) -> None:
    """What is left in a run's folder is sealed with it."""
    (tmp_path / "kept.json").write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidInput, match=r"kept.json: cannot be written \(No space left"):
        write(tmp_path / "kept.json")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"kept.json": "old"}


# A correction -------------------------------------------------------------------------------------


@pytest.fixture
def corrected(site: Site) -> Site:
    site.published()
    site.run(CORRECTED)
    site.publish(when="2027-01-09T10:00:00Z", correction="the reviewer misread the price")
    return site


def test_a_correction_is_a_dated_entry_and_leaves_the_first_as_it_was(corrected: Site) -> None:
    first, second = editions(corrected.to)
    assert (second.entry.number, second.entry.published_at) == (2, "2027-01-09T10:00:00Z")
    assert second.entry.corrects == first.entry.digest == first.entry.files["SHA256SUMS"]
    assert second.entry.reason == "the reviewer misread the price"
    assert second.entry.changes.cells == (("right", "med", "en", "1/2", "2/2"),)
    assert second.entry.changes.questions == ("med-en-02",)
    assert second.entry.changes.files["results.jsonl"] == "changed"
    assert '"1/2"' not in (second.report.path / "results.jsonl").read_text("utf-8")
    assert first.results.totals != second.results.totals


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_shows_the_correction_and_the_new_figures(corrected: Site, language: str) -> None:
    page, text = corrected.page(language), corrected.text(language)
    first, second = editions(corrected.to)
    for part in (first.entry.digest, second.entry.digest, second.entry.reason, "1/2 → 2/2"):
        assert part in text
    assert f'href="../../eval/{DEMO}/2/report/' in page
    assert f'href="../../eval/{DEMO}/1/report/index.html"' in page
    assert "2/2" in re.sub(r"1/2 → 2/2", "", text)


def test_a_correction_of_nothing_is_refused(site: Site) -> None:
    site.run()
    with pytest.raises(InvalidInput, match="was never published"):
        site.publish(correction="a reason")
    site.publish()
    with pytest.raises(InvalidInput, match="holds just this content"):
        site.publish(correction="a reason")


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines"])
def test_a_correction_needs_a_reason_of_one_line(site: Site, reason: str) -> None:
    site.run()
    with pytest.raises(InvalidInput, match="expected one line that says why"):
        site.publish(correction=reason)


# The trend ----------------------------------------------------------------------------------------


@pytest.fixture
def trend(site: Site) -> Site:
    """Three live quarters, published out of order, a model's run and a rehearsal."""
    other = {"med": {"version": "2027.1.0", "sha256": "f" * 64, "count": 20}}
    site.run(CORRECTED, "2027-Q1", question_sets=other)
    site.run(FAILED, "2026-Q3")
    site.run([verdict("med-en-01"), undelivered("med-en-02")], LIVE, rules={"sha256": "9" * 64})
    site.run(run=DEMO)
    site.run(run="2026-Q4.some-model")
    for run in ("2027-Q1", "2026-Q3", LIVE, DEMO, "2026-Q4.some-model"):
        site.publish(run, draft=True)
    return site


def test_quarters_stand_side_by_side_in_their_order(trend: Site) -> None:
    groups = index_page.groups(editions(trend.to))
    runs = [[column.edition.entry.run for column in group.columns] for group in groups]
    assert runs == [["2026-Q3", "2026-Q4", "2027-Q1"], ["2026-Q4.some-model"], ["2026-Q4.demo"]]
    rows = [column.results.row("right", "", "") for column in groups[0].columns]
    assert [row.text if row else None for row in rows] == ["1/2", "1/2", "2/2 (1/2)"]


def test_a_quarter_says_how_it_compares_with_the_one_before(trend: Site) -> None:
    """Figures of quarters that asked or scored otherwise are no trend, and the page says so."""
    group = index_page.groups(editions(trend.to))[0]
    assert [column.changed for column in group.columns] == ["first", "rules", "questions"]
    assert "rules, decline lists or judge changed" in trend.text()
    assert "questions changed" in trend.text()


def test_a_measure_that_a_quarter_lacks_is_a_dash(trend: Site) -> None:
    group = index_page.groups(editions(trend.to))[0]
    assert group.columns[0].results.row("arrived", "med", "he") is None
    assert group.places == [("med", "en")]


def test_one_quarter_is_no_trend(site: Site) -> None:
    site.published()
    assert "a trend begins with the second" in site.text()


# Hostile text -------------------------------------------------------------------------------------


@pytest.fixture
def attacked(site: Site) -> Site:
    """The same hostile text as target, version, measure, reason: whatever the index shows."""
    target = {"name": HOSTILE, "label": HOSTILE, "rehearsal": False}
    run, more = "2026-Q4.some-model", {"target": target, "platform_version": HOSTILE}
    site.run([hostile("med-en-01")], run, **more)
    site.publish(run)
    site.run([hostile("med-en-01"), verdict("med-en-02")], run, **more)
    site.publish(run, correction=" ".join(HOSTILE.split()))
    return site


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_text_is_text(attacked: Site, language: str) -> None:
    page = attacked.page(language)
    nodes = LexborHTMLParser(page).css("*")
    assert "script" not in [node.tag for node in nodes]
    assert not [name for node in nodes for name in node.attributes if name.startswith("on")]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", page)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "U+202E" in page


def test_the_table_stays_a_table(attacked: Site) -> None:
    """Every row has a heading and a cell for each run."""
    bodies = re.findall(r"<tbody.*?</tbody>", attacked.page(), re.DOTALL)
    rows = [row for body in bodies for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)]
    assert len(rows) >= 6 + 3
    assert {(row.count("<th "), row.count("<td")) for row in rows} == {(1, 1)}


def test_a_published_hostile_run_is_still_what_it_was(attacked: Site) -> None:
    _, second = editions(attacked.to)
    assert [question.id for question in second.results.questions] == ["med-en-01", "med-en-02"]
    assert second.entry.reason == " ".join(HOSTILE.split())


# In a browser -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.browser
def test_nobody_is_kept_out_of_the_index_and_nothing_in_it_runs(
    attacked: Site, browser: Any
) -> None:
    """axe-core finds no violation, light or dark, left to right or not; hostile text neither runs
    nor asks."""
    attacked.run()
    attacked.publish()
    events: list[str] = []
    asked: list[str] = []
    for language, scheme in (("en", "light"), ("he", "dark"), ("he", "light"), ("ru", "dark")):
        page = browser.new_page(color_scheme=scheme)
        page.on("dialog", lambda dialog: events.append(dialog.message))
        page.on("console", lambda message: events.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((attacked.to / language / "eval/index.html").as_uri())
        page.locator("summary").first.click()
        if (language, scheme) in (("en", "light"), ("he", "dark")):
            assert violations(page, scheme) == [], language
        page.close()
    assert events == []
    assert [url.rpartition("/eval/")[2] for url in asked] == ["index.html"] * 4


# A publication that is killed ---------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from benchmark.archive import publish
left = int(sys.argv[1])

def count(call):
    def counted(*given, **named):
        global left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return call(*given, **named)
    return counted

os.fsync, os.replace, Path.rename = count(os.fsync), count(os.replace), count(Path.rename)
root, name, to, day = sys.argv[2:]
publish.publish(Path(root), name, Path(to), clock=lambda: day, check=lambda _: ())
"""


def kill_after(site: Site, steps: int) -> int:
    """Publish in a process of its own that kills itself after so many steps (a file written, a
    move)."""
    command = [sys.executable, "-c", KILLED, str(steps), str(site.root), DEMO, str(site.to), DAY]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, env=environment, capture_output=True, timeout=60, check=False
    ).returncode


def steps_of(site: Site) -> Iterator[int]:
    """Within the files; at the move, when all are written; with one index page made and not yet in
    place; after it."""
    files = len([*publication.files(site.root / "reports" / DEMO), publication.SUMS])
    yield from (files // 2, files + 1, files + 3, files + 4)


def test_a_publication_that_is_killed_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    unbroken = Site(tmp_path / "unbroken")
    unbroken.run()
    unbroken.publish()
    for steps in steps_of(unbroken):
        site = Site(tmp_path / str(steps))
        site.run()
        assert kill_after(site, steps) == -signal.SIGKILL
        there = editions(site.to)
        assert len(there) in (0, 1)
        assert all(
            site.files()[name] == unbroken.files()[name]
            for name in site.files()
            if name.startswith("eval/2026-Q4.demo/1/")
        )
        site.publish()
        assert site.files() == unbroken.files(), f"killed after {steps} steps, then published again"


def test_two_publications_at_once_do_not_mix(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slower one finds its place taken, says so, and leaves nothing behind."""
    site.run()
    rename = Path.rename

    def late(self: Path, target: Path) -> Path:
        monkeypatch.setattr(Path, "rename", rename)
        site.publish(when="2027-01-04T08:59:59Z")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", late)
    with pytest.raises(InvalidInput, match="cannot be written"):
        site.publish()
    assert [edition.entry.published_at for edition in editions(site.to)] == ["2027-01-04T08:59:59Z"]
    assert [path.name for path in (site.to / "eval" / DEMO).iterdir()] == ["1"]


# The command --------------------------------------------------------------------------------------


def test_the_command_publishes_the_run_of_this_folder(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site.run()
    monkeypatch.chdir(site.root)
    monkeypatch.setattr(
        publishing.publish,
        "__kwdefaults__",
        {"draft": False, "correction": None, "clock": lambda: DAY, "check": lambda _: ()},
    )
    assert main(["publish", DEMO, "--to", str(site.to)]) == 0
    assert capsys.readouterr().out.startswith(f"published: {site.to}/eval/{DEMO}/1")
    site.run(CORRECTED)
    assert main(["publish", DEMO, "--to", str(site.to)]) == 4
    assert "right med en 1/2 -> 2/2" in capsys.readouterr().err
    assert main(["publish", DEMO, "--to", str(site.to), "--correction", "misread"]) == 0
    assert "correction: misread" in capsys.readouterr().out


def test_the_command_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["publish", DEMO])
    assert stopped.value.code == 4
    assert "--to" in capsys.readouterr().err
