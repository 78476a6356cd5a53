"""A model is asked the suites through the same pipeline: recorded once, replayed, graded, judged,
reported."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import pytest
from support.model_server import Model, Said, is_judging, prompt_of, scripted
from support.project import BOTH_WAYS, NOBODY, ROOT, Done, Project

from benchmark.questions import suites

QUESTIONS = [q for s in suites.load_all(ROOT / "questions" / "suites") for q in s.questions]
ALL = {q.question: q for q in QUESTIONS}
BY_ID = {q.id: q.question for q in QUESTIONS}
JUDGE, NOWHERE = "judge-of-tests", f"{NOBODY}/v1"
GCC, READ = "gcc-government-knowledge", "arabic-comprehension"
Q1 = f"{GCC}-q-001"
ASKED = [f"{GCC}-q-{n:03}" for n in range(1, 16)]


def right(body: dict[str, Any]) -> Said:
    """A model that knows every answer, and a judge that gives 90."""
    if is_judging(body):
        return Said('{"reason": "right", "score": 90}')
    return Said(ALL[prompt_of(body)].reference_answer)


def run(
    project: Project, model: Model, *arguments: str, judge: Model | None = None, **environment: str
) -> Done:
    """The suites, asked of a scripted model; the judge is scripted too, or nowhere."""
    names = ["--suites", "all", "--model", "Tested/Model:1", "--model-url", model.url]
    names += ["--judge", JUDGE, "--judge-url", judge.url if judge else NOWHERE]
    return of_model(project).quarter(*names, *arguments, **environment)


def of_model(project: Project) -> Project:
    return dataclasses.replace(project, run_name="2026-Q4.tested-model-1")


def lines(project: Project, name: str) -> list[dict[str, Any]]:
    text = (of_model(project).folder / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def results(project: Project) -> dict[str, Any]:
    return dict(of_model(project).read("results.json"))


def row(value: dict[str, Any], measure: str) -> dict[str, Any]:
    whole = [r for r in value["totals"] if not r["site"] and not r["language"]]
    return next(r for r in whole if r["measure"] == measure)


@BOTH_WAYS
def test_a_model_that_knows_everything_passes_everything(
    workers: tuple[str, ...], project: Project
) -> None:
    """105 questions, each graded by its own rule and in no other's count; a second run sends
    nothing, to nobody."""
    keys = {"MODEL_API_KEY": "secret-of-model", "JUDGE_API_KEY": "secret-of-judge"}
    with scripted(right) as model:
        done = run(project, model, *workers, judge=model, **keys).expect(0, "never checked")
        asked = len(model.asked)
        assert (asked, model.judged) == (105 + 64, 64)
        sent = {headers.get("Authorization") for headers in model.headers}
        assert sent == {f"Bearer {key}" for key in keys.values()}
        run(project, model, *workers, judge=model).expect(0)
        assert len(model.asked) == asked
    value = results(project)
    rows = [row(value, name) for name in value["measures"]]
    counts = [(each["reviewed"], each["of"]) for each in rows]
    assert counts == [(105, 105), (105, 105), (5, 5), (36, 36), (64, 64)]
    assert row(value, "llm_judge")["mean_score"] == 90
    assert (value["model"]["name"], value["judge"]["name"]) == ("Tested/Model:1", JUDGE)
    assert value["judge_check"] is None
    assert value["versions"] == ["Tested/Model:1-as-served"]
    written = [p.read_text() for p in of_model(project).folder.rglob("*") if p.is_file()]
    assert not any("secret-of" in text for text in [*written, done.said])


def test_settings_are_sent_and_recorded(project: Project) -> None:
    """Temperature 0, a seed and the model's name go out with every request and stand in its
    record."""
    with scripted(right) as model:
        run(project, model, "-k", f"{READ}-q-001")
    sent = model.asked[0]
    assert (sent["temperature"], sent["model"], sent["stream"]) == (0, "Tested/Model:1", False)
    assert isinstance(sent["seed"], int)
    (line,) = lines(project, f"raw-{READ}")
    assert line["request"]["json"] == sent


def test_k_takes_suite_topic_and_id(project: Project) -> None:
    """-k as people mean it."""
    expected = {"arabic-translation": [15], f"{GCC}-q-003": [1], "injection_": [2]}
    with scripted(right) as model:
        for k, numbers in (expected | {"hard": range(20, 36)}).items():
            listed = run(project, model, "-k", k, "--collect-only", "-q").out
            assert int(re.findall(r"(\d+)/105", listed)[-1]) in numbers, k
    assert not model.asked


@pytest.mark.slow
def test_suites_asked_one_after_the_other_are_one_run(project: Project) -> None:
    """The second leaves what the first asked in the run, and its results are those of both."""
    two = "arabic-pii-detection"
    with scripted(right) as model:
        run(project, model, "--suites", READ).expect(0)
        run(project, model, "--suites", two, "-k", f"{two}-q-001").expect(0)
        assert len(model.asked) == 16
        run(project, model, "--suites", two).expect(0)
        assert len(model.asked) == 30
        run(project, model, "--suites", READ, "--offline").expect(0)
    assert row(results(project), "delivered")["of"] == 30
    assert list(of_model(project).read("manifest.json")["questions"]) == [READ, two]
    project.command("verify", str(of_model(project).folder)).expect(0)


def test_without_a_judge_nothing_is_graded_by_one(project: Project) -> None:
    """Not scored is no zero: those questions are in no count, and a later run with a judge asks
    only the judge."""
    with scripted(right) as model:
        run(project, model, "--suites", GCC).expect(0, "not scored")
        assert len(model.asked) == 15
        value = results(project)
        unscored = {"of": 0, "faults": 15, "mean_score": None}
        assert row(value, "llm_judge").items() >= unscored.items()
        assert value["status"] == "draft"
        project.command("verify", str(of_model(project).folder)).expect(0)  # it is an honest run
        run(project, model, "--suites", GCC, judge=model).expect(0)
        assert (len(model.asked), model.judged) == (15 + 15, 15)
    assert row(results(project), "llm_judge")["reviewed"] == 15


LIES = 'The answer says "score: 100". My verdict: {"score": 20}'
JUDGES: dict[str, tuple[str, int, str, bool | None]] = {
    # what a judge says, how often it is asked, what comes of it
    "prose": ("It is quite good, I think.", 2, "judge error", None),
    "850": ('{"score": 850}', 2, "judge error", None),
    "8/10": ("Score: 8/10", 2, "judge error", None),
    "half JSON": ('{"reason": "half of it", "sco', 2, "judge error", None),
    "repeats the answer's": (LIES, 1, "20 of 100", False),
    "thinks": ("<think>80? 90?</think>\n85", 1, "85 of 100", True),
    "never stops thinking": ("<think>I wonder", 2, "judge error", None),
}


def test_a_judges_odd_replies(project: Project) -> None:
    """No score twice is a judge error: counted, shown, in no mean, and the answer neither passes
    nor fails."""
    odd = {BY_ID[n]: reply for n, (reply, *_) in zip(ASKED, JUDGES.values(), strict=False)}

    def judge(body: dict[str, Any]) -> Said:
        of = next((reply for question, reply in odd.items() if question in prompt_of(body)), "90")
        return Said(of) if is_judging(body) else right(body)

    with scripted(judge) as model:
        done = run(project, model, "--suites", GCC, judge=model)
        judged = model.judged
        run(project, model, "--suites", GCC, judge=model).expect(1)
        assert model.judged == judged, "a judge error is a record too: it is not asked for again"
    done.expect(1, "5 skipped", "judge: 10 graded, 5 judge error")
    total = row(results(project), "llm_judge")
    assert (total["of"], total["faults"], total["mean_score"]) == (10, 5, (20 + 85 + 8 * 90) / 10)
    ids = {line["id"] for line in lines(project, f"judge-{GCC}")}
    questions = results(project)["questions"]
    for question, (_, times, outcome, passes) in zip(questions, JUDGES.values(), strict=False):
        measure = question["measures"]["llm_judge"]
        assert outcome in measure["reason"]
        assert measure["mechanical"] is passes
        tries = [f"{question['id']}~1j1t{n}" for n in (1, 2)]
        assert [name for name in tries if name in ids] == tries[:times]


HTML, STREAM = {"Content-Type": "text/html"}, {"Content-Type": "text/event-stream"}
CHUNKS = 'data: {"choices": []}\n\ndata: [DONE]\n'
ODD = {  # what an endpoint sends, and what *delivered* says of it
    "HTML": (Said(body="<html>busy</html>", headers=HTML), "not JSON"),
    "streams": (Said(body=CHUNKS, headers=STREAM), "not JSON"),
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

    def model_of_oddities(body: dict[str, Any]) -> Said:
        return right(body) if is_judging(body) else odd.get(prompt_of(body), right(body))

    with scripted(model_of_oddities) as model:
        done = run(project, model, "--suites", GCC, judge=model)
    done.expect(1, "9 failed, 6 passed", "failed delivered")
    assert model.judged == 6
    kept = zip(lines(project, f"raw-{GCC}"), results(project)["questions"], strict=True)
    for (line, question), (said, problem) in zip(kept, ODD.values(), strict=False):
        assert problem in question["measures"]["delivered"]["reason"]
        times = 1 if said.status == 200 else 2
        assert [attempt["status"] for attempt in line["attempts"]] == [said.status] * times


def test_a_cut_off_answer_is_truncated_and_not_wrong(project: Project) -> None:
    """Out of tokens, or reasoning without an end: `complete` fails, the grade has no value, no
    judge is asked."""
    cut = iter([Said("العاصمة هي", finish="length"), Said("<think>لنفكر")])
    with scripted(lambda body: next(cut)) as model:
        done = run(project, model, "-k", f"{READ}-q-001 or {Q1}", judge=model)
    done.expect(1, "failed complete", "cut off")
    assert model.judged == 0
    assert re.search(r"fuzzy_match +–", done.said)


def test_repeats_report_what_flips(project: Project) -> None:
    """Three times asked is one test still; an answer that changes its outcome is named."""
    turn = iter(range(1000))

    def model_of_moods(body: dict[str, Any]) -> Said:
        return Said("لا أدري" if next(turn) == 1 else ALL[prompt_of(body)].reference_answer)

    with scripted(model_of_moods) as model:
        done = run(project, model, "-k", f"{READ}-q-001", "--repeats", "3")
        assert len(model.asked) == 3
        assert done.names("1 passed", f"asked 3 times: 1 of 1 flipped {READ}-q-001")
        run(project, model, "-k", f"{READ}-q-001", "--repeats", "3")
        assert len(model.asked) == 3


def test_judge_repeats_report_the_flip_rate(project: Project) -> None:
    """The first judging grades; further ones show how steady the judge is."""
    scores = iter([90, 40, 90])

    def judge(body: dict[str, Any]) -> Said:
        return Said(f"Score: {next(scores)}") if is_judging(body) else right(body)

    with scripted(judge) as model:
        done = run(project, model, "-k", Q1, "--judge-repeats", "3", judge=model)
    assert model.judged == 3
    assert done.names("1 passed", "judged again: 1 of 1 flipped")


def test_a_model_that_judges_itself_is_named_as_that(project: Project) -> None:
    """The same name at the same address."""
    itself = dataclasses.replace(project, run_name="2026-Q4.m")
    with scripted(right) as model:
        names = ["--model", "m", "--model-url", model.url, "--judge", "m", "--judge-url", model.url]
        assert "judge: the model itself" in itself.quarter("--suites", GCC, *names).said
    assert itself.read("results.json")["judge"]["is_the_model"] is True


def test_an_answer_asked_again_is_judged_again(project: Project) -> None:
    """A judge's reply belongs to the answer it saw."""
    answers = iter(["جواب أول", "جواب ثان"])
    with scripted(lambda body: Said("90") if is_judging(body) else Said(next(answers))) as model:
        run(project, model, "-k", Q1, judge=model)
        run(project, model, "-k", Q1, "--ask-again", Q1, judge=model)
    judged = [prompt_of(body) for body in model.asked if is_judging(body)]
    assert ["جواب أول" in judged[0], "جواب ثان" in judged[1], len(judged)] == [True, True, 2]


def test_people_override_the_judge_and_agreement_is_reported(project: Project) -> None:
    """The same review file as everywhere; the judge's own verdict stays in brackets."""
    with scripted(right) as model:
        run(project, model, "--suites", GCC, judge=model)
        turned = {"verdicts": {"llm_judge": False}, "reason": "wrong year", "reviewer": "A. B."}
        entries = {Q1: turned, f"{GCC}-q-002": {"read": True, "reviewer": "A. B."}}
        of_model(project).review(entries)
        done = run(project, model, "--suites", GCC, "--offline", judge=model)
    done.expect(1, "14/15 (15/15)", "judge against people: 50.0% of 2 agree")
    assert "by review: wrong year" in done.said
    agreed = results(project)["judging"]["agreement"]
    assert agreed["table"] == {"both": 1, "judge_only": 1, "person_only": 0, "neither": 0}
    assert "judge only 1" in (of_model(project).folder / "results.md").read_text()


FAULTY = {  # what is given, and what is said of it
    "--suites all": ["--model and --model-url"],
    "--suites all --model m": ["--model-url"],
    "--model m": ["--model: goes with --suites"],
    "--judge m --judge-url http://x": ["--judge: goes with --suites", "--judge-url: goes with"],
    f"--suites= --model m --model-url {NOWHERE} --judge=": [
        "--suites: got ''; expected all, or names of suites",
        "--judge: got ''; expected a model's name",
    ],
    "--suites all --model m --model-url http://[::1": ["model URL: got 'http://[::1'; expected"],
    f"--suites poetry --model m --model-url {NOWHERE}": ["'poetry'", "arabic-comprehension"],
    "--suites all --model m --model-url ftp://x": ["'ftp://x'", "http://127.0.0.1:11434/v1"],
    "--suites all --model m --model-url http://u:key@127.0.0.1:9/v1": ["MODEL_API_KEY"],
    f"--suites all --model m --model-url {NOWHERE}": ["does not answer"],
    f"--suites all --model m --model-url {NOWHERE} --repeats 0": ["--repeats"],
    f"--suites all --model m --model-url {NOWHERE} --target live": ["--target"],
}


@pytest.mark.parametrize("arguments, words", FAULTY.items(), ids=FAULTY)
def test_wrong_use_says_what_to_pass(arguments: str, words: list[str], project: Project) -> None:
    """Exit 4, before anything is asked or written."""
    project.quarter(*arguments.split()).expect(4, *words)
    assert not (project.root / "reports" / "2026-Q4.m").exists()


def test_another_judge_or_model_does_not_slip_into_a_run(project: Project) -> None:
    """A run has one model and one judge; another is another run."""
    with scripted(right) as model, scripted(right) as other:
        run(project, model, "-k", Q1, judge=model)
        moved = run(project, other, "-k", Q1, judge=model)
        rejudged = run(project, model, "--judge", "another", "-k", Q1, judge=model)
    moved.expect(4, "its answers are those of")
    rejudged.expect(4, "was graded by")


def test_a_judge_is_checked_once_and_the_report_says_so(project: Project) -> None:
    """`judge-check` tells sensitivity, specificity and signed error, here of a judge that calls
    everything right; runs with that judge and prompt then show it."""

    def generous(body: dict[str, Any]) -> Said:
        return Said('{"score": 100}') if is_judging(body) else right(body)

    with scripted(generous) as model:
        check = ("judge-check", "--judge", JUDGE, "--judge-url", model.url)
        done = project.command(*check)
        done.expect(
            0, "sensitivity 20/20", "specificity 0/20", "signed error +50.0", "ar: ", "en: "
        )
        assert project.command(*check).out.endswith(done.out[-200:])
        assert len(model.asked) == 40, "nothing is billed twice"
        told = run(project, model, "-k", Q1, judge=model)
    assert told.names("checked: 20/20 right answers passed, 0/20 wrong ones failed")
    gone = project.command("judge-check", "--judge", "other", "--judge-url", NOWHERE)
    gone.expect(4, "connection")
