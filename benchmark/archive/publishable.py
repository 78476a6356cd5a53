"""What a run publishes: its sealed folder as it stands, once it has been rechecked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmark.archive.seal import SUMS, files
from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, read_bytes, sha256

Check = Callable[[Path], Iterable[str]]
RESULTS = "results.json"
REPLAYED = (
    "report.json",
    SUMS,
)  # the test runner's account of the last replay has its clock times, the sums name it
_NEEDED = (
    "run",
    "quarter",
    "target",
    "status",
    "question_sets",
    "measures",
    "table",
    "totals",
    "questions",
    "counts",
)
_SHOWN = 20  # findings; `verify` lists them all


def read_run(root: Path, run: str, check: Check) -> dict[str, bytes]:
    """A run's folder by name of file. InvalidInput where it is not a whole run's, or the check
    finds anything."""
    folder = root / "reports" / run
    if not (folder / SUMS).is_file() or not (folder / RESULTS).is_file():
        raise InvalidInput(
            [f"{folder}: no {RESULTS} and {SUMS} there; accepted is the folder of a complete run"],
            "A run writes them when every question has a verdict.",
        )
    contents = files_of(folder)
    if faults := [*_foreign(run, folder / RESULTS, contents[RESULTS])] or [*check(folder)]:
        more = [f"and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        raise InvalidInput(
            [*faults[:_SHOWN], *more],
            "Nothing was published. Run the quarter again (a replay asks nothing), then `verify"
            f" {folder}`.",
        )
    return contents


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, with its sums. A link could change what was published, so it is
    InvalidInput."""
    names = [*files(folder), *([SUMS] if (folder / SUMS).exists() else [])]
    links = [
        f"{folder / name}: is a link; accepted are files"
        for name in names
        if (folder / name).is_symlink()
    ]
    if links:
        raise InvalidInput(links, "Nothing was published.")
    return {name: read_bytes(folder / name) for name in names}


def _foreign(run: str, path: Path, data: bytes) -> Iterator[str]:
    """Results that another program wrote, or those of another run: a rehearsal never passes for a
    quarter."""
    results: Any = parse_json(data, str(path))
    missing = [key for key in _NEEDED if not isinstance(results, dict) or key not in results]
    yield from (
        f"{path}: {key} is missing; accepted is a {RESULTS} that this suite wrote"
        for key in missing
    )
    if not missing and results["run"] != run:
        yield f"{path}: is of the run {results['run']!a}, not of {run}"
    if not missing and run == results["quarter"] and results["target"]["rehearsal"]:
        yield (
            f"{path}: is of a rehearsal; accepted under a quarter's own name is the live target"
            " alone"
        )


def digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    """Each file's SHA-256 by its name."""
    return {name: sha256(data) for name, data in sorted(contents.items())}


def is_same(some: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Whether two editions hold the same, but for what every replay writes anew."""
    return all(some.get(name) == others.get(name) for name in {*some, *others} - {*REPLAYED})
