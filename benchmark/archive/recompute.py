"""What a folder publishes as its results, against the same made anew from record and reviews."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmark.archive.findings import at, differing, same, shown
from benchmark.archive.published import Published
from benchmark.core.errors import InvalidInput
from benchmark.core.messages import ungraded
from benchmark.core.plain import plain
from benchmark.core.records import Verdict
from benchmark.report.tables import as_markdown, grid
from benchmark.results.summary import Summary

# What scoring a record may raise that is not one of ours.
_UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError)
FROM_MANIFEST = ("run", "quarter", "target", "decline", "model", "judge", "rules")  # in results
Json = dict[str, Any]
Form = Callable[[Any], Any]


def findings_of_results(given: Published) -> Iterator[str]:
    """Findings in results.json, results.md, report.json and the manifest's counts."""
    for question in given.questions:  # none lacks an answer, however often it was to be asked
        names = [name for name in given.track.answer_ids(question) if name not in given.records]
        yield from (f"{name}: no raw line" for name in names)
    scored: list[Verdict] = []
    for question in given.questions:
        try:
            review = given.reviews.get(question.id)
            scored.append(given.track.verdict(question, given.records, review))
        except ImportError as fault:
            lacking = f"its rule needs the package {fault.name}, which is not installed"
            yield f"{question.id}: not recomputed: {lacking}"
        except _UNREADABLE as fault:
            why = f"its record cannot be scored ({type(fault).__name__}: {fault})"
            yield f"{question.id}: not recomputed: {why}"
    yield from _report(given, scored)
    if len(scored) == len(given.questions):
        yield from _summary(given, scored)


# results.json and results.md ----------------------------------------------------------------------


def _summary(given: Published, scored: Sequence[Verdict]) -> Iterator[str]:
    published, recomputed = given.results, plain(Summary.of(scored))
    for key, value in recomputed.items():
        if key == "questions":
            yield from _questions(at(published, key), value, _form(given))
        elif key in ("table", "totals"):
            yield from _rows(key, at(published, key), value)
        else:
            yield from differing(f"results.json: {key}", at(published, key), value)
    for key in (*FROM_MANIFEST, "window", "question_sets", "record"):
        there = at(given.manifest, "questions" if key == "question_sets" else key)
        yield from differing(f"results.json: {key}", at(published, key), there, "manifest.json has")
    counts = at(given.manifest, "counts")
    yield from differing("manifest.json: counts", counts, recomputed["counts"])
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
        there = at(published, "measures", name)
        if not same(form(there), form(value)):
            yield f"{where}: {name}: is {shown(there)}, recomputed {shown(value)}"
    others = {key: value for key, value in recomputed.items() if key != "measures"}
    if not same({key: published.get(key) for key in others}, others):
        yield f"{where}: is {shown(published)}, recomputed {shown(others)}"


def _rows(key: str, published: Any, recomputed: list[Json]) -> Iterator[str]:
    if not isinstance(published, list) or len(published) != len(recomputed):
        yield f"results.json: {key}: {len(recomputed)} rows were recomputed, it holds others"
        return
    for there, row in zip(published, recomputed, strict=True):
        name = " ".join(row[k] or "all" for k in ("measure", "site", "language"))
        yield from differing(f"results.json: {key}: {name}", there, row)


def _markdown(given: Published, scored: Sequence[Verdict]) -> Iterator[str]:
    """The table that people read."""
    try:
        lines = given.folder.data("results.md").decode("utf-8").splitlines()
    except InvalidInput as fault:
        yield from given.folder.inside(fault)
        return
    except UnicodeDecodeError as fault:
        yield f"results.md: cannot be read ({type(fault).__name__})"
        return
    # Not every version of the suite escapes the same characters of a name.
    rows = {line.replace("\\", "") for line in lines}
    for row in as_markdown(grid(scored)):
        if row.replace("\\", "") not in rows:
            yield f"results.md: lacks the recomputed row {row}"


# report.json --------------------------------------------------------------------------------------


def _report(given: Published, scored: Sequence[Verdict]) -> Iterator[str]:
    """Every question was reported, with its own record, verdict and outcome."""
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
        place, count = f"report.json: summary: {key}", at(given.report, "summary", key)
        yield from differing(place, count, len(given.questions), "the number of questions is")


def _test(given: Published, test: Json, verdict: Verdict) -> Iterator[str]:
    name = verdict.question.id
    own = [plain(record) for record in given.records_of.get(name, {}).values()]
    if not _same_lines(at(test, "metadata", "records"), own):
        yield f"report.json: {name}: its records are not those of the raw file"
    if not same(*map(_form(given), (at(test, "metadata", "verdict"), plain(verdict)))):
        yield f"report.json: {name}: its verdict is not the recomputed one"
    yield from differing(f"report.json: {name}: outcome", test.get("outcome"), outcome(verdict))


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
