"""The five measures of Track A (rubric, "The five measures"): callables of one signature, in one
tuple.

`measures(phrases)` gives the tuple; `measure_all` applies one to a question and its reply. A
measure that does not apply to a question has the value None; an answer that was not delivered fails
every measure that applies. Another track brings another tuple: nothing else knows how many measures
there are or what they are called. Pure: standard library only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from benchmark.core.records import ANSWERABLE, NOT_ON_SITE, Measure, Question, Reply, Span
from benchmark.text.appears import Haystack
from benchmark.text.normalise import letters, normalise
from benchmark.text.urls import same_page

LEAST_PERCENT = {"en": 85, "he": 50, "ru": 50, "ar": 50}
LANGUAGE_NAMES = {"en": "Latin", "he": "Hebrew", "ru": "Cyrillic", "ar": "Arabic"}
Measuring = Callable[[Question, Reply, Haystack], Measure]


def delivered(question: Question, reply: Reply, answer: Haystack) -> Measure:
    """HTTP 200 and a non-empty answer."""
    reason = reply.problem or f"HTTP {reply.status}, {len(answer.text)} characters"
    return Measure("delivered", reply.answer is not None, reason)


def facts(question: Question, reply: Reply, answer: Haystack) -> Measure:
    """Answerable: every fact group has a spelling that appears in the answer."""
    if question.kind != ANSWERABLE:
        return _not_applicable("facts", "the question is not on the site")
    found = [
        next((span for spelling in group if (span := answer.find(spelling))), None)
        for group in question.facts
    ]
    missing = [group for group, span in zip(question.facts, found, strict=True) if not span]
    reason = "; ".join(
        [
            *(f"found {_placed(span)}" for span in found if span),
            *(f"none of {_listed(group)} found" for group in missing),
        ]
    )
    return Measure("facts", not missing, reason, tuple(span for span in found if span))


def cited(question: Question, reply: Reply, answer: Haystack) -> Measure:
    """Answerable: the page, or one that says the same, is among the returned sources."""
    if question.kind != ANSWERABLE:
        return _not_applicable("cited", "the question is not on the site")
    pages = (question.source_url, *question.also_source_urls)
    for source in reply.sources:
        if any(same_page(source, page, reply.page or None) for page in pages):
            return Measure("cited", True, f"{source} is among the {len(reply.sources)} sources")
    others = (
        f"the sources are {_listed(reply.sources)}" if reply.sources else "no sources were returned"
    )
    return Measure("cited", False, f"looked for {_listed(pages)}; {others}")


def language(question: Question, reply: Reply, answer: Haystack) -> Measure:
    """Enough of the answer's letters are of the question's script. A check of script, not of
    language."""
    counted, least = letters(answer.text), LEAST_PERCENT[question.language]
    own, total = counted.get(question.language, 0), sum(counted.values())
    script = LANGUAGE_NAMES[question.language]
    if not total:
        return Measure("language", True, "no letters at all, so in no wrong script")
    reason = f"{own} of {total} letters are {script}, {least}% needed (by script)"
    return Measure("language", own * 100 >= least * total, reason)


def declined(
    phrases: Sequence[tuple[str, str]], question: Question, reply: Reply, answer: Haystack
) -> Measure:
    """Not on the site: no grounding is reported, or a decline phrase appears, and nothing forbidden
    does."""
    if question.kind != NOT_ON_SITE:
        return _not_applicable("declined", "the question is answerable")
    forbidden = [span for spelling in question.must_not_include if (span := answer.find(spelling))]
    phrase = next(
        (span for wanted, phrase in phrases if (span := answer.find_anywhere(wanted, phrase))), None
    )
    grounds = ["the platform reports no grounding"] * (reply.grounded is False)
    grounds += [f"declines by {_placed(phrase)}"] if phrase else []
    reason = " and ".join(grounds) or "no decline phrase and no report of no grounding"
    reason += "".join(f"; but says {_placed(span)}" for span in forbidden)
    return Measure(
        "declined",
        bool(grounds) and not forbidden,
        reason,
        (*([phrase] if phrase else ()), *forbidden),
    )


def measures(phrases: Sequence[str]) -> tuple[Measuring, ...]:
    """Track A's measures; `phrases` is the decline list in force, of all languages."""
    wanted = tuple((normalise(phrase).text, phrase) for phrase in phrases)
    return delivered, facts, cited, language, partial(declined, wanted)


def measure_all(
    measuring: Sequence[Measuring], question: Question, reply: Reply
) -> tuple[Measure, ...]:
    """Every measure of one answer. What was not delivered fails all that apply, with the same
    reason."""
    answer = Haystack(reply.answer or "")
    results = tuple(measure(question, reply, answer) for measure in measuring)
    if reply.answer is not None:
        return results
    return tuple(
        m if m.value is None else Measure(m.name, False, f"not delivered: {reply.problem}")
        for m in results
    )


def _not_applicable(name: str, why: str) -> Measure:
    return Measure(name, None, f"does not apply: {why}")


def _placed(span: Span) -> str:
    """What was found and where, unless the text is too long for its places to be kept."""
    return _quote(span.what) + (f" at {span.start}" if span.end else "")


def _quote(text: str) -> str:
    return f"“{text}”"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(_quote(text) for text in texts) or "nothing"
