"""What the tests of the review desk are made of: a run that asked nobody, a desk that is served,
and its visitor."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import requests
import uvicorn

from benchmark.asking.models import PLACES
from benchmark.asking.record_file import record_of
from benchmark.core.plain import plain
from benchmark.core.records import SuiteQuestion, Verdict
from benchmark.desk import reviewers
from benchmark.desk.app import create_app
from benchmark.desk.guard import Guard
from benchmark.desk.run import load
from benchmark.scoring.suite_measures import SUITE_RULES
from benchmark.scoring.verdicts import verdict
from support.assistant import right
from support.project import ROOT, Project
from support.scoring_inputs import judged, line

QUARTER, RUN = "2026-Q4", "2026-Q4.demo"
TOKEN = "the-token-of-these-tests"
REVIEWER = "Dana Quill"
BIDI = "\u202edesrever\u202c"
HOSTILE = (
    "</div></pre><script>window.stolen = 1</script><img src=x onerror='window.stolen = 1'><a"
    f" href='javascript:window.stolen=1'>x</a> {{{{ 7*7 }}}} {BIDI} \u200b\x1b[31m ``` | =1+1"
    " &lt;b&gt; ‏"
)
Json = dict[str, Any]
SLOW: Any = {"timeout": 20, "allow_redirects": False}


def items(languages: Sequence[str] = ("en", "he")) -> list[Json]:
    """The clinic's real questions: their pages are shipped, so that evidence has its context."""
    value = json.loads((ROOT / "questions" / "questions-med.json").read_text("utf-8"))
    return [item for item in value["questions"] if item["language"] in languages]


# Answers that fail, by question; every other one is right.
ANSWERS: dict[str, Any] = {
    "med-en-01": {"answer": "It costs nothing at all.", "sources": ["javascript:window.stolen=1"]},
    "med-en-03": (500, {"error": "out of order"}),
    "med-en-04": {"answer": HOSTILE, "sources": [HOSTILE]},
    "med-he-02": {"answer": "SLAtech: המרפאה סגורה ביום שישי, 04-555-0110.", "sources": []},
}
FAILED = list(ANSWERS)


def make_run(
    root: Path, asked: Sequence[Json], answers: Json | None = None, run: str = RUN
) -> Path:
    """A complete run's folder: its report, manifest and record."""
    changed = ANSWERS if answers is None else answers
    lines = [_line(item, changed.get(item["id"], right(item))) for item in asked]
    verdicts = [judged(item, raw) for item, raw in zip(asked, lines, strict=True)]
    return write_run(root, verdicts, [[raw] for raw in lines], run)


def _line(item: Json, answer: Any) -> Json:
    status, body = answer if isinstance(answer, tuple) else (200, answer)
    page = f"https://med.slatech.ai/demo/clinic/{item['language']}/"
    raw = line(item["id"], body, status, page=page, asked_at="2026-11-30T12:44:28.068Z")
    return raw | {"body_sha256": hashlib.sha256(raw["body"].encode()).hexdigest()}


def write_run(
    root: Path, verdicts: Sequence[Verdict], records: Sequence[Sequence[Json]], run: str = RUN
) -> Path:
    folder = root / "reports" / run
    folder.mkdir(parents=True, exist_ok=True)
    tests = []
    for v, lines in zip(verdicts, records, strict=True):
        metadata = {"verdict": plain(v), "records": list(lines)}
        tests.append(
            {"nodeid": v.question.id, "outcome": "passed", "call": {}, "metadata": metadata}
        )
    name = run.partition(".")[2]
    target = {"name": name or "live", "label": f"rehearsal on {name}", "rehearsal": True}
    manifest = {"run": run, "quarter": QUARTER, "target": target}
    (folder / "report.json").write_text(json.dumps({"tests": tests}), "utf-8")
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    every = [json.dumps(each) + "\n" for lines in records for each in lines]
    (folder / "raw-med.jsonl").write_text("".join(every), "ascii")
    return folder


def suite_run(root: Path) -> Path:
    """A run of a suite: a graded measure, one that its judge gave no value, and the judge's
    replies."""
    asked, kept = [], []
    unclear = "I cannot say </pre><script>window.stolen = 1</script>"
    more: Any = {"reference_answer": "صباح الخير", "scoring": "llm_judge"}
    for name, reply in {"q-001": '{"score": 85}', "q-002": unclear}.items():
        key, text = f"translation-{name}", "ترجم: good morning"
        question = SuiteQuestion(key, "translation", "ar", "answerable", text, **more)
        question = replace(question, metadata={"difficulty": "easy"})
        answer = _chat(key, "صباح النور", question.question)
        judge = _chat(f"{key}~1j1t1", reply, "JUDGE THIS: صباح النور")
        asked.append(verdict(SUITE_RULES, PLACES, question, record_of(answer), judged=(reply,)))
        kept.append([answer, judge])
    return write_run(root, asked, kept, f"{QUARTER}.a-model")


def _chat(name: str, said: str, prompt: str) -> Json:
    choice = {"message": {"content": said}, "finish_reason": "stop"}
    request = {"json": {"messages": [{"role": "user", "content": prompt}]}}
    more: Any = {"body_sha256": f"{len(said):064x}", "request": request}
    return line(name, {"choices": [choice], "model": "a-model"}, page="", **more)


# A desk that is served ----------------------------------------------------------------------------


@dataclass
class Visitor:
    """A browser as far as HTTP goes; `entered` by the printed address, unless it is not to be."""

    base: str
    root: Path
    run: str = RUN
    session: requests.Session = field(default_factory=requests.Session)

    @property
    def url(self) -> str:
        return f"{self.base}/?token={TOKEN}"

    @property
    def file(self) -> Path:
        return self.root / "reviews" / f"reviews-{self.run}.json"

    def entries(self, file: Path | None = None) -> Json:
        path = file or self.file
        return dict(json.loads(path.read_text("utf-8"))["reviews"]) if path.exists() else {}

    def get(self, path: str = "/", **headers: str) -> requests.Response:
        return self.session.get(self.base + path, headers=headers, **SLOW)

    def seen(self) -> str:
        """The version of the review file, as a page that is loaded now would name it."""
        return str(self.get("/seen").json()["seen"])

    def post(
        self, path: str, origin: str | None = "", seen: str | None = None, **fields: str
    ) -> requests.Response:
        """A form sent from the desk's own page, which was loaded just now."""
        data = {key.replace("__", ":"): value for key, value in fields.items()}
        data |= {"seen": self.seen() if seen is None else seen}
        headers = {} if origin is None else {"Origin": origin or self.base}
        return self.session.post(self.base + path, data=data, headers=headers, **SLOW)


@contextmanager
def served(
    root: Path, run: str = RUN, reviewer: str = REVIEWER, blind: bool = False, enter: bool = True
) -> Iterator[Visitor]:
    """A desk on a free port of loopback, in a thread of this process."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        app = create_app(reviewers.desk(root, load(root, run), reviewer, blind), Guard(port, TOKEN))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        visitor = Visitor(f"http://127.0.0.1:{port}", root, run)
        try:
            if enter:
                assert visitor.session.get(visitor.url, timeout=20).status_code == 200
            yield visitor
        finally:
            visitor.session.close()
            server.should_exit = True
            thread.join(10)


@contextmanager
def process(root: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`python -m benchmark review …` in `root`, and the address that it printed."""
    wanted = Project(root).process("benchmark", "review", *arguments)
    child = subprocess.Popen(**wanted | {"stderr": subprocess.STDOUT})
    assert child.stdout
    try:
        said = ""
        while not (found := re.search(r"http://\S+", said)):
            said += (more := child.stdout.readline())
            assert more, f"it ended: {said}"
        yield child, found[0]
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def copied(source: Path, to: Path) -> Path:
    """A copy of a run of its own, to be changed."""
    shutil.copytree(source, to, dirs_exist_ok=True)
    return to
