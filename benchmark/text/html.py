"""The lines of a page that a visitor sees; the HTML parser is imported when a page is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

HEADINGS = frozenset(str.split("h1 h2 h3 h4 h5 h6 summary"))
_BLOCKS = HEADINGS | frozenset(
    str.split(
        "address article aside blockquote body caption center dd details dialog dir div dl dt"
        " fieldset figcaption figure footer form header hgroup hr legend li main menu nav ol"
        " optgroup option p pre search section table tbody td tfoot th thead tr ul"
    )
)
# Elements without visible text: not rendered (script … datalist), or a fallback that no current
# browser shows.
_UNSEEN = frozenset(
    str.split(
        "script style template noscript title datalist rp audio canvas iframe object video -comment"
    )
)
_UNSEEN_STYLES = frozenset(
    {("display", "none"), ("visibility", "hidden"), ("visibility", "collapse")}
)
# HTML white space. A no-break space is none: it is kept as it is written.
_SPACE = re.compile(r"[ \t\n\r\f]+")


def visible_text(html: str) -> str:
    r"""What a visitor sees of a page: the lines of its ``<body>``, joined by ``\n``.

    Block elements, table cells and ``<br>`` end a line, inline elements add nothing; white space
    inside a line is one space (no-break spaces stay), empty lines are dropped. ``<details>`` counts
    as open. Never raises."""
    return "\n".join(text for _, text in lines(root_of(html, "body")))


def root_of(html: str, *selectors: str) -> LexborNode | None:
    """The first element that one of ``selectors`` finds; lone surrogates, which no page can hold,
    become ``?``."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html.encode("utf-8", "replace").decode())
    return next((node for node in map(tree.css_first, selectors) if node is not None), None)


def hidden(node: LexborNode) -> bool:
    """Whether ``node`` shows nothing: by its kind, by ``hidden``, or by an inline style
    (stylesheets are not read)."""
    attributes = node.attributes
    if node.tag in _UNSEEN or "hidden" in attributes:
        return True
    style = (attributes.get("style") or "").lower().replace("!important", "")
    declared = dict(
        part.split(":", 1) for part in re.sub(r"\s", "", style).split(";") if ":" in part
    )
    return not _UNSEEN_STYLES.isdisjoint(declared.items())


def lines(
    root: LexborNode | None, whole: frozenset[str] = frozenset()
) -> Iterator[tuple[LexborNode, str]]:
    """The visible lines under ``root``, each with the block it stands in; elements in ``whole``
    come unread, as ``""``.

    Walks with its own stack, since a page may nest deeper than Python recurses.
    """
    blocks: list[LexborNode] = []
    text = ""
    for node, opens in walk(root, whole):
        if node.tag == "-text":
            text += node.text_content or ""
        if (block := node.tag in _BLOCKS or node.tag in whole) or node.tag == "br":
            if line := _line(text):
                yield blocks[-1], line
            text = ""
        if opens and node.tag in whole:
            yield node, ""
        elif block:
            blocks.append(node) if opens else blocks.pop()


def _line(text: str) -> str:
    line = _SPACE.sub(" ", text).strip(" ")
    return line if line.strip() else ""


def walk(root: LexborNode | None, whole: frozenset[str]) -> Iterator[tuple[LexborNode, bool]]:
    """Every visible node from ``root`` down in reading order: ``True`` where it opens, ``False``
    where it closes."""
    stack = [(root, True)] if root is not None and not hidden(root) else []
    while stack:
        node, opens = stack.pop()
        yield node, opens
        if opens and node.tag not in whole and node.tag != "-text":
            stack.append((node, False))
            stack.extend((child, True) for child in reversed(list(children(node))))


def children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        if not hidden(child):
            yield child
        child = child.next
