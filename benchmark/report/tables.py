"""The results table as cells, text and Markdown. Standard library only: `score` runs anywhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmark.core.messages import printable
from benchmark.core.records import Verdict
from benchmark.results import counts
from benchmark.results.counts import Row

# What Markdown could take for its own in the middle of a line: marks, links, entities, mathematics,
# and the addresses that it links unasked.
_MARKDOWN = re.compile(r"[\\`*_\[\]<>|~&$@]|:(?=//)|(?<=www)\.", re.I)
# And at its beginning: headings, lists, quotes, rules.
_BEGINNING = re.compile(r"^(?:[#+=-]|\d+(?=[.)]))")


def interval(bounds: tuple[float, float] | None) -> str:
    """A 95% interval in whole percent; a dash where nothing was counted."""
    return f"{100 * bounds[0]:.0f}–{100 * bounds[1]:.0f}%" if bounds else "–"


def counted(row: Row) -> str:
    """`14/15 (13/15) 70–99%`, and what it is of the delivered answers where some were not."""
    delivered = f", {row.reviewed}/{row.delivered} of delivered" if row.delivered != row.of else ""
    return f"{row.text} {interval(row.interval)}{delivered}" if row.of else row.text


def grid(verdicts: Sequence[Verdict]) -> list[list[str]]:
    """A heading row, then a measure a row: each site's language, and the total."""
    cells = counts.cells(verdicts)
    heading = ["measure", *(f"{site} {language}" for site, language in cells), "total"]
    names, columns = counts.measure_names(verdicts), [*cells, ("", "")]
    rows = [[n, *(counted(counts.row(verdicts, n, *cell)) for cell in columns)] for n in names]
    return [heading, *rows]


def as_text(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def as_markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(map(markdown_text, row)) + " |" for row in rows]
    return [lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]


def markdown_text(text: str) -> str:
    """Any text as Markdown that shows just that text, on one line."""
    line = _MARKDOWN.sub(r"\\\g<0>", printable(" ".join(str(text).split())))
    return _BEGINNING.sub(_escaped, line)


def _escaped(beginning: re.Match[str]) -> str:
    """A number that would begin a list has its escape before the mark behind it."""
    mark = beginning[0]
    return f"{mark}\\" if mark[0].isdecimal() else f"\\{mark}"
