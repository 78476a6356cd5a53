"""A quarter, run as a user runs it: what it asks, what it writes, what it says, and what a second
run does."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.assistant import Asked, Json, Reply, Script, as_json, assistant, perfect
from support.project import (
    BOTH_WAYS,
    QUARTER,
    ROOT,
    TWO_WORKERS,
    WAYS,
    Done,
    Project,
    asked_of_demo,
    copy,
    copy_of,
    once,
)

REPORTS = {"manifest.json", "report.json", "results.json", "results.md", "index.html"}
REPORTS |= {"raw-biz.jsonl", "raw-med.jsonl"}
MEASURES = ["delivered", "facts", "cited", "language", "declined"]
UTC = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


@dataclasses.dataclass(frozen=True)
class Finished:
    """A run of the embedded demo or of a test's assistant, and how many requests it counted."""

    project: Project
    done: Done
    requests: int = 0


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, demo_url: str) -> Finished:
    def run(folder: Path) -> Json:
        before = asked_of_demo(demo_url)
        done = copy(folder, demo_url).quarter()
        return {"done": dataclasses.asdict(done), "requests": asked_of_demo(demo_url) - before}

    folder, said = once(tmp_path_factory, "finished", run)
    return Finished(Project(folder), Done(**said["done"]), said["requests"])


def recorded(project: Project) -> Script:
    """An assistant that says again, word for word, what was recorded: at once."""
    lines = project.lines()
    bodies = {line["request"]["json"]["question"]: line["body"].encode() for line in lines}
    return lambda asked: Reply(bodies[asked.question])


# What a run writes --------------------------------------------------------------------------------


def test_one_command_asks_every_question_once_and_writes_every_report(finished: Finished) -> None:
    """120 questions, 120 requests. The embedded assistant is not perfect, so the exit code is 1."""
    assert finished.done.code == 1, finished.done.said
    assert finished.requests == 120
    assert set(finished.project.files()) >= REPORTS


def test_the_record_holds_a_line_a_question_in_their_order(finished: Finished) -> None:
    lines = finished.project.lines()
    ids = [question["id"] for question in finished.project.questions()]
    assert [line["id"] for line in lines] == ids
    assert {line["status"] for line in lines} == {200}
    assert {len(line["attempts"]) for line in lines} == {1}


def test_a_line_of_the_record_is_the_response_as_received_with_how_it_was_asked(
    finished: Finished,
) -> None:
    """Design, "A raw line"."""
    question, line = finished.project.questions()[0], finished.project.lines()[0]
    assert list(line) == [
        *("id", "asked_at", "attempts", "status", "headers", "latency_ms"),
        *("body", "body_sha256", "page", "request"),
    ]
    assert line["body_sha256"] == hashlib.sha256(line["body"].encode()).hexdigest()
    assert re.fullmatch(UTC, line["asked_at"])
    assert list(line["attempts"][0]) == ["status", "error", "latency_ms", "started_at"]
    assert line["attempts"][0]["latency_ms"] == line["latency_ms"] > 0
    shipped = json.loads((ROOT / "targets" / "demo.json").read_text("utf-8"))
    assert set(line["headers"]) <= set(shipped["keep_headers"])
    assert line["request"]["json"]["question"] == question["question"]
    assert line["page"] == line["request"]["json"]["pageUrl"]
    assert set(json.loads(line["body"])) >= {"answer", "sources", "hasGroundingContent", "version"}


def test_the_visitor_is_on_the_page_of_the_questions_language(finished: Finished) -> None:
    pages = {line["id"]: line["page"] for line in finished.project.lines()}
    assert all(pages[q["id"]].endswith(f"/{q['language']}/") for q in finished.project.questions())


def test_the_manifest_says_what_the_run_was_made_with(finished: Finished) -> None:
    project, manifest = finished.project, finished.project.read("manifest.json")
    for name in ("med", "biz"):
        digest = hashlib.sha256(project.set_file(name).read_bytes()).hexdigest()
        assert manifest["questions"][name] == {"version": "2026.4.1", "sha256": digest, "count": 60}
    assert manifest["run"] == f"{QUARTER}.demo"
    assert manifest["target"]["rehearsal"] is True
    assert manifest["decline"]["lists"] == ["2026-10-28", "2026-11-05"]
    assert len(manifest["rules"]["sha256"]) == 64
    (session,) = manifest["sessions"]
    expected = {"to_ask": 120, "asked_again": [], "concurrency": 4}
    expected |= {"git": {"commit": None, "clean": None}}
    expected |= {"python": ".".join(map(str, sys.version_info[:3]))}
    assert session.items() >= expected.items()
    assert session["packages"]["pytest"] == pytest.__version__


def test_the_manifest_is_completed_with_window_counts_and_the_records_digest(
    finished: Finished,
) -> None:
    manifest, files = finished.project.read("manifest.json"), finished.project.files()
    asked = sorted(line["asked_at"] for line in finished.project.lines())
    assert manifest["window"] == [asked[0], asked[-1]]
    assert manifest["sessions"][0]["started_at"] <= asked[0]
    counts = dict.fromkeys(("questions", "asked", "delivered"), 120)
    counts |= dict.fromkeys(("faulty", "stale", "read", "to_read"), 0)
    assert manifest["counts"] | {"to_read": 0} == counts
    for name in ("raw-med.jsonl", "raw-biz.jsonl"):
        assert manifest["record"][name] == hashlib.sha256(files[name]).hexdigest()


def test_results_hold_every_measure_by_site_and_language_with_its_interval(
    finished: Finished,
) -> None:
    results = finished.project.read("results.json")
    places = [(site, language) for site in ("med", "biz") for language in ("en", "he", "ru")]
    rows = {(row["measure"], row["site"], row["language"]): row for row in results["table"]}
    assert list(rows) == [(measure, *place) for measure in MEASURES for place in places]
    of = {"delivered": 20, "facts": 15, "cited": 15, "language": 20, "declined": 5}
    assert all(row["of"] == of[measure] for (measure, _, _), row in rows.items())
    for row in rows.values():
        assert row["interval"][0] <= row["reviewed"] / row["of"] <= row["interval"][1]
    whole = {r["measure"]: r for r in results["totals"] if r["site"] == r["language"] == ""}
    for measure in MEASURES:
        counted = [row["reviewed"] for row in results["table"] if row["measure"] == measure]
        assert whole[measure]["reviewed"] == sum(counted)
    ids = [question["id"] for question in finished.project.questions()]
    assert [question["id"] for question in results["questions"]] == ids


def test_the_results_header_names_what_was_tested(finished: Finished) -> None:
    results = finished.project.read("results.json")
    assert results["platform_version"].startswith("demo-1")
    expected = {"status": "draft", "concurrency": [4], "asked_again": []}
    assert results.items() >= expected.items()
    assert all(re.fullmatch(UTC, moment) for moment in results["window"])
    assert results["latency_ms"]["of"] == 120
    assert results["suite"]


def test_a_rehearsal_is_labelled_wherever_its_results_stand(finished: Finished) -> None:
    """Design: a rehearsal never passes for a quarter."""
    folder = finished.project.folder
    assert folder.name == f"{QUARTER}.demo"
    for name in ("manifest.json", "results.json", "results.md"):
        assert "rehearsal on the embedded demo" in (folder / name).read_text("utf-8"), name
    for language in ("en", "he", "ru"):
        page = (folder / language / "index.html").read_text("utf-8")
        assert 'class="banner rehearsal"' in page, language
    assert "REHEARSAL ON THE EMBEDDED DEMO" in finished.done.out


def test_the_json_report_holds_each_tests_record_and_verdict(finished: Finished) -> None:
    report = finished.project.read("report.json")
    counts = [report["summary"][name] for name in ("collected", "total")]
    assert [*counts, len(report["tests"])] == [120] * 3
    assert report["exitcode"] == finished.done.code
    for test in report["tests"]:
        verdict, records = test["metadata"]["verdict"], test["metadata"]["records"]
        passed = False not in verdict["reviewed"].values()
        assert test["outcome"] == ("passed" if passed else "failed")
        assert [record["id"] for record in records] == [verdict["question"]["id"]]


def test_no_file_names_a_path_of_this_machine(finished: Finished) -> None:
    """They are published."""
    root = str(finished.project.root).encode()
    assert [name for name, data in finished.project.files().items() if root in data] == []


def test_the_terminal_ends_with_the_table(finished: Finished) -> None:
    """Measures by site and language, what was asked, what is left to read, where the files lie;
    pytest's count last."""
    *_, section = finished.done.out.partition(f"results of {QUARTER}.demo")
    cell = r"\d+/\d+ \d+–\d+%"
    for pattern in (
        *(rf"^{measure} +{cell}( +{cell}){{6}}$" for measure in MEASURES),
        r"^measure +med en +med he +med ru +biz en +biz he +biz ru +total$",
        r"asked 120 of 120, delivered 120, faulty 0, median latency \d+ ms over 120",
        r"draft: 0 of \d+ answers that must be read have been \(.*reviews-2026-Q4\.demo\.json\)",
        r"results\.json, results\.md, index\.html",
    ):
        assert re.search(pattern, section, re.MULTILINE), pattern
    assert str(finished.project.folder) in section
    assert section.rstrip().splitlines()[-1].startswith("=")
    assert "FAILED" not in section


# What a second run does ---------------------------------------------------------------------------


@BOTH_WAYS
def test_a_second_run_sends_no_request_and_comes_to_the_same(
    finished: Finished, demo_url: str, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    """A quarter that was recorded is replayed: the demo server's own counter shows it."""
    project = dataclasses.replace(copy_of(finished.project.root, pytester), url=demo_url)
    before, files = asked_of_demo(demo_url), project.files()
    done = project.quarter(*workers)
    assert done.code == finished.done.code, done.said
    assert asked_of_demo(demo_url) == before
    after = project.files()
    assert {name for name in REPORTS - {"report.json"} if after[name] != files[name]} == set()
    assert project.read("report.json")["summary"] == json.loads(files["report.json"])["summary"]


@BOTH_WAYS
def test_a_part_of_the_run_leaves_the_complete_runs_files_alone(
    finished: Finished, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    """It prints the table of its own part, and changes no byte; nobody is there to be asked."""
    project = copy_of(finished.project.root, pytester)
    files = project.files()
    done = project.quarter("-k", "biz and he", *workers)
    assert re.search(r"^measure +biz he +total$", done.out, re.MULTILINE), done.said
    assert "asked 20 of 20" in done.out
    assert "a part of the run" in done.out
    assert project.files() == files


@pytest.mark.parametrize(
    "arguments, concurrency",
    [
        pytest.param(("--concurrency", "1"), 1, id="concurrency-1", marks=pytest.mark.slow),
        pytest.param(TWO_WORKERS, 2, id="n2", marks=pytest.mark.slow),
    ],
)
def test_results_are_the_same_however_many_are_asked_at_once(
    finished: Finished, project: Project, arguments: tuple[str, ...], concurrency: int
) -> None:
    """Same answers, same verdicts, same tables, in the same order; the header says how many were
    under way at once."""
    with assistant(recorded(finished.project)) as server:
        done = project.asking(server).quarter(*arguments)
    assert done.code == finished.done.code, done.said
    assert len(server.asked) == 120
    assert server.most_at_once <= concurrency
    then, now = finished.project.read("results.json"), project.read("results.json")
    for key in ("questions", "table", "totals", "measures", "counts", "status", "platform_version"):
        assert now[key] == then[key], key
    assert now["concurrency"] == [concurrency]
    order = [test["nodeid"] for test in finished.project.read("report.json")["tests"]]
    assert [test["nodeid"] for test in project.read("report.json")["tests"]] == order


@BOTH_WAYS
def test_the_manifest_is_there_before_the_first_request(
    project: Project, workers: tuple[str, ...]
) -> None:
    """It says what the run was made with, whatever becomes of the run."""
    seen: list[Json] = []
    answer = perfect(project.questions())

    def look(asked: Asked) -> Reply | None:
        seen.append(project.read("manifest.json"))
        return answer(asked)

    with assistant(look) as server:
        done = project.asking(server).quarter("-k", "med and ru and not_on_site", *workers)
    done.expect(0)
    assert len(seen) == 5
    assert seen[0]["sessions"][0]["to_ask"] == 5
    assert set(seen[0]["questions"]) == {"med", "biz"}
    assert "window" not in seen[0]
    assert "counts" not in seen[0]


# Which questions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expression, count, pattern",
    [
        ("en", 40, "(med|biz)-en-.."),
        ("med and he", 20, "med-he-.."),
        ("med-ru-07", 1, "med-ru-07"),
        ("not_on_site and not biz", 15, "med-..-(16|17|18|19|20)"),
    ],
)
def test_k_selects_as_a_person_means_it(
    project: Project, expression: str, count: int, pattern: str
) -> None:
    """By site, language, kind or id: "en" also stands in "benchmark" and in "question", and means
    neither."""
    done = project.quarter("-k", expression, "--collect-only", "-q")
    listed = re.findall(r"^test_questions\.py::test_question\[(.+)\]$", done.out, re.MULTILINE)
    done.expect(0)
    assert len(listed) == count
    assert all(re.fullmatch(pattern, name) for name in listed)
    assert not project.folder.exists()


def test_without_k_all_questions_are_listed_also_for_workers(project: Project) -> None:
    done = project.quarter("--collect-only", "-q", *TWO_WORKERS)
    listed = re.findall(r"^test_questions\.py::test_question\[(.+)\]$", done.out, re.MULTILINE)
    assert listed == [question["id"] for question in project.questions()]


@BOTH_WAYS
def test_no_question_selected_is_an_error(project: Project, workers: tuple[str, ...]) -> None:
    """An empty run is no success."""
    done = project.quarter("-k", "klingon", *workers)
    done.expect(4, "no question was selected", "--collect-only -q")
    assert not project.folder.exists()


# What the tests say -------------------------------------------------------------------------------


WRONG, TURNED, FAULTY, STALE, READ = "med-en-01", "med-en-03", "med-en-04", "med-en-05", "med-en-16"


@pytest.fixture(scope="module", params=WAYS)
def reviewed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """The questions in WRONG … STALE are answered wrongly; the others rightly."""
    name = f"reviewed-{len(request.param)}"
    folder, done = once(tmp_path_factory, name, lambda folder: _reviewed(folder, request.param))
    return Finished(Project(folder), Done(**done))


def _reviewed(folder: Path, workers: tuple[str, ...]) -> Json:
    project = copy(folder)
    questions = project.questions()
    wrong = {project.text_of(name) for name in (WRONG, TURNED, FAULTY, STALE)}
    answer = perfect(questions)

    def some_wrong(asked: Asked) -> Reply | None:
        text = "Sorry, the dragon \x1b[31mate\x1b[0m the price list."
        reply = {"answer": text, "sources": ["https://other.example/"]}
        return as_json(reply) if asked.question in wrong else answer(asked)

    turned = {
        "verdicts": {"facts": True, "cited": True},
        "reason": "the dragon is true <b>here</b>",
    }
    stale = {"verdicts": {"facts": True}, "reason": "of old", "answer_sha256": "0" * 64}
    faulty = {"faulty": True, "reason": "the page says it otherwise"}
    entries: Json = {TURNED: turned, FAULTY: faulty, STALE: stale, READ: {"read": True}}
    project.review({name: entry | {"reviewer": "A. B."} for name, entry in entries.items()})
    with assistant(some_wrong) as server:
        done = project.asking(server).quarter("-k", "med and en", "-rfs", *workers)
    return dataclasses.asdict(done)


def test_a_wrong_answer_fails_and_says_what_would_have_passed(reviewed: Finished) -> None:
    """Its message holds the measures that failed, the spellings looked for, the pages, the question
    and the answer."""
    question = next(q for q in reviewed.project.questions() if q["id"] == WRONG)
    *_, message = reviewed.done.out.partition(f"test_question[{WRONG}] __")
    message = message.partition("\n___")[0]
    assert reviewed.done.code == 1
    groups = [", ".join(f"“{spelling}”" for spelling in group) for group in question["facts"]]
    for part in (
        *("failed facts, cited", f"question: {question['question']}", question["source_url"]),
        *(f"none of {group} found" for group in groups),
        *("https://other.example/", "answer: Sorry, the dragon"),
    ):
        assert part in message
    assert "Traceback" not in message
    assert "conftest" not in message


def test_an_answer_cannot_steer_the_terminal(reviewed: Finished) -> None:
    assert "\x1b[31m" not in reviewed.done.said
    assert r"the dragon \x1b[31mate" in reviewed.done.out


def test_reviewed_to_right_passes_and_says_so(reviewed: Finished) -> None:
    assert f"FAILED test_questions.py::test_question[{TURNED}]" not in reviewed.done.out
    assert f"passes by review: {TURNED}: the dragon is true <b>here</b>" in reviewed.done.out
    assert re.search(r"^facts +12/14 \(11/14\) ", reviewed.done.out, re.MULTILINE)


def test_a_faulty_question_is_a_skip_with_its_reason(reviewed: Finished) -> None:
    """It is in no count."""
    assert re.search(r"SKIPPED .* faulty question: the page says it otherwise", reviewed.done.out)
    assert "faulty 1" in reviewed.done.out
    assert re.search(r"^delivered +19/19 ", reviewed.done.out, re.MULTILINE)


@BOTH_WAYS
def test_the_json_report_counts_what_tests_became_by_review(
    replayable: Project, workers: tuple[str, ...]
) -> None:
    """A test asserts what the rules say; conftest's hook turns its report before it is counted."""
    entry = {"reviewer": "A. B.", "reason": "as a person reads it"}
    turned = entry | {"verdicts": {"facts": True, "cited": True}}
    refused = entry | {"verdicts": {"facts": False}}
    replayable.review({TURNED: turned, FAULTY: entry | {"faulty": True}, WRONG: refused})
    with assistant(lambda _: as_json({"answer": "Sorry, no idea.", "sources": []})) as server:
        done = replayable.asking(server).quarter("--ask-again", TURNED, *workers)
    done.expect(1, "1 failed, 118 passed, 1 skipped")
    report = replayable.read("report.json")
    counts = {name: report["summary"][name] for name in ("passed", "failed", "skipped", "total")}
    assert counts == {"passed": 118, "failed": 1, "skipped": 1, "total": 120}
    tests = {test["nodeid"].rpartition("[")[2][:-1]: test for test in report["tests"]}
    outcomes = {name: tests[name]["outcome"] for name in (TURNED, FAULTY, WRONG)}
    assert outcomes == {TURNED: "passed", FAULTY: "skipped", WRONG: "failed"}
    assert [tests[name]["call"]["outcome"] for name in outcomes] == [*outcomes.values()]
    turned = tests[TURNED]["metadata"]["verdict"]
    assert turned["reviewed"]["facts"] is True
    assert {m["name"]: m["value"] for m in turned["measures"]}["facts"] is False


def test_a_stale_review_is_listed_and_not_applied(reviewed: Finished) -> None:
    assert f"stale reviews, not applied: {STALE}" in reviewed.done.out
    assert f"FAILED test_questions.py::test_question[{STALE}]" in reviewed.done.out
    assert "its review is of another answer (stale), so it is not applied" in reviewed.done.out


def test_a_part_of_a_run_is_a_draft_and_says_how_much_was_read(reviewed: Finished) -> None:
    """To read: five not on the site, and the wrong ones; the stale review is no reading."""
    assert "draft: 3 of 9 answers that must be read have been" in reviewed.done.out


def test_a_question_that_review_turns_only_in_part_still_fails(project: Project) -> None:
    """It is not said to pass by review."""
    entry = {"reason": "right, of another page", "reviewer": "A. B."}
    project.review({WRONG: entry | {"verdicts": {"facts": True}}})
    with assistant(lambda _: as_json({"answer": "Sorry."})) as server:
        done = project.asking(server).quarter("-k", WRONG)
    done.expect(1, "failed cited")
    assert "passes by review" not in done.out
    assert project.text_of(WRONG) in done.out


@pytest.mark.slow
def test_a_complete_run_is_final_once_all_is_read_and_a_stale_review_keeps_it_a_draft(
    replayable: Project,
) -> None:
    """Rubric, "Review"."""
    entry = {"read": True, "reviewer": "A. B."}
    others = {q["id"]: entry for q in replayable.questions() if q["kind"] == "not_on_site"}
    replayable.review(others)
    replayable.quarter().expect(0, "final: 30 of 30 answers that must be read have been")
    assert replayable.read("results.json")["status"] == "final"
    replayable.review(others | {"med-en-01": entry | {"answer_sha256": "0" * 64}})
    replayable.quarter().expect(0, "draft: 30 of 30 answers that must be read have been")
    results = replayable.read("results.json")
    assert (results["status"], results["counts"]["stale"]) == ("draft", 1)


# The live line ------------------------------------------------------------------------------------


def on_a_terminal(project: Project, *arguments: str) -> str:
    """What `pytest --quarter 2026-Q4 …` writes where a person watches."""
    ours, theirs = pty.openpty()
    wanted = project.process("pytest", "-p", "no:cacheprovider", "--quarter", QUARTER, *arguments)
    wanted |= dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
    child = subprocess.Popen(**wanted | {"env": wanted["env"] | {"TERM": "xterm"}})
    os.close(theirs)
    written = b""
    while piece := _read(ours):
        written += piece
    os.close(ours)
    child.wait(30)
    return written.decode()


def _read(descriptor: int) -> bytes:
    """What comes next; nothing once the other side is closed, which Linux reports as an error."""
    try:
        return os.read(descriptor, 65536)
    except OSError:
        return b""


@BOTH_WAYS
def test_a_live_line_shows_how_the_asking_goes_where_there_is_a_terminal(
    project: Project, workers: tuple[str, ...]
) -> None:
    questions = [q for q in project.questions() if q["id"].startswith("med-en-1")]
    bad = project.text_of("med-en-12")
    answer = perfect(questions)
    with assistant(
        lambda asked: Reply(b"", 503) if asked.question == bad else answer(asked)
    ) as server:
        watched = project.asking(server)
        shown = on_a_terminal(watched, "-k", "med-en-1", *workers)
        again = on_a_terminal(watched, "-k", "med-en-1", *workers) if not workers else ""
    assert re.search(r"asked 10 · undelivered 1 · median \d+ ms", shown), shown
    assert "asked 1 · undelivered " in shown
    assert " · undelivered " not in again, "a replay asks nothing"


def test_there_is_no_live_line_where_nobody_watches(finished: Finished) -> None:
    assert " · undelivered " not in finished.done.said
