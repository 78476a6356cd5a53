"""Track B's rules: exact match, fuzzy match, reading a judge (rubric, "Track B").

Pure. Standard library only, but for `rapidfuzz`, which is imported when a fuzzy question is scored.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from benchmark.core.records import EXACT, JUDGE
from benchmark.text.appears import Haystack
from benchmark.text.normalise import normalise

PASS = 70  # of 100, for a fuzzy match and for a judge
COVERED = 75  # ratio from which a token of the response stands for one of the reference
_THOUGHT = re.compile(r"</think\s*>", re.I)
_THINKS = re.compile(r"<think\s*>", re.I)
_EDGES = {
    False: (r"(?<!\w)", r"(?!\w)"),
    True: (r"(?<!\w)(?<!\d[.,:])", r"(?!\w)(?![.,:]\d)"),
}  # 10 is not in 10.5
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_VALUE = r"(?P<value>[-+\u2212]?\d[\d.,]*)(?![\w])"
_OUT_OF = r"(?P<of>\s*(?:%|(?:/|out\s+of)\s*\d+))?"
_MARKS = r"[\"'`*_]{0,6}"
_LABELLED = re.compile(
    rf"(?<![\w])score{_MARKS}\s*(?:[:=]|\bis\b|\bof\b)?\s*{_MARKS}\s*{_VALUE}{_OUT_OF}(?!\s*[-\u2013]\s*\d)",
    re.I,
)
_ALONE = re.compile(rf"{_VALUE}(?P<of>\s*(?:%|/\s*\d+))?")


@dataclass(frozen=True)
class Scored:
    """A response's score. `score` 0-100, None for an exact match and a judge error; `passed` None
    for a judge error."""

    passed: bool | None
    score: float | None
    reason: str
    numbers_missing: tuple[str, ...] = ()
    truncated: bool = False
    judge_error: str | None = None


def without_thought(response: str) -> tuple[str, bool]:
    """The response after its reasoning, and whether reasoning that never ends cut it off (then
    nothing is left)."""
    said = response[max((end.end() for end in _THOUGHT.finditer(response)), default=0) :]
    return ("", True) if _THINKS.search(said) else (said, False)


def exact(reference: str, response: str) -> bool:
    """The reference appears verbatim, whatever the case, at word edges: "No" is not in "know"."""
    wanted, text = _plain(reference), _plain(response)
    before = _EDGES[wanted[:1].isdecimal()][0] if wanted[:1].isalnum() else ""
    after = _EDGES[wanted[-1:].isdecimal()][1] if wanted[-1:].isalnum() else ""
    return bool(wanted) and re.search(before + re.escape(wanted) + after, text) is not None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def fuzzy(reference: str, response: str) -> float:
    """0-100: rapidfuzz's token_set_ratio of the normalised texts, or the covered share where under
    half is covered."""
    from rapidfuzz import fuzz

    wanted, given = _tokens(reference), _tokens(response)
    if not wanted or not given:
        return 0.0
    covered = sum(any(fuzz.ratio(token, other) >= COVERED for other in given) for token in wanted)
    if 2 * covered < len(wanted):
        return 100.0 * covered / len(wanted)
    return float(fuzz.token_set_ratio(" ".join(wanted), " ".join(given), processor=None))


def _tokens(text: str) -> list[str]:
    """Words after "Appears" 1 to 3, with punctuation and symbols as spaces."""
    plain = normalise(text).text
    return "".join(" " if unicodedata.category(c)[0] in "PS" else c for c in plain).split()


def numbers_missing(reference: str, response: str) -> tuple[str, ...]:
    """Numbers of the reference that the response lacks, each once, in order."""
    given = set(_NUMBER.findall(normalise(response).text))
    return tuple(
        dict.fromkeys(n for n in _NUMBER.findall(normalise(reference).text) if n not in given)
    )


def judge_score(output: str) -> float | None:
    """A judge's score: the last labelled number, or a reply that is nothing but a number. None is a
    judge error."""
    said, cut = without_thought(output)
    said = " ".join(
        said.split()
    )  # a model that goes on with white space for ever is read in no time
    labelled = list(_LABELLED.finditer(said))
    found = labelled[-1] if labelled else _ALONE.fullmatch(said)
    if (
        cut
        or found is None
        or (found["of"] and found["of"].strip() != "%" and _last_number(found["of"]) != 100)
    ):
        return None
    try:
        value = float(found["value"].rstrip(".,").replace("\u2212", "-"))
    except ValueError:  # such as 1,000 or 1.2.3
        return None
    return value if 0 <= value <= 100 else None


def _last_number(text: str) -> int:
    return int(re.findall(r"\d+", text)[-1][:9])


def missing(required: tuple[tuple[str, ...], ...], response: str) -> list[tuple[str, ...]]:
    """The groups of `required` of which no spelling appears (rubric, "Appears")."""
    answer = Haystack(response)
    return [group for group in required if not any(map(answer.find, group))]


def score(question: Any, response: str, judged: tuple[str | None, ...] = ()) -> Scored:
    """Score one response to a question with `scoring`, `reference_answer` and `required`; `judged`:
    judge replies."""
    said, truncated = without_thought(response)
    if question.scoring == JUDGE:
        result = _judged(judged)
    elif question.scoring == EXACT:
        passed = exact(question.reference_answer, said)
        result = Scored(
            passed,
            None,
            f"“{question.reference_answer}” {'appears' if passed else 'does not appear'} verbatim",
        )
    else:
        value, lacking = (
            fuzzy(question.reference_answer, said),
            numbers_missing(question.reference_answer, said),
        )
        reason = f"{value:.1f} of 100, {PASS} needed" + (
            f"; numbers missing: {', '.join(lacking)}" if lacking else ""
        )
        result = Scored(value >= PASS, value, reason, lacking)
    return _with_required(result, missing(question.required, said), truncated)


def _judged(judged: tuple[str | None, ...]) -> Scored:
    replies = [reply for reply in judged if reply is not None]
    if not replies:
        return Scored(None, None, "not scored: no judge has read it", judge_error="not judged")
    value = next((found for reply in replies if (found := judge_score(reply)) is not None), None)
    if value is None:
        return Scored(
            None,
            None,
            f"judge error: no score in {len(replies)} replies",
            judge_error="no score in the judge's reply",
        )
    return Scored(value >= PASS, value, f"the judge gives {value:g} of 100, {PASS} needed")


def _with_required(scored: Scored, lacking: list[tuple[str, ...]], truncated: bool) -> Scored:
    """What must appear too; a response that was cut off passes nothing."""
    reason = scored.reason + "".join(f"; none of {', '.join(group)} found" for group in lacking)
    passed = scored.passed and not lacking if scored.passed is not None else None
    if truncated:
        passed, reason = False, f"truncated: its reasoning never ends; {reason}"
    return Scored(
        passed, scored.score, reason, scored.numbers_missing, truncated, scored.judge_error
    )
