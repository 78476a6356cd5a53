"""Who reviews, and in which file: the first reviewer in `reviews-{run}.json`, others beside it."""

from __future__ import annotations

import re
import subprocess
import unicodedata
from pathlib import Path

from benchmark.core.errors import InvalidInput
from benchmark.desk.desk import Desk
from benchmark.desk.run import Run
from benchmark.desk.store import Store

_LONGEST = 60  # bytes of a name in a file's name


def desk(root: Path, run: Run, name: str | None, blind: bool) -> Desk:
    """The desk of the reviewer `name` (default: git's user.name) at `run`. InvalidInput without
    one, or where the review files do not fit."""
    if blind and not name:
        raise InvalidInput(["--reviewer: missing; expected the second reviewer's name"])
    reviewer = " ".join((name or _git_name(root)).split())
    if not reviewer:
        raise InvalidInput(["--reviewer: missing; expected your name, published with each entry"])
    first = _store(run.id.review_file(root), run)
    if blind:
        second = _store(_second_file(root, run, reviewer), run)
        _check_second(reviewer, first, second)
        others = {_name_of(first, "the first reviewer"): first}
        opened = Desk(run, second, reviewer, lambda: others, blind=True)
    else:
        opened = Desk(run, first, reviewer, lambda: _second_reviewers(root, run))
    opened.now()  # the faults of a review file are told before anything is served
    return opened


def _git_name(root: Path) -> str:
    command = ["git", "-C", str(root), "config", "user.name"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def _store(path: Path, run: Run) -> Store:
    return Store(path, run.quarter, run.applicable())


def _second_file(root: Path, run: Run, reviewer: str) -> Path:
    """`reviews-{run}.by_{name}.json`: the name in lower case, its letters and digits alone."""
    safe = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", reviewer).casefold()).strip("-")
    safe = safe.encode()[:_LONGEST].decode("utf-8", "ignore")
    if not safe:
        raise InvalidInput([f"--reviewer: got {reviewer!a}; expected a name with letters"])
    return run.id.review_file(root, safe)


def _second_reviewers(root: Path, run: Run) -> dict[str, Store]:
    every = run.id.review_file(root, "*")
    stores = [_store(path, run) for path in sorted(every.parent.glob(every.name))]
    return {_name_of(store, store.path.name): store for store in stores}


def _name_of(store: Store, otherwise: str) -> str:
    return ", ".join(sorted(_reviewers(store) - {""})) or otherwise


def _check_second(reviewer: str, first: Store, second: Store) -> None:
    """A second opinion is another person's, in a file of that person alone."""
    if reviewer in _reviewers(first):
        fault = f"got {reviewer!a}, who has entries in {first.path}; expected another person"
        hint = "Two readings by one person say nothing about agreement."
        raise InvalidInput([f"--reviewer: {fault}"], hint)
    if others := _reviewers(second) - {reviewer}:
        names = ", ".join(ascii(name) for name in sorted(others))
        fault = f"{second.path} holds entries of {names}; expected another spelling"
        raise InvalidInput([f"--reviewer: {fault}"])


def _reviewers(store: Store) -> set[str]:
    return {review.reviewer for review in store.read().reviews.values()}
