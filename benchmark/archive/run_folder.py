"""A published folder read back, as far as it can be: whatever is wrong with a file is a fault,
never an exception."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from benchmark.archive.seal import DECLINE, PROMPT, QUESTIONS, REVIEWS, TARGETS
from benchmark.asking import record_file
from benchmark.asking.targets import Target
from benchmark.asking.tracks import SiteTrack, SuiteTrack, Track, by_question
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_bytes, read_json, sha256
from benchmark.core.records import Places, Question, QuestionSet, Record, Review
from benchmark.questions import decline, sites, suites
from benchmark.scoring import reviews
from benchmark.scoring.rules import applicable

_Read = TypeVar("_Read")
RECORDS = ("raw-*.jsonl", "judge-*.jsonl")


@dataclass(frozen=True)
class Published:
    """What a folder holds. `lines` are (file, line number, record), and `torn` the files whose last
    line broke off."""

    folder: Path
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

    @cached_property
    def records(self) -> dict[str, Record]:
        """The last of each record id, as a run reads them."""
        return {record.id: record for _, _, record in self.lines}

    @cached_property
    def records_of(self) -> dict[str, dict[str, Record]]:
        return by_question(self.records)

    def digest(self, name: str) -> str:
        """SHA-256 of one of its files; "" where it cannot be read."""
        try:
            return sha256(read_bytes(self.folder / name))
        except InvalidInput:
            return ""


@dataclass
class _Reading:
    """Reads what it can and keeps the faults of the rest."""

    folder: Path
    faults: list[str] = field(default_factory=list)

    def tried(self, reading: Callable[..., _Read], *given: Any) -> _Read | None:
        try:
            return reading(*given)
        except InvalidInput as fault:
            self.faults += [text.replace(f"{self.folder}/", "") for text in fault.faults]
            return None

    def json(self, name: str) -> Any:
        return self.tried(read_json, self.folder / name)

    def object(self, name: str) -> dict[str, Any]:
        """A JSON object; empty, and a fault, where the file holds anything else."""
        value = self.json(name)
        if value is not None and not isinstance(value, dict):
            self.faults.append(f"{name}: a JSON {type(value).__name__}, which must be an object")
        return value if isinstance(value, dict) else {}


def read(folder: Path) -> tuple[Published | None, list[str]]:
    """A folder's content and the faults found in reading it; None where too little is left to score
    anything."""
    reading = _Reading(folder)
    manifest = reading.object("manifest.json")
    paths = [
        path
        for path in sorted((folder / QUESTIONS).rglob("*.json"))
        if path not in _no_sets(folder)
    ]
    sets = tuple(found for path in paths if (found := reading.tried(_question_set, path)))
    track = _track(reading, manifest, sets)
    if not sets or track is None:
        missing = [] if sets else [f"{QUESTIONS}: no question file that can be read is there"]
        return None, [*reading.faults, *missing]
    lines, torn = _lines(reading, sets)
    published = Published(
        folder,
        manifest,
        _in_order(sets, manifest),
        track,
        tuple(lines),
        tuple(torn),
        _reviews(reading, manifest, sets, track),
        reading.object("results.json"),
        reading.object("report.json"),
    )
    return published, reading.faults


def _no_sets(folder: Path) -> tuple[Path, Path]:
    """What lies beside the question files."""
    return folder / DECLINE, folder / PROMPT


def _only(folder: Path, kind: str) -> Path:
    """The one file of a kind that a run has; a path where nothing is, if it has none."""
    return min((folder / kind).glob("*.json"), default=folder / kind / "none.json")


def _question_set(path: Path) -> QuestionSet:
    """Either track's file, by its form: a set is named by `set`, a suite by `id`."""
    value = read_json(path)
    is_suite = isinstance(value, dict) and "set" not in value
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
    target = Target("", "", "", {"model": ""}, {}, "", places=places)
    if any(q.method for s in sets for q in s.questions):
        repeats = manifest.get("repeats")
        return SuiteTrack(target, None, repeats if isinstance(repeats, int) else 1)
    lists, date = (
        reading.tried(decline.load, reading.folder / DECLINE),
        at(manifest, "decline", "date"),
    )
    return (
        SiteTrack(target, lists, date if isinstance(date, str) else lists.latest) if lists else None
    )


def _places(reading: _Reading) -> Places:
    name = _only(reading.folder, TARGETS).relative_to(reading.folder).as_posix()
    value, known = reading.object(name).get("response", {}), vars(Places())
    if not isinstance(value, dict) or not all(
        key in known and isinstance(path, str) for key, path in value.items()
    ):
        reading.faults.append(f"{name}: response: accepted are paths for {', '.join(known)}")
        return Places()
    return Places(**value)


def _lines(
    reading: _Reading, sets: tuple[QuestionSet, ...]
) -> tuple[list[tuple[str, int, Record]], list[str]]:
    known, is_suite = (
        [q.id for s in sets for q in s.questions],
        any(q.method for s in sets for q in s.questions),
    )
    lines, torn = [], []
    for path in (path for pattern in RECORDS for path in sorted(reading.folder.glob(pattern))):
        records, rest = reading.tried(record_file.read, path, known, is_suite) or ([], "")
        lines += [(path.name, number, record) for number, record in enumerate(records, 1)]
        torn += [path.name] if rest else []
    return lines, torn


def _reviews(
    reading: _Reading, manifest: dict[str, Any], sets: tuple[QuestionSet, ...], track: Track
) -> dict[str, Review]:
    """None at all is no fault here: a run may be published before it is reviewed. The sums say if
    one is missing."""
    path, quarter = _only(reading.folder, REVIEWS), manifest.get("quarter")
    known = {q.id: applicable(track.rules, q) for s in sets for q in s.questions}
    return reading.tried(reviews.load, path, quarter, known) or {} if path.exists() else {}


def at(value: Any, *keys: str) -> Any:
    """What stands under these keys; None where anything on the way is missing or no object."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def same(published: Any, recomputed: Any) -> bool:
    """Equal as JSON; the last digits of a float may differ, for they are not the same on every
    machine."""
    if isinstance(recomputed, bool) or isinstance(published, bool):
        return published is recomputed
    if isinstance(recomputed, dict) and isinstance(published, dict):
        return published.keys() == recomputed.keys() and all(
            same(published[key], recomputed[key]) for key in recomputed
        )
    if isinstance(recomputed, list) and isinstance(published, list):
        return len(published) == len(recomputed) and all(map(same, published, recomputed))
    if (
        isinstance(recomputed, float)
        and isinstance(published, (int, float))
        and abs(published) < 1e300
    ):
        return abs(published - recomputed) <= 1e-9 * max(1.0, abs(recomputed))
    return bool(published == recomputed)


def shown(value: Any) -> str:
    """A value in a finding: JSON on one line, cut where it is long."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 100 else text[:97] + "..."
