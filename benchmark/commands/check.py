"""`check`: prove every question against the pages it speaks of."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from benchmark.commands.common import argument
from benchmark.core.errors import InvalidInput
from benchmark.core.records import QuestionSet

if TYPE_CHECKING:
    from benchmark.asking.targets import Target

_TARGET = "demo (default), live (fetches the pages), or a target's file"
ARGUMENTS = (argument("--target", _TARGET, default="demo", metavar="T"),)


def run(options: argparse.Namespace) -> int:
    """Print every warning; InvalidInput lists every fault. 0 when there is none."""
    from benchmark.asking import targets
    from benchmark.questions import evidence
    from benchmark.run.loading import question_sets
    from benchmark.run.preflight import pages_of

    target, sets = targets.load(options.target), question_sets(Path.cwd())
    pages = pages_of(target)
    faults = [fault for questions in sets for fault in evidence.faults(questions, pages)]
    for questions in sets:
        for warning in evidence.warnings(questions, pages, _known_pages(target, questions)):
            print(f"warning: {warning}")
    if faults:
        hint = "Restore the page, or mark the question faulty: it is never rewritten after its run."
        raise InvalidInput(faults, hint)
    count = sum(len(questions.questions) for questions in sets)
    print(f"{count} questions are proved by their pages ({target.label})")
    return 0


def _known_pages(target: Target, questions: QuestionSet) -> dict[str, list[str]]:
    """Addresses by language: the shipped sites' pages, or those that the question file names."""
    from benchmark.demo.sites import load as load_sites

    if target.embedded:
        sites = [site for site in load_sites() if site.set == questions.set]
        return {site.language: [page.url for page in site.pages] for site in sites}
    urls: dict[str, dict[str, None]] = {}
    for question in questions.questions:
        urls.setdefault(question.language, {}).update(dict.fromkeys(question.pages))
    return {language: list(known) for language, known in urls.items()}
