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
from support.assistant import Json, right
from support.project import QUARTER, ROOT, Project, copy

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
TINY = [
    ("q-001", "ما عاصمة عُمان؟", "مسقط", "exact_match"),
    ("q-002", "كم الرسم؟", "الرسم 50 درهمًا", "fuzzy_match"),
    ("q-003", "ترجم: Good morning", "صباح الخير", "llm_judge"),
]
FIELDS = ("id", "question", "reference_answer", "scoring")
SUITE: Json = {"id": "tiny", "name": "Tiny"}
SUITE["questions"] = [dict(zip(FIELDS, row, strict=True)) for row in TINY]


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


def _record(name: str, body: bytes, second: int, request: Json, retried: bool = False) -> Record:
    attempts = (
        (Attempt(503, None, 8.0, ASKED.format(40)), Attempt(200, None, 9.0, ASKED.format(41)))
        if retried
        else (Attempt(200, None, 12.5 + second, ASKED.format(second)),)
    )
    url = "http://127.0.0.1:9/v1/query/ask"
    return Record(
        id=name,
        asked_at=attempts[0].started_at,
        attempts=attempts,
        status=200,
        headers={},
        latency_ms=attempts[-1].latency_ms,
        body=body.decode(),
        body_sha256=sha256(body),
        page="",
        request={"method": "POST", "url": url, "headers": {}, "json": request},
    )


def _recorded(project: Project, asked: Asked, records: Callable[[Plan], list[Record]]) -> None:
    """A run as it lies after asking: the manifest that was begun, and the raw lines."""
    made = load(project.root, QUARTER, "demo", asked)
    run_manifest.begin(made, [q.id for q in made.questions], BEGAN)
    for record in records(made):
        record_file.append(made.files.of(record.id), record)


def _site_records(made: Plan) -> list[Record]:
    files = [json.loads(Path(each.path).read_text("utf-8")) for each in made.sets]
    bodies = {q["id"]: right(q) for file in files for q in file["questions"]}
    bodies[WRONG]["answer"] = "We open at nine in the morning."
    records = []
    for second, q in enumerate(made.questions):
        body = json.dumps(bodies[q.id], ensure_ascii=False).encode()
        sent = targets.prepare(made.target, q, "http://127.0.0.1:9").body
        records.append(_record(q.id, body, second, sent, q.id == LATE))
    return records


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
    code = "import socket, sys; socket.socket = socket.create_connection = None;"
    code += " sys.path.insert(0, sys.argv.pop(1));"
    code += " from benchmark.__main__ import main; sys.exit(main(sys.argv[1:]))"
    command = [python, "-I", "-S", "-c", code, str(ROOT), "verify", str(folder)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)


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
    command = ["sha256sum", "--check", "--strict", "--quiet", SUMS]
    done = subprocess.run(command, cwd=site, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_models_run_is_verified_the_same_way(model: Path) -> None:
    assert _findings(model) == []
    assert (model / "targets/tiny.json").is_file()
    assert not (model / "questions/decline.json").exists()


def test_a_models_run_names_the_package_that_a_fuzzy_match_needs(model: Path) -> None:
    """Never "verified" where a score was not recomputed."""
    done = _bare(model)
    assert done.returncode == 1
    missing = "its rule needs the package rapidfuzz, which is not installed"
    assert f"tiny-q-002: not recomputed: {missing}" in done.stdout
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
            path.write_bytes(_flipped(whole, at, 1 << draws.randrange(8)))
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
        path.write_bytes(_flipped(whole, at, 2))
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
    unordered = f"{SUMS}: is not as it was written, though every sum in it is right"
    assert _findings(folder) == [unordered]


@pytest.mark.parametrize("run", ["site", "model"])
def test_no_damage_makes_it_stop(run: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """Bytes and JSON values of any kind in any place, with sums that were made anew: findings,
    never a traceback."""
    folder = Path(shutil.copytree(request.getfixturevalue(run), tmp_path / "run"))
    draws = random.Random(6)
    lines, values = (
        ("raw-*.jsonl", "judge-*.jsonl"),
        ("manifest.json", "re*.json", "targets/*.json"),
    )
    read = (*values, *lines, "questions/**/*.json", "re*/*.json")
    for path in [path for pattern in read for path in sorted(folder.glob(pattern))]:
        whole = path.read_bytes()
        replaced = [_replaced(whole, path.suffix == ".jsonl", draws) for _ in range(2)]
        flipped = _flipped(whole, draws.randrange(len(whole)), 1 << draws.randrange(7))
        for damaged in [flipped, *replaced, b"[]"]:
            path.write_bytes(damaged)
            seal.seal(folder)
            _findings(folder)
        path.write_bytes(whole)


def _flipped(whole: bytes, at: int, bits: int) -> bytes:
    return whole[:at] + bytes([whole[at] ^ bits]) + whole[at + 1 :]


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
    odd = [None, True, 7, float("nan"), "\ud800", [], {}, [[1]], {"id": None}, 10**400]
    inner[key] = draws.choice(odd)
    return b"\n".join([json.dumps(value).encode(), *lines[1:]])


# Results made better, with every sum made anew ----------------------------------------------------


GONE: Any = object()


def put(value: Any, path: str, new: Any) -> None:
    """In JSON, at a path such as `table/0/reviewed`; `GONE` takes it away, `-` appends."""
    *above, last = (int(key) if key.lstrip("-").isdigit() else key for key in path.split("/"))
    for key in above:
        value = value[key]
    if last == "-":
        value.append(new)
    elif new is GONE:
        value.pop(last)
    else:
        value[last] = new


@dataclass(frozen=True)
class Forged:
    """A published folder in which somebody changes something and hides it as well as the sums go.

    `changes`: pairs of a path, as *put* takes it, and what is to stand there."""

    folder: Path

    def json(self, name: str, *changes: tuple[str, Any]) -> str:
        """The digest of the file that was changed."""
        path = self.folder / name
        value = json.loads(path.read_text("utf-8"))
        for change in changes:
            put(value, *change)
        path.write_text(json.dumps(value, ensure_ascii=False, indent=1), "utf-8")
        return sha256(path.read_bytes())

    def lines(self, *changes: tuple[str, Any], name: str = "raw-med.jsonl") -> None:
        """The record, and its digest in the manifest."""
        path = self.folder / name
        lines = [json.loads(line) for line in path.read_text("ascii").splitlines()]
        for change in changes:
            put(lines, *change)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "ascii")
        self.json("manifest.json", (f"record/{name}", sha256(path.read_bytes())))

    def text(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    def line(self, at: int) -> Json:
        lines = (self.folder / "raw-med.jsonl").read_text("ascii").splitlines()
        return dict(json.loads(lines[at]))


def reworded(forged: Forged) -> None:
    """The digest in the manifest is made to fit; what was sent still is in the record."""
    digest = forged.json("questions/questions-med.json", ("questions/0/question", "what is 1+1"))
    forged.json("manifest.json", ("questions/med/sha256", digest))


def torn(forged: Forged) -> None:
    with open(forged.folder / "raw-med.jsonl", "a", encoding="ascii") as file:
        file.write('{"id": "med-en-01", "sta')


Forge = Callable[[Forged], object]


def remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


RESULTS, MANIFEST, REPORT = "results.json", "manifest.json", "report.json"
SET, DECLINE = "questions/questions-med.json", "questions/decline.json"
FACTS, RECORDS = f"{WRONG}: facts: is ", "its records are not those of the raw file"
LABEL = "the vendor's live demo sites"
ADDED = {"id": "med-en-99", "measures": {}, "faulty": False, "asked": True}
LATER = "2026-10-02T00:00:00.000Z"
# What is changed: the file, the path in it, what stands there instead. What is found: its file and
# the beginning of what is said.
CHANGED: dict[str, tuple[str, str, Any, str]] = {
    "verdict": (RESULTS, "questions/1/measures/facts/mechanical", True, FACTS + '{"mechanical": t'),
    "row": (RESULTS, "table/0/reviewed", 4, "table: delivered med en: is {"),
    "total": (RESULTS, "totals/-1/mechanical", 0, "totals: declined all all: is {"),
    "status": (RESULTS, "status", "final", 'status: is "final", recomputed "draft"'),
    "version": (RESULTS, "versions", ["t-2"], 'versions: is ["t-2"], recomputed ["t-1"]'),
    "head": (RESULTS, "target/label", LABEL, f'target: is {{"name": "demo", "label": "{LABEL}"'),
    "question left out": (RESULTS, "questions/1", GONE, f"{WRONG}: missing"),
    "question added": (RESULTS, "questions/-", ADDED, "med-en-99: is no question of this run"),
    "window": (MANIFEST, "window", [BEGAN] * 2, f'window: is ["{BEGAN}", "{BEGAN}"], the answers'),
    "began late": (MANIFEST, "sessions/0/started_at", LATER, f'sessions: begin at "{LATER}"'),
    "counts": (MANIFEST, "counts/delivered", 17, 'counts: is {"questions": 18'),
    "rules": (MANIFEST, "rules/sha256", "0" * 64, "rules: got "),
    "unreported": (REPORT, "tests/1", GONE, f"{WRONG}: collected but not reported"),
    "unfinished": (REPORT, "tests/1/call", GONE, f"{WRONG}: collected but not reported"),
    "miscounted": (
        REPORT,
        "summary/collected",
        17,
        "summary: collected: is 17, the number of quest",
    ),
    "outcome": (REPORT, "tests/1/outcome", "failed", f'{WRONG}: outcome: is "failed", recomputed'),
    "record": (REPORT, "tests/0/metadata/records/0/latency_ms", 1.0, f"med-en-01: {RECORDS}"),
    "reported": (REPORT, "tests/0/metadata/verdict/answer", "yes", "med-en-01: its verdict is not"),
}
NINE = [["nine"]]
DATES = ("decline/date", "2026-10-28"), ("decline/lists", ["2026-10-28"])
BODY = json.dumps({"answer": "9:00 to 12:30", "sources": [], "version": "t-1"})
RETRIED = [{"status": 200, "error": None, "latency_ms": 13.5, "started_at": BEGAN}] * 2
RAW = "raw-med.jsonl: line"
UNHELD = f"{RAW} 1: med-en-01: its request does not hold the question as it stands"
TURNED = f'{RESULTS}: {FACTS}{{"mechanical": false, "reviewed": true'
REVIEW_FILE = "reviews/reviews-2026-Q4.demo.json"
FORGERIES: dict[str, tuple[Forge, str]] = {
    "better answer": (
        lambda it: it.lines(("1/body", it.line(0)["body"])),
        f"{RAW} 2: {WRONG}: body_sha256 is ",
    ),
    "better answer with its digest": (
        lambda it: it.lines(("1/body", BODY), ("1/body_sha256", sha256(BODY.encode()))),
        f"{REPORT}: {WRONG}: {RECORDS}",
    ),
    "better latency": (
        lambda it: it.lines(*((f"{at}/latency_ms", 1.0) for at in range(9))),
        f'{RESULTS}: latency_ms: is {{"median": ',
    ),
    "lost answer": (lambda it: it.lines(("1", GONE)), f"{WRONG}: no raw line"),
    "asked twice": (
        lambda it: it.lines(("-", it.line(1))),
        f"{WRONG}: 2 raw lines; the manifest says that it was asked again 0 times",
    ),
    "retried for a better answer": (
        lambda it: it.lines(("1/attempts", RETRIED)),
        f"{RAW} 2: {WRONG}: 2 attempts; expected one",
    ),
    "asked something else": (lambda it: it.lines(("0/request/json/question", "how much")), UNHELD),
    "question reworded": (reworded, UNHELD),
    "better markdown": (
        lambda it: it.text("results.md", "3/3", "4/4"),
        "results.md: lacks the recomputed row | ",
    ),
    "review removed": (lambda it: it.json(REVIEW_FILE, (f"reviews/{WRONG}", GONE)), TURNED),
    "all reviews removed": (lambda it: remove(it.folder / "reviews"), TURNED),
    "question made easier": (
        lambda it: it.json(SET, ("questions/1/facts", NINE)),
        'questions-med.json: is {"version": "2026.4.1", "sha256": "',
    ),
    "set removed": (
        lambda it: remove(it.folder / "questions/questions-biz.json"),
        f"{MANIFEST}: questions: biz: no file of that set is in questions",
    ),
    "all sets removed": (
        lambda it: remove(it.folder / "questions"),
        "questions: no question file that can be read is there",
    ),
    "decline phrase added": (
        lambda it: it.json(DECLINE, ("lists/0/phrases/en/-", "nine")),
        f'{MANIFEST}: decline: is {{"date": "2026-11-05"',
    ),
    "other decline date": (
        lambda it: it.json(MANIFEST, *DATES),
        f"{MANIFEST}: decline: date is 2026-10-28, questions/decline.json pins 2026-11-05",
    ),
    "other target": (
        lambda it: it.text("targets/demo.json", "hasGroundingContent", "grounded"),
        f"{MANIFEST}: session 1: asked with a target of SHA-256 ",
    ),
    "torn": (torn, "raw-med.jsonl: its last line is torn"),
    "no manifest": (lambda it: remove(it.folder / MANIFEST), f"{MANIFEST}: cannot be read"),
}


@pytest.mark.parametrize("name, path, value, finding", CHANGED.values(), ids=CHANGED)
def test_a_change_is_found_though_the_sums_fit(
    folder: Path, name: str, path: str, value: Any, finding: str
) -> None:
    """Whoever changes a result can make its sums anew. What cannot be made anew is the agreement of
    all files."""
    Forged(folder).json(name, (path, value))
    assert f"{name}: {finding}" in _begun(folder, f"{name}: {finding}")


@pytest.mark.parametrize("forge, finding", FORGERIES.values(), ids=FORGERIES)
def test_a_forgery_is_found_though_the_sums_fit(folder: Path, forge: Forge, finding: str) -> None:
    """The same of what takes more than one change."""
    forge(Forged(folder))
    assert finding in _begun(folder, finding)


def _begun(folder: Path, finding: str) -> list[str]:
    """What is found once the sums are made anew, each cut to what is looked for."""
    seal.seal(folder)
    return [text[: len(finding)] for text in _findings(folder)]


def test_an_edited_target_is_published_with_the_one_that_was_asked_with(
    folder: Path, site: Path
) -> None:
    """A replay after the target's file was edited: both are there, and what asked is still
    proven."""
    project = Project(Path(shutil.copytree(site.parent.parent, folder.parent / "project")))
    replayed = load(project.root, QUARTER, "demo", Asked())
    path = project.target("demo", label="edited")
    target = dataclasses.replace(replayed.target, path=str(path), sha256=sha256(path.read_bytes()))
    seal_run(dataclasses.replace(replayed, target=target), replayed.manifest)
    assert _findings(project.folder) == []
    earlier = [path.read_bytes() for path in (project.folder / seal.EARLIER).iterdir()]
    assert earlier == [(ROOT / "targets/demo.json").read_bytes()]
    shutil.rmtree(project.folder / seal.EARLIER)
    seal.seal(project.folder)
    start = "manifest.json: session 1: asked with a target"
    assert any(text.startswith(start) for text in _findings(project.folder))


def test_a_judges_reply_and_prompt_are_verified(model: Path, tmp_path: Path) -> None:
    forged = Forged(Path(shutil.copytree(model, tmp_path / "run")))
    body = _chat('{"score": 100}').decode()
    better = ("0/body", body), ("0/body_sha256", sha256(body.encode()))
    forged.lines(*better, name="judge-tiny.jsonl")
    forged.json("questions/judge-prompt.json", ("system/-", "Be strict."))
    seal.seal(forged.folder)
    found = _findings(forged.folder)
    for start in (
        'results.json: tiny-q-003: llm_judge: is {"mechanical": true',
        "manifest.json: judge: the prompt's SHA-256 is ",
        "judge-tiny.jsonl: line 1: tiny-q-003~1j1t1: its request is not by the prompt in questions",
    ):
        assert any(text.startswith(start) for text in found), start


def test_other_rules_are_named_and_verdicts_still_recomputed(folder: Path) -> None:
    """A folder of another version of this suite: one finding that names both, and no verdict
    differs by it alone."""
    for name in ("manifest.json", "results.json"):
        Forged(folder).json(name, ("rules/sha256", "0" * 64))
    seal.seal(folder)
    (found,) = _findings(folder)
    assert rules.digest("site")[:40] in found
    assert "0" * 40 in found


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
