"""`python -m benchmark verify`: a published folder rechecked from its own files, offline, with
nothing but Python.

In this order: the sum of every file; the digests of the manifest; each raw line against its body,
its question and the manifest; then everything that was published as a result, scored once more by
the rules of this checkout. A finding is one line: the file, the place in it, what is there and what
should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark import __version__
from benchmark.archive import seal
from benchmark.archive.recompute import findings_of_results
from benchmark.archive.run_folder import Published, at, read, same, shown
from benchmark.archive.seal import PROMPT, SUMS, TARGETS
from benchmark.asking import manifest, rules
from benchmark.asking.tracks import SiteTrack, is_judging
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_bytes, sha256
from benchmark.core.records import Question, Record
from benchmark.questions import judge_prompt
from benchmark.questions.judge_prompt import Prompt
from benchmark.scoring import reply as replies

ATTEMPTS = 2  # rubric, "Asking": one retry, and only after an attempt that was no HTTP 200


def verify(folder: Path) -> Iterator[str]:
    """Findings, none where everything holds. InvalidInput where there is no such folder."""
    if not folder.is_dir():
        raise InvalidInput(
            [f"{folder}: no such folder; accepted is a run's, such as reports/2026-Q4"]
        )
    yield from _sums(folder)
    given, faults = read(folder)
    yield from faults
    if given:
        yield from _made_with(given)
        yield from _record(given)
        yield from findings_of_results(given)


# Every byte ---------------------------------------------------------------------------------------


def _sums(folder: Path) -> Iterator[str]:
    """The sums as they stand against those of the files as they are; each byte of either is in this
    comparison."""
    try:
        digests = seal.sums(folder)
        listed = read_bytes(folder / SUMS)
    except InvalidInput as fault:
        yield from (text.replace(f"{folder}/", "") for text in fault.faults)
        return
    if listed == seal.as_text(digests).encode("utf-8", "backslashreplace"):
        return
    lines = [line.partition("  ") for line in listed.decode("utf-8", "replace").splitlines()]
    published = {name: digest for digest, _, name in lines}
    found = [
        *(
            f"{name}: is in the folder and not in {SUMS}"
            for name in digests
            if name not in published
        ),
        *(
            f"{name}: is in {SUMS} and not in the folder"
            for name in published
            if name not in digests
        ),
        *(
            f"{name}: its SHA-256 is {digests[name]}, {SUMS} says {digest}"
            for name, digest in published.items()
            if digests.get(name, digest) != digest
        ),
    ]
    yield from found or [f"{SUMS}: is not as it was written, though every sum in it is right"]


# The manifest -------------------------------------------------------------------------------------


def _made_with(given: Published) -> Iterator[str]:
    yield from _questions(given)
    yield from _rules(given)
    yield from _scored_with(given)
    names = [
        path.relative_to(given.folder).as_posix()
        for path in sorted((given.folder / TARGETS).rglob("*.json"))
    ]
    digests = {given.digest(name): name for name in names}
    for number, session in enumerate(_sessions(given), 1):
        if (digest := at(session, "target_sha256")) not in digests:
            yield (
                f"manifest.json: session {number}: asked with a target of SHA-256 {shown(digest)},"
                f" not in {TARGETS}"
            )


def _questions(given: Published) -> Iterator[str]:
    """Question files are as they were before the first answer, when the manifest was written."""
    published = at(given.manifest, "questions")
    for s in given.sets:
        then, now = at(published, s.set), manifest.about_set(s)
        if not same(then, now):
            yield (
                f"{Path(s.path).name}: is {shown(now)}; the answers of the manifest were given to"
                f" {shown(then)}"
            )
    held = {s.set for s in given.sets}
    missing = (
        [name for name in published if name not in held] if isinstance(published, dict) else []
    )
    yield from (
        f"manifest.json: questions: {name}: no file of that set is in {seal.QUESTIONS}"
        for name in missing
    )


def _rules(given: Published) -> Iterator[str]:
    """A run of the first form names the source of its rules, which says nothing of what they do."""
    published = at(given.manifest, "rules")
    if at(published, "files"):
        return
    try:
        now = rules.about(given.track.name)
    except ImportError:  # said of each question that needs it
        return
    if not same(published, now):
        yield (
            f"manifest.json: rules: got {shown(published)}; expected {shown(now)}, the rules of"
            f" suite {__version__}, by which all verdicts are recomputed here"
        )


def _scored_with(given: Published) -> Iterator[str]:
    """The decline lists of a site's run, or the prompt of a judge."""
    track = given.track
    if isinstance(track, SiteTrack):
        published, now = at(given.manifest, "decline"), track.about()["decline"]
        if not same(published, now):
            yield f"manifest.json: decline: is {shown(published)}, by {seal.DECLINE} {shown(now)}"
        pinned = track.decline.pinned.get(str(at(given.manifest, "quarter")))
        if pinned and pinned != track.date:
            yield f"manifest.json: decline: date is {track.date}, {seal.DECLINE} pins {pinned}"
    elif (prompt := at(given.manifest, "judge", "prompt", "sha256")) and prompt != given.digest(
        PROMPT
    ):
        yield (
            f"manifest.json: judge: the prompt's SHA-256 is {prompt}, {PROMPT} has"
            f" {given.digest(PROMPT)}"
        )


def _sessions(given: Published) -> list[Any]:
    sessions = at(given.manifest, "sessions")
    return sessions if isinstance(sessions, list) else []


# The record ---------------------------------------------------------------------------------------


def _record(given: Published) -> Iterator[str]:
    names = list(dict.fromkeys(name for name, _, _ in given.lines))
    digests = {name: given.digest(name) for name in names}
    if not same(at(given.manifest, "record"), digests):
        yield (
            f"manifest.json: record: is {shown(at(given.manifest, 'record'))}, the files have"
            f" {shown(digests)}"
        )
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
        yield (
            "its request does not hold the question as it stands in the question file:"
            f" {shown(question.question)}"
        )
    if len(record.attempts) > ATTEMPTS or any(
        a.status == 200 and not a.error for a in record.attempts[:-1]
    ):
        yield (
            f"{len(record.attempts)} attempts; accepted is one, and a second only where the first"
            " was no HTTP 200"
        )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _texts(inner)


def _judged(given: Published) -> Iterator[str]:
    """Every judge was given the prompt that is published."""
    if not (given.folder / PROMPT).exists():
        return
    try:
        prompt = judge_prompt.load(given.folder / PROMPT)
    except InvalidInput as fault:
        yield from (text.replace(f"{given.folder}/", "") for text in fault.faults)
        return
    for name, number, record in given.lines:
        if is_judging(record.id) and not _was_given(record, prompt):
            yield (
                f"{name}: line {number}: {record.id}: its request is not by the prompt in {PROMPT}"
            )


def _was_given(record: Record, prompt: Prompt) -> bool:
    """By all of the prompt that does not come from the question."""
    chat = at(record.request, "json", "messages")
    said = [at(message, "content") for message in chat] if isinstance(chat, list) else []
    return said[:1] == [prompt.system] and str(said[-1]).startswith(prompt.user.partition("{")[0])


def _asked_again(given: Published) -> Iterator[str]:
    """A second answer to a question only where a session of the manifest says that it was asked
    for."""
    listed = [at(session, "asked_again") for session in _sessions(given)]
    allowed = Counter(
        name
        for names in listed
        if isinstance(names, list)
        for name in names
        if isinstance(name, str)
    )
    counted = Counter(record.id for _, _, record in given.lines if not is_judging(record.id))
    for name, lines in counted.items():
        if lines > 1 + allowed[name.partition("~")[0]]:
            yield (
                f"{name}: {lines} raw lines; the manifest says that it was asked again"
                f" {allowed[name]} times"
            )


def _times(given: Published) -> Iterator[str]:
    """The manifest was begun before the first request, and its window is that of the answers that
    count."""
    asked = sorted(record.asked_at for record in given.records.values())
    window, started = (
        at(given.manifest, "window"),
        at((_sessions(given) or [None])[0], "started_at"),
    )
    if asked and not same(window, [asked[0], asked[-1]]):
        yield (
            f"manifest.json: window: is {shown(window)}, the answers were asked for {asked[0]} to"
            f" {asked[-1]}"
        )
    first = min((record.asked_at for _, _, record in given.lines), default="")
    if not isinstance(started, str) or (first and first < started):
        yield (
            f"manifest.json: sessions: begin at {shown(started)}, the first question was asked at"
            f" {first}"
        )
