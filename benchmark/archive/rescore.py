"""`python -m benchmark score`: any question file and raw file to verdicts, with Python alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmark.asking import record_file, targets
from benchmark.core.errors import InvalidInput
from benchmark.core.plain import plain
from benchmark.core.records import Places, Verdict
from benchmark.questions import decline, sites
from benchmark.report.tables import as_markdown, grid
from benchmark.results.summary import Summary
from benchmark.scoring import reviews
from benchmark.scoring.rules import applicable
from benchmark.scoring.site_measures import site_rules
from benchmark.scoring.verdicts import verdicts

_HEADING = (
    "Passes of answers counted, after review (in brackets the mechanical value), with the 95%"
    " Wilson interval."
)
DECLINE = Path(__file__).resolve().parents[2] / "questions" / "decline.json"


def score(
    question_file: Path,
    raw_file: Path,
    *,
    review_file: Path | None = None,
    date: str | None = None,
    target: str | None = None,
    tell: Callable[[str], object] = lambda line: None,
) -> tuple[Verdict, ...]:
    """Verdicts in the question file's order; InvalidInput lists what is wrong with any file."""
    if date is not None and not decline.DATE.fullmatch(date):
        raise InvalidInput([f"--decline-date: got {date!a}; expected YYYY-MM-DD"])
    asked, lists = sites.load(question_file), decline.load(DECLINE)
    rules = site_rules(lists.phrases(date or lists.latest))
    places = targets.load(target).places if target else Places()
    records, torn = record_file.read(raw_file, [q.id for q in asked.questions])
    if torn:
        tell(f"{raw_file}: its last line is torn, and is left out: {torn[:60]!a}")
    reviewed = {}
    if review_file:
        known = {q.id: applicable(rules, q) for q in asked.questions}
        # One review file serves a whole run, so entries of its other sets are no fault here.
        others = [name for name in sites.SETS if name != asked.set]
        reviewed = reviews.load(review_file, None, known, others)
    return verdicts(rules, places, asked.questions, {r.id: r for r in records}, reviewed)


def as_json(scored: Sequence[Verdict]) -> dict[str, Any]:
    summary = plain(Summary.of(scored))
    return {key: summary[key] for key in ("questions", "table", "totals", "counts", "status")}


def as_markdown_page(scored: Sequence[Verdict]) -> str:
    c = Summary.of(scored).counts
    asked = f"Asked {c.asked} of {c.questions}, delivered {c.delivered}, faulty {c.faulty}"
    last = f"{asked}, stale reviews {c.stale}; read {c.read} of {c.to_read}."
    return "\n".join([_HEADING, "", *as_markdown(grid(scored)), "", last]) + "\n"
