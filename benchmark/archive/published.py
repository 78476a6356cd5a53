"""A published folder read back, as far as it can be: a fault is listed, never an exception."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from benchmark.archive.findings import at
from benchmark.archive.run_folder import RunFolder
from benchmark.archive.seal import DECLINE, PROMPT, QUESTIONS, REVIEWS, TARGETS
from benchmark.asking import record_file
from benchmark.asking.targets import Target
from benchmark.asking.tracks import SiteTrack, SuiteTrack, Track, by_question
from benchmark.core.errors import InvalidInput
from benchmark.core.records import Places, Question, QuestionSet, Record, Review
from benchmark.questions import decline, sites, suites
from benchmark.scoring import reviews
from benchmark.scoring.rules import applicable

_Read = TypeVar("_Read")


@dataclass(frozen=True)
class Published:
    """`lines` are (file, line number, record), and `torn` the files whose last line broke off."""

    folder: RunFolder
    manifest: dict[str, Any]
    sets: tuple[QuestionSet, ...]
    track: Track
    lines: tuple[tuple[str, int, Record], ...]
    torn: tuple[str, ...]
    reviews: dict[str, Review]
    results: Any
    report: Any

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        return tuple(q for questions_ in self.sets for q in questions_.questions)

    @property
    def sessions(self) -> list[Any]:
        sessions = at(self.manifest, "sessions")
        return sessions if isinstance(sessions, list) else []

    @cached_property
    def records(self) -> dict[str, Record]:
        """The last of each record id, as a run reads them."""
        return {record.id: record for _, _, record in self.lines}

    @cached_property
    def records_of(self) -> dict[str, dict[str, Record]]:
        return by_question(self.records)


@dataclass
class _Reading:
    """Reads what it can and keeps the faults of the rest."""

    folder: RunFolder
    faults: list[str] = field(default_factory=list)

    def tried(self, reading: Callable[..., _Read], *given: Any) -> _Read | None:
        try:
            return reading(*given)
        except InvalidInput as fault:
            self.faults += self.folder.inside(fault)
            return None

    def object(self, name: str) -> dict[str, Any]:
        """A JSON object; empty, and a fault, where the file holds anything else."""
        value = self.tried(self.folder.json, name)
        if value is not None and not isinstance(value, dict):
            self.faults.append(f"{name}: a JSON {type(value).__name__}, which must be an object")
        return value if isinstance(value, dict) else {}


def read(folder: RunFolder) -> tuple[Published | None, list[str]]:
    """A folder's content and the faults in reading it; None where too little is left to score."""
    reading = _Reading(folder)
    manifest = reading.object("manifest.json")
    paths = [name for name in folder.inputs(QUESTIONS) if name not in (DECLINE, PROMPT)]
    sets = tuple(s for name in paths if (s := reading.tried(_question_set, folder, name)))
    track = _track(reading, manifest, sets)
    if not sets or track is None:
        missing = [] if sets else [f"{QUESTIONS}: no question file that can be read is there"]
        return None, [*reading.faults, *missing]
    lines, torn = _lines(reading, sets)
    published = Published(
        folder=folder,
        manifest=manifest,
        sets=_in_order(sets, manifest),
        track=track,
        lines=tuple(lines),
        torn=tuple(torn),
        reviews=_reviews(reading, manifest, sets, track),
        results=reading.object("results.json"),
        report=reading.object("report.json"),
    )
    return published, reading.faults


def _question_set(folder: RunFolder, name: str) -> QuestionSet:
    """Either track's file, by its form: a set is named by `set`, a suite by `id`."""
    value = folder.json(name)
    is_suite = isinstance(value, dict) and "set" not in value
    path = folder.file(name)
    return suites.load(path) if is_suite else sites.load(path)


def _in_order(sets: tuple[QuestionSet, ...], manifest: dict[str, Any]) -> tuple[QuestionSet, ...]:
    """As the run had them, which the manifest keeps."""
    order = list(manifest["questions"]) if isinstance(manifest.get("questions"), dict) else []
    return tuple(sorted(sets, key=lambda s: order.index(s.set) if s.set in order else len(order)))


def _track(
    reading: _Reading, manifest: dict[str, Any], sets: tuple[QuestionSet, ...]
) -> Track | None:
    """What scores these questions: only what scoring needs of the target is read."""
    places = _places(reading)
    target = Target(
        name="", label="", endpoint="", body={"model": ""}, sites={}, sha256="", places=places
    )
    if any(q.method for s in sets for q in s.questions):
        repeats = manifest.get("repeats")
        return SuiteTrack(target, None, repeats if isinstance(repeats, int) else 1)
    lists = reading.tried(lambda: decline.load(reading.folder.file(DECLINE)))
    date = at(manifest, "decline", "date")
    if not lists:
        return None
    return SiteTrack(target, lists, date if isinstance(date, str) else lists.latest)


def _places(reading: _Reading) -> Places:
    name = _only(reading.folder, TARGETS)
    value, known = reading.object(name).get("response", {}), vars(Places())
    if not isinstance(value, dict) or not all(
        key in known and isinstance(path, str) for key, path in value.items()
    ):
        reading.faults.append(f"{name}: response: expected paths for {', '.join(known)}")
        return Places()
    return Places(**value)


def _lines(
    reading: _Reading, sets: tuple[QuestionSet, ...]
) -> tuple[list[tuple[str, int, Record]], list[str]]:
    folder, known = reading.folder, [q.id for s in sets for q in s.questions]
    is_suite = any(q.method for s in sets for q in s.questions)
    lines, torn = [], []
    for name in reading.folder.record_files:
        read_ = reading.tried(lambda n: record_file.read(folder.file(n), known, is_suite), name)
        records, rest = read_ or ([], "")
        lines += [(name, number, record) for number, record in enumerate(records, 1)]
        torn += [name] if rest else []
    return lines, torn


def _only(folder: RunFolder, kind: str) -> str:
    """The one file of a kind that a run has; a name of nothing, if it has none."""
    return next((n for n in folder.inputs(kind) if n.count("/") == 1), f"{kind}/none.json")


def _reviews(
    reading: _Reading, manifest: dict[str, Any], sets: tuple[QuestionSet, ...], track: Track
) -> dict[str, Review]:
    """None at all is no fault: a run may be published before its review. The sums name a loss."""
    folder, name = reading.folder, _only(reading.folder, REVIEWS)
    known = {q.id: applicable(track.rules, q) for s in sets for q in s.questions}
    if not (folder.path / name).exists():
        return {}
    quarter = manifest.get("quarter")
    return reading.tried(lambda: reviews.load(folder.file(name), quarter, known)) or {}
