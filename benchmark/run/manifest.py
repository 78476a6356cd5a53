"""A run's manifest, begun before its first request and completed at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from benchmark.asking import rules
from benchmark.asking.manifest import Manifest, Session
from benchmark.core.files import sha256
from benchmark.core.provenance import AskedSet, AskedTarget, Versions
from benchmark.results.summary import Counts
from benchmark.run.plan import Plan


def begin(
    plan: Plan, ids: Sequence[str], started_at: str, pages: dict[str, str] | None = None
) -> Manifest:
    """The manifest as it stands before the first request of a session; earlier sessions are kept.

    `pages`: digests of the pages that the questions speak of, by address."""
    session = Session(
        started_at=started_at,
        to_ask=len(ids),
        asked_again=tuple(n for n in plan.asked.again if n in ids and n in plan.records),
        target_sha256=plan.target.sha256,
        concurrency=plan.concurrency,
        rate_per_minute=plan.rate_per_minute,
        pages=pages,
        **vars(Versions.here(plan.root)),
    )
    target = plan.target
    begun = replace(
        plan.manifest,
        run=plan.run,
        quarter=plan.quarter,
        target=AskedTarget(target.name, target.label, target.rehearsal),
        questions={s.set: AskedSet.of(s) for s in plan.sets},
        sessions=(*plan.manifest.sessions, session),
    )
    return _written(plan, begun)


def end(plan: Plan, manifest: Manifest, counts: Counts, window: tuple[str, ...]) -> Manifest:
    """The manifest with what is known afterwards."""
    record = {file.name: sha256(file.read_bytes()) for file in plan.record_files}
    return _written(plan, replace(manifest, window=window, counts=counts, record=record))


def _written(plan: Plan, manifest: Manifest) -> Manifest:
    """With what the answers are scored with now, which a replay may change."""
    scored_with = {name: used for name, used in vars(plan.track.about()).items() if used}
    scored = replace(manifest, rules=rules.about(plan.track.name), **scored_with)
    scored.write(plan.folder)
    return scored
