"""A comparison in words, and for a terminal. Answers are hostile: nothing acts there but text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmark.core.messages import printable
from benchmark.core.messages import why as why_of
from benchmark.core.records import Verdict
from benchmark.report.tables import as_text, interval
from benchmark.results import latency, statistics
from benchmark.results.comparison import Change, Comparison, Flip, Run, Scores, measured
from benchmark.results.statistics import Permuted, wilson

_SHOWN = 400  # characters of an answer at a terminal; Markdown and the page have all of it
HEADING = (
    *("measure", "where", "before", "after", "now pass", "now fail"),
    *("McNemar p", "p by concept", "Holm p", "in words", "would show from"),
)
METHOD = (
    "Passes of pairs counted, after review: a question that is the same in both runs and has a"
    " value in both. McNemar's exact test; by concept, where translations of one concept are among"
    " the pairs, a sign-flip permutation that takes them together, and then decides. Holm's"
    " adjustment over all totals, and over all cells. Would show from: the change, in points, that"
    f" so many pairs show in {statistics.POWER:.0%} of cases at p = {statistics.ALPHA:g} if"
    f" {statistics.BACKGROUND:.0%} of them flip by chance."
)


def head(comparison: Comparison) -> list[str]:
    """What is compared, and all that limits it: the first lines of every form."""
    left_out = _left_out(comparison) or "none"
    return [
        f"before: {_run(comparison.before)}",
        f"after: {_run(comparison.after)}",
        *(f"compared although {what} differ: {text}" for what, text in comparison.despite.items()),
        f"{len(comparison.pairs)} unchanged questions; left out: {left_out}",
    ]


def _run(run: Run) -> str:
    rehearsal = "; a rehearsal, not a result of any vendor's platform" if run.is_rehearsal else ""
    asked = f"asked {' to '.join(run.window)}" if run.window else "asked at a time unknown"
    status = "final" if run.is_final else "draft"
    about = f"{asked}; version {run.version}; {status}; {_latency(run.verdicts)}"
    return f"{run.name}, {run.label}{rehearsal}; {about}"


def _latency(verdicts: Sequence[Verdict]) -> str:
    """The median of delivered answers with its 95% interval by ranks."""
    times = latency.of([v.latency_ms for v in verdicts if v.delivered and v.latency_ms is not None])
    if times.median is None:
        return "no latency"
    bounds = times.median_interval
    between = f" ({bounds[0]:.0f}–{bounds[1]:.0f})" if bounds else ""
    return f"median latency {times.median:.0f} ms{between} over {times.of}"


def _left_out(comparison: Comparison) -> str:
    ids: dict[str, list[str]] = {}
    for name, reason in comparison.left_out:
        ids.setdefault(reason, []).append(name)
    return "; ".join(f"{len(names)} {why} ({', '.join(names)})" for why, names in ids.items())


def rows(changes: Sequence[Change]) -> list[list[str]]:
    """A heading row, then a change a row."""
    return [list(HEADING), *(_row(c) for c in changes)]


def _row(c: Change) -> list[str]:
    where = f"{c.site} {c.language}".strip() or "all"
    before, after = (f"{k}/{c.of} {interval(wilson(k, c.of))}" for k in (c.before, c.after))
    concept = f"{permuted(c.by_concept)} ({c.concepts})" if c.by_concept else "–"
    tested = [p_value(c.p), concept, p_value(c.adjusted), c.words, _points(c.detectable)]
    return [c.measure, where, before, after, f"+{c.gained}", f"−{c.lost}", *tested]


def _points(change: float | None) -> str:
    return "no change: too few" if change is None else f"{100 * change:.0f} points"


def p_value(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def permuted(test: Permuted) -> str:
    """A permutation's p, and that it was drawn where it was not counted out."""
    return p_value(test.p) if test.is_exact else f"{p_value(test.p)} (drawn)"


def scores(changes: Sequence[Scores]) -> list[str]:
    return [
        f"{s.measure}: mean score {s.before:.1f}, then {s.after:.1f} ({s.after - s.before:+.1f})"
        f" over {s.of} answers graded in both runs; p = {permuted(s.test)}"
        for s in changes
    ]


def groups(comparison: Comparison) -> list[tuple[str, list[Flip]]]:
    """Flips by measure and direction, each with its heading."""
    flips: dict[str, list[Flip]] = {}
    for flip in comparison.flips:
        name = f"{flip.measure}: now {'passes' if flip.gained else 'fails'}"
        flips.setdefault(name, []).append(flip)
    return [(f"{name} ({len(some)})", some) for name, some in flips.items()]


def why(verdict: Verdict, measure: str) -> str:
    """A measure's reason: the reviewer's where one gave it a value."""
    return why_of(measured(verdict, measure), verdict)


def sides(flip: Flip) -> list[list[str]]:
    """A flip's two answers and the reasons of their verdicts, below a heading row."""
    both = (flip.before, flip.after)
    answers = [v.answer if v.delivered else "not delivered" for v in both]
    return [["before", "after"], answers, [why(v, flip.measure) for v in both]]


def terminal(comparison: Comparison) -> list[str]:
    """The whole comparison as lines that cannot steer a terminal."""
    lines = [*head(comparison), "", *as_text(rows(comparison.totals))]
    lines += ["", *as_text(rows(comparison.cells)), "", *scores(comparison.scores), METHOD]
    for heading, flips in groups(comparison):
        lines += ["", heading, *(line for flip in flips for line in _flip(flip))]
    return [printable(line) for line in lines]


def _flip(flip: Flip) -> Iterator[str]:
    yield f"  {flip.after.question.id}: {flip.after.question.question}"
    if flip.same_answer:
        yield "    the answer is the same in both runs"
    for name, answer, reason in zip(*sides(flip), strict=True):
        yield f"    {name}: {answer[:_SHOWN]}{'…' * (len(answer) > _SHOWN)}"
        yield f"      {flip.measure}: {reason}"
