"""Hostile text of an answer, a source, a version or a review: shown whole, and harmless wherever it
is shown."""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from support.scoring_inputs import ANSWERABLE, NOT_ON_SITE, Json, judged, line
from support.verdicts import value

from benchmark.core import files
from benchmark.core.messages import failure, faulty, printable
from benchmark.core.plain import plain, read
from benchmark.core.records import Review, Verdict, verdict_of
from benchmark.report import pages as render
from benchmark.report import tables
from benchmark.results.summary import Results

HOSTILE = {
    "markup": '</blockquote></article><h1 onclick="alert(1)">x</h1><img src=x onerror=alert(1)>',
    "a script": "<script>alert(1)</script><style>*{display:none}</style><!-- ",
    "an attribute's end": "\" onmouseover='alert(1)' x=\"",
    "entities": "&lt;b&gt; &amp;amp; &#60;script&#62; &nbsp;",
    "a template": "{{ 7 * 7 }} {% raw %} {# x #} ${7*7}",
    "a table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "a heading and a list": "\n\n# Passed\n\n- all\n1. of\n> it",
    "code": "` `` ``` ~~~\n```html\n<b>",
    "links": (
        "[x](javascript:alert(1)) <https://x.example> ![y](//x.example/p.png) https://x.example"
        " www.x.example"
    ),
    "mentions": "@everyone #1 org/repo#2 :tada: $x^2$ a_b_c *d* ~~e~~ \\f",
    "bidi overrides": "\u202edesrever\u202c \u2066isolated\u2069 \u200e\u200f\u061c",
    "terminal escapes": "\x1b[2J\x1b]0;title\x07\x1b[31mred\x9b0m\x08\x7f\r",
    "NUL and others that no page may hold": "a\0b\x01\x0b\x0c\ufffe\uffff",
    "line separators": "a\u2028b\u2029c\x85d\r\ne",
    "zero-width": "a\u200bb\ufeffc\u00add\U000e0041",
    "lone surrogates": "a\ud800b\udfff",
    "combining marks": "a" + "\u0301" * 200,
}
EVERY = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)


def filled(made: Verdict, text: str) -> Verdict:
    """The verdict with the text for X in every field, so that its outcome is the same whatever the
    text is."""
    return verdict_of(_filled(plain(made), text))


def _filled(plain: Any, text: str) -> Any:
    if isinstance(plain, dict):
        return {key: _filled(inner, text) for key, inner in plain.items()}
    if isinstance(plain, (list, tuple)):
        return [_filled(inner, text) for inner in plain]
    return plain.replace("XXXX", text) if isinstance(plain, str) else plain


def wrong(text: str, **entry: Any) -> Verdict:
    """A failed answer that is this text through and through: answer, source, version, review."""
    sources = [{"sourceUrl": "https://XXXX"}]
    body: Json = {"answer": "<XXXX> no price", "sources": sources, "version": "XXXX"}
    item = ANSWERABLE | {"question": "how much is XXXX", "evidence": "XXXX"}
    review = Review("med-en-01", reason="XXXX", reviewer="XXXX", **entry) if entry else None
    return filled(judged(item, line("med-en-01", body), review), text)


def invented(text: str) -> Verdict:
    """An answer whose forbidden string is this text, so that it stands in reasons and is marked in
    the answer."""
    item = NOT_ON_SITE | {"question": "XXXX", "must_not_include": ["we accept XXXX"]}
    return filled(judged(item, line("med-en-16", "Yes, we accept XXXX, too")), text)


def lost(text: str) -> Verdict:
    """An error instead of an answer, which stands in the reasons of all that failed by it."""
    item = ANSWERABLE | {"id": "med-en-04"}
    return filled(judged(item, line("med-en-04", {"error": "XXXX"})), text)


def run(text: str) -> tuple[Results, list[Verdict]]:
    """A run with the text in every field, between two verdicts that must stand where they stood."""
    found = [
        judged(ANSWERABLE | {"id": "med-en-02"}, line("med-en-02")),
        wrong(text, verdicts={"cited": True}),
        invented(text),
        wrong(text, faulty=True),
        lost(text),
        judged(ANSWERABLE | {"id": "med-en-03"}, line("med-en-03")),
    ]
    target = {"name": "other", "label": f"label {text}", "rehearsal": True}
    head: Json = {"target": target, "platform_version": text, "model": {"name": text}}
    head |= dict.fromkeys(("judge", "judge_check"))
    return value(found, "2026-Q4.other", **head), found


# The terminal -------------------------------------------------------------------------------------


@EVERY
def test_a_terminal_is_not_steered(text: str) -> None:
    """Nothing of a hostile text reaches a terminal raw: control, format and surrogate characters
    are escapes."""
    verdict = wrong(text)
    for shown in (failure(verdict), failure(lost(text)), faulty(wrong(text, faulty=True))):
        kinds = {unicodedata.category(c) for c in shown if c != "\n"}
        assert not kinds & {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"}
        shown.encode()


@EVERY
def test_a_failure_keeps_its_lines(text: str) -> None:
    """A hostile text adds no line of its own, so it cannot pass for one of ours."""
    lines = failure(wrong(text)).split("\n")
    begin = ["failed facts, cited", "question", "facts", "cited", "answer"]
    assert [each.split(":")[0] for each in lines] == begin
    assert failure(invented(text)).count("\n") == 3


@pytest.mark.parametrize("text", [text for text in HOSTILE.values() if "\\" not in text])
def test_printable_text_is_whole(text: str) -> None:
    """Escaped, not dropped: what was there can be read back from what is shown."""
    shown = printable(text)
    escape = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[nrt])")
    assert escape.sub(lambda found: found[0].encode().decode("unicode_escape"), shown) == text


def test_escapes_are_read_back() -> None:
    """Each hidden character is named by its code."""
    shown = printable("\x1b[31m\u202e\ud800\0\n\u2028\U000e0041é")
    assert shown == r"\x1b[31m\u202e\ud800\x00\n\u2028\U000e0041é"


def test_a_long_answer_is_cut_on_the_terminal_only() -> None:
    """A terminal shows the beginning and says that there is more."""
    verdict = wrong("x" * 200_000)
    shown = failure(verdict)
    assert len([text for text in shown.split("\n") if text.startswith("answer: ")][0]) < 500
    assert shown.endswith("…")


# Markdown -----------------------------------------------------------------------------------------

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read_back(markdown: str) -> str:
    """What a reader of Markdown sees of a line; an AssertionError where it is more than text."""
    if not markdown:
        return ""
    (opening, inline, closing) = MARKDOWN.parse(markdown)
    assert (opening.type, closing.type) == ("paragraph_open", "paragraph_close")
    assert {part.type for part in inline.children or ()} <= {"text", "text_special"}
    return "".join(part.content for part in inline.children or ())


@EVERY
def test_markdown_shows_just_the_text(text: str) -> None:
    """Nothing in it is a mark, a link or markup of its own, on one line, and nothing is lost."""
    markdown = tables.markdown_text(text)
    assert read_back(markdown) == printable(" ".join(text.split()))
    assert re.search(r"(?<!\\)(?:://|www\.|@|\$)", markdown) is None, "what GitHub adds to Markdown"
    assert not BARS.search(markdown)


def test_plain_text_needs_no_escapes() -> None:
    """A count, a run's name, a sentence are read as text as they stand."""
    for text in ("14/15 (13/15) 70–99%", "2026-Q4.demo", "Yes, until 20:00 (12.5%)!"):
        assert tables.markdown_text(text) == text


BARS = re.compile(r"(?<!\\)(?:\\\\)*\|")


def structure(markdown: str) -> list[tuple[str, int]]:
    """Of each line what Markdown makes of it: the mark that it begins with, and how many cells it
    has."""
    marks = [re.match(r"#+ |\s*- (?:\*\*)?|\*\*|\| |", text) for text in markdown.split("\n")]
    return [(found[0], len(BARS.findall(found.string))) for found in marks if found]


@EVERY
def test_results_md_keeps_its_form(text: str) -> None:
    """The table stays a table and every list a list: line by line the same as of a harmless run."""
    hostile, harmless = render.markdown(*run(text)), render.markdown(*run("harmless"))
    assert structure(hostile) == structure(harmless)
    hostile.encode()
    shown = re.findall(r"^  - answer: (.*)$", hostile, re.M)
    answers = [verdict.answer for verdict in (wrong(text), invented(text), lost(text))]
    assert [read_back(each.removesuffix("…")) for each in shown] == [
        printable(" ".join(answer[:300].split())) for answer in answers
    ]


# Pages --------------------------------------------------------------------------------------------

VOID = frozenset(str.split("area base br col embed hr img input link meta source track wbr"))


class Outline(HTMLParser):
    """A page's tags, the names of their attributes, its links, and each answer as the page shows
    it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.answers: list[str] = []
        self.marks: list[tuple[str, str]] = []  # the title, the text
        self._open: list[tuple[str, str]] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: text or "" for name, text in attrs}
        self.tags.append(tag)
        self.attributes |= given.keys()
        targets = ("href", "src", "action", "formaction")
        self.links += [given[name] for name in targets if name in given]
        if tag not in VOID:
            self._open.append((tag, given.get("class", "").split(" ")[0]))
            self.answers += [""] if self._open[-1] == ("div", "answer") else []
            self.marks += [(given.get("title", ""), "")] if tag == "mark" else []

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop()[0] == tag, "tags close in the order in which they were opened"

    def handle_data(self, data: str) -> None:
        if ("div", "answer") in self._open:
            seen = hidden(data) if self._open[-1] == ("span", "control") else data
            self.answers[-1] += seen
            if ("mark", "") in self._open:
                self.marks[-1] = (self.marks[-1][0], self.marks[-1][1] + seen)


def hidden(codes: str) -> str:
    """The characters behind `U+202E U+200B×3`."""
    named = (code.removeprefix("U+").partition("×") for code in codes.split(" "))
    return "".join(chr(int(number, 16)) * int(count or 1) for number, _, count in named)


@cache
def pages(text: str) -> dict[str, str]:
    return {name: html for name, html in render.pages(*run(text)).items() if name.endswith(".html")}


@EVERY
def test_pages_keep_their_form(text: str) -> None:
    """No tag, no attribute and no link comes from a hostile text: the page is the one of a harmless
    run, with other words; only marks for hidden characters, and for what was found, may be more."""
    for (name, hostile), harmless in zip(
        pages(text).items(), pages("harmless").values(), strict=True
    ):
        found, expected = Outline(hostile), Outline(harmless)
        own = [tag for tag in found.tags if tag not in ("span", "mark")]
        assert own == [tag for tag in expected.tags if tag not in ("span", "mark")], name
        assert found.attributes <= expected.attributes | {"title"}
        assert not [attribute for attribute in found.attributes if attribute.startswith("on")]
        links = [link.lower().lstrip() for link in found.links]
        assert not [link for link in links if link.startswith(("javascript", "data", "//"))]
        assert len(found.links) == len(expected.links)


@EVERY
def test_pages_show_an_answer_whole(text: str) -> None:
    """Every character of the answer is there: as itself, or by its number where it could not be
    seen or would act."""
    whole = sorted(verdict.answer for verdict in run(text)[1] if verdict.delivered)
    for name, html in pages(text).items():
        html.encode()
        assert not re.search(
            "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", html
        )
        if name != "index.html":  # the choice of languages
            assert sorted(Outline(html).answers) == whole


@EVERY
def test_pages_mark_what_was_found(text: str) -> None:
    """The place that a verdict rests on is marked in the answer, and says what was found there."""
    found = invented(text)
    (place,) = next(m.spans for m in found.measures if m.name == "declined")
    for name, html in pages(text).items():
        if name != "index.html":
            (title, marked), *_ = [mark for mark in Outline(html).marks if "we accept" in mark[1]]
            assert marked == found.answer[place.start : place.end]
            assert "we accept" in title


# Files --------------------------------------------------------------------------------------------


@EVERY
def test_what_is_written_as_json_is_whole(text: str, tmp_path: Path) -> None:
    """results.json holds the text itself: a file that can be written, in UTF-8, and read back as it
    was."""
    results, _ = run(text)
    path = tmp_path / "results.json"
    files.write_text(path, files.to_json(plain(results)))
    assert read(Results, json.loads(path.read_bytes().decode()), path) == results
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", path.read_bytes())
