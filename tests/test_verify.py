"""`verify`: a sound folder passes with bare Python; any byte that is changed, and any result made
better, is found."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.project import QUARTER, ROOT, Json, Project, copy, right

from benchmark.__main__ import main
from benchmark.archive import seal
from benchmark.archive.seal import SUMS
from benchmark.archive.verify import verify
from benchmark.asking import record_file, rules, targets
from benchmark.core.errors import InvalidInput
from benchmark.core.files import sha256
from benchmark.core.records import Attempt, Record
from benchmark.questions import judge_prompt
from benchmark.run import manifest as run_manifest
from benchmark.run.loading import load
from benchmark.run.options import Asked
from benchmark.run.plan import Plan
from benchmark.run.writing import seal_run

BEGAN, ASKED = "2026-10-01T08:00:00.000Z", "2026-10-01T08:00:{:02}.000Z"
WRONG, FAULTY, LATE = "med-en-02", "med-he-01", "biz-ru-01"
REVIEWS: Json = {
    WRONG: {"verdicts": {"facts": True}, "reason": "says it in words", "reviewer": "A. B."},
    FAULTY: {"faulty": True, "reason": "the page says both", "reviewer": "A. B."},
    "biz-en-16": {"read": True, "reviewer": "A. B."},
}
MODEL: Json = {"model": "tiny", "model_url": "http://127.0.0.1:9/v1"}
SUITE: Json = {
    "id": "tiny",
    "name": "Tiny",
    "questions": [
        {
            "id": "q-001",
            "question": "ما عاصمة عُمان؟",
            "reference_answer": "مسقط",
            "scoring": "exact_match",
        },
        {
            "id": "q-002",
            "question": "كم الرسم؟",
            "reference_answer": "الرسم 50 درهمًا",
            "scoring": "fuzzy_match",
        },
        {
            "id": "q-003",
            "question": "ترجم: Good morning",
            "reference_answer": "صباح الخير",
            "scoring": "llm_judge",
        },
    ],
}


# Two published folders: a site's and a model's ----------------------------------------------------


def _few(project: Project) -> None:
    """Two answerable questions and one that is not on the site, of each site and language."""
    for name in ("med", "biz"):
        path = project.set_file(name)
        value = json.loads(path.read_text("utf-8"))
        value["questions"] = [
            q for q in value["questions"] if q["id"].rpartition("-")[2] in ("01", "02", "16")
        ]
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1), "utf-8")


def _record(
    name: str, body: bytes, second: int, request: Json, attempts: tuple[Attempt, ...] = ()
) -> Record:
    once = (Attempt(200, None, 12.5 + second, ASKED.format(second)),)
    made = attempts or once
    sent = {
        "method": "POST",
        "url": "http://127.0.0.1:9/v1/query/ask",
        "headers": {},
        "json": request,
    }
    return Record(
        name,
        made[0].started_at,
        made,
        200,
        {},
        made[-1].latency_ms,
        body.decode(),
        sha256(body),
        "",
        sent,
    )


def _recorded(project: Project, asked: Asked, records: Callable[[Plan], list[Record]]) -> None:
    """A run as it lies after asking: the manifest that was begun, and the raw lines."""
    made = load(project.root, QUARTER, "demo", asked)
    run_manifest.begin(made, [q.id for q in made.questions], BEGAN)
    for record in records(made):
        record_file.append(made.files.of(record.id), record)


def _site_records(made: Plan) -> list[Record]:
    bodies = {
        q["id"]: right(q)
        for s in made.sets
        for q in json.loads(Path(s.path).read_text("utf-8"))["questions"]
    }
    bodies[WRONG]["answer"] = "We open at nine in the morning."
    retried = (Attempt(503, None, 8.0, ASKED.format(40)), Attempt(200, None, 9.0, ASKED.format(41)))
    return [
        _record(
            q.id,
            json.dumps(bodies[q.id], ensure_ascii=False).encode(),
            second,
            targets.prepare(made.target, q, "http://127.0.0.1:9").body,
            retried if q.id == LATE else (),
        )
        for second, q in enumerate(made.questions)
    ]


def _model_records(made: Plan) -> list[Record]:
    said = {"tiny-q-001": "مسقط", "tiny-q-002": "الرسم 50 درهما", "tiny-q-003": "صباح الخير"}
    chats = {name: _chat(text) for name, text in said.items()} | {
        "tiny-q-003~1j1t1": _chat('{"score": 90}')
    }
    asked = {q.id: [{"role": "user", "content": q.question}] for q in made.questions}
    prompt = judge_prompt.load(made.root / "questions/judge-prompt.json")
    asked["tiny-q-003~1j1t1"] = judge_prompt.messages(
        prompt, "ترجم: Good morning", "صباح الخير", said["tiny-q-003"]
    )
    return [
        _record(name, body, second, {"messages": asked[name]})
        for second, (name, body) in enumerate(chats.items())
    ]


def _chat(text: str) -> bytes:
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    return json.dumps({"model": "tiny-1", "choices": [choice]}, ensure_ascii=False).encode()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole run of 18 questions, as pytest wrote it from its record."""
    project = copy(tmp_path_factory.mktemp("site"))
    shutil.copytree(ROOT / "targets", project.root / "targets")
    _few(project)
    _recorded(project, Asked(), _site_records)
    project.review(REVIEWS)
    done = project.quarter("--offline", "--report-only", "-q")
    assert done.code == 0, done.said
    return project.folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of a model that answered a suite of three, one of them judged."""
    project = copy(tmp_path_factory.mktemp("model"))
    (project.root / "questions/suites/tiny.json").write_text(
        json.dumps(SUITE, ensure_ascii=False), "utf-8"
    )
    _recorded(project, Asked(suites=("tiny",), **MODEL), _model_records)
    options = ("--suites", "tiny", "--model", MODEL["model"], "--model-url", MODEL["model_url"])
    done = project.quarter(*options, "--offline", "--report-only", "-q")
    assert done.code == 0, done.said
    return project.root / "reports" / f"{QUARTER}.tiny"


@pytest.fixture
def folder(site: Path, tmp_path: Path) -> Path:
    """A copy of the site's run, to be tampered with."""
    return Path(shutil.copytree(site, tmp_path / site.name))


def _findings(folder: Path) -> list[str]:
    found = list(verify(folder))
    assert all(len(finding.splitlines()) == 1 for finding in found)
    return found


def _bare(folder: Path, *, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """`verify` by a Python without site packages, environment or network."""
    offline = (
        "import socket, sys; socket.socket = socket.create_connection = None; sys.path.insert(0,"
        " sys.argv.pop(1))"
    )
    run = f"{offline}; from benchmark.__main__ import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [python, "-I", "-S", "-c", run, str(ROOT), "verify", str(folder)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


# Sound folders ------------------------------------------------------------------------------------


def test_a_sound_folder_has_no_findings_with_bare_python(site: Path) -> None:
    done = _bare(site)
    digest = hashlib.sha256((site / SUMS).read_bytes()).hexdigest()
    files = sum(1 for path in site.rglob("*") if path.is_file()) - 1
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{site}: no findings in {files} files; SHA-256 of {SUMS}: {digest}\n"


def test_a_folder_holds_all_that_its_results_were_made_from(site: Path) -> None:
    """Named as in the project, byte for byte."""
    root = site.parent.parent
    inputs = [f"questions/{name}.json" for name in ("questions-med", "questions-biz", "decline")]
    for name in [*inputs, f"reviews/reviews-{site.name}.json", "targets/demo.json"]:
        assert (site / name).read_bytes() == (root / name).read_bytes()


def test_the_sums_are_those_of_sha256sum(site: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", SUMS],
        cwd=site,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_models_run_is_verified_the_same_way(model: Path) -> None:
    assert _findings(model) == []
    assert (model / "targets/tiny.json").is_file()
    assert not (model / "questions/decline.json").exists()


def test_a_models_run_names_the_package_that_a_fuzzy_match_needs(model: Path) -> None:
    """Never "verified" where a score was not recomputed."""
    done = _bare(model)
    assert done.returncode == 1
    assert (
        "tiny-q-002: not recomputed: its rule needs the package rapidfuzz, which is not installed"
        in done.stdout
    )
    assert "tiny-q-001" not in done.stdout


def test_a_folder_may_be_moved(folder: Path, tmp_path: Path) -> None:
    assert _findings(folder.rename(tmp_path / "elsewhere")) == []


# Any byte -----------------------------------------------------------------------------------------


def test_any_byte_of_any_file_is_found_when_it_changes(folder: Path) -> None:
    """In every published file: its first and last bytes, and fourteen places between, one bit
    each."""
    places, draws = 0, random.Random(4)
    for path in [path for path in sorted(folder.rglob("*")) if path.is_file()]:
        whole, name = path.read_bytes(), path.relative_to(folder).as_posix()
        for at in sorted({0, len(whole) - 1, *(draws.randrange(len(whole)) for _ in range(14))}):
            path.write_bytes(
                whole[:at] + bytes([whole[at] ^ 1 << draws.randrange(8)]) + whole[at + 1 :]
            )
            found = next(verify(folder), "")
            assert name in found or SUMS in found, f"{name}: byte {at}"
            places += 1
        path.write_bytes(whole)
    assert places > 16 * 10
    assert _findings(folder) == []


def test_any_byte_of_the_sums_is_found_when_it_changes(folder: Path) -> None:
    """Digest, space and name alike."""
    path = folder / SUMS
    whole = path.read_bytes()
    for at in range(0, len(whole), 11):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 2]) + whole[at + 1 :])
        assert next(verify(folder), None), f"byte {at}"


@pytest.mark.parametrize("cut", [1, 100])
def test_a_file_that_was_cut_is_found(folder: Path, cut: int) -> None:
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        whole = path.read_bytes()
        path.write_bytes(whole[:-cut])
        assert next(verify(folder), None), path
        path.write_bytes(whole)


def test_files_that_came_or_went_are_found(folder: Path) -> None:
    (folder / "en/new.html").write_text("<p>", "utf-8")
    (folder / "results.json").rename(folder / "results-2.json")
    found = _findings(folder)
    assert f"en/new.html: is in the folder and not in {SUMS}" in found
    assert f"results-2.json: is in the folder and not in {SUMS}" in found
    assert f"results.json: is in {SUMS} and not in the folder" in found


def test_a_link_to_elsewhere_is_no_published_file(folder: Path, tmp_path: Path) -> None:
    (folder / "more").symlink_to(tmp_path, target_is_directory=True)
    assert any(finding.startswith("more: ") for finding in _findings(folder))


def test_a_linked_file_is_no_published_file_though_it_holds_the_same(
    folder: Path, tmp_path: Path
) -> None:
    """What it leads to could change: in the place of a file, and of a folder."""
    (folder / "results.json").rename(tmp_path / "moved.json")
    (folder / "results.json").symlink_to(tmp_path / "moved.json")
    assert "results.json: is a link; expected a file" in _findings(folder)
    (folder / "results.json").unlink()
    (tmp_path / "moved.json").rename(folder / "results.json")
    (folder / "questions").rename(tmp_path / "questions")
    (folder / "questions").symlink_to(tmp_path / "questions", target_is_directory=True)
    assert "questions: is a link; expected a file" in _findings(folder)


def test_sums_in_another_order_are_not_as_they_were_written(folder: Path) -> None:
    lines = (folder / SUMS).read_text("utf-8").splitlines(keepends=True)
    (folder / SUMS).write_text("".join(lines[::-1]), "utf-8")
    assert _findings(folder) == [
        f"{SUMS}: is not as it was written, though every sum in it is right"
    ]


@pytest.mark.parametrize("run", ["site", "model"])
def test_no_damage_makes_it_stop(run: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Bytes and JSON values of any kind in any place, with sums that were made anew: findings,
    never a traceback."""
    folder = Path(shutil.copytree(request.getfixturevalue(run), tmp_path / "run"))
    draws = random.Random(6)
    read = (
        "manifest.json",
        "re*.json",
        "raw-*.jsonl",
        "judge-*.jsonl",
        "questions/**/*.json",
        "re*/*.json",
        "targets/*.json",
    )
    for path in [path for pattern in read for path in sorted(folder.glob(pattern))]:
        whole = path.read_bytes()
        replaced = [_replaced(whole, path.suffix == ".jsonl", draws) for _ in range(2)]
        for damaged in [_flipped(whole, draws), *replaced, b"[]"]:
            path.write_bytes(damaged)
            seal.seal(folder)
            _findings(folder)
        path.write_bytes(whole)


def _flipped(whole: bytes, draws: random.Random) -> bytes:
    at = draws.randrange(len(whole))
    return whole[:at] + bytes([whole[at] ^ 1 << draws.randrange(7)]) + whole[at + 1 :]


def _replaced(whole: bytes, has_lines: bool, draws: random.Random) -> bytes:
    """Some value of the JSON, or of its first line, by one of another type."""
    lines = whole.split(b"\n", 1) if has_lines else [whole]
    value = json.loads(lines[0])
    inner: Any = value
    while True:
        key = draws.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
        if not inner[key] or not isinstance(inner[key], (dict, list)) or draws.random() < 0.3:
            break
        inner = inner[key]
    inner[key] = draws.choice(
        [None, True, 7, float("nan"), "\ud800", [], {}, [[1]], {"id": None}, 10**400]
    )
    return b"\n".join([json.dumps(value).encode(), *lines[1:]])


# Results made better, with every sum made anew ----------------------------------------------------


@dataclass(frozen=True)
class Forged:
    """A published folder in which somebody changes something and hides it as well as the sums
    go."""

    folder: Path

    def json(self, name: str, change: Callable[[Any], object]) -> None:
        path = self.folder / name
        value = json.loads(path.read_text("utf-8"))
        change(value)
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1), "utf-8")

    def lines(self, change: Callable[[list[Json]], object], name: str = "raw-med.jsonl") -> None:
        """The record, and its digest in the manifest."""
        path = self.folder / name
        lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
        change(lines)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")
        self.json(
            "manifest.json", lambda value: value["record"].update({name: sha256(path.read_bytes())})
        )

    def text(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")


def _better_answer(forged: Forged) -> None:
    forged.lines(lambda lines: lines[1].update(body=lines[0]["body"]))


def _better_answer_with_its_digest(forged: Forged) -> None:
    body = json.dumps({"answer": "9:00 to 12:30", "sources": [], "version": "t-1"})
    forged.lines(lambda lines: lines[1].update(body=body, body_sha256=sha256(body.encode())))


def _better_latency(forged: Forged) -> None:
    forged.lines(lambda lines: [line.update(latency_ms=1.0) for line in lines])


def _lost_answer(forged: Forged) -> None:
    forged.lines(lambda lines: lines.pop(1))


def _asked_twice(forged: Forged) -> None:
    forged.lines(lambda lines: lines.append(lines[1]))


def _retried_for_a_better_answer(forged: Forged) -> None:
    forged.lines(lambda lines: lines[1].update(attempts=lines[1]["attempts"] * 2))


def _asked_something_else(forged: Forged) -> None:
    forged.lines(
        lambda lines: lines[0]["request"]["json"].update(question="how much is it, roughly")
    )


def _better_verdict(forged: Forged) -> None:
    forged.json(
        "results.json",
        lambda value: value["questions"][1]["measures"]["facts"].update(mechanical=True),
    )


def _better_row(forged: Forged) -> None:
    forged.json("results.json", lambda value: value["table"][0].update(reviewed=4))


def _better_total(forged: Forged) -> None:
    forged.json("results.json", lambda value: value["totals"][-1].update(mechanical=0))


def _final_too_soon(forged: Forged) -> None:
    forged.json("results.json", lambda value: value.update(status="final"))


def _another_version(forged: Forged) -> None:
    forged.json("results.json", lambda value: value.update(versions=["t-2"]))


def _another_window(forged: Forged) -> None:
    forged.json("manifest.json", lambda value: value.update(window=[BEGAN, BEGAN]))


def _another_head(forged: Forged) -> None:
    forged.json(
        "results.json", lambda value: value["target"].update(label="the vendor's live demo sites")
    )


def _question_left_out(forged: Forged) -> None:
    forged.json("results.json", lambda value: value["questions"].pop(1))


def _question_added(forged: Forged) -> None:
    forged.json(
        "results.json",
        lambda value: value["questions"].append(value["questions"][0] | {"id": "med-en-99"}),
    )


def _better_markdown(forged: Forged) -> None:
    forged.text("results.md", "3/3", "4/4")


def _unreported(forged: Forged) -> None:
    forged.json("report.json", lambda value: value["tests"].pop(1))


def _unfinished_test(forged: Forged) -> None:
    forged.json("report.json", lambda value: value["tests"][1].pop("call"))


def _miscounted(forged: Forged) -> None:
    forged.json("report.json", lambda value: value["summary"].update(collected=17))


def _better_outcome(forged: Forged) -> None:
    forged.json("report.json", lambda value: value["tests"][1].update(outcome="failed"))


def _other_record_reported(forged: Forged) -> None:
    forged.json(
        "report.json",
        lambda value: value["tests"][0]["metadata"]["records"][0].update(latency_ms=1.0),
    )


def _other_verdict_reported(forged: Forged) -> None:
    forged.json(
        "report.json", lambda value: value["tests"][0]["metadata"]["verdict"].update(answer="yes")
    )


def _review_removed(forged: Forged) -> None:
    forged.json(
        f"reviews/reviews-{forged.folder.name}.json", lambda value: value["reviews"].pop(WRONG)
    )


def _all_reviews_removed(forged: Forged) -> None:
    shutil.rmtree(forged.folder / "reviews")


def _question_made_easier(forged: Forged) -> None:
    forged.json(
        "questions/questions-med.json", lambda value: value["questions"][1].update(facts=[["nine"]])
    )


def _question_reworded(forged: Forged) -> None:
    """The digest in the manifest is made to fit; what was sent still is in the record."""
    path = forged.folder / "questions/questions-med.json"
    forged.json(
        "questions/questions-med.json",
        lambda value: value["questions"][0].update(question="what is 1+1"),
    )
    digest = sha256(path.read_bytes())
    forged.json("manifest.json", lambda value: value["questions"]["med"].update(sha256=digest))


def _set_removed(forged: Forged) -> None:
    (forged.folder / "questions/questions-biz.json").unlink()


def _all_sets_removed(forged: Forged) -> None:
    shutil.rmtree(forged.folder / "questions")


def _decline_phrase_added(forged: Forged) -> None:
    forged.json(
        "questions/decline.json", lambda value: value["lists"][0]["phrases"]["en"].append("nine")
    )


def _other_decline_date(forged: Forged) -> None:
    forged.json(
        "manifest.json",
        lambda value: value["decline"].update(date="2026-10-28", lists=["2026-10-28"]),
    )


def _other_target(forged: Forged) -> None:
    forged.text("targets/demo.json", "hasGroundingContent", "grounded")


def _began_too_late(forged: Forged) -> None:
    forged.json(
        "manifest.json",
        lambda value: value["sessions"][0].update(started_at="2026-10-02T00:00:00.000Z"),
    )


def _other_counts(forged: Forged) -> None:
    forged.json("manifest.json", lambda value: value["counts"].update(delivered=17))


def _other_rules(forged: Forged) -> None:
    forged.json("manifest.json", lambda value: value["rules"].update(sha256="0" * 64))


def _torn(forged: Forged) -> None:
    with open(forged.folder / "raw-med.jsonl", "a", encoding="ascii") as file:
        file.write('{"id": "med-en-01", "sta')


def _no_manifest(forged: Forged) -> None:
    (forged.folder / "manifest.json").unlink()


FORGERIES: dict[Callable[[Forged], None], str] = {
    _better_answer: f"raw-med.jsonl: line 2: {WRONG}: body_sha256 is ",
    _better_answer_with_its_digest: (
        f"report.json: {WRONG}: its records are not those of the raw file"
    ),
    _better_latency: 'results.json: latency_ms: is {"median": ',
    _lost_answer: f"{WRONG}: no raw line",
    _asked_twice: f"{WRONG}: 2 raw lines; the manifest says that it was asked again 0 times",
    _retried_for_a_better_answer: f"raw-med.jsonl: line 2: {WRONG}: 2 attempts; expected one",
    _asked_something_else: (
        "raw-med.jsonl: line 1: med-en-01: its request does not hold the question as it stands"
    ),
    _better_verdict: f'results.json: {WRONG}: facts: is {{"mechanical": true',
    _better_row: 'results.json: table: delivered med en: is {"measure": "delivered"',
    _better_total: 'results.json: totals: declined all all: is {"measure": "declined"',
    _final_too_soon: 'results.json: status: is "final", recomputed "draft"',
    _another_version: 'results.json: versions: is ["t-2"], recomputed ["t-1"]',
    _another_window: (
        f'manifest.json: window: is ["{BEGAN}", "{BEGAN}"], the answers were asked for'
        " 2026-10-01T08:"
    ),
    _another_head: (
        'results.json: target: is {"name": "demo", "label": "the vendor\'s live demo sites"'
    ),
    _question_left_out: f"results.json: {WRONG}: missing",
    _question_added: "results.json: med-en-99: is no question of this run",
    _better_markdown: "results.md: lacks the recomputed row | ",
    _unreported: f"report.json: {WRONG}: collected but not reported",
    _unfinished_test: f"report.json: {WRONG}: collected but not reported",
    _miscounted: "report.json: summary: collected: is 17, the number of questions is 18",
    _better_outcome: f'report.json: {WRONG}: outcome: is "failed", recomputed "passed"',
    _other_record_reported: "report.json: med-en-01: its records are not those of the raw file",
    _other_verdict_reported: "report.json: med-en-01: its verdict is not the recomputed one",
    _review_removed: f'results.json: {WRONG}: facts: is {{"mechanical": false, "reviewed": true',
    _all_reviews_removed: (
        f'results.json: {WRONG}: facts: is {{"mechanical": false, "reviewed": true'
    ),
    _question_made_easier: 'questions-med.json: is {"version": "2026.4.1", "sha256": "',
    _question_reworded: (
        "raw-med.jsonl: line 1: med-en-01: its request does not hold the question as it stands"
    ),
    _set_removed: "manifest.json: questions: biz: no file of that set is in questions",
    _all_sets_removed: "questions: no question file that can be read is there",
    _decline_phrase_added: 'manifest.json: decline: is {"date": "2026-11-05"',
    _other_decline_date: (
        "manifest.json: decline: date is 2026-10-28, questions/decline.json pins 2026-11-05"
    ),
    _other_target: "manifest.json: session 1: asked with a target of SHA-256 ",
    _began_too_late: 'manifest.json: sessions: begin at "2026-10-02T00:00:00.000Z"',
    _other_counts: 'manifest.json: counts: is {"questions": 18',
    _other_rules: "manifest.json: rules: got ",
    _torn: "raw-med.jsonl: its last line is torn",
    _no_manifest: "manifest.json: cannot be read",
}


@pytest.mark.parametrize(
    "forge, finding", [pytest.param(f, text, id=f.__name__) for f, text in FORGERIES.items()]
)
def test_a_forgery_is_found_though_the_sums_fit(
    folder: Path, forge: Callable[[Forged], None], finding: str
) -> None:
    """Whoever changes a result can make its sums anew. What cannot be made anew is the agreement of
    all files."""
    forge(Forged(folder))
    seal.seal(folder)
    found = _findings(folder)
    assert [text for text in found if text.startswith(finding)], found


def test_an_edited_target_is_published_with_the_one_that_was_asked_with(
    folder: Path, site: Path
) -> None:
    """A replay after the target's file was edited: both are there, and what asked is still
    proven."""
    project = Project(Path(shutil.copytree(site.parent.parent, folder.parent / "project")))
    replayed, path = (
        load(project.root, QUARTER, "demo", Asked()),
        project.target("demo", label="edited"),
    )
    target = dataclasses.replace(replayed.target, path=str(path), sha256=sha256(path.read_bytes()))
    seal_run(dataclasses.replace(replayed, target=target), replayed.manifest)
    assert _findings(project.folder) == []
    earlier = [path.read_bytes() for path in (project.folder / seal.EARLIER).iterdir()]
    assert earlier == [(ROOT / "targets/demo.json").read_bytes()]
    shutil.rmtree(project.folder / seal.EARLIER)
    seal.seal(project.folder)
    assert [
        text
        for text in _findings(project.folder)
        if text.startswith("manifest.json: session 1: asked with a target")
    ]


def test_a_judges_reply_and_prompt_are_verified(model: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(model, tmp_path / "run"))
    body = _chat('{"score": 100}').decode()
    Forged(folder).lines(
        lambda lines: lines[0].update(body=body, body_sha256=sha256(body.encode())),
        "judge-tiny.jsonl",
    )
    Forged(folder).json(
        "questions/judge-prompt.json", lambda value: value["system"].append("Be strict.")
    )
    seal.seal(folder)
    found = _findings(folder)
    assert any(
        text.startswith('results.json: tiny-q-003: llm_judge: is {"mechanical": true')
        for text in found
    )
    assert any(text.startswith("manifest.json: judge: the prompt's SHA-256 is ") for text in found)
    prompted = (
        "judge-tiny.jsonl: line 1: tiny-q-003~1j1t1: its request is not by the prompt in"
        " questions/judge-prompt.json"
    )
    assert prompted in found


def test_other_rules_are_named_and_verdicts_still_recomputed(folder: Path) -> None:
    """A folder of another version of this suite: one finding that names both, and no verdict
    differs by it alone."""
    Forged(folder).json("manifest.json", lambda value: value["rules"].update(sha256="0" * 64))
    Forged(folder).json("results.json", lambda value: value["rules"].update(sha256="0" * 64))
    seal.seal(folder)
    found = _findings(folder)
    assert len(found) == 1
    assert rules.digest("site")[:40] in found[0]
    assert "0" * 40 in found[0]


# The command --------------------------------------------------------------------------------------


def test_a_finding_is_a_line_and_exit_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file's name is hostile text too: nothing of it steers the terminal."""
    (folder / "\x1b[31mred\u202e.txt").write_text("", "utf-8")
    assert main(["verify", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"\\x1b[31mred\\u202e.txt: is in the folder and not in {SUMS}"
    assert lines[1].startswith(f"{folder}: 1 findings in ")
    assert len(lines) == 2


def test_no_such_folder_is_exit_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "none")]) == 4
    assert "no such folder; expected a run's" in capsys.readouterr().err
    with pytest.raises(InvalidInput):
        next(verify(tmp_path / "none"))


def test_an_empty_folder_is_no_published_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(tmp_path)]) == 1
    assert f"{SUMS}: cannot be read" in capsys.readouterr().out


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read_is_a_finding(folder: Path) -> None:
    (folder / "results.md").chmod(0)
    assert any(finding.startswith("results.md: cannot be read") for finding in _findings(folder))
