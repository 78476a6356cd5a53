"""The options of a run, as a user gives them: each alone and, where it makes a difference, with
xdist's workers."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from support.assistant import Asked, Reply, assistant, perfect, wrong
from support.project import BOTH_WAYS, TWO_WORKERS, Project

from benchmark.core.errors import InvalidInput
from benchmark.run import plan

ONE, OTHER = "med-ru-07", "med-ru-08"
TURNED = {"reason": "right words, wrong sense", "reviewer": "A. B."}
slow = pytest.mark.slow


# --ask-again --------------------------------------------------------------------------------------


@BOTH_WAYS
def test_ask_again_asks_those_alone_and_adds_a_line(
    replayable: Project, workers: tuple[str, ...]
) -> None:
    """The first answer stays in the record, the last one counts, and the manifest shows what was
    asked again."""
    before, again = replayable.files(), ("--ask-again", f"{ONE}, {OTHER}")
    with assistant(wrong) as server:
        done = replayable.asking(server).quarter("-k", "med-ru-0", *again, *workers)
    asked = {asked.question for asked in server.asked}
    assert asked == {replayable.text_of(name) for name in (ONE, OTHER)}
    assert len(server.asked) == 2
    done.expect(1, "2 failed, 7 passed")
    after = replayable.files()
    assert after["raw-med.jsonl"].startswith(before["raw-med.jsonl"])
    assert after["raw-biz.jsonl"] == before["raw-biz.jsonl"]
    added = after["raw-med.jsonl"][len(before["raw-med.jsonl"]) :].splitlines()
    assert sorted(json.loads(line)["id"] for line in added) == [ONE, OTHER]
    session = replayable.read("manifest.json")["sessions"][-1]
    assert (session["asked_again"], session["to_ask"]) == ([ONE, OTHER], 2)
    replayable.quarter("-k", ONE).expect(1)  # nothing is asked any more


@slow
def test_results_name_what_was_asked_again(replayable: Project) -> None:
    """A complete run whose answers are not all first ones says so in its results."""
    with assistant(perfect(replayable.questions())) as server:
        replayable.asking(server).quarter("--ask-again", ONE).expect(0)
    assert len(server.asked) == 1
    assert replayable.read("results.json")["asked_again"] == [ONE]
    assert len(replayable.read("manifest.json")["sessions"]) == 2


def test_what_was_never_asked_is_not_asked_again(project: Project) -> None:
    """A first answer is a first answer, also where the option names it."""
    with assistant(perfect(project.questions())) as server:
        project.asking(server).quarter("-k", ONE, "--ask-again", ONE)
    assert len(server.asked) == 1
    assert project.read("manifest.json")["sessions"][0]["asked_again"] == []


def test_an_unknown_id_is_refused_before_anything_is_asked(replayable: Project) -> None:
    before = replayable.files()
    done = replayable.quarter("--ask-again", f"{ONE},med-ru-99,nobody")
    done.expect(4, "2 faults", "--ask-again: got 'med-ru-99'", "got 'nobody'")
    assert "expected the id of a question" in done.said
    assert ONE not in done.said
    assert replayable.files() == before


# --offline ----------------------------------------------------------------------------------------


@BOTH_WAYS
def test_offline_replays_and_lists_what_it_would_have_to_ask(
    replayable: Project, workers: tuple[str, ...]
) -> None:
    """Only what is selected has to be recorded."""
    file = replayable.raw_file("med")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(line for line in lines if f'"{ONE}"'.encode() not in line))
    replayable.forget_record()
    before = replayable.files()
    replayable.quarter("-k", "med and ru and not 07", "--offline", *workers).expect(0)
    done = replayable.quarter("-k", "med and ru", "--offline", *workers)
    done.expect(4, f"{ONE}: not recorded in", "--offline asks nothing; leave it out to ask.")
    assert OTHER not in done.said
    assert replayable.files() == before


# --concurrency and --rate -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, at_once",
    [
        pytest.param((), 4, id="the target's own"),
        pytest.param(("--concurrency", "1"), 1, id="1", marks=slow),
        pytest.param(("--concurrency", "7"), 7, id="7"),
        pytest.param((*TWO_WORKERS, "--concurrency", "7"), 2, id="n2", marks=slow),
    ],
)
def test_so_many_are_under_way_at_once_and_the_manifest_says_so(
    project: Project, arguments: tuple[str, ...], at_once: int
) -> None:
    """Latency is published, so what it was measured under is too. Each of xdist's workers asks one
    at a time."""
    answer = perfect(project.questions())

    def slowly(asked: Asked) -> Reply | None:
        reply = answer(asked)
        return reply and Reply(reply.body, wait_s=0.5)

    with assistant(slowly) as server:
        project.asking(server).quarter("-k", "med-ru-0", *arguments).expect(0)
    assert server.most_at_once == at_once
    assert project.read("manifest.json")["sessions"][0]["concurrency"] == at_once


@BOTH_WAYS
def test_a_rate_spaces_the_requests_whoever_sends_them(
    project: Project, workers: tuple[str, ...]
) -> None:
    """300 a minute are five a second: nine questions take 1.6 s, in one process or in two that
    share the rate. By the sender's clock: a server may be slow to take the first request."""
    with assistant(perfect(project.questions())) as server:
        asking = project.asking(server)
        asking.quarter("-k", "med-ru-0", "--rate", "300/min", *workers).expect(0)
    times = sorted(line["asked_at"].replace("Z", "+00:00") for line in project.lines())
    sent = [datetime.fromisoformat(time) for time in times]  # Python 3.10 reads no Z
    assert len(server.asked) == len(sent) == 9
    assert (sent[-1] - sent[0]).total_seconds() > 1.2
    assert project.read("manifest.json")["sessions"][0]["rate_per_minute"] == 300


# Exit codes on purpose ----------------------------------------------------------------------------


def test_report_only_is_no_failure_whatever_the_answers_were(project: Project) -> None:
    with assistant(wrong) as server:
        done = project.asking(server).quarter("-k", "med-ru-0", "--report-only")
    done.expect(0, "9 failed", "facts      0/9")


FACTS = "--fail-under: facts: 14/15 (15/15) is under 93.4%"


@pytest.mark.parametrize(
    "gates, code, words",
    [
        pytest.param(["facts=93", "cited=100"], 0, "", id="met"),
        pytest.param(["facts=93.4"], 1, FACTS, id="not met after review"),
        pytest.param(["facts=93.4", *TWO_WORKERS], 1, FACTS, id="n2", marks=slow),
        pytest.param(
            ["facts=90", "language=96"], 1, "language: 19/20 (20/20) is under 96%", id="one of two"
        ),
    ],
)
def test_fail_under_is_a_gate_after_review(
    replayable: Project, gates: list[str], code: int, words: str
) -> None:
    """All answers are right by the rules; a reviewer turned two verdicts: alone, that is exit 1."""
    replayable.review({"med-ru-01": TURNED | {"verdicts": {"facts": False, "language": False}}})
    options = [f"--fail-under={gate}" if "=" in gate else gate for gate in gates]
    done = replayable.quarter("-k", "med and ru", *options)
    done.expect(code, words, "by review: right words, wrong sense")


@slow
def test_a_run_that_was_stopped_early_is_no_success_and_loses_no_answer(project: Project) -> None:
    """`-x`: what was asked ahead is recorded too, and the next run asks only the rest."""
    answer, first = perfect(project.questions()), project.text_of("med-ru-01")
    with assistant(lambda asked: (wrong if asked.question == first else answer)(asked)) as server:
        asking = project.asking(server)
        done = asking.quarter("-k", "med and ru", "-x", "--report-only")
        done.expect(1, "collected but not reported")
        assert len(project.lines()) == len(server.asked) < 20
        asking.quarter("-k", "med and ru").expect(1)
    assert len(server.asked) == 20
    assert {server.count(asked.question) for asked in server.asked} == {1}


# What is not taken --------------------------------------------------------------------------------

GATES = ["fcts=80", "facts=101", "facts", "cited=nan"]
SENSELESS = {
    "values": (
        ["--concurrency", "٤", "--rate", "/min", "--offline", "--ask-again", ONE],
        ["3 faults", "--concurrency: got '\\u0664'", "from 1 to 64", "--rate: got '/min'"]
        + ["30/min", "--ask-again: got --offline too"],
    ),
    "gates": (
        [word for gate in GATES for word in ("--fail-under", gate)],
        ["4 faults", *map(repr, GATES), "delivered, facts, cited, language, declined"],
    ),
    "target": (
        ["--target", "nowhere"],
        ["--target: got 'nowhere'", "demo, live or a target's file"],
    ),
    "dist": (["-n", "2", "--dist", "each"], ["--dist each", "once a worker"]),
}


@pytest.mark.parametrize("arguments, words", SENSELESS.values(), ids=SENSELESS)
def test_options_that_make_no_sense_are_all_named_at_once(
    project: Project, arguments: list[str], words: list[str]
) -> None:
    """What was given, what is accepted; exit 4, and nothing is written."""
    done = project.quarter(*arguments).expect(4, *words)
    assert "Traceback" not in done.said
    assert not project.folder.exists()


def test_options_of_a_run_are_refused_without_a_quarter(project: Project) -> None:
    """They would be silently without effect on the project's own tests."""
    valued = {"--concurrency": "2", "--rate": "3/min", "--ask-again": ONE, "--target": "live"}
    valued |= {"--fail-under": "facts=80", "--suites": "", "--judge": "m"}
    words = [word for option in valued.items() for word in option]
    done = project.pytest("--offline", "--report-only", *words)
    names = ["--offline", "--report-only", *valued]
    done.expect(4, *(f"{name}: goes with --quarter YYYY-Qn" for name in names))


BAD_QUARTERS = ["2026-Q5", "2026-Q0", "2026-q4", "26-Q4", "2026", "", " 2026-Q4", "2026-Q4\n"]
BAD_QUARTERS += ["２０２６-Q4", "../2026-Q4", "2026-Q4/../../x", "/2026-Q4", "2026-Q4.demo"]
BAD_QUARTERS += ["2026-Q4\\x", "2026-Q4\x00", "~/2026-Q4"]


@pytest.mark.parametrize("given", ["2026-Q5", "2026-Q4/../../x"])
def test_a_quarter_that_is_none_is_refused(project: Project, given: str) -> None:
    """It names files, so nothing but the form is taken; nothing is written, here or elsewhere."""
    expected = "expected YYYY-Qn with n from 1 to 4, such as 2026-Q4"
    project.pytest("--quarter", given).expect(4, f"--quarter: got '{given}'", expected)
    assert list((project.root / "reports").iterdir()) == []


@pytest.mark.parametrize("given", BAD_QUARTERS)
def test_the_form_of_a_quarter_is_exact(given: str) -> None:
    with pytest.raises(InvalidInput, match="expected YYYY-Qn"):
        plan.quarter(given)


@pytest.mark.parametrize("given", ["2026-Q4", "2027-Q1", "9999-Q2"])
def test_a_quarter_is_taken_as_it_stands(given: str) -> None:
    assert plan.quarter(given) == given


def test_another_quarter_has_a_folder_of_its_own(replayable: Project) -> None:
    """The next quarter is asked afresh, and leaves the last one alone."""
    before = replayable.files()
    with assistant(perfect(replayable.questions())) as server:
        replayable.asking(server).pytest("--quarter", "2027-Q1", "-k", ONE).expect(0)
    assert len(server.asked) == 1
    assert (replayable.root / "reports" / "2027-Q1.demo" / "raw-med.jsonl").exists()
    assert replayable.files() == before
