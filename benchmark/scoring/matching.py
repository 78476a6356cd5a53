"""Track B's rules: exact match, fuzzy match, what a judge said (rubric, "Track B").

Pure. Standard library only, but for `rapidfuzz`, which is imported when a fuzzy match is scored.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmark.core.reasons import Reason, in_words
from benchmark.core.records import EXACT, JUDGE, SuiteQuestion
from benchmark.scoring.judge_reply import first_grade
from benchmark.scoring.site_measures import missing_reason
from benchmark.scoring.thought import without_thought
from benchmark.text.appears import Haystack
from benchmark.text.normalise import normalise

PASS = 70  # of 100, for a fuzzy match and for a judge
NOT_JUDGED = "not judged"
COVERED = 75  # ratio from which a token of the response stands for one of the reference
_EDGES = {  # of a word, and of a number: 10 is not in 10.5
    False: (r"(?<!\w)", r"(?!\w)"),
    True: (r"(?<!\w)(?<!\d[.,:])", r"(?!\w)(?![.,:]\d)"),
}
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True)
class Scored:
    """A response's score, 0-100: None for an exact match. `passed` is None for a judge error."""

    passed: bool | None
    score: float | None
    reasons: tuple[Reason, ...]
    numbers_missing: tuple[str, ...] = ()
    truncated: bool = False
    judge_error: str | None = None

    @property
    def reason(self) -> str:
        return in_words(self.reasons)


def exact(reference: str, response: str) -> bool:
    """The reference appears verbatim, whatever the case, at word edges: "No" is not in "know"."""
    wanted, text = _plain(reference), _plain(response)
    before = _EDGES[wanted[:1].isdecimal()][0] if wanted[:1].isalnum() else ""
    after = _EDGES[wanted[-1:].isdecimal()][1] if wanted[-1:].isalnum() else ""
    return bool(wanted) and re.search(before + re.escape(wanted) + after, text) is not None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def fuzzy(reference: str, response: str) -> float:
    """rapidfuzz's token_set_ratio, 0-100, or the share covered where that is under half."""
    from rapidfuzz import fuzz

    wanted, tokens = _tokens(reference), _tokens(response)
    if not wanted or not tokens:
        return 0.0
    covered = sum(any(fuzz.ratio(one, other) >= COVERED for other in tokens) for one in wanted)
    if 2 * covered < len(wanted):
        return 100.0 * covered / len(wanted)
    return float(fuzz.token_set_ratio(" ".join(wanted), " ".join(tokens), processor=None))


def _tokens(text: str) -> list[str]:
    """Words after "Appears" 1 to 3, with punctuation and symbols as spaces."""
    plain = normalise(text).text
    return "".join(" " if unicodedata.category(c)[0] in "PS" else c for c in plain).split()


def numbers_missing(reference: str, response: str) -> tuple[str, ...]:
    """Numbers of the reference that the response lacks, each once, in order."""
    there = set(_NUMBER.findall(normalise(response).text))
    wanted = _NUMBER.findall(normalise(reference).text)
    return tuple(dict.fromkeys(number for number in wanted if number not in there))


def score(question: SuiteQuestion, response: str, judged: Sequence[str | None] = ()) -> Scored:
    """Score one response; `judged` are the replies of a judge, None where none came."""
    said, is_truncated = without_thought(response)
    if question.scoring == JUDGE:
        result = _judged(judged)
    elif question.scoring == EXACT:
        result = _exact(question.reference_answer, said)
    else:
        result = _fuzzy(question.reference_answer, said)
    result = _with_required(result, question.required, Haystack(said))
    return _truncated(result) if is_truncated else result


def _exact(reference: str, said: str) -> Scored:
    passed = exact(reference, said)
    code = "verbatim" if passed else "not_verbatim"
    return Scored(passed, None, (Reason(code, {"reference": reference}),))


def _fuzzy(reference: str, said: str) -> Scored:
    value, lacking = fuzzy(reference, said), numbers_missing(reference, said)
    numbers = Reason("numbers_missing", {"numbers": ", ".join(lacking)})
    reasons = (Reason("fuzzy", {"score": value, "needed": PASS}), *([numbers] if lacking else []))
    return Scored(value >= PASS, value, reasons, lacking)


def _judged(judged: Sequence[str | None]) -> Scored:
    replies = [reply for reply in judged if reply is not None]
    if not replies:
        return Scored(None, None, (Reason("not_judged"),), judge_error=NOT_JUDGED)
    value = first_grade(replies)
    if value is None:
        reason, error = Reason("no_score", {"n": len(replies)}), "no score in the judge's reply"
        return Scored(None, None, (reason,), judge_error=error)
    return Scored(value >= PASS, value, (Reason("judge", {"score": value, "needed": PASS}),))


def _with_required(scored: Scored, required: Sequence[Sequence[str]], answer: Haystack) -> Scored:
    """What must appear too: a spelling of each group (rubric, "Appears")."""
    lacking = tuple(missing_reason(group) for group in required if not answer.find_any(group))
    passed = scored.passed and not lacking if scored.passed is not None else None
    return replace(scored, passed=passed, reasons=scored.reasons + lacking)


def _truncated(scored: Scored) -> Scored:
    reasons = (Reason("endless_thought"), *scored.reasons)
    return replace(scored, passed=False, reasons=reasons, truncated=True)
