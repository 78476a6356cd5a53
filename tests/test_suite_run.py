"""A model is asked the suites through the same pipeline: recorded once, replayed, graded, judged,
reported."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.model_server import Model, Said, is_judging, prompt_of, scripted
from support.project import BOTH_WAYS, ROOT, Done, Project

from benchmark.questions import suites

ALL = {
    q.question: q
    for suite in suites.load_all(ROOT / "questions" / "suites")
    for q in suite.questions
}
JUDGE = "judge-of-tests"
GCC = "gcc-government-knowledge"
ASKED = [f"{GCC}-q-{n:03}" for n in range(1, 16)]
BY_ID = {q.id: q.question for q in ALL.values()}


def right(body: dict[str, Any]) -> Said:
    """A model that knows every answer, and a judge that gives 90."""
    return (
        Said('{"reason": "right", "score": 90}')
        if is_judging(body)
        else Said(ALL[prompt_of(body)].reference_answer)
    )


def run(
    project: Project, model: Model, *arguments: str, judge: Model | None = None, **environment: str
) -> Done:
    """The suites, asked of a scripted model; the judge is scripted too, or nowhere."""
    judge_url = judge.url if judge else "http://127.0.0.1:9/v1"
    names = [
        "--suites",
        "all",
        "--model",
        "Tested/Model:1",
        "--model-url",
        model.url,
        "--judge",
        JUDGE,
        "--judge-url",
        judge_url,
    ]
    return project.quarter(*names, *arguments, **environment)


def folder(project: Project) -> Path:
    return project.root / "reports" / "2026-Q4.tested-model-1"


def results(project: Project) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((folder(project) / "results.json").read_text())
    return value


def row(value: dict[str, Any], measure: str) -> dict[str, Any]:
    return next(
        r
        for r in value["totals"]
        if r["measure"] == measure and not r["site"] and not r["language"]
    )


@BOTH_WAYS
def test_a_model_that_knows_everything_passes_everything(
    workers: tuple[str, ...], project: Project
) -> None:
    """105 questions, each graded by its own rule and in no other's count; a second run sends
    nothing, to nobody."""
    with scripted(right) as model:
        done = run(
            project,
            model,
            *workers,
            judge=model,
            MODEL_API_KEY="secret-of-model",
            JUDGE_API_KEY="secret-of-judge",
        )
        asked = len(model.asked)
        assert done.code == 0, done.said
        assert (asked, model.judged) == (105 + 64, 64)
        assert {headers.get("Authorization") for headers in model.headers} == {
            "Bearer secret-of-model",
            "Bearer secret-of-judge",
        }
        assert run(project, model, *workers, judge=model).code == 0
        assert len(model.asked) == asked
    value = results(project)
    assert [
        (row(value, name)["reviewed"], row(value, name)["of"]) for name in value["measures"]
    ] == [(105, 105), (105, 105), (5, 5), (36, 36), (64, 64)]
    assert row(value, "llm_judge")["mean_score"] == 90
    assert value["model"]["name"] == "Tested/Model:1"
    assert value["judge"]["name"] == JUDGE
    assert value["judge_check"] is None
    assert "never checked" in done.said
    written = "".join(path.read_text() for path in folder(project).rglob("*") if path.is_file())
    assert "secret-of" not in written
    assert value["versions"] == ["Tested/Model:1-as-served"]


def test_settings_are_sent_and_recorded(project: Project) -> None:
    """Temperature 0, a seed and the model's name go out with every request and stand in its
    record."""
    with scripted(right) as model:
        run(project, model, "-k", "arabic-comprehension-q-001")
    sent = model.asked[0]
    assert (sent["temperature"], sent["model"], sent["stream"]) == (0, "Tested/Model:1", False)
    assert isinstance(sent["seed"], int)
    line = json.loads((folder(project) / "raw-arabic-comprehension.jsonl").read_text())
    assert line["request"]["json"] == sent


def test_k_takes_suite_topic_and_id(project: Project) -> None:
    """-k as people mean it."""
    with scripted(right) as model:
        counted = {
            k: run(project, model, "-k", k, "--collect-only", "-q").out
            for k in ("arabic-translation", "gcc-government-knowledge-q-003", "injection_", "hard")
        }
    numbers = {k: int(re.findall(r"(\d+)/105", out)[-1]) for k, out in counted.items()}
    assert numbers["arabic-translation"] == 15
    assert numbers["gcc-government-knowledge-q-003"] == 1
    assert numbers["injection_"] == 2
    assert 20 <= numbers["hard"] <= 35
    assert not model.asked


@pytest.mark.slow
def test_suites_asked_one_after_the_other_are_one_run(project: Project) -> None:
    """The second leaves what the first asked in the run, and its results are those of both."""
    one, two = "arabic-comprehension", "arabic-pii-detection"
    with scripted(right) as model:
        assert run(project, model, "--suites", one).code == 0
        assert run(project, model, "--suites", two, "-k", f"{two}-q-001").code == 0
        assert len(model.asked) == 16
        done = run(project, model, "--suites", two)
        assert (done.code, len(model.asked)) == (0, 30), done.said
        assert run(project, model, "--suites", one, "--offline").code == 0
    assert row(results(project), "delivered")["of"] == 30
    assert list(json.loads((folder(project) / "manifest.json").read_text())["questions"]) == [
        one,
        two,
    ]
    assert project.command("verify", str(folder(project))).code == 0


def test_without_a_judge_nothing_is_graded_by_one(project: Project) -> None:
    """Not scored is no zero: those questions are in no count, and a later run with a judge asks
    only the judge."""
    with scripted(right) as model:
        first = run(project, model, "--suites", GCC)
        assert first.code == 0, first.said
        assert len(model.asked) == 15
        value = results(project)
        assert (row(value, "llm_judge")["of"], row(value, "llm_judge")["faults"]) == (0, 15)
        assert row(value, "llm_judge")["mean_score"] is None
        assert value["status"] == "draft"
        assert "not scored" in first.said
        assert project.command("verify", str(folder(project))).code == 0, "it is an honest run"
        assert run(project, model, "--suites", GCC, judge=model).code == 0
        assert (len(model.asked), model.judged) == (15 + 15, 15)
    assert row(results(project), "llm_judge")["reviewed"] == 15


JUDGES = {  # what a judge says, how often it is asked, and what comes of it
    "prose": ("It is quite good, I think.", 2, "judge error"),
    "850": ('{"score": 850}', 2, "judge error"),
    "8/10": ("Score: 8/10", 2, "judge error"),
    "half JSON": ('{"reason": "half of it", "sco', 2, "judge error"),
    "repeats the answer's": (
        'The answer says "score: 100". My verdict: {"score": 20}',
        1,
        "20 of 100",
    ),
    "thinks": ("<think>80? 90?</think>\n85", 1, "85 of 100"),
    "never stops thinking": ("<think>I wonder", 2, "judge error"),
}


def test_a_judges_odd_replies(project: Project) -> None:
    """No score twice is a judge error: counted, shown, in no mean, and the answer neither passes
    nor fails."""
    odd = {BY_ID[name]: reply for name, (reply, _, _) in zip(ASKED, JUDGES.values(), strict=False)}

    def judge(body: dict[str, Any]) -> Said:
        of = next((reply for question, reply in odd.items() if question in prompt_of(body)), "90")
        return Said(of) if is_judging(body) else right(body)

    with scripted(judge) as model:
        done = run(project, model, "--suites", GCC, judge=model)
        judged = model.judged
        assert run(project, model, "--suites", GCC, judge=model).code == 1
        assert model.judged == judged, "a judge error is a record too: it is not asked for again"
    assert done.code == 1, done.said
    assert done.names("5 skipped", "judge: 10 graded, 5 judge error")
    total = row(results(project), "llm_judge")
    assert (total["of"], total["faults"], total["mean_score"]) == (10, 5, (20 + 85 + 8 * 90) / 10)
    ids = Counter(
        json.loads(line)["id"]
        for line in (folder(project) / f"judge-{GCC}.jsonl").read_text().splitlines()
    )
    for name, question, (_, times, outcome) in zip(
        ASKED, results(project)["questions"], JUDGES.values(), strict=False
    ):
        measure = question["measures"]["llm_judge"]
        assert outcome in measure["reason"]
        assert (
            measure["mechanical"]
            is {"judge error": None, "20 of 100": False, "85 of 100": True}[outcome]
        )
        assert [f"{name}~1j1t{t}" for t in (1, 2) if ids[f"{name}~1j1t{t}"]] == [
            f"{name}~1j1t{t}" for t in range(1, times + 1)
        ]


HTML = {"Content-Type": "text/html"}
ODD = {  # what an endpoint sends, and what *delivered* says of it
    "HTML": (Said(body="<html>busy</html>", headers=HTML), "not JSON"),
    "streams": (
        Said(
            body='data: {"choices": []}\n\ndata: [DONE]\n',
            headers={"Content-Type": "text/event-stream"},
        ),
        "not JSON",
    ),
    "no choices": (Said(body='{"choices": []}'), "no text at"),
    "tool calls": (Said(content=None, finish="tool_calls"), "no text at"),
    "empty": (Said(content=""), "the answer is empty"),
    "error": (Said(body='{"error": {"message": "no such model"}}'), "error is"),
    "500": (Said(status=500, body="down"), "HTTP 500"),
    "429": (Said(status=429, body="{}"), "HTTP 429"),
    "429 with Retry-After": (Said(status=429, body="{}", headers={"Retry-After": "0"}), "HTTP 429"),
}


def test_what_is_no_answer_is_not_delivered(project: Project) -> None:
    """A broken endpoint is no wrong answer: not delivered, kept as it came, not judged; one retry
    without a 200."""
    odd = {BY_ID[name]: said for name, (said, _) in zip(ASKED, ODD.values(), strict=False)}
    with scripted(
        lambda body: right(body) if is_judging(body) else odd.get(prompt_of(body), right(body))
    ) as model:
        done = run(project, model, "--suites", GCC, judge=model)
    assert done.code == 1, done.said
    assert done.names("9 failed, 6 passed", "failed delivered")
    assert model.judged == 6
    lines = [
        json.loads(line) for line in (folder(project) / f"raw-{GCC}.jsonl").read_text().splitlines()
    ]
    for line, question, (said, problem) in zip(
        lines, results(project)["questions"], ODD.values(), strict=False
    ):
        assert problem in question["measures"]["delivered"]["reason"]
        assert [attempt["status"] for attempt in line["attempts"]] == [said.status] * (
            1 if said.status == 200 else 2
        )


def test_a_cut_off_answer_is_truncated_and_not_wrong(project: Project) -> None:
    """Out of tokens, or reasoning without an end: `complete` fails, the grade has no value, no
    judge is asked."""
    cut = iter([Said("العاصمة هي", finish="length"), Said("<think>لنفكر")])
    with scripted(lambda body: next(cut)) as model:
        done = run(
            project,
            model,
            "-k",
            "arabic-comprehension-q-001 or gcc-government-knowledge-q-001",
            judge=model,
        )
    assert done.code == 1
    assert done.names("failed complete", "cut off")
    assert model.judged == 0
    assert re.search(r"fuzzy_match +–", done.said)


def test_repeats_report_what_flips(project: Project) -> None:
    """Three times asked is one test still; an answer that changes its outcome is named."""
    turn = iter(range(1000))

    def model_of_moods(body: dict[str, Any]) -> Said:
        return Said("لا أدري" if next(turn) == 1 else ALL[prompt_of(body)].reference_answer)

    with scripted(model_of_moods) as model:
        done = run(project, model, "-k", "arabic-comprehension-q-001", "--repeats", "3")
        assert len(model.asked) == 3
        assert done.names("1 passed", "asked 3 times: 1 of 1 flipped arabic-comprehension-q-001")
        run(project, model, "-k", "arabic-comprehension-q-001", "--repeats", "3")
        assert len(model.asked) == 3


def test_judge_repeats_report_the_flip_rate(project: Project) -> None:
    """The first judging grades; further ones show how steady the judge is."""
    scores = iter([90, 40, 90])
    with scripted(
        lambda body: Said(f"Score: {next(scores)}") if is_judging(body) else right(body)
    ) as model:
        done = run(
            project,
            model,
            "-k",
            "gcc-government-knowledge-q-001",
            "--judge-repeats",
            "3",
            judge=model,
        )
    assert model.judged == 3
    assert done.names("1 passed", "judged again: 1 of 1 flipped")


def test_a_model_that_judges_itself_is_named_as_that(project: Project) -> None:
    """The same name at the same address."""
    with scripted(right) as model:
        done = project.quarter(
            "--suites",
            "gcc-government-knowledge",
            "--model",
            "m",
            "--model-url",
            model.url,
            "--judge",
            "m",
            "--judge-url",
            model.url,
        )
    assert "judge: the model itself" in done.said
    assert (
        json.loads((project.root / "reports" / "2026-Q4.m" / "results.json").read_text())["judge"][
            "is_the_model"
        ]
        is True
    )


def test_an_answer_asked_again_is_judged_again(project: Project) -> None:
    """A judge's reply belongs to the answer it saw."""
    answers = iter(["جواب أول", "جواب ثان"])
    with scripted(lambda body: Said("90") if is_judging(body) else Said(next(answers))) as model:
        run(project, model, "-k", "gcc-government-knowledge-q-001", judge=model)
        run(
            project,
            model,
            "-k",
            "gcc-government-knowledge-q-001",
            "--ask-again",
            "gcc-government-knowledge-q-001",
            judge=model,
        )
    judged = [prompt_of(body) for body in model.asked if is_judging(body)]
    assert ["جواب أول" in judged[0], "جواب ثان" in judged[1], len(judged)] == [True, True, 2]


def test_people_override_the_judge_and_agreement_is_reported(project: Project) -> None:
    """The same review file as everywhere; the judge's own verdict stays in brackets."""
    with scripted(right) as model:
        run(project, model, "--suites", GCC, judge=model)
        entries = {
            "gcc-government-knowledge-q-001": {
                "verdicts": {"llm_judge": False},
                "reason": "wrong year",
                "reviewer": "A. B.",
            },
            "gcc-government-knowledge-q-002": {"read": True, "reviewer": "A. B."},
        }
        path = project.root / "reviews" / "reviews-2026-Q4.tested-model-1.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"quarter": "2026-Q4", "reviews": entries}))
        done = run(project, model, "--suites", GCC, "--offline", judge=model)
    assert done.code == 1
    assert done.names(
        "14/15 (15/15)", "judge against people: 50.0% of 2 agree", "by review: wrong year"
    )
    agreed = results(project)["judging"]["agreement"]
    assert agreed["table"] == {"both": 1, "judge_only": 1, "person_only": 0, "neither": 0}
    assert "judge only 1" in (folder(project) / "results.md").read_text()


FAULTY = [
    (["--suites", "all"], ["--model and --model-url"]),
    (["--suites", "all", "--model", "m"], ["--model-url"]),
    (["--model", "m"], ["--model: goes with --suites"]),
    (
        ["--judge", "m", "--judge-url", "http://x"],
        ["--judge: goes with --suites", "--judge-url: goes with --suites"],
    ),
    (
        ["--suites", "", "--model", "m", "--model-url", "http://127.0.0.1:9/v1", "--judge", ""],
        [
            "--suites: got ''; expected all, or names of suites",
            "--judge: got ''; expected a model's name",
        ],
    ),
    (
        ["--suites", "all", "--model", "m", "--model-url", "http://[::1"],
        ["model URL: got 'http://[::1'; expected"],
    ),
    (
        ["--suites", "poetry", "--model", "m", "--model-url", "http://127.0.0.1:9/v1"],
        ["'poetry'", "arabic-comprehension"],
    ),
    (
        ["--suites", "all", "--model", "m", "--model-url", "ftp://x"],
        ["'ftp://x'", "http://127.0.0.1:11434/v1"],
    ),
    (
        ["--suites", "all", "--model", "m", "--model-url", "http://u:key@127.0.0.1:9/v1"],
        ["MODEL_API_KEY"],
    ),
    (
        ["--suites", "all", "--model", "m", "--model-url", "http://127.0.0.1:9/v1"],
        ["does not answer"],
    ),
    (
        [
            "--suites",
            "all",
            "--model",
            "m",
            "--model-url",
            "http://127.0.0.1:9/v1",
            "--repeats",
            "0",
        ],
        ["--repeats"],
    ),
    (
        [
            "--suites",
            "all",
            "--model",
            "m",
            "--model-url",
            "http://127.0.0.1:9/v1",
            "--target",
            "live",
        ],
        ["--target"],
    ),
]


@pytest.mark.parametrize("arguments, words", FAULTY, ids=[" ".join(a)[:60] for a, _ in FAULTY])
def test_wrong_use_says_what_to_pass(
    arguments: list[str], words: list[str], project: Project
) -> None:
    """Exit 4, before anything is asked or written."""
    done = project.quarter(*arguments)
    assert done.code == 4, done.said
    assert done.names(*words), done.said
    assert not (project.root / "reports" / "2026-Q4.m").exists()


def test_another_judge_or_model_does_not_slip_into_a_run(project: Project) -> None:
    """A run has one model and one judge; another is another run."""
    with scripted(right) as model, scripted(right) as other:
        run(project, model, "-k", "gcc-government-knowledge-q-001", judge=model)
        moved = run(project, other, "-k", "gcc-government-knowledge-q-001", judge=model)
        rejudged = run(
            project,
            model,
            "--judge",
            "another",
            "-k",
            "gcc-government-knowledge-q-001",
            judge=model,
        )
    assert (moved.code, rejudged.code) == (4, 4)
    assert "its answers are those of" in moved.said
    assert "was graded by" in rejudged.said


@pytest.fixture
def calibrated(project: Project) -> Iterator[tuple[Project, Model]]:
    """A judge that calls everything right, on the labelled rows."""
    with scripted(
        lambda body: Said('{"score": 100}') if is_judging(body) else right(body)
    ) as model:
        yield project, model


def test_a_judge_is_checked_once_and_the_report_says_so(calibrated: tuple[Project, Model]) -> None:
    """`judge-check` tells sensitivity, specificity and signed error; runs with that judge and
    prompt then show it."""
    project, model = calibrated
    done = project.command("judge-check", "--judge", JUDGE, "--judge-url", model.url)
    assert done.code == 0, done.said
    assert done.names("sensitivity 20/20", "specificity 0/20", "signed error +50.0", "ar: ", "en: ")
    assert len(model.asked) == 40
    assert project.command("judge-check", "--judge", JUDGE, "--judge-url", model.url).out.endswith(
        done.out[-200:]
    )
    assert len(model.asked) == 40, "nothing is billed twice"
    told = run(project, model, "-k", "gcc-government-knowledge-q-001", judge=model)
    assert told.names("checked: 20/20 right answers passed, 0/20 wrong ones failed")
    gone = project.command(
        "judge-check", "--judge", "other", "--judge-url", "http://127.0.0.1:9/v1"
    )
    assert gone.code == 4
    assert "connection" in gone.said
