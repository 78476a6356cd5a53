"""What must hold before the first request, in this order; else InvalidInput, nothing asked."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack

from benchmark.archive import seal
from benchmark.asking import http, record_file, targets
from benchmark.asking.manifest import Manifest
from benchmark.asking.targets import Prepared, Target
from benchmark.core.errors import InvalidInput
from benchmark.core.records import Question
from benchmark.demo import DemoError
from benchmark.demo.process import running
from benchmark.demo.sites import load as load_sites
from benchmark.questions import evidence
from benchmark.run import manifest
from benchmark.run.plan import Plan
from benchmark.text.urls import page_identity

DEMO_URL = "BENCHMARK_DEMO_URL"  # a demo that is already served, instead of one for this run


def prepare(plan: Plan, to_ask: Sequence[Question], open_: ExitStack) -> tuple[str, Manifest]:
    """The address to ask at, and the written manifest. `open_` closes what is started."""
    if plan.asked.offline:
        missing = [f"{q.id}: not recorded in {plan.folder}" for q in to_ask]
        raise InvalidInput(missing, "--offline asks nothing; leave it out to ask.")
    _has_sites_and_environment(plan, to_ask)
    base = address(plan.target, open_)
    _answers(plan.target, targets.prepare(plan.target, to_ask[0], base))
    pages = check_pages(plan) if plan.track.has_pages else None
    for path in dict.fromkeys([*(plan.files.of(q.id) for q in to_ask), *plan.record_files]):
        record_file.open_for_lines(path)
    seal.keep_target(plan.folder, plan.target)
    begun = manifest.begin(plan, [q.id for q in to_ask], http.now(), pages)
    for path, torn in plan.torn.items():
        record_file.set_aside_torn(path, torn)
    return base, begun


def _has_sites_and_environment(plan: Plan, to_ask: Sequence[Question]) -> None:
    target, groups = plan.target, tuple(dict.fromkeys(f"{q.set}-{q.language}" for q in to_ask))
    missing = [name for name in groups if name not in target.sites]
    faults = [f"target {target.name}: sites: no {name}" for name in missing]
    if faults := [*faults, *targets.environment_faults(target, groups, os.environ)]:
        raise InvalidInput(faults, "Nothing was asked. docs/live.md says where each is found.")


def _answers(target: Target, first: Prepared) -> None:
    """Anything at the address will do; no secret that the address may hold is named."""
    if fault := http.unreachable(targets.sent(target, first).url):
        silent = f"target {target.name}: {first.url} does not answer ({fault})"
        hint = "Nothing was asked. Is the address right, and is the service up?"
        raise InvalidInput([silent], hint)


def address(target: Target, open_: ExitStack) -> str:
    """Where the embedded demo is served, started if none is named; "" for another target."""
    if not target.embedded:
        return ""
    try:
        return os.environ.get(DEMO_URL) or open_.enter_context(running())
    except DemoError as fault:
        raise InvalidInput([f"target {target.name}: {fault}"], "Nothing was asked.") from None


def pages_of(target: Target) -> evidence.Pages:
    """The pages that an assistant answers from: the demo's shipped ones, or those on the web."""
    if not target.embedded:
        return evidence.Pages(http.fetch_page)
    shipped = {page_identity(page.url): page.html for site in load_sites() for page in site.pages}

    def fetch(url: str) -> str:
        if (page := page_identity(url)) not in shipped:
            raise OSError("no such page among the shipped sites")
        return shipped[page]

    return evidence.Pages(fetch)


def check_pages(plan: Plan) -> dict[str, str]:
    """Digests of the pages that the questions speak of, by address. InvalidInput where evidence is
    not on its page, for such a question would be scored by a wrong key."""
    pages = pages_of(plan.target)
    if faults := [fault for some in plan.sets for fault in evidence.faults(some, pages)]:
        hint = "Nothing was asked. `python -m benchmark check` lists these again."
        raise InvalidInput(faults, hint)
    return pages.digests()
