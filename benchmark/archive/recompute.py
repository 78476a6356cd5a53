"""What a folder publishes as its results, against the same made anew from its raw record, its
reviews and the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmark.archive.run_folder import Published, at, same, shown
from benchmark.asking import record_file
from benchmark.core.messages import ungraded
from benchmark.core.records import Verdict, to_plain
from benchmark.report.tables import as_markdown, grid
from benchmark.results import counts as results

_UNREADABLE = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    RecursionError,
)  # of a record not ours
_FROM_MANIFEST = {  # in results.json: in manifest.json
    "run": "run",
    "quarter": "quarter",
    "target": "target",
    "window": "window",
    "question_sets": "questions",
    "decline": "decline",
    "model": "model",
    "judge": "judge",
    "rules": "rules",
    "record": "record",
}
Json = dict[str, Any]
Form = Callable[[Any], Any]


def findings_of_results(given: Published) -> Iterator[str]:
    """Findings in results.json, results.md, report.json and the manifest's counts."""
    missing = list(_missing(given))
    yield from missing
    scored: list[Verdict] = []
    for question in given.questions:
        try:
            scored.append(
                given.track.verdict(question, given.records, given.reviews.get(question.id))
            )
        except ImportError as fault:
            yield (
                f"{question.id}: not recomputed: its rule needs the package {fault.name}, which is"
                " not installed"
            )
        except _UNREADABLE as fault:
            yield (
                f"{question.id}: not recomputed: its record cannot be scored"
                f" ({type(fault).__name__}: {fault})"
            )
    yield from _report(given, scored)
    if len(scored) == len(given.questions):
        yield from _summary(given, scored)


def _missing(given: Published) -> Iterator[str]:
    """Nothing that was collected lacks an answer, however often it was to be asked."""
    for question in given.questions:
        names = [name for name in given.track.answer_ids(question) if name not in given.records]
        yield from (f"{name}: no raw line" for name in names)


# results.json and results.md ----------------------------------------------------------------------


def _summary(given: Published, scored: Sequence[Verdict]) -> Iterator[str]:
    published, recomputed = given.results, json.loads(json.dumps(results.summary(scored)))
    for key, value in recomputed.items():
        if key == "questions":
            yield from _questions(at(published, key), value, _form(given))
        elif key in ("table", "totals"):
            yield from _rows(key, at(published, key), value)
        elif not same(at(published, key), value):
            yield f"results.json: {key}: is {shown(at(published, key))}, recomputed {shown(value)}"
    for key, name in _FROM_MANIFEST.items():
        there, here = at(given.manifest, name), at(published, key)
        if not same(here, there):
            yield f"results.json: {key}: is {shown(here)}, manifest.json has {shown(there)}"
    counts = at(given.manifest, "counts")
    if not same(counts, recomputed["counts"]):
        yield f"manifest.json: counts: is {shown(counts)}, recomputed {shown(recomputed['counts'])}"
    yield from _markdown(given, scored)


def _form(given: Published) -> Form:
    """What of a value is compared: all of it, or of a run of the first form all but what it lacks:
    it words its reasons in another way, and its questions have the other track's empty fields."""
    return _first_form if at(given.manifest, "rules", "files") else lambda value: value


def _first_form(value: Any) -> Any:
    if isinstance(value, list):
        return [_first_form(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    words = ("reason", "reasons") if {"value", "mechanical"} & value.keys() else ()
    kept = {key: inner for key, inner in value.items() if key not in words}
    return {key: _first_form(inner) for key, inner in kept.items() if inner not in ("", [], {})}


def _questions(published: Any, recomputed: list[Json], form: Form) -> Iterator[str]:
    there = {at(entry, "id"): entry for entry in published} if _is_objects(published, "id") else {}
    for entry in recomputed:
        where = f"results.json: {entry['id']}"
        yield from _question(where, there.pop(entry["id"], None), entry, form)
    yield from (f"results.json: {name}: is no question of this run" for name in there)
    if _is_objects(published, "id") and len(published) > len(recomputed):
        yield f"results.json: questions: {len(published)} entries, recomputed {len(recomputed)}"


def _question(where: str, published: Any, recomputed: Json, form: Form) -> Iterator[str]:
    """One finding a measure, so that a verdict that was turned is named."""
    if not isinstance(published, dict):
        yield f"{where}: missing"
        return
    for name, value in recomputed["measures"].items():
        given = at(published, "measures", name)
        if not same(*map(form, (given, value))):
            yield f"{where}: {name}: is {shown(given)}, recomputed {shown(value)}"
    others = {key: value for key, value in recomputed.items() if key != "measures"}
    if not same({key: published.get(key) for key in others}, others):
        yield f"{where}: is {shown(published)}, recomputed {shown(others)}"


def _rows(key: str, published: Any, recomputed: list[Json]) -> Iterator[str]:
    if not isinstance(published, list) or len(published) != len(recomputed):
        yield f"results.json: {key}: {len(recomputed)} rows were recomputed, it holds others"
        return
    for there, row in zip(published, recomputed, strict=True):
        if not same(there, row):
            name = " ".join(row[k] or "all" for k in ("measure", "site", "language"))
            yield f"results.json: {key}: {name}: is {shown(there)}, recomputed {shown(row)}"


def _markdown(given: Published, scored: Sequence[Verdict]) -> Iterator[str]:
    """The table that people read."""
    try:
        lines = (given.folder / "results.md").read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        yield f"results.md: cannot be read ({type(fault).__name__})"
        return
    for row in as_markdown(grid(scored)):
        if row not in lines:
            yield f"results.md: lacks the recomputed row {row}"


# report.json --------------------------------------------------------------------------------------


def _report(given: Published, scored: Sequence[Verdict]) -> Iterator[str]:
    """Every question was reported, with the record and the verdict that it has, and with that
    verdict's outcome."""
    tests = at(given.report, "tests")
    found = [t for t in tests if isinstance(t, dict)] if isinstance(tests, list) else []
    by_id = {str(at(t, "metadata", "verdict", "question", "id")): t for t in found if "call" in t}
    for question in given.questions:
        if question.id not in by_id:
            yield f"report.json: {question.id}: collected but not reported"
    for verdict in scored:
        if verdict.question.id in by_id:
            yield from _test(given, by_id[verdict.question.id], verdict)
    for key in ("collected", "total"):
        count = at(given.report, "summary", key)
        if count != len(given.questions):
            yield (
                f"report.json: summary: {key}: is {shown(count)}, there are {len(given.questions)}"
                " questions"
            )


def _test(given: Published, test: Json, verdict: Verdict) -> Iterator[str]:
    name = verdict.question.id
    own = [record_file.line_of(record) for record in given.records_of.get(name, {}).values()]
    if not _same_lines(at(test, "metadata", "records"), own):
        yield f"report.json: {name}: its records are not those of the raw file"
    if not same(*map(_form(given), (at(test, "metadata", "verdict"), to_plain(verdict)))):
        yield f"report.json: {name}: its verdict is not the recomputed one"
    if test.get("outcome") != outcome(verdict):
        yield (
            f"report.json: {name}: outcome: is {shown(test.get('outcome'))}, recomputed"
            f" {shown(outcome(verdict))}"
        )


def _same_lines(published: Any, recomputed: list[Json]) -> bool:
    """The same records in whatever order they came."""
    there = {line["id"]: line for line in published} if _is_objects(published, "id") else {}
    return same(there, {line["id"]: line for line in recomputed})


def outcome(verdict: Verdict) -> str:
    """The outcome of a question's test (design, "Outcomes")."""
    if verdict.failed:
        return "failed"
    return "skipped" if verdict.faulty or ungraded(verdict) else "passed"


def _is_objects(value: Any, key: str) -> bool:
    return isinstance(value, list) and all(isinstance(at(entry, key), str) for entry in value)
