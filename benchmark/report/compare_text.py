"""A comparison for a terminal and as Markdown. Answers are hostile text: nothing of them is more
than text here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from benchmark.core.messages import printable
from benchmark.core.messages import why as why_of
from benchmark.core.records import Verdict
from benchmark.report.tables import as_markdown, as_text, interval, markdown_text
from benchmark.results import statistics
from benchmark.results.comparison import Change, Comparison, Flip, Run, Scores, measured
from benchmark.results.statistics import Permuted

_SHOWN = 400  # characters of an answer at a terminal; Markdown and the page have all of it
HEADING = (
    "measure",
    "where",
    "before",
    "after",
    "now pass",
    "now fail",
    "McNemar p",
    "p by concept",
    "Holm p",
    "in words",
    "would show from",
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
    out = [
        f"{name}: {_run(run)}"
        for name, run in (("before", comparison.before), ("after", comparison.after))
    ]
    out += [f"compared although {what} differ: {text}" for what, text in comparison.despite.items()]
    out.append(
        f"{len(comparison.pairs)} unchanged questions; left out: {_left_out(comparison) or 'none'}"
    )
    return out


def _run(run: Run) -> str:
    rehearsal = "; a rehearsal, not a result of any vendor's platform" if run.is_rehearsal else ""
    asked = f"asked {' to '.join(run.window)}" if run.window else "asked at a time unknown"
    status = "final" if run.is_final else "draft"
    return (
        f"{run.name}, {run.label}{rehearsal}; {asked}; version {run.version}; {status};"
        f" {_latency(run)}"
    )


def _latency(run: Run) -> str:
    """The median of delivered answers with its 95% interval by ranks."""
    values = [v.latency_ms for v in run.verdicts if v.delivered and v.latency_ms is not None]
    bounds = statistics.quantile_interval(values, 0.5)
    between = f" ({bounds[0]:.0f}–{bounds[1]:.0f})" if bounds else ""
    return (
        f"median latency {median(values):.0f} ms{between} over {len(values)}"
        if values
        else "no latency"
    )


def _left_out(comparison: Comparison) -> str:
    ids: dict[str, list[str]] = {}
    for name, why in comparison.left_out:
        ids.setdefault(why, []).append(name)
    return "; ".join(f"{len(names)} {why} ({', '.join(names)})" for why, names in ids.items())


def rows(changes: Sequence[Change]) -> list[list[str]]:
    """A heading row, then a change a row."""
    return [list(HEADING), *(_row(c) for c in changes)]


def _row(c: Change) -> list[str]:
    where = f"{c.site} {c.language}".strip() or "all"
    counts = [f"{k}/{c.of} {interval(statistics.wilson(k, c.of))}" for k in (c.before, c.after)]
    concept = f"{permuted(c.by_concept)} ({c.concepts})" if c.by_concept else "–"
    flipped = [f"+{c.gained}", f"−{c.lost}"]
    return [
        c.measure,
        where,
        *counts,
        *flipped,
        p_value(c.p),
        concept,
        p_value(c.adjusted),
        c.words,
        _points(c.detectable),
    ]


def _points(change: float | None) -> str:
    return "no change: too few" if change is None else f"{100 * change:.0f} points"


def p_value(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "<0.0001"


def permuted(test: Permuted) -> str:
    """A permutation's p, and that it was drawn where it was not counted out."""
    return p_value(test.p) if test.is_exact else f"{p_value(test.p)} (drawn)"


def scores(found: Sequence[Scores]) -> list[str]:
    return [
        f"{s.measure}: mean score {s.before:.1f}, then {s.after:.1f} ({s.after - s.before:+.1f})"
        f" over {s.of} answers graded in both runs; p = {permuted(s.test)}"
        for s in found
    ]


def groups(comparison: Comparison) -> list[tuple[str, list[Flip]]]:
    """Flips by measure and direction, each with its heading."""
    found: dict[str, list[Flip]] = {}
    for flip in comparison.flips:
        found.setdefault(f"{flip.measure}: now {'passes' if flip.gained else 'fails'}", []).append(
            flip
        )
    return [(f"{name} ({len(some)})", some) for name, some in found.items()]


def why(verdict: Verdict, measure: str) -> str:
    """A measure's reason: the reviewer's where one gave it a value."""
    return why_of(measured(verdict, measure), verdict)


# Terminal -----------------------------------------------------------------------------------------


def terminal(comparison: Comparison) -> list[str]:
    """The whole comparison as lines that cannot steer a terminal."""
    lines = [
        *head(comparison),
        "",
        *as_text(rows(comparison.totals)),
        "",
        *as_text(rows(comparison.cells)),
    ]
    lines += ["", *scores(comparison.scores), METHOD]
    for heading, some in groups(comparison):
        lines += ["", heading]
        for flip in some:
            lines += _terminal_flip(flip)
    return [printable(line) for line in lines]


def _terminal_flip(flip: Flip) -> Iterator[str]:
    yield f"  {flip.after.question.id}: {flip.after.question.question}"
    yield from ["    the answer is the same in both runs"] * flip.same_answer
    for name, verdict in (("before", flip.before), ("after", flip.after)):
        answer = verdict.answer[:_SHOWN] + "…" * (len(verdict.answer) > _SHOWN)
        yield f"    {name}: {answer if verdict.delivered else 'not delivered'}"
        yield f"      {flip.measure}: {why(verdict, flip.measure)}"


# Markdown -----------------------------------------------------------------------------------------


def markdown(comparison: Comparison) -> str:
    """The whole comparison as Markdown: a table of changes, then each flip with both answers side
    by side."""
    title = (
        f"# {markdown_text(comparison.before.name)} and {markdown_text(comparison.after.name)}"
        " compared"
    )
    lines = [title, "", *(f"- {markdown_text(line)}" for line in head(comparison)), ""]
    lines += [
        *as_markdown(rows(comparison.totals)),
        "",
        "## By site and language",
        "",
        *as_markdown(rows(comparison.cells)),
    ]
    lines += [
        "",
        *(f"- {markdown_text(line)}" for line in scores(comparison.scores)),
        "",
        markdown_text(METHOD),
    ]
    for heading, some in groups(comparison):
        lines += ["", f"## {markdown_text(heading)}"]
        for flip in some:
            lines += ["", *_markdown_flip(flip)]
    return "\n".join(lines) + "\n"


def _markdown_flip(flip: Flip) -> list[str]:
    question, sides = flip.after.question, (flip.before, flip.after)
    same = ["", "The answer is the same in both runs."] * flip.same_answer
    answers = [v.answer if v.delivered else "not delivered" for v in sides]
    table = as_markdown([["before", "after"], answers, [why(v, flip.measure) for v in sides]])
    return [
        f"**{markdown_text(question.id)}** {markdown_text(question.question)}",
        *same,
        "",
        *table,
    ]
