"""The passages of a page that an assistant may quote, each so that it can be understood alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from benchmark.demo.sentences import sentences
from benchmark.text.html import HEADINGS, children, lines, root_of, walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


class Passage(NamedTuple):
    """A unit that can be quoted: ``context`` is its heading, caption, question or lead-in (may be
    empty)."""

    context: str
    text: str

    def __str__(self) -> str:
        return f"{self.context} — {self.text}" if self.context else self.text


def passages(html: str) -> list[str]:
    """The units an assistant may quote, from ``<main>`` (else ``<body>``), in reading order, as
    ``context — text``."""
    return [str(passage) for passage in quotable(html)]


def quotable(html: str) -> list[Passage]:
    """As ``passages``, with context and text apart: sentences, list items, table rows,
    ``<dt>``/``<dd>`` pairs."""
    return list(_passages(root_of(html, "main", "body"), _WHOLE))


def _passages(
    root: LexborNode | None, whole: frozenset[str], heading: str = ""
) -> Iterator[Passage]:
    """A line that ends in a colon is the context of what it opens: the items of a list, else the
    next line."""
    opening, listing = "", False
    for _, group in groupby(lines(root, whole), key=lambda pair: pair[0].mem_id):
        block, text = (pairs := list(group))[0][0], _joined(line for _, line in pairs)
        tag = block.tag or ""
        if tag in whole:
            yield from _READERS[tag](block, opening or heading)
            opening = ""
        elif tag in HEADINGS:
            heading, opening = text, ""
        elif text.endswith(":"):
            opening = text[:-1]
        else:
            opening = "" if listing and not _is_item(block) else opening
            yield from (Passage(opening or heading, unit) for unit in _units(text))
            opening = opening if _is_item(block) else ""
        listing = _is_item(block)


def _units(text: str) -> list[str]:
    """Its sentences, but one too short to say much by itself ("Yes.") goes with the next."""
    units: list[str] = []
    for sentence in sentences(text):
        if units and len(units[-1]) < _SHORT:
            units[-1] += f" {sentence}"
        else:
            units.append(sentence)
    return units


def _is_item(block: LexborNode) -> bool:
    return "li" in (block.tag, block.parent.tag if block.parent is not None else "")


def _details(details: LexborNode, heading: str) -> Iterator[Passage]:
    """What a disclosure holds: its ``<summary>`` is the context, and ends with it."""
    yield from _passages(details, _WHOLE - {"details"}, heading)


def _pairs(dl: LexborNode, heading: str) -> Iterator[Passage]:
    """A question in a ``<dt>`` is the context of its answer; any other term stands before each of
    its values."""
    term = ""
    for node in _named(dl, "dt", "dd"):
        text = _flat(node)
        if node.tag == "dt":
            term = text.removesuffix(":")
        elif term.endswith("?"):
            yield from (Passage(term, unit) for unit in _units(text))
        elif text:
            yield Passage(heading, f"{term}: {text}" if term else text)


def _rows(table: LexborNode, heading: str) -> Iterator[Passage]:
    """Each row as ``first cell: header: cell; header: cell``, so that it can be understood alone.

    The context is the caption. A row that is one cell across the whole table heads the rows below
    it."""
    context = next((_flat(caption) for caption in _named(table, "caption")), "") or heading
    headers: list[str] = []
    section = ""
    for is_header, row in _grid(table):
        if len(row) > 1 and len(set(row)) == 1:
            section = row[0]
        elif is_header:
            headers = row
        elif text := _row(headers, row):
            yield Passage(", ".join(filter(None, (context, section))), text)


def _row(headers: list[str], row: list[str]) -> str:
    names = headers[1 : len(row)] + [""] * (len(row) - len(headers))
    cells = [
        f"{name}: {cell}" if name else cell
        for name, cell in zip(names, row[1:], strict=False)
        if cell
    ]
    return ": ".join(part for part in (row[0], "; ".join(cells)) if part)


def _grid(table: LexborNode) -> Iterator[tuple[bool, list[str]]]:
    """The rows of a table as ``(is a header row, one text a column)``; a spanning cell stands in
    all that it spans."""
    spans: dict[int, tuple[int, str]] = {}
    for tr in _named(table, "tr"):
        row: list[str] = []
        cells = [cell for cell in children(tr) if cell.tag in ("td", "th")]
        for cell in cells:
            _carry_down(row, spans)
            for _ in range(_span(cell, "colspan")):
                spans[len(row)] = (_span(cell, "rowspan") - 1, _flat(cell))
                row.append(_flat(cell))
        _carry_down(row, spans)
        if row:
            yield all(cell.tag == "th" for cell in cells), row


def _carry_down(row: list[str], spans: dict[int, tuple[int, str]]) -> None:
    """Fill the next columns of ``row`` with the cells above that reach into it; ``spans`` holds the
    rows left."""
    while (above := spans.get(len(row), (0, "")))[0] > 0:
        spans[len(row)] = (above[0] - 1, above[1])
        row.append(above[1])


def _span(cell: LexborNode, name: str) -> int:
    value = cell.attributes.get(name) or ""
    return int(value) if re.fullmatch(r"[1-9][0-9]?", value) else 1


def _named(root: LexborNode, *tags: str) -> Iterator[LexborNode]:
    """The visible elements of these names below ``root``, outermost only."""
    return (node for node, opens in walk(root, frozenset(tags)) if opens and node.tag in tags)


def _flat(node: LexborNode) -> str:
    return _joined(text for _, text in lines(node))


def _joined(lines: Iterable[str]) -> str:
    """Lines of one block read on as one: a comma stands for the end of a line that has no mark of
    its own."""
    return re.sub(r"(?<![.,;:!?…])\n", ", ", "\n".join(lines)).replace("\n", " ")


_READERS: dict[str, Callable[[LexborNode, str], Iterator[Passage]]] = {
    "table": _rows,
    "dl": _pairs,
    "details": _details,
}
_WHOLE = frozenset(_READERS)
_SHORT = 25  # characters
