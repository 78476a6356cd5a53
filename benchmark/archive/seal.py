"""What makes a run's folder provable by itself: copies of all that its results were made from, and
a sum of every file.

`questions/`, `reviews/` and `targets/` hold, byte for byte and named as in the project, the
question files, what the track needs beside them (decline lists, or the judge's prompt), the reviews
and the target; `targets/earlier/` has those that were asked with before the target was edited.
`SHA256SUMS` names every other file of the folder in the form that `sha256sum --check` reads; its
own digest stands for the whole folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from benchmark.asking.targets import Target
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_bytes, sha256, to_json, write_bytes, write_text

SUMS = "SHA256SUMS"
QUESTIONS, REVIEWS, TARGETS = "questions", "reviews", "targets"
DECLINE, PROMPT = f"{QUESTIONS}/decline.json", f"{QUESTIONS}/judge-prompt.json"
EARLIER = f"{TARGETS}/earlier"


def publish(folder: Path, root: Path, sources: Sequence[Path], target: Target) -> list[str]:
    """Put a run's sources, files under the project's `root`, and its target into its folder, and
    seal it; the names of what was written. InvalidInput where it cannot.

    This comes last: what is written into the folder afterwards is found as a change.
    """
    for name in (QUESTIONS, REVIEWS):
        shutil.rmtree(folder / name, ignore_errors=True)
    for source in sources:
        _copy(source, folder / source.relative_to(root))
    keep_target(folder, target)
    seal(folder)
    return [f"{QUESTIONS}/", f"{REVIEWS}/", f"{TARGETS}/", SUMS]


def _copy(source: Path, copy: Path) -> None:
    write_bytes(copy, read_bytes(source))


def keep_target(folder: Path, target: Target) -> None:
    """Copy the target into the run's folder. One that lies there and differs was asked with, and is
    kept beside it. A model has no file, but the very text that its digest is of."""
    path = folder / TARGETS / f"{target.name}.json"
    if path.exists() and (digest := sha256(read_bytes(path))) != target.sha256:
        _copy(path, folder / EARLIER / f"{digest[:12]}.json")
    if target.path:
        _copy(Path(target.path), path)
    else:
        write_text(path, to_json({"endpoint": target.endpoint, "body": target.body}))


def files(folder: Path) -> list[str]:
    """A folder's files and links but its sums, as the sums name them: relative, `/`, sorted."""
    found = [
        Path(at, name).relative_to(folder).as_posix()
        for at, folders, names in os.walk(folder)
        for name in [*names, *(inner for inner in folders if Path(at, inner).is_symlink())]
    ]
    return sorted(name for name in found if name != SUMS)


def check_links(folder: Path, listed: Sequence[str]) -> None:
    """InvalidInput where any of these files is a link, or lies behind one: what a link leads to
    could change after the folder was sealed, or was never of the run."""
    place = folder.resolve()
    links = [name for name in listed if (folder / name).resolve() != place / name]
    if links:
        raise InvalidInput([f"{folder / name}: is a link; expected a file" for name in links])


def sums(folder: Path) -> dict[str, str]:
    """SHA-256 by name of every file but the sums. InvalidInput for a link or unreadable file."""
    listed = files(folder)
    check_links(folder, listed)
    return {name: sha256(read_bytes(folder / name)) for name in listed}


def as_text(digests: dict[str, str]) -> str:
    """Sums as `sha256sum` writes them."""
    return "".join(f"{digest}  {name}\n" for name, digest in digests.items())


def seal(folder: Path) -> str:
    """Write the sums of a folder's files; the digest of that text, which stands for all of them."""
    text = as_text(sums(folder))
    write_text(folder / SUMS, text)
    return sha256(text.encode())
