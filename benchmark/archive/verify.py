"""`python -m benchmark verify`: a published folder rechecked from its own files, offline, with
nothing but Python.

In this order: the sum of every file; the digests of the manifest; each raw line against its body,
its question and the manifest; then everything that was published as a result, scored once more by
the rules of this checkout. A finding is one line: the file, the place in it, what is there and what
should be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmark import __version__
from benchmark.archive import seal
from benchmark.archive.findings import at, differing, same, shown
from benchmark.archive.published import Published, read
from benchmark.archive.recheck_record import findings_of_record
from benchmark.archive.recompute import findings_of_results
from benchmark.archive.run_folder import RunFolder
from benchmark.archive.seal import PROMPT, SUMS, TARGETS
from benchmark.asking import rules
from benchmark.core.errors import InvalidInput
from benchmark.core.plain import plain
from benchmark.core.provenance import AskedSet


def verify(folder: Path) -> Iterator[str]:
    """Findings, none where everything holds. InvalidInput where there is no such folder."""
    if not folder.is_dir():
        raise InvalidInput([f"{folder}: no such folder; expected a run's, such as reports/2026-Q4"])
    run = RunFolder(folder)
    yield from _sums(run)
    given, faults = read(run)
    yield from faults
    if given:
        yield from _made_with(given)
        yield from findings_of_record(given)
        yield from findings_of_results(given)


# Every byte ---------------------------------------------------------------------------------------


def _sums(run: RunFolder) -> Iterator[str]:
    """The sums as they stand against those of the files: each byte of either is compared."""
    try:
        digests = seal.sums(run.path)
        listed = run.data(SUMS)
    except InvalidInput as fault:
        yield from run.inside(fault)
        return
    if listed == seal.as_text(digests).encode("utf-8", "backslashreplace"):
        return
    lines = [line.partition("  ") for line in listed.decode("utf-8", "replace").splitlines()]
    differing = list(_differing(digests, {name: digest for digest, _, name in lines}))
    yield from differing or [f"{SUMS}: is not as it was written, though every sum in it is right"]


def _differing(digests: dict[str, str], published: dict[str, str]) -> Iterator[str]:
    for name in digests:
        if name not in published:
            yield f"{name}: is in the folder and not in {SUMS}"
    for name, digest in published.items():
        if name not in digests:
            yield f"{name}: is in {SUMS} and not in the folder"
        elif digests[name] != digest:
            yield f"{name}: its SHA-256 is {digests[name]}, {SUMS} says {digest}"


# The manifest -------------------------------------------------------------------------------------


def _made_with(given: Published) -> Iterator[str]:
    yield from _questions(given)
    yield from _rules(given)
    yield from _scored_with(given)
    digests = {given.folder.digest(name) for name in given.folder.inputs(TARGETS)}
    for number, session in enumerate(given.sessions, 1):
        if (digest := at(session, "target_sha256")) not in digests:
            asked = f"asked with a target of SHA-256 {shown(digest)}, not in {TARGETS}"
            yield f"manifest.json: session {number}: {asked}"


def _questions(given: Published) -> Iterator[str]:
    """Question files are as they were before the first answer, when the manifest was written."""
    published = at(given.manifest, "questions")
    for s in given.sets:
        then, now = at(published, s.set), plain(AskedSet.of(s))
        by = "the answers of the manifest were given to"
        yield from differing(Path(s.path).name, now, then, by)
    held = {s.set for s in given.sets}
    for name in published if isinstance(published, dict) else ():
        if name not in held:
            yield f"manifest.json: questions: {name}: no file of that set is in {seal.QUESTIONS}"


def _rules(given: Published) -> Iterator[str]:
    """A run of the first form names the source of its rules, which says nothing of what they do."""
    published = at(given.manifest, "rules")
    if at(published, "files"):
        return
    try:
        now = plain(rules.about(given.track.name))
    except ImportError:  # said of each question that needs it
        return
    if not same(published, now):
        yield (
            f"manifest.json: rules: got {shown(published)}; expected {shown(now)}, the rules of"
            f" suite {__version__}, by which all verdicts are recomputed here"
        )


def _scored_with(given: Published) -> Iterator[str]:
    """The decline lists of a site's run, or the prompt of a judge."""
    if used := given.track.about().decline:
        published, now = at(given.manifest, "decline"), plain(used)
        if isinstance(published, dict) and "digests" not in published:
            del now["digests"]  # a run of the first form
        yield from differing("manifest.json: decline", published, now, f"by {seal.DECLINE}")
        pinned = given.track.pinned(str(at(given.manifest, "quarter")))
        if pinned and pinned != used.date:
            yield f"manifest.json: decline: date is {used.date}, {seal.DECLINE} pins {pinned}"
        return
    there, now = at(given.manifest, "judge", "prompt", "sha256"), given.folder.digest(PROMPT)
    if there and there != now:
        yield f"manifest.json: judge: the prompt's SHA-256 is {there}, {PROMPT} has {now}"
