"""`python -m benchmark check`: every question against the pages it speaks of, with faults and
warnings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmark.asking import targets
from benchmark.core.errors import InvalidInput
from benchmark.core.records import QuestionSet
from benchmark.demo.sites import load as load_sites
from benchmark.questions import evidence as checks
from benchmark.run import plan, preflight


def check(root: Path, target_name: str, tell: Callable[[str], object]) -> int:
    """Tell every warning; InvalidInput lists every fault. 0 when there is none."""
    target, sets = targets.load(target_name), plan.question_sets(root)
    pages = preflight.pages_of(target)
    faults = [fault for questions in sets for fault in checks.faults(questions, pages)]
    for questions in sets:
        for warning in checks.warnings(questions, pages, known_pages(target.embedded, questions)):
            tell(f"warning: {warning}")
    if faults:
        raise InvalidInput(
            faults,
            "Restore the page or mark the question faulty: a question is never rewritten after its"
            " run.",
        )
    tell(
        f"{sum(len(s.questions) for s in sets)} questions are proved by their pages"
        f" ({target.label})"
    )
    return 0


def known_pages(embedded: bool, questions: QuestionSet) -> dict[str, list[str]]:
    """Addresses by language: all pages of the shipped sites, or those that the question file itself
    names."""
    if embedded:
        sites = [site for site in load_sites() if site.set == questions.set]
        return {site.language: [page.url for page in site.pages] for site in sites}
    named: dict[str, list[str]] = {}
    for question in questions.questions:
        urls = named.setdefault(question.language, [])
        urls += [url for url in question.pages if url and url not in urls]
    return named
