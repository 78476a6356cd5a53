"""What a reader sees of an answer that is written in Markdown or HTML (rubric, "Appears", step 1).

Pure: standard library only. Linear in the length of the text, whatever stands in it.
"""

from __future__ import annotations

import html
import re
import unicodedata

from benchmark.text.traced import Traced

ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://[^\s<>\"{}|\\^`]+", re.I)
_BLOCKS = re.compile(
    "address|article|aside|blockquote|body|br|caption|center|d[dlt]|details|dialog|dir|div|fieldset|figcaption|figure|"
    "footer|form|h[1-6]|head|header|hgroup|hr|html|legend|li|main|menu|nav|ol|optgroup|option|p|pre|search|section|"
    "summary|table|tbody|td|tfoot|th|thead|title|tr|ul",
    re.I,
)
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b[^<>]*>.*?(?:</\1\s*>|\Z)|<[!?][a-z][^<>]*>", re.I | re.S
)
_LINK = re.compile(
    r"(?<!\\)!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"  # [text], one level of brackets inside it
    # (where "title"): whatever follows white space is no white space, so that much of it takes no
    # time
    r"\(\s*(?:(?:<[^<>\n]*>|[^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*|(?:\([^\s()]*\)[^\s()]*)+)"
    r"(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*)?\)"
)
_DEFINITION = re.compile(
    r"^ {0,3}\[([^\[\]\n]+)\]:[ \t]*\S+[^\n]*$", re.M
)  # where a reference link leads
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[([^\[\]]*)\]")
_AUTOLINK = re.compile(r"<([a-z][a-z0-9+.-]{0,30}://[^<>\s]*)>", re.I)
_TAG = re.compile(r"</?([a-z][a-z0-9-]*)(?=[\s/>])(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>", re.I)
_ENTITY = re.compile(r"&(?:#[0-9]{1,9};?|#x[0-9a-f]{1,7};?|[a-z][a-z0-9]{1,31};?)", re.I)
_MARKS = re.compile(r"\\[!-/:-@\[-`{-~]|`+|~~|\*+|_+|\n[^\S\n]*\n")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_SUPERSCRIPT = re.compile(r"<sup(?:\s[^<>]*)?>([^<>]*)</sup\s*>", re.I)
_RAISED = {ord(str(digit)): raised for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_TIMES = re.compile(r"(?<=\d)\*(?=\d)")  # a product, which no reader takes for emphasis


def visible(text: str, keep_addresses: bool = False) -> Traced:
    """Step 1: the text that a reader sees, without addresses unless `keep_addresses`."""
    seen = Traced(text).sub(_HIDDEN, "", "<").sub(_LINK, _text, "](")
    seen = _without_references(seen).sub(_AUTOLINK, _text, "<").sub(_SUPERSCRIPT, _raised, "<")
    seen = seen.sub(_TAG, _break, "<").sub(_ENTITY, _decode, "&")
    seen = _without_emphasis(seen).sub(_ESCAPED, _text, "\\")
    # A line break, not nothing: "120 https://… 500" must not turn into one number.
    return seen if keep_addresses else seen.sub(ADDRESS, "\n", "://")


def _without_references(seen: Traced) -> Traced:
    """`[text][label]` leaves its text where a line says what the label is; that line goes."""
    if "]:" not in seen.text:
        return seen
    labels = {label.lower() for label in _DEFINITION.findall(seen.text)}
    linked = seen.sub(
        _REFERENCE, lambda link: link[1] if (link[2] or link[1]).lower() in labels else link[0]
    )
    return linked.sub(_DEFINITION, "")


def _text(match: re.Match[str]) -> str:
    return match[1]


def _break(tag: re.Match[str]) -> str:
    return "\n" if _BLOCKS.fullmatch(tag[1]) else ""


def _raised(match: re.Match[str]) -> str:
    """A footnote's mark is not a digit of the number before it."""
    digits = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in match[1])
    return digits.translate(_RAISED)


def _decode(match: re.Match[str]) -> str:
    return html.unescape(match[0])


def _without_emphasis(seen: Traced) -> Traced:
    """Paired `*`, `_` at word edges, `~~` and backticks go; a mark without its partner in the
    paragraph stays."""
    text, paired = seen.text, bytearray(len(seen.text))
    opened: dict[str, list[int]] = {}
    for run in _MARKS.finditer(text):
        if run[0][0] == "\n":
            opened.clear()
        elif run[0][0] != "\\":
            _pair(text, run, opened, paired)
    return (
        seen.sub(re.compile(r"[`~*_]"), lambda mark: "" if paired[mark.start()] else mark[0])
        if any(paired)
        else seen
    )


def _pair(text: str, run: re.Match[str], opened: dict[str, list[int]], paired: bytearray) -> None:
    """Match the marks of `run` with the nearest open ones of its kind; what is left may open."""
    (start, end), kind = run.span(), run[0][0] if run[0][0] in "*_" else run[0]
    before, after = text[start - 1 : start], text[end : end + 1]
    code, edge = kind[0] == "`", kind == "_"
    closes = code or (bool(before.strip()) and not (edge and (after.isalnum())))
    opens = code or (bool(after.strip()) and not (edge and (before.isalnum())))
    if _TIMES.match(text, start):
        return
    waiting, width = opened.setdefault(kind, []), 1 if kind in "*_" else end - start
    while closes and waiting and start < end:
        at = waiting.pop()
        paired[at : at + width] = paired[start : start + width] = b"\1" * width
        start += width
    if opens:
        waiting += range(start, end, width)
