"""What a run publishes: its sealed folder as it stands, once it has been rechecked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmark.archive.run_folder import REPORT, RESULTS, RunFolder, results_of
from benchmark.archive.seal import SUMS
from benchmark.core.errors import InvalidInput
from benchmark.core.files import sha256
from benchmark.core.run_id import RunId
from benchmark.results.summary import Results

Check = Callable[[Path], Iterable[str]]
# The test runner's account of the last replay has its clock times, and the sums name it.
REPLAYED = (REPORT, SUMS)
_SHOWN = 20  # findings; `verify` lists them all


@dataclass(frozen=True)
class Content:
    """Every file of a run's folder by its name, and what its results say."""

    files: Mapping[str, bytes]
    results: Results

    @cached_property
    def digests(self) -> dict[str, str]:
        return digests(self.files)


def checked(root: Path, run: RunId, check: Check) -> Content:
    """A run's content. InvalidInput where it is not a whole run's, or the check finds anything."""
    folder = RunFolder(run.folder(root))
    if not all((folder.path / name).is_file() for name in (SUMS, RESULTS)):
        missing = f"{folder.path}: no {RESULTS} and {SUMS} there; expected a complete run's folder"
        raise InvalidInput([missing], "A run writes them when every question has a verdict.")
    files = folder.contents()
    content = Content(files, results_of(files[RESULTS], folder.path / RESULTS))
    if faults := [*_foreign(run, folder, content.results)] or [*check(folder.path)]:
        more = [f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        again = f"Run the quarter again (a replay asks nothing), then `verify {folder.path}`."
        raise InvalidInput([*faults[:_SHOWN], *more], f"Nothing was published. {again}")
    return content


def _foreign(run: RunId, folder: RunFolder, results: Results) -> Iterator[str]:
    """Results of another run: a rehearsal never passes for a quarter."""
    path = folder.path / RESULTS
    if results.run != str(run):
        yield f"{path}: is of the run {results.run!a}, not of {run}"
    elif results.is_vendors and results.target.rehearsal:
        yield f"{path}: is of a rehearsal; expected the live target, by the quarter's name"


def digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    """Each file's SHA-256 by its name."""
    return {name: sha256(data) for name, data in sorted(contents.items())}


def is_same(some: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Whether two editions hold the same, but for what every replay writes anew."""
    return all(some.get(name) == others.get(name) for name in {*some, *others} - {*REPLAYED})
