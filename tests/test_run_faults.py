"""What goes wrong: on the platform's side (recorded and scored), in what is given (exit 4), in the
harness (exit 3)."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.assistant import Asked, Json, Reply, as_json, assistant, perfect, right
from support.project import (
    ALONE,
    BOTH_WAYS,
    NOBODY,
    QUARTER,
    TWO_WORKERS,
    WAYS,
    Done,
    Project,
    copy,
    once,
)

TIMEOUT_S = 2.0

# The platform's side ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """What the platform does at each attempt (the last again and again), and what must become of
    it.

    `attempts`: (status, start of the error or None) of each attempt that is kept; `reason`: what
    *delivered* says."""

    name: str
    does: Sequence[Callable[[Json], Reply | None]]
    attempts: Sequence[tuple[int | None, str | None]]
    reason: str
    is_delivered: bool = False


def good(question: Json) -> Reply:
    return as_json(right(question))


def says(body: bytes, **more: object) -> Callable[[Json], Reply]:
    return lambda _: Reply(body, **more)  # type: ignore[arg-type]


def longer(question: Json) -> Reply:
    return as_json(right(question) | {"log": "and more " * 2_300_000})


def with_surrogate(question: Json) -> Reply:
    return as_json(right(question) | {"answer": right(question)["answer"] + " \ud83d\udc4d \ud800"})


ONCE, TIMEOUT = ((200, None),), (None, "timeout: no whole response within 2 s")
LOST = (None, "connection error: ")
ERROR, BLANK = b'{"answer": "x", "error": {"code": 7}}', '{"answer": "\u200b \\u0007\\n"}'
HTML, DEEP = {"Content-Type": "text/html"}, b'{"answer": ' + b"[" * 200_000
BACK = {"Location": "/v1/query/ask"}
FAULTS = [
    Fault("500 twice", [says(b"", status=500)], [(500, None)] * 2, "HTTP 500"),
    Fault("503, then right", [says(b"", status=503), good], [(503, None), *ONCE], "HTTP 200", True),
    Fault("429, answered", [says(b'{"answer": "$1"}', status=429)], [(429, None)] * 2, "HTTP 429"),
    Fault("no answer in time", [says(b"{}", wait_s=6)], [TIMEOUT] * 2, "timeout"),
    Fault("drips", [says(b" " * 100, drip_s=0.2)], [(200, TIMEOUT[1])] * 2, "timeout"),
    Fault("hangs up", [lambda _: None], [LOST] * 2, "connection error"),
    Fault("hangs up, then right", [lambda _: None, good], [LOST, *ONCE], "HTTP 200", True),
    Fault("breaks off", [says(b"{", declared=99)], [(200, LOST[1])] * 2, "connection error"),
    Fault("redirects", [says(b"", status=302, headers=BACK)], [(302, None)] * 2, "HTTP 302"),
    Fault("a page", [says(b"<html><p>Down for repair", headers=HTML)], ONCE, "not JSON"),
    Fault("an empty body", [says(b"")], ONCE, "not JSON"),
    Fault("a blank answer", [says(BLANK.encode())], ONCE, "the answer is empty"),
    Fault("an error beside the answer", [says(ERROR)], ONCE, "error is "),
    Fault("a list", [says(b'[{"answer": "x"}]')], ONCE, "JSON list"),
    Fault("no UTF-8", [says(b'{"answer": "caf\xe9"}')], ONCE, "not UTF-8"),
    Fault("deeper than any reader", [says(DEEP)], ONCE, "nested too deep"),
    Fault("not a number", [says(b'{"answer": "x", "score": NaN}')], ONCE, "NaN is not JSON"),
    Fault("20 MB", [longer], ONCE, "HTTP 200", True),
    Fault("a lone surrogate", [with_surrogate], ONCE, "HTTP 200", True),
    Fault("wrong", [says(b'{"answer": "Sorry, no idea at all."}')], ONCE, "HTTP 200", True),
]


@dataclass(frozen=True)
class Hit:
    """A run of 20 questions against all of them; `questions` in the order of FAULTS, `counts` of
    requests by id."""

    project: Project
    done: Done
    questions: list[Json]
    counts: dict[str, int]


@pytest.fixture(scope="module", params=WAYS)
def hit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Hit:
    name = f"hit-{len(request.param)}"
    folder, said = once(tmp_path_factory, name, lambda folder: _hit(folder, request.param))
    project, done = Project(folder, NOBODY, "2026-Q4.hit"), Done(**said["done"])
    return Hit(project, done, said["questions"], said["counts"])


def _hit(folder: Path, workers: tuple[str, ...]) -> Json:
    project = copy(folder)
    questions = [q for q in project.questions() if q["id"].startswith("biz-en-")]
    struck = zip(questions, FAULTS, strict=True)
    replies = {q["question"]: [do(q) for do in fault.does] for q, fault in struck}

    def strike(asked: Asked) -> Reply | None:
        own = replies[asked.question]
        return own[min(server.count(asked.question), len(own)) - 1]

    with assistant(strike) as server:
        target = project.target("hit", timeout_s=TIMEOUT_S, concurrency=8)
        done = project.asking(server).quarter(
            "-k", "biz and en", "--target", str(target), "--tb=short", *workers
        )
    counts = {question["id"]: server.count(question["question"]) for question in questions}
    return {"done": dataclasses.asdict(done), "questions": questions, "counts": counts}


def test_no_fault_of_the_platform_breaks_the_run(hit: Hit) -> None:
    """Every question has its line and its verdict; the run fails by answers alone."""
    delivered = sum(fault.is_delivered for fault in FAULTS)
    assert hit.done.code == 1, hit.done.said
    assert sorted(line["id"] for line in hit.project.lines()) == [q["id"] for q in hit.questions]
    assert f"asked 20 of 20, delivered {delivered}," in hit.done.out
    assert f"delivered  {delivered}/20" in hit.done.out
    assert not hit.done.names("INTERNALERROR")
    assert not hit.done.names("collected but not reported")


@pytest.mark.parametrize("at", range(len(FAULTS)), ids=[fault.name for fault in FAULTS])
def test_every_attempt_is_kept_and_one_retry_is_all(hit: Hit, at: int) -> None:
    """Rubric, "Asking": one retry, only when the request itself failed; never for a better
    answer."""
    question, fault = hit.questions[at], FAULTS[at]
    line = hit.project.line(question["id"])
    kept = [(attempt["status"], attempt["error"]) for attempt in line["attempts"]]
    assert len(kept) == len(fault.attempts) == hit.counts[question["id"]]
    for (status, error), (wanted, start) in zip(kept, fault.attempts, strict=True):
        assert status == wanted
        assert error == start if start is None else str(error).startswith(start)
    assert line["status"] == (None if kept[-1][1] else kept[-1][0])
    assert line["latency_ms"] == line["attempts"][-1]["latency_ms"]


def test_what_was_not_delivered_fails_every_measure_with_its_reason(hit: Hit) -> None:
    """And what was delivered is scored like any answer, whatever else was odd about it."""
    files = (hit.project.set_file("biz"), hit.project.raw_file("biz"))
    scored = hit.project.command("score", *map(str, files), "--json", "-")
    verdicts = {entry["id"]: entry["measures"] for entry in json.loads(scored.out)["questions"]}
    for question, fault in zip(hit.questions, FAULTS, strict=True):
        every = verdicts[question["id"]]
        measures = {name: value for name, value in every.items() if value is not None}
        assert measures["delivered"]["mechanical"] is fault.is_delivered, fault.name
        assert fault.reason in measures["delivered"]["reason"], fault.name
        if not fault.is_delivered:
            assert not any(value["mechanical"] for value in measures.values()), fault.name
        elif fault.name != "wrong":
            assert all(value["mechanical"] for value in measures.values()), (fault.name, measures)


def test_a_body_that_is_no_text_is_kept_byte_for_byte(hit: Hit) -> None:
    at = [fault.name for fault in FAULTS].index("no UTF-8")
    line = hit.project.line(hit.questions[at]["id"])
    body = base64.b64decode(line["body_base64"])
    assert line["body"] is None
    assert body == b'{"answer": "caf\xe9"}'
    assert line["body_sha256"] == hashlib.sha256(body).hexdigest()


def test_undelivered_answers_are_recorded_ones(hit: Hit) -> None:
    """They are replayed like the others: nobody is there any more, and nothing is asked."""
    done = hit.project.quarter(
        "-k", "biz-en-01", "--target", str(hit.project.root / "hit.json"), "--tb=no"
    )
    done.expect(1, "asked 1 of 1, delivered 0")


def test_a_platform_that_goes_away_is_recorded_as_that(project: Project) -> None:
    """Refused connections are undelivered answers, each with its two attempts; the run goes on to
    its end."""
    answer = perfect(project.questions())

    def leave(asked: Asked) -> Reply | None:
        if len(server.asked) == 5:
            server.stop()
        return answer(asked)

    with assistant(leave) as server:
        done = project.asking(server).quarter("-k", "med and ru", "--tb=no")
    refused = [line for line in project.lines() if line["status"] is None]
    done.expect(1)
    assert len(project.lines()) == 20
    assert len(refused) >= 10
    assert {len(line["attempts"]) for line in refused} == {2}
    errors = {line["attempts"][-1]["error"] for line in refused}
    assert errors == {"connection error: NewConnectionError"}
    assert f"delivered {20 - len(refused)}" in done.out


# Interrupted --------------------------------------------------------------------------------------


def started(project: Project, *arguments: str) -> subprocess.Popen[str]:
    """`pytest --quarter 2026-Q4 …` as a process group of its own, to be interrupted as from a
    keyboard. A background job ignores that signal, and so does all that it starts."""
    words = ("-p", "no:cacheprovider", "--quarter", QUARTER, *arguments)
    wanted = project.process("pytest", *words) | {"stderr": subprocess.STDOUT}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return subprocess.Popen(**wanted, start_new_session=True)
    finally:
        signal.signal(signal.SIGINT, before)


@BOTH_WAYS
def test_an_interrupted_run_keeps_what_was_answered_and_the_next_asks_the_rest(
    project: Project, workers: tuple[str, ...]
) -> None:
    """Ctrl-C is exit 2. Only a question that was under way in a worker, and so has no answer, is
    asked again."""
    answer, enough = perfect(project.questions()), threading.Event()

    def slowly(asked: Asked) -> Reply | None:
        if len(server.asked) >= 7:
            enough.set()
        reply = answer(asked)
        return reply and Reply(reply.body, wait_s=0.3 if not enough.is_set() else 0.6)

    with assistant(slowly) as server:
        asking = project.asking(server)
        run = started(asking, "-k", "med and ru", "--concurrency", "2", *workers)
        assert enough.wait(60), run.communicate()
        os.killpg(run.pid, signal.SIGINT)
        said, _ = run.communicate(timeout=60)
        assert run.returncode == 2, said
        recorded = [line["id"] for line in project.lines()]
        assert 4 <= len(recorded) < 20
        assert "collected but not reported" in said
        enough.clear()
        done = asking.quarter("-k", "med and ru", "--concurrency", "20")
    done.expect(0)
    names = [line["id"] for line in project.lines()]
    assert names[: len(recorded)] == recorded
    assert len(names) == len(set(names)) == 20
    assert all(server.count(project.text_of(name)) == 1 for name in recorded)
    again = [name for name in names if server.count(project.text_of(name)) > 1]
    assert len(again) <= (2 if workers else 0)
    assert len(project.read("manifest.json")["sessions"]) == 2


# The harness's side -------------------------------------------------------------------------------

OWN_FAULT = """

from benchmark.asking import tracks

_real = tracks.verdict

def _sometimes(rules, places, question, *rest, **more):
    if question.id == "med-ru-07":
        {fault}
    return _real(rules, places, question, *rest, **more)

tracks.verdict = _sometimes
"""


def with_own_fault(project: Project, fault: str) -> Project:
    with open(project.root / "conftest.py", "a", encoding="utf-8") as conftest:
        conftest.write(OWN_FAULT.format(fault=fault))
    return project.alone


@pytest.mark.parametrize(
    "expression, scored, workers",
    [
        pytest.param("med-ru-0", 8, ALONE, id="one of nine"),
        pytest.param("med-ru-07", 0, ALONE, id="the only one"),
        pytest.param("med-ru-0", 8, TWO_WORKERS, id="n2", marks=pytest.mark.slow),
    ],
)
def test_a_fault_of_the_harness_is_an_error_and_never_a_score(
    project: Project, expression: str, scored: int, workers: tuple[str, ...]
) -> None:
    """Design, "Outcomes": exit 3, whatever the options; the answer that came is recorded all the
    same."""
    broken = with_own_fault(project, 'raise ZeroDivisionError("our own fault")')
    with assistant(perfect(project.questions())) as server:
        done = broken.asking(server).quarter("-k", expression, "--report-only", *workers)
    done.expect(
        3,
        "ZeroDivisionError: our own fault",
        "broken, no score: test_questions.py::test_question[med-ru-07]",
        f"asked {scored} of {scored}",
    )
    assert project.line("med-ru-07")["status"] == 200


def test_a_lost_worker_makes_the_run_incomplete(project: Project) -> None:
    """What was collected but not reported is no success, whatever the runner says."""
    broken = with_own_fault(project, "import os; os._exit(9)")
    with assistant(perfect(project.questions())) as server:
        done = broken.asking(server).quarter("-k", "med-ru-0", *TWO_WORKERS)
    done.expect(3, "collected but not reported: test_questions.py::test_question[med-ru-07]")
    assert len(project.lines()) == 8


# What is given: records ---------------------------------------------------------------------------


@BOTH_WAYS
def test_a_torn_last_line_is_set_aside_and_said(
    replayable: Project, workers: tuple[str, ...]
) -> None:
    """The writer died in the middle: its question has no record, so it is asked."""
    file = replayable.raw_file("med")
    whole = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(whole[:-1]) + whole[-1][:100])
    last = json.loads(whole[-1])["id"]
    replayable.forget_record()
    with assistant(perfect(replayable.questions())) as server:
        done = replayable.asking(server).quarter("-k", "med and ru", *workers)
    done.expect(0, f"{file}: its last line was torn, and is moved to {file}.torn")
    assert [asked.question for asked in server.asked] == [replayable.text_of(last)]
    assert file.with_name("raw-med.jsonl.torn").read_bytes() == whole[-1][:100] + b"\n"
    assert file.read_bytes().startswith(b"".join(whole[:-1]))
    assert len(file.read_bytes().splitlines()) == 60


def test_a_torn_line_is_said_also_where_nothing_is_asked(replayable: Project) -> None:
    """A replay writes nothing; a line that is no whole one counts for nothing."""
    file = replayable.raw_file("med")
    file.write_bytes(file.read_bytes() + b'{"id": "med-ru-07", "status": 20')
    before = replayable.files()
    replayable.quarter("-k", "med-ru-07").expect(0, "its last line was torn, and is left out")
    assert replayable.files() == before


def test_a_torn_line_is_set_aside_also_where_nothing_is_left_to_ask(replayable: Project) -> None:
    """Else the whole run could never be verified."""
    file, torn = replayable.raw_file("med"), b'{"id": "med-ru-07", "status": 20'
    whole = file.read_bytes()
    file.write_bytes(whole + torn)
    replayable.quarter().expect(0, f"is moved to {file}.torn")
    assert file.read_bytes() == whole
    assert file.with_name(f"{file.name}.torn").read_bytes() == torn + b"\n"
    replayable.command("verify", str(replayable.folder)).expect(0)


# What is given: what was recorded is defended ----------------------------------------------------


def edited_answer(project: Project) -> str:
    lines = project.raw_file("med").read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b"clinic", b"office", 1)
    project.raw_file("med").write_bytes(b"".join(lines))
    return "raw-med.jsonl: its SHA-256 is "


def edited_answer_of_an_unfinished_session(project: Project) -> str:
    project.forget_record()
    lines = [*map(json.loads, project.raw_file("med").read_text("ascii").splitlines())]
    lines[2]["body"] = lines[2]["body"].replace('"answer"', '"answer" ', 1)
    project.raw_file("med").write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")
    return f"{lines[2]['id']}: body_sha256 is "


def dropped_line(project: Project) -> str:
    lines = project.raw_file("biz").read_bytes().splitlines(keepends=True)
    project.raw_file("biz").write_bytes(b"".join(lines[:-1]))
    return "raw-biz.jsonl: its SHA-256 is "


def lost_file(project: Project) -> str:
    project.raw_file("biz").unlink()
    return "raw-biz.jsonl: its SHA-256 is none (there is no such file)"


def edited_list(project: Project) -> str:
    path = project.root / "questions" / "decline.json"
    lists = json.loads(path.read_text("utf-8"))
    lists["lists"][0]["phrases"]["en"].append("the price")
    path.write_text(json.dumps(lists), "utf-8")
    return "questions/decline.json: the list of 2026-10-28: its SHA-256 is "


EDITS = (edited_answer, edited_answer_of_an_unfinished_session, dropped_line, lost_file)


@pytest.mark.parametrize("edit", [*EDITS, edited_list], ids=lambda edit: edit.__name__)
def test_what_was_edited_since_stops_the_run(
    edit: Callable[[Project], str], replayable: Project
) -> None:
    """Exit 4 with both digests; nothing is asked, nothing is written."""
    said = edit(replayable)
    before = replayable.files()
    done = replayable.quarter().expect(4, said)
    assert re.search(r"\b[0-9a-f]{64}\b", done.said)
    assert replayable.files() == before


def test_lines_of_an_interrupted_session_may_follow(replayable: Project) -> None:
    """The digest of the last session that ended is that of the first lines."""
    file = replayable.raw_file("med")
    file.write_bytes(file.read_bytes() + file.read_bytes().splitlines(keepends=True)[-1])
    replayable.quarter("-k", "med-ru-07").expect(0)


def test_a_whole_last_line_without_its_line_break_is_a_line(replayable: Project) -> None:
    """The writer died between the two. The next line starts on its own."""
    file = replayable.raw_file("med")
    file.write_bytes(file.read_bytes()[:-1])
    with assistant(perfect(replayable.questions())) as server:
        asking = replayable.asking(server)
        asking.quarter("-k", "med-ru-07", "--ask-again", "med-ru-07").expect(0)
    lines = file.read_bytes().splitlines()
    assert (len(lines), json.loads(lines[-1])["id"]) == (61, "med-ru-07")


def test_foreign_lines_stop_the_run_and_are_all_named(replayable: Project) -> None:
    """Raw records are never edited, so they are not repaired either."""
    file = replayable.raw_file("biz")
    foreign = b'{"id": "biz-xx-01", "status": 200}\nnot JSON\n{"id": 7, "status": "200"}\n[1]\n'
    file.write_bytes(foreign + file.read_bytes())
    before = replayable.files()
    done = replayable.quarter("-k", "biz-en-01")
    done.expect(
        4,
        "5 faults",
        "line 1: id: got 'biz-xx-01'",
        "line 2: got 'not JSON'",
        "line 3: id: got 7",
        "line 3: status: got '200'",
        "line 4: got '[1]'",
        "restore the file",
    )
    assert replayable.files() == before


def test_a_manifest_that_is_none_stops_the_run(replayable: Project) -> None:
    (replayable.folder / "manifest.json").write_text("[]")
    replayable.quarter("-k", "biz-en-01").expect(4, "manifest.json: got []; expected an object")


# What is given: questions and reviews -------------------------------------------------------------


def test_a_question_file_that_changed_after_an_answer_stops_the_run(replayable: Project) -> None:
    """Nothing is asked, and the two digests are named. The file as it was is taken again."""
    file = replayable.set_file("med")
    before, data = replayable.files(), file.read_bytes()
    then = hashlib.sha256(data).hexdigest()
    file.write_bytes(data.replace(b'"version": "2026.4.1"', b'"version": "2026.4.2"'))
    now = hashlib.sha256(file.read_bytes()).hexdigest()
    done = replayable.quarter("--ask-again", "med-ru-07")
    assert then != now
    done.expect(
        4, str(file), f"its SHA-256 is {now}", f"were given to {then}", "Nothing was asked."
    )
    assert "questions-biz" not in done.said
    assert replayable.files() == before
    file.write_bytes(data)
    replayable.quarter("-k", "med-ru-07").expect(0)


def test_the_faults_of_all_question_files_are_listed_at_once(project: Project) -> None:
    """So that they are mended in one go: a missing file, and every fault of a broken one."""
    project.set_file("med").unlink()
    biz = json.loads(project.set_file("biz").read_text("utf-8"))
    biz["questions"][0] |= {"colour": "blue", "facts": [[]]}
    biz["questions"][1]["id"] = biz["questions"][2]["id"]
    biz["questions"][3]["kind"] = "maybe"
    project.set_file("biz").write_text(json.dumps(biz), "utf-8")
    done = project.quarter()
    done.expect(
        4,
        "5 faults",
        f"{project.set_file('med')}: cannot be read (No such file or directory)",
        "biz-en-01: colour: unknown field",
        "biz-en-01: facts: got [[]]",
        "biz-en-03: id: stands 2 times",
        "biz-en-04: kind: got 'maybe'; expected one of answerable, not_on_site",
    )
    assert not project.folder.exists()


def test_half_a_surrogate_pair_in_a_question_or_a_review_breaks_no_worker(project: Project) -> None:
    """It is valid JSON and no text: xdist cannot carry it, and would end with tests missing."""
    file = project.set_file("med")
    words = project.text_of("med-ru-07")
    file.write_bytes(file.read_bytes().replace(words.encode(), f"{words} \\ud800".encode()))
    project.review({"med-ru-08": {"faulty": True, "reason": "half a \ud800", "reviewer": "A. B."}})
    with assistant(perfect(project.questions())) as server:
        done = project.asking(server).quarter("-k", "med-ru-0", "-rs", *TWO_WORKERS)
    done.expect(0, "faulty question: half a \\ud800")
    assert server.count(f"{words} \ud800") == 1
    assert project.line("med-ru-07")["request"]["json"]["question"] == f"{words} ?"


def test_broken_question_files_say_where(project: Project) -> None:
    project.set_file("med").write_bytes(b'{"set": "med",\n "version": ')
    project.set_file("biz").write_bytes(b'{"set": "\xff"}')
    done = project.quarter()
    done.expect(
        4,
        f"{project.set_file('med')}: line 2 column 13: not JSON",
        f"{project.set_file('biz')}: byte 9 is not UTF-8",
    )
    assert not done.names("Traceback")


def test_questions_that_their_pages_do_not_prove_stop_the_run(project: Project) -> None:
    """Before anything is asked: a wrong key would score right answers as wrong."""
    file = project.set_file("med")
    evidence = next(q["evidence"] for q in project.questions() if q["id"] == "med-en-01")
    text = file.read_text("utf-8")
    file.write_text(text.replace(json.dumps(evidence), '"120 and no such sentence"', 1), "utf-8")
    with assistant(perfect([])) as server:
        done = project.asking(server).quarter("-k", "biz-ru-01")
    done.expect(
        4,
        "med-en-01: evidence: '120 and no such sentence' is not in the visible text of"
        " https://med.slatech",
        "Nothing was asked.",
        "python -m benchmark check",
    )
    assert server.asked == []
    assert not project.folder.exists()


def test_a_broken_review_file_stops_the_run_with_all_its_faults(replayable: Project) -> None:
    """Nothing is applied and nothing is written."""
    entries: Json = {"med-en-01": {"verdicts": {"declined": True, "facts": "yes"}}}
    entries |= {"med-xx-01": {"read": True}, "med-en-02": {"faulty": True, "reason": "two\nlines"}}
    replayable.review(entries)
    before = replayable.files()
    done = replayable.quarter()
    done.expect(
        4,
        "5 faults",
        "med-en-01: verdicts: 'declined' is unknown or does not apply",
        "med-en-01: verdicts: facts: got 'yes'",
        "med-en-01: reason: missing",
        "'med-xx-01': unknown question",
        "med-en-02: reason: stands on several lines",
        "Nothing was applied or written.",
    )
    assert replayable.files() == before


# What is given: places ----------------------------------------------------------------------------


@BOTH_WAYS
def test_a_target_that_does_not_answer_stops_the_run(
    project: Project, workers: tuple[str, ...]
) -> None:
    """120 undelivered answers would be a spoiled quarter; nothing is recorded."""
    done = project.quarter(*workers)
    done.expect(
        4,
        f"target demo: {NOBODY}/v1/query/ask does not answer (connection error: ",
        "Nothing was asked.",
    )
    assert not done.names("Traceback")
    assert not done.names("no question was selected")
    assert not project.folder.exists()


@pytest.mark.parametrize("place", ["reports", "reports/2026-Q4.demo", "raw-med.jsonl"])
def test_where_nothing_can_be_written_nothing_is_asked(project: Project, place: str) -> None:
    """Modes do not bind root, so a file stands where a folder should be, and a link leads to
    nowhere."""
    if place == "reports":
        (project.root / "reports").rmdir()
    if place == "raw-med.jsonl":
        project.folder.mkdir()
        project.raw_file("med").symlink_to("/nonexistent/raw-med.jsonl")
    else:
        (project.root / place).write_text("a file")
    with assistant(perfect(project.questions())) as server:
        done = project.asking(server).quarter("-k", "med-ru-07")
    done.expect(4, "cannot be written")
    assert not done.names("Traceback")
    assert server.asked == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_reports_stop_the_run(project: Project) -> None:
    (project.root / "reports").chmod(0o555)
    project.quarter("-k", "med-ru-07").expect(4, "cannot be written")


@pytest.mark.slow
def test_reports_that_cannot_be_written_at_the_end_are_no_success(replayable: Project) -> None:
    """The answers are there; the files are not, and that is said."""
    (replayable.folder / "results.md").unlink()
    (replayable.folder / "results.md").mkdir()
    done = replayable.quarter().expect(4, "ERROR: ", "results.md: cannot be written")
    assert not done.names("written: ")


def test_every_fault_of_a_target_file_is_named_before_anything_is_asked(project: Project) -> None:
    """A header that is no text would fail in each of 120 answers; here it fails once."""
    odd: Json = {"headers": {"X-Site-Id": 7}, "response": {"answer": ["a"], "colour": "blue"}}
    odd |= {"body": {"topK": 10}, "timeout_s": 0, "rate_per_minute": -1, "keep_headers": [1]}
    odd |= {"endpoint": "ftp://x.example/", "sites": {"med-en": {"site_id": "x"}}, "embeded": True}
    target = project.target("odd", **odd)
    done = project.quarter("--target", str(target))
    done.expect(
        4,
        "10 faults",
        "headers: X-Site-Id: got 7",
        "response: answer: got ['a']",
        "response: colour: unknown field",
        "body: got ",
        "timeout_s: got 0",
        "rate_per_minute: got -1",
        "endpoint: got 'ftp:",
        "keep_headers[0]: got 1",
        "sites: med-en: got",
        "embeded: unknown field",
        "docs/targets.md describes every field.",
    )


def test_sites_that_a_target_lacks_are_all_named(project: Project) -> None:
    site = {"page": "https://med.slatech.ai/demo/clinic/en/", "site_id": "x"}
    target = project.target("half", sites={"med-en": site})
    with assistant(perfect(project.questions())) as server:
        done = project.asking(server).quarter("-k", "med", "--target", str(target))
    done.expect(4, "target half: sites: no med-he", "target half: sites: no med-ru")
    assert "no med-en" not in done.said
    assert server.asked == []
