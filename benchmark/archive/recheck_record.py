"""A published record rechecked: each raw line against its body, its question and the manifest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from benchmark.archive.findings import at, differing, same, shown
from benchmark.archive.published import Published
from benchmark.archive.seal import PROMPT
from benchmark.asking.tracks import is_judging
from benchmark.core.errors import InvalidInput
from benchmark.core.files import sha256
from benchmark.core.records import Question, Record
from benchmark.questions import judge_prompt
from benchmark.questions.judge_prompt import Prompt
from benchmark.scoring import reply as replies

ATTEMPTS = 2  # rubric, "Asking": one retry, and only after an attempt that was not an HTTP 200


def findings_of_record(given: Published) -> Iterator[str]:
    """Findings in the raw files, and in what the manifest says of them."""
    names = list(dict.fromkeys(name for name, _, _ in given.lines))
    digests = {name: given.folder.digest(name) for name in names}
    listed = at(given.manifest, "record")
    yield from differing("manifest.json: record", listed, digests, "the files have")
    yield from (f"{name}: its last line is torn" for name in given.torn)
    known = {q.id: q for q in given.questions}
    for name, number, record in given.lines:
        for fault in _line(record, known[record.id.partition("~")[0]]):
            yield f"{name}: line {number}: {record.id}: {fault}"
    yield from _judged(given)
    yield from _asked_again(given)
    yield from _times(given)


def _line(record: Record, question: Question) -> Iterator[str]:
    try:
        digest = sha256(replies.body_bytes(record))
    except ValueError as fault:
        digest = f"that of nothing, for it cannot be read ({fault})"
    if digest != record.body_sha256:
        yield f"body_sha256 is {record.body_sha256}, its body's is {digest}"
    if not any(question.question in text for text in _texts(record.request)):
        asked = f"as it stands in the question file: {shown(question.question)}"
        yield f"its request does not hold the question {asked}"
    came_before = any(a.status == 200 and not a.error for a in record.attempts[:-1])
    if came_before or len(record.attempts) > ATTEMPTS:
        expected = "expected one, and a second only where the first was not an HTTP 200"
        yield f"{len(record.attempts)} attempts; {expected}"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    inside = value.values() if isinstance(value, dict) else value
    for inner in inside if isinstance(value, (dict, list)) else ():
        yield from _texts(inner)


def _judged(given: Published) -> Iterator[str]:
    """Every judge was given the prompt that is published."""
    if not (given.folder.path / PROMPT).exists():
        return
    try:
        prompt = judge_prompt.load(given.folder.file(PROMPT))
    except InvalidInput as fault:
        yield from given.folder.inside(fault)
        return
    for name, number, record in given.lines:
        if is_judging(record.id) and not _was_given(record, prompt):
            place = f"{name}: line {number}: {record.id}"
            yield f"{place}: its request is not by the prompt in {PROMPT}"


def _was_given(record: Record, prompt: Prompt) -> bool:
    """By all of the prompt that does not come from the question."""
    chat = at(record.request, "json", "messages")
    said = [at(message, "content") for message in chat] if isinstance(chat, list) else []
    return said[:1] == [prompt.system] and str(said[-1]).startswith(prompt.user.partition("{")[0])


def _asked_again(given: Published) -> Iterator[str]:
    """A second answer only where a session of the manifest says that it was asked for."""
    listed = [at(session, "asked_again") for session in given.sessions]
    names = (name for some in listed if isinstance(some, list) for name in some)
    allowed = Counter(name for name in names if isinstance(name, str))
    counted = Counter(record.id for _, _, record in given.lines if not is_judging(record.id))
    for name, lines in counted.items():
        if lines > 1 + allowed[name.partition("~")[0]]:
            times = f"the manifest says that it was asked again {allowed[name]} times"
            yield f"{name}: {lines} raw lines; {times}"


def _times(given: Published) -> Iterator[str]:
    """The manifest was begun before the first request; its window is that of the answers."""
    asked = sorted(record.asked_at for record in given.records.values())
    window, started = at(given.manifest, "window"), at((given.sessions or [None])[0], "started_at")
    if asked and not same(window, [asked[0], asked[-1]]):
        span = f"{asked[0]} to {asked[-1]}"
        yield f"manifest.json: window: is {shown(window)}, the answers were asked for {span}"
    first = min((record.asked_at for _, _, record in given.lines), default="")
    if not isinstance(started, str) or (first and first < started):
        begun = f"manifest.json: sessions: begin at {shown(started)}"
        yield f"{begun}, the first question was asked at {first}"
