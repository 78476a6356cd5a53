"""The results pages without a browser: rates, charts, texts in three languages, hostile text, what
each page holds."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import itertools
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode
from support import verdicts as made_runs
from support.scoring_inputs import ANSWERABLE, NOT_ON_SITE, PRICES, ROOT, judged, line, question

from benchmark.archive.run_folder import earlier
from benchmark.asking import record_file
from benchmark.asking.manifest import Manifest, Session
from benchmark.core.errors import InvalidInput
from benchmark.core.reasons import Reason
from benchmark.core.records import Attempt, Measure, Places, Question, Review, Span, Verdict
from benchmark.core.run_id import RunId
from benchmark.report import beside, charts, escape, i18n, pages, reasons
from benchmark.report.beside import Beside, Judging
from benchmark.report.cards import LABELS, LOSSES
from benchmark.report.i18n import LANGUAGES, MissingText, Texts
from benchmark.report.view import View
from benchmark.results import latency, rates
from benchmark.results.statistics import SMALL
from benchmark.run.loading import load
from benchmark.run.options import Asked
from benchmark.scoring import reply
from benchmark.scoring.rules import names
from benchmark.scoring.site_measures import site_rules
from benchmark.scoring.suite_measures import JUDGE_ERROR, NOT_SCORED, SUITE_RULES, TRUNCATED

SOURCES = [
    *(ROOT / "benchmark/report/templates/pages").glob("*.html"),
    *(ROOT / "benchmark/archive/templates").glob("*.html"),
    *(ROOT / "benchmark/report").glob("*.py"),
]
ALL = list(i18n.load().values())
RIGHT, NOT_KNOWN, WRONG = (
    "It costs $120.",
    "Sorry, I couldn't find that on this site.",
    "It costs $99.",
)
GRAMMAR = dict(zip(LANGUAGES, ("ltr", "rtl", "ltr"), strict=True))


def item(number: int, **changes: Any) -> dict[str, Any]:
    base = ANSWERABLE if number < 16 else NOT_ON_SITE
    return {**base, "id": f"med-en-{number:02}", **changes}


def answered(number: int, answer: Any, review: Review | None = None, status: int = 200) -> Verdict:
    return judged(item(number), line(f"med-en-{number:02}", answer, status), review)


def by_reviewer(number: int, **changes: Any) -> Review:
    return Review(
        f"med-en-{number:02}", reviewer="A. B.", reason="says so in words", read=True, **changes
    )


FIVE = [
    answered(1, RIGHT),
    answered(2, NOT_KNOWN),
    answered(3, WRONG),
    answered(4, "", status=500),
    answered(16, NOT_KNOWN),
    answered(17, "Yes, we accept Delta Dental."),
]
DECLINING = frozenset({"med-en-02", "med-en-16"})


def page(
    verdicts: Sequence[Verdict], language: str = "en", also: Beside | None = None, **changes: Any
) -> str:
    return pages.pages(made_runs.value(verdicts, **changes), verdicts, also)[
        f"{language}/index.html"
    ]


def tree(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(html)


def said(node: LexborNode | None) -> str:
    """What a part of a page says: blocks and cells apart, white space collapsed."""
    assert node is not None
    apart = re.sub(
        r"</?(?:td|th|small|dt|dd|li|p|div|h\d|pre|em|span class=.(?:what|share))\b[^>]*>",
        " ",
        node.html or "",
    )
    return " ".join(unescape(re.sub("<[^>]*>", "", apart)).split())


def card(html: str, name: str) -> str:
    return said(tree(html).css_first(f'[id="{name}"]'))


# Rates --------------------------------------------------------------------------------------------


def test_each_question_has_one_outcome() -> None:
    found = [rates.outcome(v, DECLINING) for v in FIVE]
    assert found == [
        "answered_right",
        "wrongly_declined",
        "answered_wrong",
        "undelivered",
        "rightly_declined",
        "answered_instead",
    ]


def test_rates_of_a_kind_add_up_to_all_of_it() -> None:
    found = rates.rows(FIVE, DECLINING)
    assert [(r.reviewed, r.of) for r in found] == [
        (1, 4),
        (1, 4),
        (1, 4),
        (1, 4),
        (1, 2),
        (1, 2),
        (0, 2),
    ]
    assert all(r.interval and r.interval[0] <= r.reviewed / r.of <= r.interval[1] for r in found)


def test_a_review_moves_the_rate_and_the_mechanical_one_stays() -> None:
    turned = answered(2, NOT_KNOWN, by_reviewer(2, verdicts={"facts": True}))
    right, declined, *_ = rates.rows([turned], DECLINING)
    assert (right.text, declined.text) == ("1/1 (0/1)", "0/1 (1/1)")


def test_a_faulty_question_is_in_no_rate_but_was_asked() -> None:
    left_out = answered(2, NOT_KNOWN, by_reviewer(2, faulty=True))
    assert rates.outcome(left_out, DECLINING) == ""
    assert [r.of for r in rates.rows([left_out], DECLINING)] == [0] * 7
    assert rates.delivered([left_out]).text == "1/1"


def test_what_was_not_asked_is_in_no_rate() -> None:
    assert rates.outcome(judged(item(1), None), frozenset()) == ""
    assert rates.delivered([judged(item(1), None)]).of == 0


@pytest.mark.parametrize(
    "answer, declines",
    [
        pytest.param(NOT_KNOWN, True, id="phrase"),
        pytest.param({"answer": "Hm.", "hasGroundingContent": False}, True, id="no grounding"),
        pytest.param(RIGHT, False, id="answer"),
        pytest.param({"answer": "", "hasGroundingContent": False}, False, id="nothing delivered"),
    ],
)
def test_an_answerable_answer_may_decline(answer: Any, declines: bool) -> None:
    """Derived as the measure `declined` reads an answer, whatever the question's kind and whatever
    is forbidden."""
    asked = question(item(1))
    said_ = reply.read(record_file.record_of(line("med-en-01", answer)), Places())
    assert (asked.id in rates.declining(["couldn't find"], [(asked, said_)])) is declines


def test_rates_are_per_site_and_language() -> None:
    other = judged(item(5), line("med-en-05", RIGHT), set="biz")
    assert [r.of for r in rates.rows([*FIVE, other], DECLINING, site="biz")][:4] == [1] * 4
    assert [r.of for r in rates.rows([*FIVE, other], DECLINING, language="he")] == [0] * 7


# Charts and latency -------------------------------------------------------------------------------


def test_a_bar_is_in_percent() -> None:
    assert charts.bar(3, 2, 4, (0.25, 0.9)) == charts.Bar(75, 25, 90, 50)


def test_stacked_parts_fill_the_bar() -> None:
    found = charts.stacked([("a", 1), ("b", 0), ("c", 3)])
    assert [(s.name, s.start, s.width) for s in found] == [("a", 0, 25), ("c", 25, 75)]
    assert charts.stacked([("a", 0)]) == []


@pytest.mark.parametrize(
    "latencies", [[0.0], [31.0], [1, 1.4, 1.5, 10, 9999], [20, 30, 50, 70, 100], [1e9, 3]], ids=str
)
def test_bins_hold_every_answer_once(latencies: list[float]) -> None:
    found = charts.bins(latencies)
    assert sum(b.count for b in found) == len(latencies)
    assert found[0].count
    assert found[-1].count
    assert max(b.width for b in found) == 100
    assert all(before.high == after.low for before, after in itertools.pairwise(found))


def test_no_answers_make_no_bins() -> None:
    assert charts.bins([]) == []


def test_a_trend_runs_from_left_to_right_and_up() -> None:
    first, last = charts.trend([(0.5, 0.4, 0.6), (1.0, 0.9, 1.0)])
    assert (first.x, first.y, first.top, first.bottom) == (25, 50, 40, 60)
    assert (last.x, last.y) == (75, 0)


def test_no_p95_under_72_answers() -> None:
    assert latency.of([1.0] * 71).p95 is None
    enough = latency.of([float(n) for n in range(72)])
    assert (enough.p95, enough.p95_interval is not None) == (68, True)
    assert (enough.median, enough.least, enough.greatest) == (35.5, 0, 71)
    assert latency.of([]) == latency.Latency(0)


# Texts --------------------------------------------------------------------------------------------


def values_of(language: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        (ROOT / f"benchmark/report/texts/{language}.json").read_text("utf-8")
    )
    return found


def forms(text: Any) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def test_no_language_lacks_a_text() -> None:
    assert list(i18n.load()) == list(LANGUAGES)


@pytest.mark.parametrize(
    "of, key", [("texts", "filter.any"), ("names", "measure")], ids=["text", "name"]
)
def test_a_missing_text_is_found(of: str, key: str) -> None:
    broken = {language: values_of(language) for language in ("he", "ru")}
    del broken["he"][of][key]
    found = i18n.missing_keys(broken)
    assert found
    assert all(fault.startswith(f"he.json has no {of}.{key}") for fault in found)


def test_a_text_that_is_not_there_is_an_error() -> None:
    with pytest.raises(MissingText, match=r"he\.json has no text 'no\.such'"):
        i18n.load()["he"]("no.such")


def test_places_are_the_same_in_every_language() -> None:
    """A translation that lost or renamed a {place} would lose the figure in it."""
    for key, text in values_of("en")["texts"].items():
        wanted = set(re.findall(r"{(\w+)}", " ".join(forms(text))))
        for language in LANGUAGES:
            given = set(re.findall(r"{(\w+)}", " ".join(forms(values_of(language)["texts"][key]))))
            assert given == wanted, (language, key)


def test_every_plural_form_of_a_language_is_there() -> None:
    for t in ALL:
        for key, text in t.texts.items():
            for n in range(130) if isinstance(text, dict) else ():
                assert t.locale.plural_form(n) in text, (t.language, key, n)


def used() -> set[str]:
    """Keys that templates and modules name; a key put together at run time counts by its
    beginning."""
    source = "".join(path.read_text("utf-8") for path in SOURCES)
    return set(re.findall(r"""["']([a-z]+\.[a-z0-9_.]*)["']""", source))


def test_no_text_is_left_over() -> None:
    found = used()
    for key in values_of("en")["texts"]:
        assert key in found or f"{key.rpartition('.')[0]}." in found, key


@pytest.mark.parametrize("t", ALL, ids=LANGUAGES)
def test_everything_that_is_shipped_has_a_name(t: Texts) -> None:
    wanted = {
        "measure": {*names(site_rules(())), *names(SUITE_RULES)},
        "site": {"med", "biz"},
        "language": {"en", "he", "ru", "ar"},
        "kind": {"answerable", "not_on_site"},
        "target": {"demo", "live"},
        "fault": {TRUNCATED, NOT_SCORED, JUDGE_ERROR},
        "outcome": {*LABELS, TRUNCATED, NOT_SCORED, JUDGE_ERROR},
        "loss": {*LOSSES, TRUNCATED, NOT_SCORED, JUDGE_ERROR},
    }
    assert {of: some - t.names[of].keys() for of, some in wanted.items()} == dict.fromkeys(
        wanted, set()
    )


def test_a_name_that_is_not_known_stands_for_itself() -> None:
    t = i18n.load()["ru"]
    assert t.name("site", "hotel") == "hotel"
    assert t.name("site", "ho\u202etel") == "hoU+202Etel"


@pytest.mark.parametrize(
    "t, percent, thousands, days, plural",
    [
        pytest.param(
            ALL[0],
            "73%",
            "12,346",
            "30 November 2026, 12:44:28–12:44:32 UTC",
            "3 questions",
            id="en",
        ),
        pytest.param(
            ALL[1], "73%", "12,346", "30 בנובמבר 2026, 12:44:28–12:44:32 UTC", "3 שאלות", id="he"
        ),
        pytest.param(
            ALL[2],
            "73\u00a0%",
            "12\u00a0346",
            "30 ноября 2026\u202fг., 12:44:28–12:44:32 UTC",
            "3 вопроса",
            id="ru",
        ),
    ],
)
def test_numbers_dates_and_plurals(
    t: Texts, percent: str, thousands: str, days: str, plural: str
) -> None:
    times = ("2026-11-30T12:44:28.068Z", "2026-11-30T12:44:32.692Z")
    assert t.percent(0.73).striptags() == percent.replace("\u00a0", " ") or t.percent(
        0.73
    ).endswith(f"{percent}</span>")
    assert t.number(12345.6) == thousands
    assert re.sub(r"\s", " ", re.sub("<[^>]*>", "", t.window(times))) == re.sub(r"\s", " ", days)
    assert re.sub("<[^>]*>", "", t("count.questions", n=3)) == plural


def test_a_window_over_days_names_both_and_a_foreign_one_is_shown() -> None:
    t = i18n.load()["en"]
    two = re.sub("<[^>]*>", "", t.window(("2026-11-30T23:59:59Z", "2026-12-01T00:00:01Z")))
    assert two == "30 November 2026, 23:59:59 UTC – 1 December 2026, 00:00:01 UTC"
    assert t.window(("<b>", "soon")) == "&lt;b&gt; – soon"


def test_a_value_in_a_text_is_isolated_and_harmless() -> None:
    t = i18n.load()["he"]
    assert "<bdi>&lt;b&gt;" in t("card.reviewer", name="<b>")
    assert "<" not in t.plain("card.answer", id="a\n<\u202e").replace("<", "", 1)


# Reasons ------------------------------------------------------------------------------------------

ANSWERS: list[tuple[int, Any, int]] = [
    (1, RIGHT, 200),
    (1, WRONG, 200),
    (1, {"answer": "12345", "sources": [PRICES]}, 200),
    (1, {"answer": RIGHT, "sources": [PRICES + "a", "https://x.invalid/"]}, 200),
    (1, {"answer": RIGHT, "sources": []}, 200),
    (1, {"answer": " "}, 200),
    (1, "", 500),
    (16, NOT_KNOWN, 200),
    (16, {"answer": "Nothing here.", "hasGroundingContent": False}, 200),
    (16, {"answer": NOT_KNOWN + " But we accept Delta.", "hasGroundingContent": False}, 200),
    (16, "We accept Delta.", 200),
    (16, "Perhaps.", 200),
]


@pytest.mark.parametrize("number, answer, status", ANSWERS, ids=range(len(ANSWERS)))
def test_every_reason_of_track_a_is_said_in_the_pages_language(
    number: int, answer: Any, status: int
) -> None:
    """A code without words in a language is an error, which is found here."""
    t = i18n.load()["he"]
    for m in judged(item(number), line(f"med-en-{number:02}", answer, status)).measures:
        if m.value is not None:
            assert 'lang="en"' not in reasons.translated(m, t), m.reason


def test_a_reason_of_the_first_form_stands_whole_in_english() -> None:
    """A run that was published before reasons had codes holds their English words alone."""
    html = reasons.translated(Measure("facts", True, "found “<b>” at 2"), i18n.load()["ru"])
    assert html == f'<bdi lang="en">{escape.shown("found “<b>” at 2")}</bdi>'


def test_a_quoted_part_of_a_reason_is_isolated() -> None:
    reason = Reason("found", {"what": "<i>\u202e", "at": 21})
    html = reasons.translated(Measure("facts", True, reasons=(reason,)), i18n.load()["en"])
    assert html.startswith('found “<bdi>&lt;i&gt;<span class="control"')


# Hostile text -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given, text",
    [
        pytest.param("a\u202eb", "aU+202Eb", id="override"),
        pytest.param("\u2066\u2069", "U+2066 U+2069", id="isolates"),
        pytest.param("\x1b[31m", "U+001B[31m", id="terminal escape"),
        pytest.param("a\x00", "aU+0000", id="nul"),
        pytest.param("\ud800", "U+D800", id="lone surrogate"),
        pytest.param("\u200b\ufeff", "U+200B U+FEFF", id="zero width"),
        pytest.param("\u202e" * 200_000, "U+202E×200000", id="200,000 of them"),
        pytest.param("a\rb\r\nc", "aU+000Db\r\nc", id="lone carriage return"),
        pytest.param(
            "של\u200fום\u200d\u00ad\t\n", "של\u200fום\u200d\u00ad\t\n", id="what texts need"
        ),
        pytest.param("\U000e0041", "U+E0041", id="tag"),
    ],
)
def test_hidden_characters_are_shown_and_do_not_act(given: str, text: str) -> None:
    assert re.sub("<[^>]*>", "", escape.shown(given)) == text


def test_markup_is_text() -> None:
    assert escape.shown("<script>&amp;'\"") == "&lt;script&gt;&amp;amp;&#39;&#34;"


def test_overlapping_places_are_all_named() -> None:
    spans = {
        "facts": (Span(0, 4, "<b>"),),
        "declined": (Span(2, 6, "b"),),
        "x": (Span(5, 99, "c"), Span(3, 3, "d")),
    }
    found = [Measure(name, True, "", spans=places) for name, places in spans.items()]
    html = escape.highlighted("ab<def\u202e", found)
    assert html.count("<mark") == 5
    assert 'title="facts: &lt;b&gt;; declined: b"' in html
    assert re.sub("<[^>]*>", "", html) == "ab&lt;defU+202E"


@pytest.mark.parametrize(
    "text, direction",
    [
        ("SLAtech: המרפאה פתוחה", "rtl"),
        ("We open at 8", "ltr"),
        ("مرحبا", "rtl"),
        ("123", "ltr"),
        ("a ש", "ltr"),
    ],
    ids=str,
)
def test_direction_is_that_of_most_letters(text: str, direction: str) -> None:
    assert escape.direction(text) == direction


@pytest.mark.parametrize(
    "name, site, anchor",
    [
        ("med-en-01", "med", "med-en-01"),
        ("q-001", "arabic-pii", "arabic-pii-q-001"),
        ('"> x', "med", "med-_22_3E_20x"),
        ("top", "med", "med-top"),
        ("\ud800", "m", "m-_5Cud800"),
    ],
    ids=str,
)
def test_anchors_are_stable_and_safe(name: str, site: str, anchor: str) -> None:
    """They depend on the question alone, and are no id of the page's own: those have no set before
    them."""
    assert escape.anchor(Question(name, site, "en", "answerable", "")) == anchor


@pytest.mark.parametrize(
    "source, linked",
    [
        (PRICES, True),
        ("javascript:alert(1)", False),
        ("https://evil.invalid/", False),
        ("http://med.slatech.ai/", False),
        ("/demo/clinic/en/", False),
        ("https://[", False),
    ],
    ids=str,
)
def test_only_the_sites_own_pages_are_linked(source: str, linked: bool) -> None:
    assert escape.is_linked(source, question(item(1))) is linked


HOSTILE_ROWS = [
    made_runs.hostile("med-en-03"),
    made_runs.hostile("med-en-17"),
    made_runs.verdict("med-he-01"),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_text_in_every_field_leaves_the_page_whole(language: str) -> None:
    html = page(
        HOSTILE_ROWS,
        language,
        Beside(
            judgings={
                "med-en-03": Judging((("user", made_runs.HOSTILE),), (made_runs.HOSTILE, None))
            }
        ),
    )
    found = tree(html)
    assert [s.attributes for s in found.css("script")] == [
        {"src": "../assets/results.js", "defer": None}
    ]
    assert not found.css("img, iframe, object, embed, link, base")
    assert not [
        a for node in found.css("*") for a in node.attributes if a.startswith("on") or a == "style"
    ]
    assert len(found.css("article.card")) == 3
    matrix = found.css_first("table.matrix")
    assert matrix is not None
    assert {len(row.css("th, td")) for row in matrix.css("tr")} == {1 + 4}
    assert not re.search("[\u202a-\u202e\u2066-\u2069\ud800-\udfff\x00\x1b]", html)


# Pages --------------------------------------------------------------------------------------------


def test_files_of_a_run() -> None:
    made = pages.pages(made_runs.value(FIVE), FIVE)
    assert set(made) == {
        "index.html",
        "en/index.html",
        "he/index.html",
        "ru/index.html",
        "assets/results.js",
    }
    choice = tree(made["index.html"])
    assert [a.attributes["href"] for a in choice.css("main a")] == [
        f"{name}/index.html" for name in LANGUAGES
    ]
    assert 'http-equiv="refresh"' not in made["index.html"]
    assert made["index.html"].count("rehearsal on the embedded demo") == 1


@pytest.mark.parametrize(
    "name", ["index.html", *(f"{language}/index.html" for language in LANGUAGES)]
)
def test_policy_names_the_one_style_by_its_digest(name: str) -> None:
    found = tree(pages.pages(made_runs.value(FIVE), FIVE)[name])
    (style,), (policy,) = found.css("style"), found.css("meta[http-equiv=Content-Security-Policy]")
    digest = base64.b64encode(hashlib.sha256(style.text().encode()).digest()).decode()
    assert (
        policy.attributes["content"]
        == f"default-src 'none'; script-src 'self'; style-src 'sha256-{digest}'; base-uri 'none';"
        " form-action 'none'"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_names_its_language_and_direction(language: str) -> None:
    found = tree(page(FIVE, language))
    (root,) = found.css("html")
    assert (root.attributes["lang"], root.attributes["dir"]) == (language, GRAMMAR[language])
    ids = [node.attributes["id"] for node in found.css("[id]")]
    assert len(ids) == len(set(ids))
    inner = {str(a.attributes["href"])[1:] for a in found.css('a[href^="#"]')}
    assert inner <= set(ids)


def test_top_of_the_page() -> None:
    top = said(tree(page(FIVE)).css_first("header.top"))
    for part in (
        "A rehearsal on the embedded demo: not a result of any vendor’s platform.",
        "First-party, not independently verified",
        "30 November 2026, 12:44:28–12:44:32 UTC",
        "Platform version undisclosed",
        "Draft. 0 of the 5 answers that must be read have been read.",
        "Still unread: med-en-02, med-en-03, med-en-04, med-en-16, med-en-17",
        "decline lists of 2026-10-28, 2026-11-05",
    ):
        assert part in top
    live = said(tree(page([made_runs.verdict()], run="2026-Q4")).css_first("header.top"))
    assert "rehearsal" not in live
    assert "Final. 0 of the 0" in live


def test_table_shows_reviewed_and_mechanical_with_their_interval() -> None:
    rows = [
        answered(1, RIGHT),
        answered(2, NOT_KNOWN, by_reviewer(2, verdicts={"facts": True})),
        answered(3, WRONG),
    ]
    matrix = tree(page(rows)).css_first("table.matrix tbody tr")
    assert said(matrix) == "Clinic, English 3/3 44–100% 2/3 (1/3) 21–94% 3/3 44–100% 3/3 44–100% –"
    lost = tree(page([answered(1, RIGHT), answered(4, "", status=500)])).css_first(
        "table.matrix tbody tr"
    )
    assert "1/2 9–91% 1/1 of delivered" in said(lost)


EXACT = {
    "en": ("Exact (Clopper–Pearson)", "60–98%", "78–100%"),
    "he": ("מדויק (קלופר–פירסון)", "60–98%", "78–100%"),
    "ru": ("Точный (Клоппер — Пирсон)", "60–98 %", "78–100 %"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_charts_have_the_exact_interval_of_few_answers_and_the_head_table_has_not(
    language: str,
) -> None:
    label, most, all_ = EXACT[language]
    found = tree(page([answered(n, RIGHT if n < 14 else WRONG) for n in range(1, 16)], language))
    arrived, facts = [said(figure) for figure in found.css("#charts .multiples figure")][:2]
    assert label in arrived
    assert label in facts
    assert arrived.endswith(all_)
    assert facts.endswith(most)
    assert f" {SMALL} " in said(found.css_first("#charts .lead"))
    head = said(found.css_first("#results"))
    assert "13/15" in head
    assert most not in head


def test_charts_have_no_exact_interval_of_many_answers() -> None:
    """No column where no line of the plot has one; a dash for a line that has none beside one that
    has."""
    many = [answered(1, RIGHT if n else WRONG) for n in range(SMALL + 1)]
    few = [judged({**item(1), "id": "med-he-01", "language": "he"}, line("med-he-01", RIGHT))] * 2
    label = EXACT["en"][0]

    def facts(rows: Sequence[Verdict]) -> list[str]:
        return [said(row) for row in tree(page(rows)).css("#charts .multiples figure")[1].css("tr")]

    assert label not in facts(many)[0]
    heading, english, hebrew, _ = facts([*many, *few])
    assert label in heading
    assert english.endswith(" –")
    assert hebrew.endswith(" 16–100%")


def test_every_site_and_language_has_a_row_and_no_row_stands_twice() -> None:
    def lines(*verdicts: Verdict) -> list[tuple[str, str]]:
        return [
            (s.site, s.language) for s in View(made_runs.value(verdicts), verdicts, Beside()).scopes
        ]

    one, other = made_runs.verdict("med-en-01"), made_runs.verdict("biz-he-01")
    assert lines(one) == [("med", "en")]
    assert lines(one, made_runs.verdict("med-he-01")) == [("med", "en"), ("med", "he"), ("", "")]
    assert lines(one, other) == [("med", "en"), ("biz", "he"), ("", "en"), ("", "he"), ("", "")]


def test_a_cells_failures_are_one_link_away() -> None:
    (link,) = tree(page([answered(1, WRONG)])).css("table.matrix td a")[:1]
    assert link.attributes["href"] == "?site=med&language=en&measure=facts&outcome=failed#answers"


def test_the_four_rates_stand_on_the_page() -> None:
    html = page(FIVE, also=Beside(declining=DECLINING))
    tiles = [said(tile) for tile in tree(html).css(".tiles li")]
    assert tiles == [
        "Answered right 25% 1/4 5–70%",
        "Wrongly declined 25% 1/4 5–70%",
        "Answered wrong 25% 1/4 5–70%",
        "Rightly declined 50% 1/2 9–91%",
    ]
    assert "5/6" in said(tree(html).css_first("#rates table"))


def test_a_run_without_those_measures_has_no_such_rates() -> None:
    found = tree(page([made_runs.graded(1, 85.7)]))
    assert not found.css(".tiles")
    assert "1/1" in said(found.css_first("#rates table"))


def test_failures_come_first_and_what_is_left_out_last() -> None:
    rows = [
        answered(1, RIGHT),
        answered(2, NOT_KNOWN),
        answered(3, WRONG, by_reviewer(3, faulty=True)),
    ]
    found = tree(page(rows))
    assert [c.attributes["id"] for c in found.css("article")] == [
        "med-en-02",
        "med-en-01",
        "med-en-03",
    ]
    assert [said(h) for h in found.css("section.group h3")] == [
        "Failed 1",
        "Passed 1",
        "Left out 1",
    ]


def test_a_question_shows_everything_that_is_known_of_it() -> None:
    reply = {"answer": WRONG, "sources": [PRICES, "javascript:x"]}
    v = answered(2, reply, by_reviewer(2, verdicts={"facts": True}))
    timed_out = Attempt(None, "timeout", 60000, "2026-11-30T12:44:28.068Z")
    attempts = (timed_out, Attempt(200, None, 31.2, "later"))
    html = page([v], also=Beside({"med-en-02": attempts}))
    shown = card(html, "med-en-02")
    for part in (
        "how much is a first visit",
        WRONG,
        "A first visit costs $120 and lasts 30 minutes.",
        PRICES,
        "javascript:x",
        "none of",
        "after review; mechanically it fails",
        "2 attempts",
        "2026-11-30T12:44:28.068Z: timeout, 60,000 ms",
        "later: HTTP 200, 31 ms",
        "Correct facts: fails passes",
        "says so in words",
        "by A. B.",
        "Changed by review",
        "Second attempt",
    ):
        assert part in shown, part
    assert not tree(html).css("a[href^=javascript]")


def test_matches_are_marked_in_the_answer() -> None:
    (mark,) = tree(page([answered(1, RIGHT)])).css("article mark")
    assert (mark.text(), mark.attributes["title"]) == ("120", "Correct facts: 120")


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_and_answers_have_their_own_direction(language: str) -> None:
    hebrew = dataclasses.replace(made_runs.verdict("med-he-01"), answer="SLAtech: המרפאה פתוחה")
    asked = dataclasses.replace(
        hebrew, question=dataclasses.replace(hebrew.question, question="מתי פתוח")
    )
    found = tree(page([asked, answered(1, RIGHT)], language))
    directions = [(n.attributes["lang"], n.attributes["dir"]) for n in found.css("h4, .answer")]
    assert sorted(directions) == [("en", "ltr"), ("en", "ltr"), ("he", "rtl"), ("he", "rtl")]


def test_an_answer_in_another_script_claims_no_language() -> None:
    v = dataclasses.replace(made_runs.verdict("med-he-01"), answer="In English.")
    (answer,) = tree(page([v])).css(".answer")
    assert (answer.attributes["dir"], "lang" in answer.attributes) == ("ltr", False)


def test_what_was_lost_is_said_with_reasons() -> None:
    stale = dataclasses.replace(answered(5, RIGHT), stale=True, review=by_reviewer(5))
    rows = [*FIVE, stale, answered(6, WRONG, by_reviewer(6, faulty=True)), judged(item(7), None)]
    twice = {"med-en-01": (Attempt(500, None, 1, "x"), Attempt(200, None, 1, "x"))}
    html = page(
        rows,
        also=Beside(twice, broken=("t[x]",), changed_pages=(PRICES,)),
        asked_again=["med-en-03"],
    )
    shown = [said(row) for row in tree(html).css(".lost > div")]
    assert shown == [
        "Not asked 1 med-en-07",
        "Asked, but no answer delivered 1 med-en-04: not delivered: HTTP 500",
        "Faulty questions, left out of the scores 1 med-en-06: says so in words",
        "Stale reviews: of another answer, not applied 1 med-en-05: says so in words",
        "Asked again, on purpose 1 med-en-03",
        "Answered or lost only after a second attempt 1 med-en-01",
        "Errors of the benchmark itself 1 t[x]",
        f"Pages that changed while the run was asked 1 {PRICES}",
    ]


def test_a_run_that_lost_nothing_says_so() -> None:
    shown = [said(row) for row in tree(page([answered(1, RIGHT)])).css(".lost > div")]
    assert all(row.endswith("0 None.") for row in shown[:-1])
    assert "Not recorded for this run" in shown[-1]


def test_latency_has_no_p95_for_a_few_answers() -> None:
    shown = said(tree(page([answered(1, RIGHT)])).css_first(".latency"))
    assert "too few answers" in shown
    many = [
        dataclasses.replace(made_runs.verdict(f"med-en-{n:03}"), latency_ms=float(n))
        for n in range(100, 172)
    ]
    assert "95th percentile: 168 ms" in said(tree(page(many)).css_first(".latency"))


def test_a_long_answer_is_whole() -> None:
    long = "word " * 40_000
    (answer,) = tree(page([dataclasses.replace(made_runs.verdict(), answer=long)])).css(
        ".answer.long"
    )
    assert answer.text() == long


# Suites -------------------------------------------------------------------------------------------

SUITE: dict[str, Any] = {
    "model": {"name": "m-1", "endpoint": "x"},
    "judge": {"name": "m-1", "is_the_model": True},
    "judge_check": None,
    "decline": None,
    "judging": {
        "graded": 1,
        "faults": {JUDGE_ERROR: 1},
        "repeats": {"of": 1, "flipped": ["tiny-q-1"]},
        "agreement": {
            "table": {"both": 3, "judge_only": 1, "person_only": 0, "neither": 2},
            "of": 6,
            "observed": 5 / 6,
            "kappa": 0.6667,
            "ac1": None,
        },
    },
    "repeats": {"times": 3, "of": 2, "flipped": []},
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_suite_goes_through_the_same_page(language: str) -> None:
    """Reference, score, the judge's prompt and raw reply, and judge errors apart from wrong
    answers."""
    first = dataclasses.replace(
        made_runs.graded(1, 85.7), again=({"judge": False},), judge_scores=(85.7, None)
    )
    rows = [first, made_runs.graded(2, None, JUDGE_ERROR)]
    judging = Judging(
        (("system", "Grade it."), ("user", "<b>The question")), ('{"score": 85.7}', None), "m-2"
    )
    html = page(rows, language, Beside(judgings={"tiny-q-1": judging}), **SUITE)
    shown = card(html, "tiny-q-1")
    for part in ("هي", "Grade it.", "<b>The question", '{"score": 85.7}', "m-2"):
        assert part in shown
    assert i18n.load()[language].number(85.7, 1) in shown
    assert i18n.load()[language].name("loss", JUDGE_ERROR) in said(tree(html).css_first(".lost"))
    assert tree(html).css_first("#judge") is not None


def test_a_self_judging_model_and_an_unchecked_judge_are_named_as_that() -> None:
    top = said(tree(page([made_runs.graded(1, 85.7)], **SUITE)).css_first("header.top"))
    assert "m-1: the model judges itself never checked against labelled answers" in top
    assert "not independently verified" in top


def test_a_suite_is_called_what_its_file_calls_it() -> None:
    named = {"tiny": {"version": "1", "sha256": "0" * 64, "count": 1, "name": "Tiny Suite"}}
    value = made_runs.value([made_runs.graded(1, 85.7)], question_sets=named)
    view = View(value, [made_runs.graded(1, 85.7)], Beside())
    assert view.site_name(ALL[0], "tiny") == "Tiny Suite"
    assert view.site_name(ALL[0], "other") == "other"


# Beside and the trend -----------------------------------------------------------------------------


def reports(root: Path, *runs: str) -> Path:
    for run in runs:
        made_runs.folder(root, [made_runs.verdict()], run)
    return root / "reports"


def test_earlier_quarters_of_the_same_target_only(tmp_path: Path) -> None:
    runs = ("2026-Q3.demo", "2025-Q4.demo", "2026-Q3", "2027-Q1.demo", "2026-Q4.demo")
    folder = reports(tmp_path, *runs)
    (folder / "notes").mkdir()
    assert [v.run for v in earlier(tmp_path, RunId("2026-Q4", "demo"))] == [
        "2025-Q4.demo",
        "2026-Q3.demo",
    ]
    assert [v.run for v in earlier(tmp_path, RunId("2026-Q4"))] == ["2026-Q3"]


def test_an_earlier_quarter_that_is_no_results_file_is_an_error(tmp_path: Path) -> None:
    folder = reports(tmp_path, "2026-Q3")
    (folder / "2026-Q3" / "results.json").write_text('{"quarter": "2026-Q3"}', "utf-8")
    with pytest.raises(InvalidInput, match="results.json: run is missing") as fault:
        earlier(tmp_path, RunId("2026-Q4"))
    assert len(fault.value.faults) == 5


def test_a_trend_from_the_second_quarter_on() -> None:
    now, before = (
        [made_runs.verdict()],
        made_runs.value([made_runs.verdict(passes=False)], "2026-Q3.demo"),
    )
    assert not tree(page(now)).css("#trend")
    found = tree(page(now, also=Beside(earlier=(before,))))
    (figure,) = [
        f
        for f in found.css("figure")
        if f.css("svg.trend") and "right" in said(f.css_first("figcaption"))
    ]
    assert [said(row) for row in figure.css("tbody tr")] == [
        "2026-Q3 0/1 0–79% Draft",
        "2026-Q4 1/1 21–100% Final",
    ]
    assert len(figure.css("svg.trend circle")) == 2


def test_gathered_from_the_tests_of_a_report(tmp_path: Path) -> None:
    """Attempts and declining answers, by the lists that the run is scored with."""
    shutil.copytree(ROOT / "questions", tmp_path / "questions")
    made = load(tmp_path, "2026-Q4", "demo", Asked())
    attempt = Attempt(200, None, 1.0, "2026-11-30T12:44:28.068Z")
    asked = line("med-en-01", NOT_KNOWN) | {"attempts": [dataclasses.asdict(attempt)]}
    record = record_file.record_of(asked)
    found = beside.gather(made.track, made.questions, {record.id: record}, broken=("broken",))
    assert found.attempts == {"med-en-01": (attempt,)}
    assert found.declining == {"med-en-01"}
    assert (found.broken, found.earlier) == (("broken",), ())
    assert not found.judgings


def test_pages_that_changed_between_sessions_are_listed() -> None:
    """A page is compared over the sessions of asking; where none looked at pages, nothing is
    claimed."""
    first, again = (
        {"https://a.example/": "1", "https://b.example/": "2"},
        {"https://a.example/": "1", "https://b.example/": "3"},
    )
    sessions = (Session(pages=first), Session(pages=again))
    assert Manifest(sessions=sessions).changed_pages == ("https://b.example/",)
    assert Manifest(sessions=sessions[:1]).changed_pages == ()
    assert Manifest(sessions=(Session(pages=None), Session())).changed_pages is None


def test_a_judges_words_come_from_its_records() -> None:
    chat = {"model": "j", "messages": [{"role": "user", "content": "grade"}]}
    bodies = [{"choices": [{"message": {"content": text}}]} for text in ("hm", '{"score": 3}')]
    lines = [
        line(f"q-1~1j1t{t}", body) | {"request": {"json": chat}} for t, body in enumerate(bodies, 1)
    ]
    records = {each["id"]: record_file.record_of(each) for each in lines}
    q = Question("q-1", "tiny", "ar", "answerable", "?")
    assert beside.judging_of(q.id, records) == Judging(
        (("user", "grade"),), ("hm", '{"score": 3}'), "j"
    )
    assert beside.judging_of("q-2", records) is None


def test_a_view_reads_no_measure_by_name() -> None:
    """Another track's measures, and a fault that nobody foresaw, reach the page."""
    odd = Measure("novel", None, "because", fault="new fault")
    v = dataclasses.replace(made_runs.verdict(), measures=(odd,), reviewed={"novel": None})
    html = page([v], "he")
    assert "new fault" in card(html, "med-en-01")
    assert "new fault" in said(tree(html).css_first(".lost"))


def labels(verdicts: Sequence[Verdict], also: Beside) -> Iterator[tuple[str, ...]]:
    return (c.labels for c in View(made_runs.value(verdicts), verdicts, also).cards)


def test_labels_say_what_the_filter_finds() -> None:
    assert list(labels(FIVE, Beside(declining=DECLINING))) == [
        ("passed", "answered_right"),
        ("failed", "wrongly_declined", "unread"),
        ("failed", "answered_wrong", "unread"),
        ("failed", "undelivered", "unread"),
        ("passed", "rightly_declined", "unread"),
        ("failed", "answered_instead", "unread"),
    ]
