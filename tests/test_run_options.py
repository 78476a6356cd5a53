"""The options of a run, as a user gives them: each alone and, where it makes a difference, with
xdist's workers."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from support.project import (
    BOTH_WAYS,
    TWO_WORKERS,
    Asked,
    Project,
    Reply,
    as_json,
    assistant,
    perfect,
    text_of,
)

from benchmark.core.errors import InvalidInput
from benchmark.run import plan

ONE, OTHER = "med-ru-07", "med-ru-08"


def wrong(_: Asked) -> Reply:
    return as_json({"answer": "No, sorry.", "sources": []})


# --ask-again --------------------------------------------------------------------------------------


@BOTH_WAYS
def test_ask_again_asks_those_alone_and_adds_a_line(
    replayable: Project, workers: tuple[str, ...]
) -> None:
    """The first answer stays in the record, the last one counts, and the manifest shows what was
    asked again."""
    before = replayable.files()
    with assistant(wrong) as server:
        done = replayable.asking(server).quarter(
            "-k", "med-ru-0", "--ask-again", f"{ONE}, {OTHER}", *workers
        )
    assert sorted(asked.question for asked in server.asked) == sorted(
        text_of(replayable.questions(), name) for name in (ONE, OTHER)
    )
    assert done.code == 1, done.said
    assert "2 failed, 7 passed" in done.out
    after = replayable.files()
    assert after["raw-med.jsonl"].startswith(before["raw-med.jsonl"])
    assert after["raw-biz.jsonl"] == before["raw-biz.jsonl"]
    added = after["raw-med.jsonl"][len(before["raw-med.jsonl"]) :].splitlines()
    assert sorted(json.loads(line)["id"] for line in added) == [ONE, OTHER]
    session = replayable.read("manifest.json")["sessions"][-1]
    assert session["asked_again"] == [ONE, OTHER]
    assert session["to_ask"] == 2
    assert replayable.quarter("-k", ONE).code == 1, (
        "the last line counts, and nothing is asked any more"
    )


@pytest.mark.slow
def test_results_name_what_was_asked_again(replayable: Project) -> None:
    """A complete run whose answers are not all first ones says so in its results."""
    with assistant(perfect(replayable.questions())) as server:
        done = replayable.asking(server).quarter("--ask-again", ONE)
    assert done.code == 0, done.said
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
    assert done.code == 4
    assert done.names(
        "2 faults", "--ask-again: got 'med-ru-99'", "got 'nobody'", "expected the id of a question"
    )
    assert ONE not in done.said
    assert replayable.files() == before


# --offline ----------------------------------------------------------------------------------------


@BOTH_WAYS
def test_offline_replays_and_lists_what_it_would_have_to_ask(
    replayable: Project, workers: tuple[str, ...]
) -> None:
    """Only what is selected has to be recorded."""
    lines = replayable.raw_file("med").read_bytes().splitlines(keepends=True)
    replayable.raw_file("med").write_bytes(
        b"".join(line for line in lines if f'"{ONE}"'.encode() not in line)
    )
    manifest = replayable.folder / "manifest.json"
    manifest.write_text(json.dumps(replayable.read("manifest.json") | {"record": None}), "utf-8")
    before = replayable.files()
    assert replayable.quarter("-k", "med and ru and not 07", "--offline", *workers).code == 0
    done = replayable.quarter("-k", "med and ru", "--offline", *workers)
    assert done.code == 4
    assert done.names(f"{ONE}: not recorded in", "--offline asks nothing; leave it out to ask.")
    assert OTHER not in done.said
    assert replayable.files() == before


# --concurrency and --rate -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, at_once",
    [
        pytest.param((), 4, id="the target's own"),
        pytest.param(("--concurrency", "1"), 1, id="1", marks=pytest.mark.slow),
        pytest.param(("--concurrency", "7"), 7, id="7"),
        pytest.param((*TWO_WORKERS, "--concurrency", "7"), 2, id="n2", marks=pytest.mark.slow),
    ],
)
def test_so_many_are_under_way_at_once_and_the_manifest_says_so(
    project: Project, arguments: tuple[str, ...], at_once: int
) -> None:
    """Latency is published, so what it was measured under is too. Each of xdist's workers asks one
    at a time."""
    answer = perfect(project.questions())

    def slow(asked: Asked) -> Reply | None:
        reply = answer(asked)
        return reply and Reply(reply.body, wait_s=0.5)

    with assistant(slow) as server:
        assert project.asking(server).quarter("-k", "med-ru-0", *arguments).code == 0
    assert server.most_at_once == at_once
    assert project.read("manifest.json")["sessions"][0]["concurrency"] == at_once


@BOTH_WAYS
def test_a_rate_spaces_the_requests_whoever_sends_them(
    project: Project, workers: tuple[str, ...]
) -> None:
    """300 a minute are five a second: nine questions take 1.6 s, in one process or in two that
    share the rate.

    By the sender's clock: a server that is slow to take the first request would see them closer
    together."""
    with assistant(perfect(project.questions())) as server:
        assert (
            project.asking(server).quarter("-k", "med-ru-0", "--rate", "300/min", *workers).code
            == 0
        )
    sent = sorted(
        datetime.fromisoformat(line["asked_at"].replace("Z", "+00:00")) for line in project.lines()
    )
    assert len(server.asked) == len(sent) == 9
    assert (sent[-1] - sent[0]).total_seconds() > 1.2
    assert project.read("manifest.json")["sessions"][0]["rate_per_minute"] == 300


# Exit codes on purpose ----------------------------------------------------------------------------


def test_report_only_is_no_failure_whatever_the_answers_were(project: Project) -> None:
    with assistant(wrong) as server:
        done = project.asking(server).quarter("-k", "med-ru-0", "--report-only")
    assert done.code == 0
    assert "9 failed" in done.out
    assert "facts      0/9" in done.out


@pytest.mark.parametrize(
    "gates, code, said",
    [
        pytest.param(["facts=93", "cited=100"], 0, "", id="met"),
        pytest.param(
            ["facts=93.4"],
            1,
            "--fail-under: facts: 14/15 (15/15) is under 93.4%",
            id="not met after review",
        ),
        pytest.param(
            ["facts=90", "language=96"],
            1,
            "language: 19/20 (20/20) is under 96%",
            id="one of two not met",
        ),
    ],
)
def test_fail_under_is_a_gate_after_review(
    replayable: Project, gates: list[str], code: int, said: str
) -> None:
    """All answers are right by the rules; a reviewer turned two verdicts, which alone would be exit
    1."""
    turned = {
        "verdicts": {"facts": False, "language": False},
        "reason": "right words, wrong sense",
        "reviewer": "A. B.",
    }
    replayable.review({"med-ru-01": turned})
    done = replayable.quarter("-k", "med and ru", *(f"--fail-under={gate}" for gate in gates))
    assert done.code == code, done.said
    assert said in done.out
    assert "by review: right words, wrong sense" in done.out


@pytest.mark.slow
def test_fail_under_also_gates_a_run_of_workers(replayable: Project) -> None:
    turned = {
        "verdicts": {"facts": False},
        "reason": "right words, wrong sense",
        "reviewer": "A. B.",
    }
    replayable.review({"med-ru-01": turned})
    assert replayable.quarter("-k", "med and ru", "--fail-under=facts=94", *TWO_WORKERS).code == 1


@pytest.mark.slow
def test_a_run_that_was_stopped_early_is_no_success_and_loses_no_answer(project: Project) -> None:
    """`-x`: what was asked ahead is recorded too, and the next run asks only the rest."""
    questions = project.questions()
    answer, first = perfect(questions), text_of(questions, "med-ru-01")
    with assistant(
        lambda asked: wrong(asked) if asked.question == first else answer(asked)
    ) as server:
        asking = project.asking(server)
        done = asking.quarter("-k", "med and ru", "-x", "--report-only")
        assert done.code == 1
        assert "collected but not reported" in done.out
        assert len(project.lines()) == len(server.asked) < 20
        assert asking.quarter("-k", "med and ru").code == 1
    assert len(server.asked) == 20
    assert {server.count(asked.question) for asked in server.asked} == {1}


# What is not taken --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments, words",
    [
        (
            ("--concurrency", "٤", "--rate", "/min", "--offline", "--ask-again", ONE),
            (
                "3 faults",
                "--concurrency: got '\\u0664'",
                "from 1 to 64",
                "--rate: got '/min'",
                "30/min",
                "--ask-again: got --offline too",
            ),
        ),
        (
            (
                "--fail-under",
                "fcts=80",
                "--fail-under",
                "facts=101",
                "--fail-under",
                "facts",
                "--fail-under",
                "cited=nan",
            ),
            (
                "4 faults",
                "'fcts=80'",
                "'facts=101'",
                "'facts'",
                "'cited=nan'",
                "delivered, facts, cited, language, declined",
            ),
        ),
        (("--target", "nowhere"), ("--target: got 'nowhere'", "demo, live or a target's file")),
        (("-n", "2", "--dist", "each"), ("--dist each", "once a worker")),
    ],
)
def test_options_that_make_no_sense_are_all_named_at_once(
    project: Project, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """What was given, what is accepted; exit 4, and nothing is written."""
    done = project.quarter(*arguments)
    assert done.code == 4
    assert done.names(*words), done.said
    assert "Traceback" not in done.said
    assert not project.folder.exists()


def test_options_of_a_run_are_refused_without_a_quarter(project: Project) -> None:
    """They would be silently without effect on the project's own tests."""
    options = {
        "--offline": (),
        "--report-only": (),
        "--concurrency": ("2",),
        "--rate": ("3/min",),
        "--ask-again": (ONE,),
        "--fail-under": ("facts=80",),
        "--target": ("live",),
        "--suites": ("",),
        "--judge": ("m",),
    }
    done = project.pytest(*(word for name, values in options.items() for word in (name, *values)))
    assert done.code == 4
    assert done.names(*(f"{name}: goes with --quarter YYYY-Qn" for name in options))


BAD_QUARTERS = [
    "2026-Q5",
    "2026-Q0",
    "2026-q4",
    "26-Q4",
    "2026",
    "",
    " 2026-Q4",
    "2026-Q4\n",
    "２０２６-Q4",
]
PATHS = [
    "../2026-Q4",
    "2026-Q4/../../x",
    "/2026-Q4",
    "2026-Q4.demo",
    "2026-Q4\\x",
    "2026-Q4\x00",
    "~/2026-Q4",
]


@pytest.mark.parametrize("given", ["2026-Q5", "2026-Q4/../../x"])
def test_a_quarter_that_is_none_is_refused(project: Project, given: str) -> None:
    """It names files, so nothing but the form is taken; nothing is written, here or elsewhere."""
    done = project.pytest("--quarter", given)
    assert done.code == 4
    assert done.names(
        f"--quarter: got '{given}'", "expected YYYY-Qn with n from 1 to 4, such as 2026-Q4"
    )
    assert list((project.root / "reports").iterdir()) == []


@pytest.mark.parametrize("given", BAD_QUARTERS + PATHS)
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
        done = replayable.asking(server).pytest("--quarter", "2027-Q1", "-k", ONE)
    assert done.code == 0, done.said
    assert len(server.asked) == 1
    assert (replayable.root / "reports" / "2027-Q1.demo" / "raw-med.jsonl").exists()
    assert replayable.files() == before
