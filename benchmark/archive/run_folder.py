"""The reader of a run's folder, for all who need one: what it holds, read when it is asked for and
typed. No file is read through a link, and a run of a project lies in its `reports/`.

Whatever is wrong is InvalidInput with the file's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmark.archive.seal import SUMS, check_links, files
from benchmark.asking import record_file
from benchmark.asking.manifest import Manifest
from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, read_bytes, read_json_lines, sha256
from benchmark.core.plain import read
from benchmark.core.records import Record, Verdict, verdict_of
from benchmark.core.run_id import RunId
from benchmark.results.summary import Results

RESULTS, REPORT, MANIFEST = "results.json", "report.json", "manifest.json"
RECORDS = ("raw-*.jsonl", "judge-*.jsonl")
_RUN = "Expected is the folder of a complete run, such as reports/2026-Q4."


@dataclass(frozen=True)
class Reported:
    """What a run's report says of a question."""

    verdict: Verdict
    records: tuple[Record, ...]


@dataclass(frozen=True)
class RunFolder:
    """A run's folder, wherever it lies."""

    path: Path

    def file(self, name: str) -> Path:
        """Where a file of the run is. InvalidInput where it is a link, or behind one."""
        check_links(self.path, [name])
        return self.path / name

    def data(self, name: str) -> bytes:
        return read_bytes(self.file(name))

    def json(self, name: str) -> Any:
        return parse_json(self.data(name), str(self.path / name))

    def digest(self, name: str) -> str:
        """SHA-256 of a file; "" where it cannot be read."""
        try:
            return sha256(self.data(name))
        except InvalidInput:
            return ""

    def contents(self) -> dict[str, bytes]:
        """Every file by its name, with the sums."""
        listed = [*files(self.path), *([SUMS] if (self.path / SUMS).exists() else [])]
        check_links(self.path, listed)
        return {name: read_bytes(self.path / name) for name in listed}

    def inside(self, fault: InvalidInput) -> list[str]:
        """Faults with files named as seen from the folder."""
        return [text.replace(f"{self.path}/", "") for text in fault.faults]

    def inputs(self, kind: str) -> list[str]:
        """Names of the JSON files below `questions`, `reviews` or `targets`."""
        paths = sorted((self.path / kind).rglob("*.json"))
        return [path.relative_to(self.path).as_posix() for path in paths]

    @property
    def record_files(self) -> list[str]:
        """Names of the files of the raw record: answers, then a judge's replies."""
        return [p.name for pattern in RECORDS for p in sorted(self.path.glob(pattern))]

    @cached_property
    def manifest(self) -> Manifest:
        return read(Manifest, self.json(MANIFEST), self.path / MANIFEST)

    @cached_property
    def results(self) -> Results:
        return results_of(self.data(RESULTS), self.path / RESULTS)

    def tests(self) -> list[dict[str, Any]]:
        """The tests of `report.json` that hold a question's verdict, as they stand there."""
        report = self.json(REPORT)
        tests = report.get("tests") if isinstance(report, dict) else None
        if not isinstance(tests, list) or not all(isinstance(test, dict) for test in tests):
            raise InvalidInput([f"{self.path / REPORT}: holds no verdicts that can be read"], _RUN)
        return [test for test in tests if _has_verdict(test)]

    def reported(self) -> tuple[Reported, ...]:
        """Each question's verdict and records. InvalidInput where it is not a run's report."""
        path, tests = self.path / REPORT, [test for test in self.tests() if "call" in test]
        try:
            found = tuple(_reported(test["metadata"]) for test in tests)
        except (KeyError, TypeError, AttributeError, ValueError) as fault:
            why = f"{type(fault).__name__}: {fault}"
            unread = f"{path}: holds no verdicts that can be read ({why})"
            raise InvalidInput([unread], _RUN) from None
        if not found:
            raise InvalidInput([f"{path}: holds no verdict"], _RUN)
        return found

    def last_bodies(self) -> dict[str, str]:
        """Record id to digest of the body; the last line of an id counts. A line that is not a
        record, such as a torn one, is left out: a run refuses it."""
        listed = (read_json_lines(self.file(name)) for name in self.record_files)
        lines = (line for some in listed for _, line in some if isinstance(line, dict))
        named = (line for line in lines if isinstance(line.get("id"), str))
        return {line["id"]: line.get("body_sha256", "") for line in named}


def _has_verdict(test: dict[str, Any]) -> bool:
    metadata = test.get("metadata")
    return isinstance(metadata, dict) and isinstance(metadata.get("verdict"), dict)


def _reported(metadata: Mapping[str, Any]) -> Reported:
    records = tuple(map(record_file.record_of, metadata.get("records", ())))
    return Reported(verdict_of(metadata["verdict"]), records)


def results_of(data: bytes, where: object) -> Results:
    """What a run's `results.json` holds."""
    return read(Results, parse_json(data, str(where)), where)


def opened(path: Path) -> RunFolder:
    """A folder that is there."""
    if not path.is_dir():
        raise InvalidInput([f"{path}: no such folder"], _RUN)
    return RunFolder(path)


def runs(root: Path, having: str) -> Iterator[tuple[RunId, RunFolder]]:
    """A project's runs that have this file, by name; none of another name or behind a link."""
    for path in sorted((root / "reports").glob(f"*/{having}")):
        run = RunId.parse(path.parent.name)
        if run and not path.parent.is_symlink():
            yield run, RunFolder(path.parent)


def find(root: Path, name: str, having: str) -> RunFolder | None:
    """A project's run by its name; None where there is none with this file."""
    return next((folder for run, folder in runs(root, having) if str(run) == name), None)


def earlier(root: Path, run: RunId) -> tuple[Results, ...]:
    """Results of the same target's earlier quarters, oldest first."""
    before = (
        folder
        for other, folder in runs(root, RESULTS)
        if other.target == run.target and other.quarter < run.quarter
    )
    try:
        return tuple(folder.results for folder in before)
    except InvalidInput as fault:
        hint = "An earlier quarter is never edited: restore the file from where it was published."
        raise InvalidInput(fault.faults, hint) from None
