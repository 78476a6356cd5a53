"""The passages of a page: each heading with what stands under it, as lines that can be quoted."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from benchmark.text.html import HEADINGS, lines, root_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


class Passage(NamedTuple):
    """A section; ``heading`` may be empty. A line is a paragraph, item, table row or pair."""

    heading: str
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.heading, *self.lines)))


def passages(html: str) -> list[Passage]:
    """The sections of ``<main>`` (else ``<body>``) in reading order; no heading alone."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    for block, text in _blocks(html):
        below = sections[-1][1]
        if block.tag in HEADINGS:
            sections.append((text, []))
        elif block.tag == "dd" and below:
            below[-1] += f" {text}" if below[-1].endswith(("?", ":")) else f": {text}"
        else:
            below.append(text)
    return [Passage(heading, tuple(below)) for heading, below in sections if below]


def _blocks(html: str) -> list[tuple[LexborNode, str]]:
    """Each block with its text on one line; the cells of a table row stand side by side."""
    groups = groupby(lines(root_of(html, "main", "body")), key=lambda pair: _row(pair[0]).mem_id)
    return [_joined(list(group)) for _, group in groups]


def _row(block: LexborNode) -> LexborNode:
    return (block.parent if block.tag in ("td", "th") else None) or block


def _joined(pairs: list[tuple[LexborNode, str]]) -> tuple[LexborNode, str]:
    block = pairs[0][0]
    between = " | " if block.tag in ("td", "th") else ", "
    return block, between.join(text for _, text in pairs)
