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
from collections.abc import Iterator
from pathlib import Path

from benchmark.asking.manifest import Manifest
from benchmark.asking.targets import Target
from benchmark.core.files import read_bytes, sha256, to_json, write_bytes, write_text
from benchmark.run.plan import Plan, review_file

SUMS = "SHA256SUMS"
QUESTIONS, REVIEWS, TARGETS = "questions", "reviews", "targets"
DECLINE, PROMPT = f"{QUESTIONS}/decline.json", f"{QUESTIONS}/judge-prompt.json"
EARLIER = f"{TARGETS}/earlier"


def publish(plan: Plan, made: Manifest) -> list[str]:
    """Put the inputs into a run's folder and seal it; the names of what was written. InvalidInput
    where it cannot.

    This comes last: what is written into the folder afterwards is found as a change.
    """
    for name in (QUESTIONS, REVIEWS):
        shutil.rmtree(plan.folder / name, ignore_errors=True)
    for source in _sources(plan, made):
        _copy(source, plan.folder / source.relative_to(plan.root))
    keep_target(plan)
    seal(plan.folder)
    return [f"{QUESTIONS}/", f"{REVIEWS}/", f"{TARGETS}/", SUMS]


def _sources(plan: Plan, made: Manifest) -> list[Path]:
    """Every question file, the reviews if there are any, and what this track used."""
    reviews = review_file(plan.root, plan.run)
    return [
        *(Path(s.path) for s in plan.sets),
        *([reviews] if reviews.exists() else []),
        *([plan.root / DECLINE] if "decline" in made.values else []),
        *([plan.root / PROMPT] if "judge" in made.values else []),
    ]


def _copy(source: Path, copy: Path) -> None:
    write_bytes(copy, read_bytes(source))


def keep_target(plan: Plan) -> None:
    """Copy the target into the run's folder. One that lies there and differs was asked with, and is
    kept beside it."""
    path = plan.folder / TARGETS / f"{plan.target.name}.json"
    if path.exists() and (digest := sha256(read_bytes(path))) != plan.target.sha256:
        _copy(path, plan.folder / EARLIER / f"{digest[:12]}.json")
    _write_target(plan.target, path)


def _write_target(target: Target, path: Path) -> None:
    """The target's file, or for a model, which has none, the very text that its digest is of."""
    if target.path:
        _copy(Path(target.path), path)
    else:
        write_text(path, to_json({"endpoint": target.endpoint, "body": target.body}))


def files(folder: Path) -> Iterator[str]:
    """Names of all files of a folder but its sums, as they stand in the sums: relative, with `/`,
    sorted by name."""
    found = [
        Path(at, name).relative_to(folder).as_posix()
        for at, folders, names in os.walk(folder)
        for name in [*names, *(inner for inner in folders if Path(at, inner).is_symlink())]
    ]
    yield from sorted(name for name in found if name != SUMS)


def sums(folder: Path) -> dict[str, str]:
    """SHA-256 by name, of every file of a folder but its sums. InvalidInput where one cannot be
    read."""
    return {name: sha256(read_bytes(folder / name)) for name in files(folder)}


def as_text(digests: dict[str, str]) -> str:
    """Sums as `sha256sum` writes them."""
    return "".join(f"{digest}  {name}\n" for name, digest in digests.items())


def seal(folder: Path) -> str:
    """Write the sums of a folder's files; the digest of that text, which stands for all of them."""
    text = as_text(sums(folder))
    write_text(folder / SUMS, text)
    return sha256(text.encode())
