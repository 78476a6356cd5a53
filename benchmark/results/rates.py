"""What became of each question, as rates that no single score hides. Pure; rows as in `results`.

An answerable question was answered right, wrongly declined, answered wrong, or got no answer: these
four add up to all of them. A question whose answer is not on the site was rightly declined,
answered instead, or got no answer. "Answered right" is the facts alone: which page was cited is a
measure of its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from benchmark.core.records import ANSWERABLE, NOT_ON_SITE, Question, Reply, Verdict
from benchmark.results.counts import Row
from benchmark.scoring.site_measures import declines, normalised
from benchmark.text.appears import Haystack

RIGHT, DECLINED = "facts", "declined"  # the measures that say so (rubric, "The five measures")
UNDELIVERED = "undelivered"
OUTCOMES = {
    ANSWERABLE: ("answered_right", "wrongly_declined", "answered_wrong", UNDELIVERED),
    NOT_ON_SITE: ("rightly_declined", "answered_instead", UNDELIVERED),
}
DELIVERED = "delivered_of_asked"


def declining(phrases: Sequence[str], replies: Sequence[tuple[Question, Reply]]) -> frozenset[str]:
    """Ids of the questions whose answers decline, whatever their kind: by a phrase or by the
    platform's own report."""
    wanted = normalised(phrases)
    return frozenset(
        question.id
        for question, reply in replies
        if reply.answer is not None and declines(wanted, reply, Haystack(reply.answer))
    )


def are_known(verdicts: Sequence[Verdict]) -> bool:
    """Whether these verdicts have the measures that the rates are made of (a suite's have not)."""
    return {RIGHT, DECLINED} <= {m.name for v in verdicts for m in v.measures}


def outcome(verdict: Verdict, declining: Collection[str], mechanical: bool = False) -> str:
    """One of `OUTCOMES` of its kind, after review or mechanically; "" where it is in no rate."""
    is_absent = verdict.question.kind == NOT_ON_SITE
    measure = DECLINED if is_absent else RIGHT
    if not verdict.asked or verdict.faulty or measure not in verdict.reviewed:
        return ""
    if not verdict.delivered:
        return UNDELIVERED
    values = {m.name: m.value for m in verdict.measures} if mechanical else verdict.reviewed
    if is_absent:
        return "rightly_declined" if values[measure] else "answered_instead"
    if values[measure]:
        return "answered_right"
    return "wrongly_declined" if verdict.question.id in declining else "answered_wrong"


def rows(
    verdicts: Sequence[Verdict], declining: Collection[str], site: str = "", language: str = ""
) -> list[Row]:
    """A row for each outcome of each kind, over a site and language; "" takes all."""
    here = [v for v in verdicts if v.question.is_in(site, language)]
    return [
        _row(name, [v for v in here if v.question.kind == kind], declining, site, language)
        for kind, names in OUTCOMES.items()
        for name in names
    ]


def _row(
    name: str, here: Sequence[Verdict], declining: Collection[str], site: str, language: str
) -> Row:
    counted = [v for v in here if outcome(v, declining)]
    return Row(
        name,
        site,
        language,
        reviewed=sum(outcome(v, declining) == name for v in counted),
        mechanical=sum(outcome(v, declining, mechanical=True) == name for v in counted),
        of=len(counted),
        delivered=sum(v.delivered for v in counted),
    )


def delivered(verdicts: Sequence[Verdict], site: str = "", language: str = "") -> Row:
    """Delivered answers over everything that was asked, faulty questions too."""
    here = [v for v in verdicts if v.asked and v.question.is_in(site, language)]
    came = sum(v.delivered for v in here)
    return Row(
        DELIVERED, site, language, reviewed=came, mechanical=came, of=len(here), delivered=came
    )
