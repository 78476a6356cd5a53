"""The review file as the desk reads and writes it, the run behind it, and what is to be read in
which order."""

from __future__ import annotations

import dataclasses
import difflib
import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.desk import FAILED, RUN, items, make_run, suite_run
from support.project import ROOT

from benchmark.core.errors import InvalidInput
from benchmark.core.records import Review, Verdict
from benchmark.desk import reading
from benchmark.desk.reviewers import desk
from benchmark.desk.run import Run, load
from benchmark.desk.store import Changed, Entry, Store
from benchmark.scoring.reviews import apply

APPLICABLE = {f"q-{n:02}": ("facts", "cited") for n in range(1, 31)}
READ: Entry = {"read": True, "reviewer": "A. B."}
WRONG: Entry = {
    "verdicts": {"facts": False, "cited": True},
    "reason": "אומר ההפך",
    "reviewer": "A. B.",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "reviews" / "reviews-2026-Q4.demo.json", "2026-Q4", APPLICABLE)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    root = tmp_path_factory.mktemp("run")
    make_run(root, items())
    return load(root, RUN)


# The file -----------------------------------------------------------------------------------------


def test_a_file_is_made_with_its_first_entry(store: Store) -> None:
    """Where the run has no review file yet, folder and file come with the first action."""
    assert store.read().entries == {}
    assert not store.path.parent.exists()
    assert store.set("q-02", READ, seen="") is None
    assert json.loads(store.path.read_text("utf-8")) == {
        "quarter": "2026-Q4",
        "reviews": {"q-02": READ},
    }


def test_a_change_is_one_entry_in_the_diff(store: Store) -> None:
    """Ids, fields and measures are sorted, text stays text, and nothing else is touched."""
    for name in ("q-09", "q-01", "q-05"):
        store.set(name, READ, store.read().digest)
    before = store.path.read_text("utf-8").splitlines()
    assert store.set("q-05", WRONG, store.read().digest) == READ
    after = store.path.read_text("utf-8").splitlines()
    added = [line[1:].strip() for line in difflib.ndiff(before, after) if line.startswith("+ ")]
    removed = [line[1:].strip() for line in difflib.ndiff(before, after) if line.startswith("- ")]
    assert added == [
        '"reason": "אומר ההפך",',
        '"reviewer": "A. B.",',
        '"verdicts": {',
        '"cited": true,',
        '"facts": false',
        "}",
    ]
    assert removed == ['"read": true,', '"reviewer": "A. B."']
    assert list(json.loads("\n".join(after))["reviews"]) == ["q-01", "q-05", "q-09"]


def test_removing_an_entry_leaves_the_others(store: Store) -> None:
    store.set("q-01", READ, "")
    store.set("q-02", WRONG, store.read().digest)
    assert store.set("q-01", None, store.read().digest) == READ
    assert store.read().entries == {"q-02": WRONG}


def edited(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace("A. B.", "C. D."), "utf-8")


@pytest.mark.parametrize("outside", [edited, Path.unlink], ids=["edited", "deleted"])
def test_an_edit_from_outside_is_never_overwritten(store: Store, outside: object) -> None:
    store.set("q-01", READ, "")
    seen = store.read().digest
    assert callable(outside)
    outside(store.path)
    now = store.path.read_bytes() if store.path.exists() else None
    with pytest.raises(Changed):
        store.set("q-02", READ, seen)
    assert (store.path.read_bytes() if store.path.exists() else None) == now


def test_a_file_that_came_meanwhile_is_never_overwritten(store: Store) -> None:
    """The desk had seen that there was none."""
    store.path.parent.mkdir()
    store.path.write_text(json.dumps({"quarter": "2026-Q4", "reviews": {"q-03": READ}}), "utf-8")
    with pytest.raises(Changed):
        store.set("q-01", READ, seen="")
    assert store.read().entries == {"q-03": READ}


BROKEN = {
    "torn": '{"quarter": "2026-Q4", "rev',
    "twice": (
        '{"quarter": "2026-Q4", "reviews": {"q-01": {"read": true}, "q-01": {"faulty": true,'
        ' "reason": "x"}}}'
    ),
    "unknown question": '{"quarter": "2026-Q4", "reviews": {"q-99": {"read": true}}}',
    "no reason": '{"quarter": "2026-Q4", "reviews": {"q-01": {"faulty": true}}}',
    "another quarter": '{"quarter": "2027-Q1", "reviews": {}}',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_file_with_faults_is_not_written_over(store: Store, text: str) -> None:
    """Whoever was editing it must not find it mended in the desk's way."""
    store.path.parent.mkdir()
    store.path.write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match="reviews-2026-Q4.demo.json"):
        store.set("q-01", READ, seen="")
    assert store.path.read_text("utf-8") == text


def insist(store: Store, names: list[str]) -> None:
    """As a person does it: look again, decide again."""
    for name in names:
        while True:
            try:
                store.set(name, READ, store.read().digest)
                break
            except Changed:
                continue


def test_two_threads_lose_nothing_of_each_other(store: Store) -> None:
    names = list(APPLICABLE)
    threads = [threading.Thread(target=insist, args=(store, names[n::2])) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert list(store.read().entries) == names


ANOTHER_DESK = """
import sys
from pathlib import Path
from benchmark.desk.store import Changed, Store
names = sys.argv[2:]
store = Store(Path(sys.argv[1]), "2026-Q4", dict.fromkeys(map("q-{:02}".format, range(1, 31)), ()))
while names:
    try:
        store.set(names[0], {"read": True}, store.read().digest)
        del names[0]
    except Changed:
        pass
"""


def test_two_processes_lose_nothing_of_each_other(store: Store) -> None:
    """Two desks, of two terminals."""
    names = list(APPLICABLE)[:16]
    commands = [
        [sys.executable, "-c", ANOTHER_DESK, str(store.path), *names[n::2]] for n in range(2)
    ]
    children = [subprocess.Popen(command, cwd=ROOT) for command in commands]
    assert [child.wait(60) for child in children] == [0, 0]
    assert list(store.read().entries) == names


# The run ------------------------------------------------------------------------------------------


def test_verdicts_are_mechanical_again(tmp_path: Path) -> None:
    """A report holds what the review file said when it was written; the desk starts from what was
    measured."""
    folder = make_run(tmp_path, items(("en",)))
    fresh = load(tmp_path, RUN)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    written = report["tests"][0]["metadata"]["verdict"]
    written |= {"read": True, "faulty": True, "reviewed": dict.fromkeys(written["reviewed"], True)}
    written["review"] = {"id": "med-en-01", "faulty": True, "reason": "x"}
    (folder / "report.json").write_text(json.dumps(report), "utf-8")
    assert load(tmp_path, RUN) == fresh
    assert fresh.verdicts[0].reviewed["facts"] is False


@pytest.mark.parametrize("name", ["2026-Q3.demo", "../reports/2026-Q4.demo", "", "/etc"])
def test_a_run_that_is_not_there_is_named_with_those_that_are(tmp_path: Path, name: str) -> None:
    make_run(tmp_path, items(("en",)))
    with pytest.raises(
        InvalidInput, match=r"RUN: got '.*'; expected a complete run under .*: 2026-Q4\.demo"
    ):
        load(tmp_path, name)


def test_a_run_that_lies_elsewhere_is_not_reviewed(tmp_path: Path) -> None:
    folder = make_run(tmp_path, items(("en",)))
    report = folder / "report.json"
    report.rename(tmp_path / "report.json")
    report.symlink_to(tmp_path / "report.json")
    with pytest.raises(InvalidInput, match="report.json: is a link; expected a file"):
        load(tmp_path, RUN)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    with pytest.raises(InvalidInput, match="there is none yet"):
        load(tmp_path, RUN)


def test_an_answer_that_was_asked_again_is_not_judged_by_the_old_report(tmp_path: Path) -> None:
    """A subset run leaves the report alone and appends to the record."""
    folder = make_run(tmp_path, items(("en",)))
    with open(folder / "raw-med.jsonl", "a", encoding="ascii") as file:
        file.write(
            json.dumps({"id": "med-en-02", "status": 200, "body_sha256": "0" * 64})
            + "\n"
            + '{"id": "torn'
        )
    with pytest.raises(InvalidInput, match="'med-en-02': it does not hold what was recorded last"):
        load(tmp_path, RUN)


@pytest.mark.parametrize(
    "report",
    [
        [],
        {},
        {"tests": [{"call": {}, "metadata": {"verdict": {}}}]},
        {"tests": ["x"]},
        {"tests": [{"metadata": {}}]},
    ],
)
def test_a_report_that_is_foreign_is_a_fault(tmp_path: Path, report: object) -> None:
    """Of another program, of an interrupted run, or without what a verdict needs."""
    folder = make_run(tmp_path, items(("en",)))
    (folder / "report.json").write_text(json.dumps(report), "utf-8")
    with pytest.raises(InvalidInput, match="report.json: holds no verdict"):
        load(tmp_path, RUN)


def test_the_digest_is_the_answers_or_the_bodys(run: Run) -> None:
    """One of `verdicts.digests`: an entry that the desk writes is never stale for the run
    itself."""
    for verdict in run.verdicts:
        digests = run.digests(verdict)
        review = Review(verdict.question.id, read=True, answer_sha256=digests[0])
        assert apply(review, verdict, digests).read
        assert len(digests) == (2 if verdict.delivered else 1)


# What is read -------------------------------------------------------------------------------------


def ids(group: reading.Group) -> list[str]:
    return [v.question.id for v in group.verdicts]


def test_the_order_of_reading(run: Run) -> None:
    """Rubric: every not-on-site answer, every failed answerable one; then a seeded random fifth of
    the passes."""
    off_site, failed, sampled, rest = reading.groups(run.verdicts, RUN)
    assert ids(off_site) == [
        f"med-{language}-{n}" for language in ("en", "he") for n in range(16, 21)
    ]
    assert ids(failed) == FAILED
    passes = [v.question.id for v in run.verdicts if not v.must_be_read]
    assert len(passes) == 26
    assert sorted(ids(sampled) + ids(rest)) == sorted(passes)
    assert len(ids(sampled)) == 6
    assert [group.required for group in (off_site, failed, sampled, rest)] == [
        True,
        True,
        False,
        False,
    ]
    assert [v.question.id for v in reading.walk([off_site, failed, sampled, rest])] == [
        *ids(off_site), *ids(failed), *ids(sampled),
    ]  # fmt: skip


def test_the_sample_is_drawn_by_the_run_alone(run: Run) -> None:
    """The same for every reviewer and whatever was read; another for another run."""
    names = [v.question.id for v in run.verdicts]
    first = reading.sample(names, "2026-Q4.demo")
    assert len(first) == 8
    assert reading.sample(names[::-1], "2026-Q4.demo") == first
    assert reading.sample(names, "2027-Q1.demo") != first
    assert sorted(reading.sample(["a", "b", "c", "d", "e", "f"], "seed")) == ["a", "f"]


def with_review(verdict: Verdict, **changes: object) -> Verdict:
    return dataclasses.replace(verdict, **changes)  # type: ignore[arg-type]


def test_a_stale_review_is_read_again_wherever_it_stands(run: Run) -> None:
    """The report stays a draft until then, so the way leads there even outside the sample."""
    before = reading.groups(run.verdicts, RUN)
    name = ids(before[-1])[0]
    verdicts = [with_review(v, stale=v.question.id == name) for v in run.verdicts]
    stale = next(group for group in reading.groups(verdicts, RUN) if group.title == "Stale reviews")
    assert ids(stale) == [name]
    assert stale.required
    assert stale.verdicts[0] in reading.walk(reading.groups(verdicts, RUN))


def test_the_next_unread_answer(run: Run) -> None:
    """The one after this, then from the start; none when all are read."""
    order = [with_review(v, read=n != 1) for n, v in enumerate(run.verdicts[:4])]
    assert reading.next_unread(order, order[2].question.id) == order[1].question.id
    assert reading.next_unread(order) == order[1].question.id
    assert reading.next_unread(order[:1]) == ""


def test_an_answer_without_a_verdict_is_read(tmp_path: Path) -> None:
    """A judge's error is no failure and no pass: a person gives the value."""
    suite_run(tmp_path)
    run = load(tmp_path, "2026-Q4.a-model")
    first = reading.groups(run.verdicts, run.name)[0]
    assert (first.title, ids(first)) == ("Failed, or without a verdict", ["translation-q-002"])
    assert run.applicable()["translation-q-002"] == ("delivered", "complete", "llm_judge")


# Who reviews --------------------------------------------------------------------------------------


def test_a_second_reviewers_file_is_no_runs_file(tmp_path: Path, run: Run) -> None:
    """A reviewer called demo must not write the reviews of the run 2026-Q4.demo, nor one called
    ../x elsewhere."""
    make_run(tmp_path, items(("en",)), run="2026-Q4")
    live = load(tmp_path, "2026-Q4")
    for name, safe in {
        "demo": "demo",
        "../x": "x",
        "Дана К.": "дана-к",
        "א" * 90: "א" * 30,
    }.items():
        made = desk(tmp_path, live, name, blind=True)
        made.agree("med-en-16", made.now().version.digest)
        assert (tmp_path / "reviews" / f"reviews-2026-Q4.by_{safe}.json").exists()
    assert not (tmp_path / "reviews" / "reviews-2026-Q4.demo.json").exists()


def test_a_second_opinion_is_another_persons(tmp_path: Path, run: Run) -> None:
    first = desk(tmp_path, run, "A. B.", blind=False)
    first.agree("med-en-16", "")
    with pytest.raises(InvalidInput, match="got 'A. B.', who has entries in"):
        desk(tmp_path, run, "A. B.", blind=True)
    second = desk(tmp_path, run, "C. D.", blind=True)
    second.agree("med-en-16", "")
    with pytest.raises(InvalidInput, match="holds entries of 'C. D.'"):
        desk(tmp_path, run, "c d", blind=True)


@pytest.mark.parametrize("name", [None, "", " "])
def test_a_blind_review_needs_a_name(tmp_path: Path, run: Run, name: str | None) -> None:
    with pytest.raises(InvalidInput, match="--reviewer: missing"):
        desk(tmp_path, run, name, blind=True)


def test_without_a_name_it_is_gits(tmp_path: Path, run: Run) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "config", "user.name", "Git  Name"], check=True)
    assert desk(tmp_path, run, None, blind=False).reviewer == "Git Name"


def test_a_review_file_with_faults_is_told_before_anything_is_served(
    tmp_path: Path, run: Run
) -> None:
    (tmp_path / "reviews").mkdir()
    (tmp_path / "reviews" / f"reviews-{RUN}.json").write_text("{}", "utf-8")
    with pytest.raises(InvalidInput, match="reviews: missing; expected an object"):
        desk(tmp_path, run, "A. B.", blind=False)
