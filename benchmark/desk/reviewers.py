"""Who reviews, and in which file: the first reviewer in `reviews-{run}.json`, a second one beside
it."""

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
    """The desk of the reviewer `name` (git's user.name without one) at `run`. InvalidInput where
    none can be made."""
    if blind and not name:
        raise InvalidInput(
            ["--reviewer: missing, accepted with --blind is the second reviewer's name"]
        )
    reviewer = " ".join((name or _git_name(root)).split())
    if not reviewer:
        raise InvalidInput(
            ["--reviewer: missing, accepted is your name: it is published with each entry"]
        )
    first = _store(run.id.review_file(root), run)
    if not blind:
        made = Desk(run, first, reviewer, lambda: _second_reviewers(root, run))
    else:
        second = _store(_second_file(root, run, reviewer), run)
        _check_second(reviewer, first, second)
        made = Desk(
            run,
            second,
            reviewer,
            lambda: {_name_of(first, "the first reviewer"): first},
            blind=True,
        )
    made.now()  # the faults of a review file are told before anything is served
    return made


def _git_name(root: Path) -> str:
    command = ["git", "-C", str(root), "config", "user.name"]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, timeout=20, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _store(path: Path, run: Run) -> Store:
    return Store(path, run.quarter, run.applicable())


def _second_file(root: Path, run: Run, reviewer: str) -> Path:
    """`reviews-{run}.by_{name}.json`, the name in lower case with a hyphen for what is no letter or
    digit."""
    safe = re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", reviewer).casefold()).strip("-")
    safe = safe.encode()[:_LONGEST].decode("utf-8", "ignore")
    if not safe:
        raise InvalidInput([f"--reviewer: given {reviewer!a}, accepted is a name with letters"])
    return run.id.review_file(root, safe)


def _second_reviewers(root: Path, run: Run) -> dict[str, Store]:
    every = run.id.review_file(root, "*")
    stores = [_store(path, run) for path in sorted(every.parent.glob(every.name))]
    return {_name_of(store, store.path.name): store for store in stores}


def _name_of(store: Store, otherwise: str) -> str:
    names = sorted({review.reviewer for review in store.read().reviews.values() if review.reviewer})
    return ", ".join(names) or otherwise


def _check_second(reviewer: str, first: Store, second: Store) -> None:
    """A second opinion is another person's, in a file of that person alone."""
    if any(review.reviewer == reviewer for review in first.read().reviews.values()):
        raise InvalidInput(
            [
                f"--reviewer: given {reviewer!a}, who has entries in {first.path}; accepted is"
                " somebody else"
            ],
            "Two readings by one person say nothing about agreement.",
        )
    others = {review.reviewer for review in second.read().reviews.values()} - {reviewer}
    if others:
        taken = ", ".join(ascii(name) for name in sorted(others))
        raise InvalidInput(
            [f"--reviewer: {second.path} holds entries of {taken}; accepted is another spelling"]
        )
