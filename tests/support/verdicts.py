"""What the tests of formats and of publishing are made of: verdicts with any text in any field,
sealed run folders."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmark.archive import seal
from benchmark.core.files import sha256, to_json, write_text
from benchmark.core.plain import plain, read
from benchmark.core.records import Measure, Review, SiteQuestion, Span, SuiteQuestion, Verdict
from benchmark.report import formats
from benchmark.results.summary import Results, Summary

Json = dict[str, Any]
# Markup, a script, a formula, Markdown, a terminal escape, bidi controls, what XML has no place
# for, half a pair.
HOSTILE = (
    '=HYPERLINK("http://x.invalid";"y")</td><script>alert(1)</script>]]><!--&amp; | a | `b` **c**'
    " \x1b[31mred\x1b[0m \x00\x07\x7f \u202eback\u2066\u200f \ud800 \ufffe \u2028 שלום Привет مرحبا"
    " 🙂 ;=1+1;@SUM(A1)\n|---|\r\n\t-2+3"
)
ANSWER = "A first visit costs $120 and lasts 30 minutes."


def question(name: str = "med-en-01", **changes: Any) -> SiteQuestion:
    site, language, number = name.split("-")
    kind = "answerable" if int(number) < 16 else "not_on_site"
    facts = (("120", "$120"),) if kind == "answerable" else ()
    return dataclasses.replace(
        SiteQuestion(name, site, language, kind, f"question {name}?", facts=facts), **changes
    )


def verdict(name: str = "med-en-01", passes: bool = True, **changes: Any) -> Verdict:
    """An answer that was delivered; measures of other names than any shipped one, one of them does
    not apply."""
    spans = (Span(21, 24, "120"),) if passes else ()
    measures = (
        Measure("arrived", True, "HTTP 200"),
        Measure("right", passes, "found “120” at 21" if passes else "none of “120” found", spans),
        Measure("refused", None, "does not apply: the question is answerable"),
    )
    more: Any = {"sources": ("https://x.invalid/p/",), "version": "v1", "latency_ms": 31.25}
    return dataclasses.replace(_of(question(name), measures, ANSWER, **more), **changes)


def graded(number: int, score: float | None, fault: str = "") -> Verdict:
    """An answer of a suite: a grade from 0 to 100, or a fault in its place."""
    passes = None if score is None else score >= 70
    more: Any = {"reference_answer": "هي", "scoring": "judge"}
    q = SuiteQuestion(f"tiny-q-{number}", "tiny", "ar", "answerable", "ما هي؟", **more)
    arrived = Measure("arrived", True, "HTTP 200")
    measures = (arrived, Measure("judge", passes, "the judge's words", (), score, fault))
    return _of(q, measures, "هي تلك", version="m-1", latency_ms=900.0)


def _of(q: Any, measures: tuple[Measure, ...], answer: str = "", **more: Any) -> Verdict:
    """Delivered, and not reviewed, unless `more` says otherwise."""
    outcome: Any = {"measures": measures, "reviewed": {m.name: m.value for m in measures}}
    return Verdict(q, True, more.pop("delivered", True), **outcome, answer=answer, **more)


def faulty(name: str) -> Verdict:
    review = Review(name, reason="the page does say it", reviewer="A. B.", faulty=True)
    return verdict(name, passes=False, faulty=True, read=True, review=review)


def overruled(name: str) -> Verdict:
    """A reviewer turned the failure into a pass."""
    made, reason = verdict(name, passes=False), "says it in words"
    review = Review(name, verdicts={"right": True}, reason=reason, reviewer="A. B.")
    return dataclasses.replace(
        made, reviewed=made.reviewed | {"right": True}, read=True, review=review
    )


def undelivered(name: str) -> Verdict:
    arrived, right = Measure("arrived", False, "HTTP 500"), "not delivered: HTTP 500"
    measures = (arrived, Measure("right", False, right))
    return _of(question(name), measures, delivered=False, latency_ms=None)


def hostile(name: str, text: str = HOSTILE) -> Verdict:
    """The same text in every field that comes from outside."""
    measures = (
        Measure("arrived", True, text),
        Measure("right", False, text, (Span(0, 4, text),)),
        Measure(text, True, text, fault=text, score=70.0),
    )
    q = question(name, question=text, evidence=text, facts=((text, "x"),), source_url=text)
    review = Review(name, reason=text, reviewer=text, read=True)
    more: Any = {"sources": (text, text), "version": text, "latency_ms": 1.0}
    return _of(q, measures, text, review=review, read=True, **more)


def value(verdicts: Sequence[Verdict], run: str = "2026-Q4.demo", **changes: Any) -> Results:
    """What `results.json` holds of these verdicts; `changes` are plain values."""
    quarter, _, target = run.partition(".")
    rehearsal = target == "demo"
    label = "rehearsal on the embedded demo" if rehearsal else "the vendor's live demo sites"
    about = {"version": "2026.4.0", "sha256": sha256(b"questions"), "count": 20}
    lists = ["2026-10-28", "2026-11-05"]
    head: Json = {
        "run": run,
        "quarter": quarter,
        "target": {"name": target or "live", "label": label, "rehearsal": rehearsal},
        "window": ["2026-11-30T12:44:28.068Z", "2026-11-30T12:44:32.692Z"],
        "platform_version": "v1",
        "question_sets": {v.question.set: about for v in verdicts},
        "decline": {"date": lists[-1], "lists": lists, "sha256": "d" * 64},
        "rules": {"sha256": "e" * 64, "files": []},
        "suite": "0.1.0",
        "git": {"commit": "c" * 40, "clean": True},
        "concurrency": [1],
        "asked_again": [],
        "record": {},
    }
    whole = head | plain(Summary.of(verdicts)) | changes
    return read(Results, json.loads(json.dumps(whole)), run)


def folder(
    root: Path, verdicts: Sequence[Verdict], run: str = "2026-Q4.demo", **changes: Any
) -> Path:
    """A sealed folder of a run under `root/reports/`, without the pages and records that a real one
    has too."""
    made, results_of = root / "reports" / run, value(verdicts, run, **changes)
    texts = {
        "results.json": to_json(plain(results_of)),
        "en/index.html": f"<!doctype html><title>{run}</title>",
    }
    texts |= formats.files(results_of, verdicts)
    for name, text in texts.items():
        write_text(made / name, text)
    seal.seal(made)
    return made
