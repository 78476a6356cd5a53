"""A page's visible text, what may be quoted from it, and which URLs name one page (rubric,
Cited)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from benchmark.demo.passages import passages
from benchmark.text.html import visible_text
from benchmark.text.urls import page_identity, same_page

HOME = "https://med.slatech.ai/demo/clinic/en/"

SAME = {
    "http is https": ("http://h.example/a", "https://h.example/a"),
    "scheme and host in any case": ("HTTPS://H.Example/a", "https://h.example/a"),
    "punycode": ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    "default port of https": ("https://h.example:443/a", "https://h.example/a"),
    "default port of http": ("http://h.example:80/a", "https://h.example/a"),
    "user": ("https://u:p@h.example/a", "https://h.example/a"),
    "fragment": ("https://h.example/a#b", "https://h.example/a"),
    "trailing slash": ("https://h.example/a/", "https://h.example/a"),
    "root slash": ("https://h.example/", "https://h.example"),
    "index.html": ("https://h.example/a/index.html", "https://h.example/a/"),
    "index.htm": ("https://h.example/index.htm", "https://h.example"),
    "tracking": (
        "https://h.example/a?utm_source=x&gclid=1&fbclid=2&yclid=3",
        "https://h.example/a",
    ),
    "query order": ("https://h.example/a?b=2&a=1&a=0", "https://h.example/a?a=0&a=1&b=2"),
    "query encoding": ("https://h.example/a?q=%D7%90+b", "https://h.example/a?q=א%20b"),
    "empty query": ("https://h.example/a?", "https://h.example/a"),
    "encoded path": ("https://h.example/%D7%9E%D7%97/", "https://h.example/מח/"),
    "raw space": ("https://h.example/a b", "https://h.example/a%20b"),
    "NFC": ("https://h.example/cafe\u0301", "https://h.example/caf%C3%A9"),
    "slash stays encoded, in either case": ("https://h.example/a%2fb", "https://h.example/a%2Fb"),
    "dot segments": ("https://h.example/x/../a/./b", "https://h.example/a/b"),
    "encoded dots": ("https://h.example/x/%2E%2e/a", "https://h.example/a"),
    "encoded dots before plain ones": ("https://h.example/x/y/%2e%2e/../a", "https://h.example/a"),
    "dots at the end": ("https://h.example/a/b/..", "https://h.example/a"),
    "above the root": ("https://h.example/../../a", "https://h.example/a"),
    "relative to the root": ("/demo/clinic/en/prices/", HOME + "prices"),
    "relative": ("prices/", HOME + "prices"),
    "relative upwards": ("../he/./x", "https://med.slatech.ai/demo/clinic/he/x"),
    "without a scheme": ("//med.slatech.ai/a", "https://med.slatech.ai/a"),
    "fragment alone": ("#visit", HOME),
    "white space around": (" https://h.example/a\n", "https://h.example/a"),
    "stray percent sign": ("https://h.example/100%", "https://h.example/100%25"),
    "IPv6": ("http://[::1]:80/", "https://[::1]"),
}

OTHER = {
    "www": ("https://www.h.example/", "https://h.example/"),
    "path case": ("https://h.example/A", "https://h.example/a"),
    "index in capitals": ("https://h.example/Index.html", "https://h.example/"),
    "a page below": ("https://h.example/a/b", "https://h.example/a"),
    "another port": ("https://h.example:8443/", "https://h.example/"),
    "https on the port of http": ("https://h.example:80/", "https://h.example/"),
    "another query": ("https://h.example/?a=1", "https://h.example/?a=2"),
    "a duplicate": ("https://h.example/?a=1&a=1", "https://h.example/?a=1"),
    "a blank value": ("https://h.example/?a=", "https://h.example/"),
    "a parameter that only ends like tracking": (
        "https://h.example/?xutm_a=1",
        "https://h.example/",
    ),
    "decoded once": ("https://h.example/%2541", "https://h.example/A"),
    "encoded slash": ("https://h.example/a%2Fb", "https://h.example/a/b"),
    "encoded question mark": ("https://h.example/a%3Fb=1", "https://h.example/a?b=1"),
    "no UTF-8": ("https://h.example/%FF", "https://h.example/%FE"),
    "only one trailing slash": ("https://h.example/a//", "https://h.example/a"),
}

NO_PAGE = {
    "empty": "",
    "white space": " \n",
    "mail": "mailto:a@h.example",
    "ftp": "ftp://h.example/",
    "script": "javascript:alert(1)",
    "no host": "https:///a",
    "bad port": "https://h.example:99999/",
    "port no number": "https://h.example:x/",
    "bad IPv6": "https://[::1/",
    "control character": "https://h.example/a\x00b",
    "line break": "https://h.example/a\nb",
    "lone surrogate": "https://h.example/\ud800",
    "space in the host": "https://h example/",
    "a megabyte": "https://h.example/" + "a" * 1_000_000,
}


@pytest.mark.parametrize(("a", "b"), SAME.values(), ids=SAME)
def test_same_page(a: str, b: str) -> None:
    """URLs that agree after the rubric's steps name one page, in either order."""
    assert same_page(a, b, HOME)
    assert same_page(b, a, HOME)


@pytest.mark.parametrize(("a", "b"), OTHER.values(), ids=OTHER)
def test_another_page(a: str, b: str) -> None:
    """What the rubric does not drop makes another page."""
    assert not same_page(a, b, HOME)


@pytest.mark.parametrize("url", NO_PAGE.values(), ids=NO_PAGE)
def test_what_names_no_page(url: str) -> None:
    """What is no http(s) URL, or what urllib refuses, is the same as nothing, itself included; it
    never raises."""
    assert page_identity(url, HOME) is None
    assert not same_page(url, url, HOME)


def test_base() -> None:
    """A relative URL needs a usable base; an absolute one does not look at it."""
    assert page_identity("/a") is None
    assert page_identity("/a", "https://[") is None
    assert same_page("https://h.example/a", "https://h.example/a/", "https://[")


def test_undecodable_stays_as_written() -> None:
    """Only the bytes that are no UTF-8 stay encoded, as they are written; identities stay distinct
    and readable."""
    assert page_identity("https://h.example/%41%ff%42") == "https://h.example/A%25ffB"
    assert page_identity("https://h.example/цены/") == "https://h.example/цены"


VISIBLE = {
    "blocks and br end a line": ("<p>a<p>b<br>c<div>d</div>e", "a\nb\nc\nd\ne"),
    "inline adds nothing": ("<p>a<b>b</b><span> c</span>", "ab c"),
    "cells end a line": ("<table><tr><th>a<td>b</table>", "a\nb"),
    "white space": ("<p> a \n\t b </p>\n\n<p> </p>", "a b"),
    "no-break space stays": ("<p>2&nbsp;300&#8239;₽</p><p>&nbsp;</p>", "2\xa0300\u202f₽"),
    "entities once": ("<p>&amp;lt; &rsquo;&quot;", '&lt; ’"'),
    "no head": ("<title>t</title><body>a", "a"),
    "no scripts, styles, templates, comments": (
        "a<script>b</script><style>c</style><template>d</template><noscript>e</noscript><!-- f -->",
        "a",
    ),
    "hidden": ("<p hidden>a<p hidden=until-found>b<p>c", "c"),
    "inline style": (
        "<p style='color:red; Display : NONE !important'>a<p style=visibility:hidden>b<p>c",
        "c",
    ),
    "other style": ("<p style='display:block;x-display:none'>a", "a"),
    "details, options": (
        "<details><summary>a</summary>b</details><select><option>c<option>d</select>",
        "a\nb\nc\nd",
    ),
    "hidden body": ("<body hidden>a", ""),
    "nothing": ("", ""),
    "lone surrogate": ("a\ud800", "a?"),
}


@pytest.mark.parametrize(("html", "text"), VISIBLE.values(), ids=VISIBLE)
def test_visible_text(html: str, text: str) -> None:
    """Visible text is what a visitor sees, a line a block."""
    assert visible_text(html) == text


def test_visible_text_of_a_deep_page() -> None:
    """A page may nest deeper than Python recurses."""
    assert visible_text("<div>" * 5000 + "deep") == "deep"


PASSAGES = {
    "main only": ("<nav>n</nav><main><p>Here it is.</main><footer>f</footer>", ["Here it is."]),
    "else the body": ("<p>Here it is.", ["Here it is."]),
    "a heading and what stands under it": (
        "<h1>Visits</h1><h2>Parking</h2><p>There are 18 spaces.<p>Use <b>Quince</b> Alley.",
        ["Parking\nThere are 18 spaces.\nUse Quince Alley."],
    ),
    "a row is a line": (
        (
            "<h2>Prices</h2><table><caption>Visits</caption><tr><th>Visit<th>Length<th>Price"
            "<tr><th>First<td>50 min<td>$165<tr><th>Return<td><br>20<br>min<td>$112</table>"
        ),
        ["Prices\nVisits\nVisit | Length | Price\nFirst | 50 min | $165\nReturn | 20 | min | $112"],
    ),
    "terms with their values": ("<dl><dt>Fax<dd>12<dt>Phone:<dd>13</dl>", ["Fax: 12\nPhone: 13"]),
    "questions with their answers": (
        "<dl><dt>A lift?<dd>There is one.</dl>",
        ["A lift? There is one."],
    ),
    "disclosures": (
        (
            "<h2>FAQ</h2><details><summary>Dogs?</summary><p>Service dogs only.</details>"
            "<details><summary>Cats?</summary><p>No.</details>"
        ),
        ["Dogs?\nService dogs only.", "Cats?\nNo."],
    ),
    "a list under its lead-in": (
        "<h2>Visit</h2><p>Please bring:<ul><li>a photo ID<li>your card</ul>",
        ["Visit\nPlease bring:\na photo ID\nyour card"],
    ),
    "lines of an address": (
        "<address>12 Quay St.<br>Second floor</address>",
        ["12 Quay St., Second floor"],
    ),
    "hidden in a table or list": (
        (
            "<table><tbody hidden><tr><td>a<td>b</tbody><tr><td>c<td>d</table><dl><div"
            " hidden><dt>e<dd>f</div></dl>"
        ),
        ["c | d"],
    ),
}


@pytest.mark.parametrize(("html", "sections"), PASSAGES.values(), ids=PASSAGES)
def test_passages(html: str, sections: list[str]) -> None:
    """A passage is a heading with the paragraphs, items, rows and pairs under it, a line each."""
    assert [str(passage) for passage in passages(html)] == sections


def test_urls_need_no_third_party_package() -> None:
    """Scoring compares URLs with nothing but Python installed: the parser is imported when a page
    is read."""
    code = (
        "import sys, benchmark.text.urls as p; p.same_page('/a', '/b'); sys.exit('selectolax' in"
        " sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
