"""What the tests of the scoring side are made of: questions, raw lines, files, verdicts, and
`score` as a process."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmark.archive.rescore import DECLINE
from benchmark.asking.record_file import record_of
from benchmark.core.records import Places, Review, SiteQuestion, Verdict
from benchmark.questions import decline
from benchmark.scoring.rules import Rules
from benchmark.scoring.site_measures import site_rules
from benchmark.scoring.verdicts import verdict

ROOT = Path(__file__).resolve().parents[2]
HOME = "https://med.slatech.ai/demo/clinic/en/"
PRICES = HOME + "prices/"
Json = dict[str, Any]

ANSWERABLE: Json = {
    "id": "med-en-01",
    "language": "en",
    "kind": "answerable",
    "question": "how much is a first visit",
    "source_url": PRICES,
    "also_source_urls": [],
    "evidence": "A first visit costs $120 and lasts 30 minutes.",
    "facts": [["120", "$120"]],
}
NOT_ON_SITE: Json = {
    "id": "med-en-16",
    "language": "en",
    "kind": "not_on_site",
    "question": "do you take Delta Dental",
    "must_not_include": ["we accept Delta"],
}


def rules() -> Rules:
    """Track A's measures with every decline list that is shipped."""
    lists = decline.load(DECLINE)
    return site_rules(lists.phrases(lists.latest))


def question(item: Mapping[str, Any], set: str = "med") -> SiteQuestion:
    """The question that a file's item is read as."""
    lists = {key: tuple(item.get(key, ())) for key in ("also_source_urls", "must_not_include")}
    groups = tuple(tuple(group) for group in item.get("facts", ()))
    return SiteQuestion(**{**item, **lists, "facts": groups, "set": set})


def line(name: str, body: Any = "It costs $120.", status: int | None = 200, **changes: Any) -> Json:
    """A raw line: a text is the answer of a response that cites the prices, a dict the response,
    bytes its body."""
    if isinstance(body, str):
        body = {
            "answer": body,
            "sources": [{"sourceUrl": PRICES, "snippet": ""}],
            "hasGroundingContent": True,
        }
    octets = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        kept: Json = {"body": octets.decode()}
    except UnicodeDecodeError:
        kept = {"body": None, "body_base64": base64.b64encode(octets).decode()}
    return {"id": name, "status": status, "page": HOME, "latency_ms": 12.5} | kept | changes


def judged(
    item: Mapping[str, Any], raw: Json | None, review: Review | None = None, set: str = "med"
) -> Verdict:
    """A question's verdict from its raw line; None is not asked."""
    record = record_of(raw) if raw else None
    return verdict(rules(), Places(), question(item, set), record, review=review)


def question_file(path: Path, items: Sequence[Any], **changes: Any) -> Path:
    value = {"set": "med", "version": "2026.4.0", "questions": items} | changes
    path.write_text(json.dumps(value), "utf-8")
    return path


def raw_file(path: Path, lines: Sequence[Json]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), "ascii")
    return path


def review_file(path: Path, entries: Any, quarter: str = "2026-Q4") -> Path:
    path.write_text(json.dumps({"quarter": quarter, "reviews": entries}), "utf-8")
    return path


def score(*arguments: object, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    """`python -m benchmark score …` from another folder, as anyone may run it."""
    ours = ("PYTHON", "PYTEST_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    kept = f"{tempfile.gettempdir()}/benchmark-tests-{os.getuid()}"  # byte code, for the next one
    return subprocess.run(
        [python, "-m", "benchmark", "score", *map(str, arguments)],
        env=environment | {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": kept},
        cwd="/",
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
