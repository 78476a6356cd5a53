"""The five measures of Track A (rubric, "The five measures"). Pure: standard library only.

`site_rules(phrases)` gives them all; `phrases` is the decline list in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmark.core.reasons import Reason
from benchmark.core.records import ANSWERABLE, NOT_ON_SITE, Measure, Question, Reply, Span
from benchmark.core.records import SiteQuestion as Asked
from benchmark.scoring.rules import Rule
from benchmark.text.appears import Haystack
from benchmark.text.normalise import letters_of, normalise
from benchmark.text.urls import same_page

LEAST_PERCENT = {"en": 85, "he": 50, "ru": 50, "ar": 50}
SCRIPTS = {"en": "Latin", "he": "Hebrew", "ru": "Cyrillic", "ar": "Arabic"}


def delivered(question: Question, reply: Reply, answer: Haystack) -> Measure:
    """HTTP 200 and a non-empty answer."""
    args = {"status": reply.status, "n": len(answer.text)}
    reason = reply.problem or Reason("delivered", args)
    return Measure("delivered", reply.answer is not None, reasons=(reason,))


def facts(question: Asked, reply: Reply, answer: Haystack) -> Measure:
    """Every fact group has a spelling that appears in the answer."""
    spans = [answer.find_any(group) for group in question.facts]
    missing = [group for group, span in zip(question.facts, spans, strict=True) if not span]
    found = tuple(filter(None, spans))
    reasons = [_place("found", span) for span in found] + list(map(missing_reason, missing))
    return Measure("facts", not missing, spans=found, reasons=tuple(reasons))


def missing_reason(group: Sequence[str]) -> Reason:
    return Reason("missing", {"spellings": list(group)})


def cited(question: Asked, reply: Reply, answer: Haystack) -> Measure:
    """The page, or one that says the same, is among the returned sources."""
    for source in reply.sources:
        if any(same_page(source, page, reply.page or None) for page in question.pages):
            reason = Reason("cited", {"url": source, "n": len(reply.sources)})
            return Measure("cited", True, reasons=(reason,))
    looked_for = Reason("looked_for", {"pages": list(question.pages)})
    returned = Reason("sources", {"urls": list(reply.sources)})
    others = returned if reply.sources else Reason("no_sources")
    return Measure("cited", False, reasons=(looked_for, others))


def language(question: Question, reply: Reply, answer: Haystack) -> Measure:
    """Enough of the answer's letters are of the question's script. It does not check language."""
    counts, least = letters_of(answer.visible), LEAST_PERCENT[question.language]
    own, total = counts.get(question.language, 0), sum(counts.values())
    if not total:
        return Measure("language", True, reasons=(Reason("no_letters"),))
    script = SCRIPTS[question.language]
    args = {"own": own, "total": total, "script": script, "least": least / 100}
    return Measure("language", own * 100 >= least * total, reasons=(Reason("letters", args),))


def declines(phrases: Sequence[tuple[str, str]], reply: Reply, answer: Haystack) -> Span | bool:
    """The place of the first decline phrase; else whether the platform reports no grounding."""
    places = (answer.find_anywhere(wanted, phrase) for wanted, phrase in phrases)
    return next(filter(None, places), None) or reply.grounded is False


def declined(
    phrases: Sequence[tuple[str, str]], question: Asked, reply: Reply, answer: Haystack
) -> Measure:
    """No grounding is reported, or a decline phrase appears, and nothing forbidden does."""
    forbidden = tuple(filter(None, map(answer.find, question.must_not_include)))
    decline = declines(phrases, reply, answer)
    spans = (decline, *forbidden) if isinstance(decline, Span) else forbidden
    reasons = (
        _decline_reason(decline, reply.grounded is False),
        *(_place("forbidden", span) for span in forbidden),
    )
    return Measure("declined", bool(decline) and not forbidden, spans=spans, reasons=reasons)


def _decline_reason(decline: Span | bool, is_reported: bool) -> Reason:
    if isinstance(decline, Span):
        return _place("grounding_and_phrase" if is_reported else "phrase", decline)
    return Reason("grounding" if decline else "no_phrase")


def _place(code: str, span: Span) -> Reason:
    """What was found and where."""
    return Reason(code, {"what": span.what, "at": span.start})


def normalised(phrases: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Decline phrases as they are looked for, each with its words."""
    return tuple((normalise(phrase).text, phrase) for phrase in phrases)


def site_rules(phrases: Sequence[str]) -> tuple[Rule[Asked], ...]:
    """Track A's measures; `phrases` is the decline list in force, of all languages."""
    return (
        Rule("delivered", _always, delivered),
        Rule("facts", _is_answerable, facts),
        Rule("cited", _is_answerable, cited),
        Rule("language", _always, language),
        Rule("declined", _is_not_on_site, partial(declined, normalised(phrases))),
    )


def _always(question: Question) -> bool:
    return True


def _is_answerable(question: Question) -> bool:
    return question.kind == ANSWERABLE


def _is_not_on_site(question: Question) -> bool:
    return question.kind == NOT_ON_SITE
