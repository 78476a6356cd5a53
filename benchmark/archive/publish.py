"""Publishing: a run's folder, frozen under a website's `eval/`, and the index pages over all
quarters beside it.

    TO/eval/{run}/1/entry.json     when, which digest, draft or final; what a correction corrects
    TO/eval/{run}/1/report/        the run's folder byte for byte, as `verify` rechecks it
    TO/eval/{run}/2/               a correction: a whole new edition; the first stays as it was
    TO/{en,he,ru}/eval/index.html  made anew each time from what lies under eval/

An edition is written beside its place and moved there in one step, so that it is there whole or not
at all. Publishing the same content again changes nothing but the index pages, which is also how an
interrupted publication is finished."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path

from benchmark.archive import index_page, verify
from benchmark.archive.content import Check, checked, is_same
from benchmark.archive.editions import Edition, Entry, editions, faults_of
from benchmark.core.errors import InvalidInput
from benchmark.core.files import to_json, write_text
from benchmark.core.plain import plain
from benchmark.core.run_id import EXAMPLES, RunId

UNFINISHED = ".unfinished"


def now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")


def publish(
    root: Path,
    run: str,
    to: Path,
    *,
    draft: bool = False,
    correction: str | None = None,
    clock: Callable[[], str] = now,
    check: Check = verify.verify,
) -> list[str]:
    """Publish a run of the project at `root`; says in lines what was done. InvalidInput where it
    must not be.

    `check` rechecks the run's folder: what it finds keeps the run from being published.
    """
    run_id = RunId.parse(run)
    if run_id is None:
        raise InvalidInput([f"RUN: got {run!a}; expected {EXAMPLES}"])
    _check_reason(correction)
    content = checked(root, run_id, check)
    published = editions(to)
    _check_frozen(published)
    before = next((edition for edition in published[::-1] if edition.entry.run == run), None)
    if before and is_same(before.entry.files, content.digests):
        return [_unchanged(before, correction), *_index(to, published)]
    entry = Entry.of(content, before, correction or "", clock())
    _check_entry(entry, before, draft, correction)
    added = _add(to, entry, content.files)
    labels = "; ".join(entry.labels)
    return [f"published: {added.folder} ({labels})", *_index(to, [*published, added])]


def _check_reason(correction: str | None) -> None:
    if correction is not None and (not correction.strip() or len(correction.splitlines()) > 1):
        raise InvalidInput([f"--correction: got {correction!a}; expected one line that says why"])


def _check_frozen(published: Sequence[Edition]) -> None:
    """What was published stays as it was: nothing is added beside an edition that was changed."""
    if faults := [fault for edition in published for fault in faults_of(edition)]:
        hint = "Nothing was published. Restore these files as they were published."
        raise InvalidInput(faults, hint)


def _unchanged(edition: Edition, correction: str | None) -> str:
    if correction is not None:
        raise InvalidInput([f"--correction: {edition.folder} holds just this content already"])
    return f"published already, nothing changed: {edition.folder}"


def _check_entry(entry: Entry, before: Edition | None, draft: bool, correction: str | None) -> None:
    """Whether it may be a new edition; InvalidInput where not."""
    run = entry.run
    if entry.status != "final" and not draft:
        fault = f"{run}: its report is a draft, since answers that must be read have not been"
        hint = f"Review it (`python -m benchmark review {run}`), or publish the draft with --draft."
        raise InvalidInput([fault], hint)
    if before and correction is None:
        named = "; ".join(entry.changes.lines())
        fault = f"{run}: published as {before.folder} with other content: {named}"
        hint = 'A published quarter is frozen: --correction "reason" adds a dated correction.'
        raise InvalidInput([fault], f"Nothing was published. {hint}")
    if not before and correction is not None:
        raise InvalidInput([f"--correction: {run} was never published: nothing to correct"])


def _add(to: Path, entry: Entry, contents: Mapping[str, bytes]) -> Edition:
    """Write the edition beside its place, then move it there in one step, or InvalidInput."""
    place = to / "eval" / entry.run / str(entry.number)
    unfinished = place.with_name(f"{UNFINISHED}-{os.getpid()}")
    try:
        for left in place.parent.glob(f"{UNFINISHED}-*"):  # of a publication that was killed
            shutil.rmtree(left)
        for name, data in contents.items():
            _write(unfinished / "report" / name, data)
        _write(unfinished / "entry.json", to_json(plain(entry)).encode("utf-8", "backslashreplace"))
        unfinished.rename(place)  # fails where another publication was faster
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        fault = f"{place}: cannot be written ({error.strerror or error})"
        raise InvalidInput([fault], "Nothing was published.") from None
    return Edition(place, entry)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _index(to: Path, published: Sequence[Edition]) -> list[str]:
    """Each language's index page over all that is published. A page not ours is not touched."""
    pages = {to / name: text for name, text in index_page.pages(published).items()}
    there = {path: path.read_text("utf-8", "replace") for path in pages if path.exists()}
    if foreign := [path for path, text in there.items() if index_page.MARK not in text]:
        faults = [f"{path}: is there already and was not made by `publish`" for path in foreign]
        hint = "The quarter is published, the index is not. Move that page away and repeat this."
        raise InvalidInput(faults, hint)
    for path, text in pages.items():
        for left in path.parent.glob(f".{path.name}.*"):  # of a publication that was killed
            left.unlink()
        write_text(path, text)
    return [f"index: {path}" for path in pages]
