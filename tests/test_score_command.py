"""`python -m benchmark score`: the contract that others build on (design, "Contracts"), in a bare
environment."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.scoring_inputs import (
    ANSWERABLE,
    NOT_ON_SITE,
    PRICES,
    Json,
    line,
    question_file,
    raw_file,
    review_file,
    score,
)
from syrupy.assertion import SnapshotAssertion

from benchmark.archive.rescore import DECLINE

PYTHONS = ("python3.10", "python3.11", "python3.12", "python3.13")
WRONG = "It costs twelve tens of dollars."
CHANGE: Json = {
    "verdicts": {"facts": True},
    "reason": "says 'twelve tens', which is 120",
    "reviewer": "A. B.",
}
QUESTIONS = [
    ANSWERABLE,
    NOT_ON_SITE,
    ANSWERABLE | {"id": "med-en-02", "facts": [["165"]]},
    ANSWERABLE | {"id": "med-en-03"},
]
LINES = [
    line("med-en-16", "I don't have information about that."),
    line("med-en-01", "It costs **$120**."),
    line("med-en-02", WRONG),
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return question_file(tmp_path / "questions.json", QUESTIONS)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    return raw_file(tmp_path / "raw.jsonl", LINES)


def scored(*arguments: object) -> Json:
    """What `--json -` writes of an input that is good."""
    done = score(*arguments, "--json", "-")
    assert (done.returncode, done.stderr) == (0, "")
    value: Json = json.loads(done.stdout)
    return value


def refused(*arguments: object) -> str:
    """What is said of an input that is bad: exit 4, a message without a traceback, nothing on
    standard output."""
    done = score(*arguments)
    assert (done.returncode, done.stdout) == (4, "")
    assert "error: " in done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


# A bare environment -------------------------------------------------------------------------------


def runs(python: str) -> bool:
    """Whether there is such a Python (a shim may stand for one that is not installed)."""
    found = shutil.which(python)
    return (
        bool(found)
        and subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0
    )


FOUND = [python for python in PYTHONS if runs(python)] or [sys.executable]


@pytest.mark.parametrize("python", FOUND, ids=[Path(python).name for python in FOUND])
def test_nothing_but_python_is_needed(
    python: str, questions: Path, raw: Path, tmp_path: Path
) -> None:
    """Every option runs on each supported Python in an environment without a single package, and
    gives the same."""
    bare = tmp_path / "bare"
    if python == sys.executable:
        venv.create(bare, with_pip=False)
    else:
        subprocess.run([python, "-m", "venv", "--without-pip", bare], check=True)
    own = partial(score, python=str(bare / "bin" / "python"))
    listed = "import importlib.metadata as m, sys; sys.exit(len(list(m.distributions())))"
    assert (
        subprocess.run([bare / "bin" / "python", "-c", listed], cwd="/", check=False).returncode
        == 0
    )
    reviews = review_file(tmp_path / "reviews.json", {"med-en-02": CHANGE})
    chosen = ("--reviews", reviews, "--decline-date", "2026-11-05", "--target", "demo")
    options = (questions, raw, *chosen)
    written = own(*options, "--json", tmp_path / "own.json", "--out", tmp_path / "own.md")
    assert (written.returncode, written.stderr) == (0, "")
    here = score(*options, "--json", tmp_path / "here.json", "--out", tmp_path / "here.md")
    assert here.returncode == 0
    for name in ("json", "md"):
        assert (tmp_path / f"own.{name}").read_bytes() == (tmp_path / f"here.{name}").read_bytes()
    assert own(questions, tmp_path / "missing.jsonl").returncode == 4


def test_no_third_party_module_is_imported(questions: Path, raw: Path) -> None:
    """Not even where packages are installed: what is imported is this project's or Python's."""
    code = (
        "import sys; from benchmark.__main__ import main; before = set(sys.modules);"
        f"main(['score', {str(questions)!r}, {str(raw)!r}, '--out', '-']);"
        "own = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "sys.exit(', '.join(sorted(own - sys.stdlib_module_names - {'benchmark'})) or None)"
    )
    environment = {**os.environ, "PYTHONPATH": str(DECLINE.parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.strip()) == (0, "")


# What it writes -----------------------------------------------------------------------------------


def test_the_json_of_the_contract(questions: Path, raw: Path, snapshot: SnapshotAssertion) -> None:
    """Questions in the order of their file, each with every measure: three keys, or null where it
    does not apply or nothing was asked."""
    value = scored(questions, raw)
    assert value.keys() >= {"questions", "table"}
    assert {one["id"]: one for one in value["questions"]} == snapshot
    assert [one["id"] for one in value["questions"]] == [item["id"] for item in QUESTIONS]


def test_what_was_not_asked_is_in_no_row(questions: Path, raw: Path) -> None:
    """ "A question without a line is *not asked*": of three answerable questions two count."""
    assert {row["measure"]: row["of"] for row in scored(questions, raw)["table"]}["facts"] == 2


def test_the_table_of_the_contract(questions: Path, raw: Path, tmp_path: Path) -> None:
    """A row a measure, site and language, with the contract's keys; others may stand beside
    them."""
    reviews = review_file(tmp_path / "reviews.json", {"med-en-02": CHANGE})
    contract = ("measure", "site", "language", "reviewed", "mechanical", "of", "delivered")
    table = scored(questions, raw, "--reviews", reviews)["table"]
    assert [tuple(row[key] for key in contract) for row in table] == [
        ("delivered", "med", "en", 3, 3, 3, 3),
        ("facts", "med", "en", 2, 1, 2, 2),
        ("cited", "med", "en", 2, 2, 2, 2),
        ("language", "med", "en", 3, 3, 3, 3),
        ("declined", "med", "en", 1, 1, 1, 1),
    ]


def test_markdown_and_terminal(
    questions: Path, raw: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """`--out F.md` writes the table and what is in no score; `-` is standard output; without either
    it is printed."""
    reviews = review_file(tmp_path / "reviews.json", {"med-en-02": CHANGE})
    arguments = (questions, raw, "--reviews", reviews)
    assert (done := score(*arguments, "--out", tmp_path / "new" / "table.md")).returncode == 0
    assert done.stdout == ""
    page = (tmp_path / "new" / "table.md").read_text("utf-8")
    assert page == score(*arguments, "--out", "-").stdout
    assert page == snapshot(name="page")
    assert score(*arguments).stdout == snapshot(name="terminal")


def test_both_to_standard_output(questions: Path, raw: Path) -> None:
    """The JSON, then the table; each is whole."""
    done = score(questions, raw, "--json", "-", "--out", "-")
    value, end = json.JSONDecoder().raw_decode(done.stdout)
    assert len(value["questions"]) == 4
    assert done.stdout[end:].lstrip().startswith("Passes of answers counted")


def test_the_same_input_gives_the_same_bytes(questions: Path, raw: Path) -> None:
    """A sceptic's output can be compared byte by byte."""
    assert (
        score(questions, raw, "--json", "-").stdout == score(questions, raw, "--json", "-").stdout
    )


def test_nobody_reads_a_partial_file(questions: Path, raw: Path, tmp_path: Path) -> None:
    """A file is replaced whole: nothing else is left beside it."""
    place = tmp_path / "out"
    place.mkdir()
    (place / "scores.json").write_text("old", "utf-8")
    assert score(questions, raw, "--json", place / "scores.json").returncode == 0
    assert os.listdir(place) == ["scores.json"]
    assert json.loads((place / "scores.json").read_text("utf-8"))["questions"]


# Options ------------------------------------------------------------------------------------------

DATES = {
    "before any list": ("2026-10-27", (False, False)),
    "the first list's own day": ("2026-10-28", (True, False)),
    "the day before the second": ("2026-11-04", (True, False)),
    "the second list's own day": ("2026-11-05", (True, True)),
    "later": ("2030-01-01", (True, True)),
    "every list, where none is named": (None, (True, True)),
}


@pytest.mark.parametrize("date, declined", DATES.values(), ids=DATES)
def test_decline_date(date: str | None, declined: tuple[bool, bool], tmp_path: Path) -> None:
    """A decline phrase counts from its list's date on; the phrases of all lists up to then are in
    force together."""
    items = [NOT_ON_SITE, NOT_ON_SITE | {"id": "med-en-17"}]
    answers = [
        line("med-en-16", "I couldn't find that."),
        line("med-en-17", "The site does not specify that."),
    ]
    given = (question_file(tmp_path / "q.json", items), raw_file(tmp_path / "r.jsonl", answers))
    value = scored(*given, *(("--decline-date", date) if date else ()))
    assert tuple(q["measures"]["declined"]["mechanical"] for q in value["questions"]) == declined


def target_file(path: Path, response: Any) -> Path:
    made = {
        "name": "other",
        "label": "x",
        "endpoint": "https://x.example/",
        "body": {"q": "{question}"},
        "sites": {},
    }
    path.write_text(json.dumps(made | {"response": response}), "utf-8")
    return path


def test_target(tmp_path: Path) -> None:
    """`--target` says where things are in a response; without it they are where the documented API
    has them."""
    paths = {
        "answer": "data.texts[1]",
        "sources": "data.refs[].link",
        "no_grounding": "data.grounded",
        "error": "fault",
    }
    target = target_file(tmp_path / "target.json", paths)
    body = {
        "data": {"texts": ["", "It costs $120."], "refs": [{"link": PRICES}], "grounded": False},
        "error": "none",
    }
    questions = question_file(tmp_path / "q.json", [ANSWERABLE, NOT_ON_SITE])
    raw = raw_file(tmp_path / "r.jsonl", [line(name, body) for name in ("med-en-01", "med-en-16")])

    def mechanical(*options: object) -> list[Any]:
        asked = scored(questions, raw, *options)["questions"]
        return [
            measure and measure["mechanical"]
            for one in asked
            for measure in one["measures"].values()
        ]

    applies = [True] * 4 + [None, True, None, None, True, True]
    assert mechanical("--target", target) == applies
    assert mechanical() == [each and False for each in applies]


def test_reviews(questions: Path, raw: Path, tmp_path: Path) -> None:
    """`--reviews` applies a run's review file: changes, faulty questions, stale entries; another
    set's are no fault."""
    entries = {
        "med-en-02": CHANGE | {"answer_sha256": hashlib.sha256(WRONG.encode()).hexdigest()},
        "med-en-01": {"faulty": True, "reason": "x"},
        "med-en-16": {"verdicts": {"declined": False}, "reason": "x", "answer_sha256": "0" * 64},
        "biz-en-01": {"read": True},
    }
    value = scored(questions, raw, "--reviews", review_file(tmp_path / "reviews.json", entries))
    faulty, stale, changed, _ = value["questions"]
    assert (faulty["faulty"], changed["faulty"]) == (True, False)
    assert stale["measures"]["declined"]["reviewed"] is True
    assert changed["measures"]["facts"] == {
        "mechanical": False,
        "reviewed": True,
        "reason": "none of “165” found",
    }
    assert {row["measure"]: row["of"] for row in value["table"]}["facts"] == 1
    assert (value["counts"]["stale"], value["counts"]["faulty"], value["status"]) == (1, 1, "draft")


def test_an_answer_asked_again(questions: Path, tmp_path: Path) -> None:
    """Of several lines of a question the last one counts."""
    raw = raw_file(
        tmp_path / "r.jsonl",
        [line("med-en-01", WRONG), line("med-en-01"), line("med-en-02", "$165")],
    )
    assert scored(questions, raw)["questions"][0]["measures"]["facts"]["mechanical"] is True


# Exit codes ---------------------------------------------------------------------------------------


def test_scored_is_exit_0_whatever_the_scores(questions: Path, tmp_path: Path) -> None:
    """Bad results are results: nothing delivered, nothing asked, everything wrong."""
    for number, lines in enumerate(([], [line("med-en-01", WRONG)], [line("med-en-01", b"", 500)])):
        assert score(questions, raw_file(tmp_path / f"{number}.jsonl", lines)).returncode == 0


def test_a_line_without_a_question(questions: Path, tmp_path: Path) -> None:
    """ "A line without a question is an error": every one is named, and nothing is written."""
    raw = raw_file(tmp_path / "r.jsonl", [*LINES, line("med-en-99"), line("biz-en-01")])
    said = refused(
        questions, raw, "--json", tmp_path / "scores.json", "--out", tmp_path / "table.md"
    )
    assert f"{raw}: line 4: id: got 'med-en-99'" in said
    assert f"{raw}: line 5: id: got 'biz-en-01'" in said
    assert not list(tmp_path.glob("scores.json")) + list(tmp_path.glob("*.md"))


def test_a_bad_review_file_writes_nothing(questions: Path, raw: Path, tmp_path: Path) -> None:
    """ "One error that lists them all, and nothing is written"."""
    entries = {
        "med-en-99": CHANGE,
        "med-en-16": CHANGE,
        "med-en-01": {"verdicts": {"facts": False}},
    }
    reviews = review_file(tmp_path / "reviews.json", entries)
    said = refused(questions, raw, "--reviews", reviews, "--json", tmp_path / "scores.json")
    assert all(
        f"{reviews}: {name}" in said for name in ("'med-en-99'", "med-en-16: ", "med-en-01: ")
    )
    assert not (tmp_path / "scores.json").exists()


REFUSED = {
    "no arguments": "",
    "an unknown option": "q.json r.jsonl --nope",
    "no question file": "no.json r.jsonl",
    "no raw file": "q.json no.jsonl",
    "no review file": "q.json r.jsonl --reviews no.json",
    "a question file that is none": "r.jsonl r.jsonl",
    "a raw file that is none": "q.json q.json",
    "a date in another form": "q.json r.jsonl --decline-date 5.11.2026",
    "a month that is none": "q.json r.jsonl --decline-date 2026-13-01",
    "an unknown target": "q.json r.jsonl --target nobody",
    "a target with a path": "q.json r.jsonl --target ../demo",
    "a place that is a folder": "q.json r.jsonl --json .",
    "a place under a file": "q.json r.jsonl --out q.json/x.md",
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED)
def test_bad_input_is_exit_4(arguments: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """What was given and what is accepted, on standard error; never a traceback, never exit 1 or
    2."""
    question_file(tmp_path / "q.json", QUESTIONS)
    raw_file(tmp_path / "r.jsonl", LINES)
    here = (".json", ".jsonl", ".md", ".")
    files = [tmp_path / each if each.endswith(here) else each for each in arguments.split()]
    assert _faults(refused(*files), tmp_path) == snapshot


def _faults(said: str, folder: Path) -> list[str]:
    """What is said, from the error on and without the folder; of it what every Python says."""
    faults = said[said.index("error: ") :].replace(f"{folder}/", "").replace(f"{folder}:", ".:")
    return faults.splitlines()[:3]


BROKEN: dict[str, tuple[Json, Any]] = {
    "attempts that are a number": (line("med-en-01", attempts=2), {}),
    "a body that is no base64": (line("med-en-01", b"\xff", body_base64="x"), {}),
    "a path that is a number": (line("med-en-01"), {"answer": 5}),
    "a place that is none": (line("med-en-01"), {"text": "a"}),
    "places that are none": (line("med-en-01"), []),
}


@pytest.mark.parametrize("raw_line, response", BROKEN.values(), ids=BROKEN)
def test_a_fault_of_the_input_is_none_of_ours(
    raw_line: Json, response: Any, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """Exit 4 on bad input, wherever in it the fault lies."""
    files = (
        question_file(tmp_path / "q.json", QUESTIONS),
        raw_file(tmp_path / "r.jsonl", [raw_line]),
    )
    reviews = review_file(tmp_path / "reviews.json", {"med-en-01": {"read": True}})
    target = target_file(tmp_path / "t.json", response)
    said = refused(*files, "--reviews", reviews, "--target", target)
    assert _faults(said, tmp_path) == snapshot


def test_a_torn_last_line_is_said(questions: Path, tmp_path: Path) -> None:
    """ "A torn last line is set aside and said": its question counts as not asked, and a reader
    must know why."""
    raw = raw_file(tmp_path / "r.jsonl", LINES)
    with open(raw, "a", encoding="ascii") as file:
        file.write('{"id": "med-en-03", "sta')
    done = score(questions, raw)
    assert done.returncode == 0
    assert "torn" in done.stderr


# Any question file --------------------------------------------------------------------------------


def test_structure_alone_is_checked(tmp_path: Path) -> None:
    """ "Languages en he ru ar; evidence may be empty": pages, counts, scripts, other ids are not
    its matter."""
    item = {
        "id": "x.1",
        "language": "ar",
        "kind": "answerable",
        "question": "?",
        "source_url": "https://x.example/",
    }
    questions = question_file(
        tmp_path / "q.json", [item | {"facts": [["عيادة"]], "evidence": ""}], set="another"
    )
    body = {"answer": "العيادة هنا", "sources": ["https://x.example"]}
    value = scored(questions, raw_file(tmp_path / "r.jsonl", [line("x.1", body)]))
    measures = value["questions"][0]["measures"]
    assert {name: m and m["mechanical"] for name, m in measures.items()} == {
        "delivered": True, "facts": True, "cited": True, "language": True, "declined": None,
    }  # fmt: skip
    assert {(row["site"], row["language"]) for row in value["table"]} == {("another", "ar")}
