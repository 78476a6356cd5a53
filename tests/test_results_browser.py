"""The results pages in headless Chromium, from disk: accessibility, directions, filter, keyboard,
print, hostility."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from support import verdicts as made_runs
from support.browser import violations
from support.scoring_inputs import ANSWERABLE, NOT_ON_SITE, judged, line

from benchmark.core.files import write_text
from benchmark.core.records import Attempt, Verdict
from benchmark.report import pages
from benchmark.report.beside import Beside, Judging
from benchmark.report.i18n import LANGUAGES, load

pytestmark = pytest.mark.browser
PAYLOAD = (
    "</td></tr></table></div></article><script>window.stolen = 1</script><img src=x"
    " onerror='window.stolen = 1'><svg onload='window.stolen = 1'><style>*{display:none}</style><a"
    " href='javascript:window.stolen=1'>x</a>{{ 7*7 }} {% raw %} \u202edesrever\u202c \u2067"
    " \x1b[31m\x00 \ud800 =1+1 | a | `b`\n|---|"
)
LONG = ("word " * 40_000).strip()  # 200 kB
UNBROKEN = "\u05e9" * 100_000  # 200 kB in UTF-8, without a place to break
COUNT = 120


def answered(language: str, number: int, answer: Any, status: int = 200) -> Verdict:
    name, base = f"med-{language}-{number:03}", ANSWERABLE if number < 100 else NOT_ON_SITE
    words = {"en": "how much", "he": "כמה עולה ביקור ראשון", "ru": "сколько стоит первый приём"}[
        language
    ]
    return judged(
        {**base, "id": name, "language": language, "question": words}, line(name, answer, status)
    )


def few() -> list[Verdict]:
    """One of everything that a page can show, hostile and long texts among it."""
    hebrew = dataclasses.replace(answered("he", 2, "SLAtech: ביקור ראשון עולה $120"), read=True)
    return [
        answered("en", 1, "It costs $120."),
        hebrew,
        answered("ru", 3, "Первый приём стоит 99 рублей."),
        answered("en", 4, "", 500),
        answered("en", 101, "Sorry, I couldn't find that on this site."),
        made_runs.hostile("biz-en-05", PAYLOAD),
        dataclasses.replace(made_runs.verdict("biz-en-06"), answer=LONG),
        dataclasses.replace(made_runs.verdict("biz-he-07"), answer=UNBROKEN),
        made_runs.faulty("biz-ru-08"),
        made_runs.overruled("biz-en-09"),
        made_runs.graded(1, 85.7),
        made_runs.graded(2, None, "judge error"),
    ]


def write(
    folder: Path, verdicts: list[Verdict], also: Beside | None = None, **changes: Any
) -> Path:
    for name, text in pages.pages(made_runs.value(verdicts, **changes), verdicts, also).items():
        write_text(folder / name, text)
    return folder


def beside() -> Beside:
    earlier = made_runs.value([made_runs.verdict()], "2026-Q3.demo")
    attempts = {"med-en-004": (Attempt(500, None, 9, "first"), Attempt(500, None, 9, "second"))}
    judging = {"tiny-q-1": Judging((("user", PAYLOAD),), (PAYLOAD, None), "judge")}
    return Beside(
        attempts=attempts,
        declining=frozenset({"med-en-101"}),
        judgings=judging,
        earlier=(earlier,),
        broken=(PAYLOAD,),
        changed_pages=(PAYLOAD,),
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("site"), few(), beside())


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, but its two answers of 200 kB are cut: what is looked at does not hang on them."""
    cut = [dataclasses.replace(v, answer=v.answer[:2000]) for v in few()]
    return write(tmp_path_factory.mktemp("brief"), cut, beside())


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    answers = [
        "It costs $120, and the visit takes half an hour. " * 6,
        "Sorry, I couldn't find that on this site.",
    ]
    rows = [
        answered(LANGUAGES[n % 3], n + 1 if n % 4 else n + 100, answers[n % 2])
        for n in range(COUNT)
    ]
    return write(tmp_path_factory.mktemp("many"), rows)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own, in which an error of a script, a refusal of the policy or a request
    elsewhere fails."""
    found = browser.new_context(viewport={"width": 1280, "height": 900})
    found.set_default_timeout(30_000)
    problems: list[str] = []
    found.on("weberror", lambda error: problems.append(str(error.error)))
    found.on("console", lambda message: problems.append(message.text))
    found.on("dialog", lambda dialog: problems.append(dialog.message))
    found.on(
        "request", lambda request: None if _is_own(request.url) else problems.append(request.url)
    )
    yield found
    found.close()
    assert problems == []


def _is_own(url: str) -> bool:
    return bool(
        re.fullmatch(
            r"file://.*/(index\.html|assets/results\.js)",
            urlsplit(url)._replace(query="", fragment="").geturl(),
        )
    )


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def address(folder: Path, language: str = "en", rest: str = "") -> str:
    return f"{(folder / language / 'index.html').as_uri()}{rest}"


def shown(page: Page) -> list[str]:
    """Ids of the questions that can be seen."""
    found: list[str] = page.eval_on_selector_all(
        ".card", "cards => cards.filter(c => c.checkVisibility()).map(c => c.id)"
    )
    return found


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#filter [name={name}]")


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One site's answers without the long ones: axe-core looks at every place of every line."""
    made = [
        made_runs.hostile("med-en-05", PAYLOAD),
        made_runs.faulty("med-en-08"),
        made_runs.overruled("med-en-09"),
    ]
    kept = [v for v in few() if v.question.id in ("med-en-001", "med-en-004", "med-en-101")]
    return write(tmp_path_factory.mktemp("small"), kept + made, beside())


QUICK = [("", "light"), ("he", "light"), ("he", "dark")]
AXE = [
    *QUICK,
    *(
        pytest.param(*each, marks=pytest.mark.slow)
        for each in product(("en", "ru"), ("light", "dark"))
    ),
]


@pytest.mark.parametrize("language, scheme", AXE)
def test_axe_finds_nothing(page: Page, small: Path, language: str, scheme: str) -> None:
    page.goto(address(small, language))
    assert violations(page, scheme) == []


def test_axe_finds_nothing_in_a_suites_page(page: Page, tmp_path: Path) -> None:
    """A judge's part and a grade that is none."""
    graded = [made_runs.graded(1, 85.7), made_runs.graded(2, None, "judge error")]
    page.goto(address(write(tmp_path, graded, beside()), "he"))
    assert violations(page) == []


def test_a_choice_of_languages_leads_to_each(page: Page, brief: Path) -> None:
    for language, t in load().items():
        page.goto((brief / "index.html").as_uri())
        page.get_by_role("link", name=str(t.texts["page.language"])).click()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("html")).to_have_attribute("dir", t.direction)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_text_does_nothing_and_is_whole(page: Page, site: Path, language: str) -> None:
    """Nothing runs, nothing closes the table or the question, nothing turns the text, and all of it
    is there."""
    page.goto(address(site, language))
    assert page.evaluate("window.stolen") is None
    assert page.evaluate("document.scripts.length") == 1
    widths = page.eval_on_selector_all(".matrix tr", "rows => rows.map(row => row.cells.length)")
    assert len(set(widths)) == 1
    assert page.locator(".card").count() == len(few())
    answer = page.locator('[id="biz-en-05"] .answer').text_content() or ""
    assert answer.startswith("</td></tr></table></div></article><script>window.stolen = 1</script>")
    assert "U+202EdesreverU+202C U+2067 U+001B[31mU+0000 U+D800 =1+1 | a | `b`\n|---|" in answer
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", page.content())
    assert page.locator('[id="biz-en-06"] .answer').text_content() == LONG
    assert page.locator('[id="biz-he-07"] .answer').text_content() == UNBROKEN


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_phone_scrolls_down_only(page: Page, site: Path, language: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(address(site, language))
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert (
        page.evaluate(
            "Math.max(...[...document.querySelectorAll('.card')].map(c =>"
            " c.getBoundingClientRect().right))"
        )
        <= 360
    )


def test_directions(page: Page, brief: Path) -> None:
    """A right-to-left page mirrors its marks and bars; each text keeps its own direction and
    side."""
    page.goto(address(brief, "he"))
    style = "(node, name) => getComputedStyle(node)[name]"
    assert page.locator(".bar").first.evaluate(style, "transform") == "matrix(-1, 0, 0, 1, 0, 0)"
    assert page.locator(".card").first.evaluate(style, "borderRightWidth") == "4px"
    assert page.locator('[id="med-he-002"] .answer').evaluate(style, "direction") == "rtl"
    russian = page.locator('[id="med-ru-003"] .answer')
    assert russian.evaluate(style, "direction") == "ltr"
    heading = page.locator('[id="med-ru-003"] h4')
    assert russian.evaluate("n => n.getBoundingClientRect().left") == heading.evaluate(
        "n => n.getBoundingClientRect().left"
    )
    assert page.locator(".matrix .number").first.evaluate(style, "direction") == "ltr"


def test_a_filter_is_in_the_address_and_comes_back_with_it(page: Page, brief: Path) -> None:
    page.goto(address(brief))
    everything = len(shown(page))
    field(page, "language").select_option("he")
    field(page, "outcome").select_option("passed")
    assert query(page) == {"language": ["he"], "outcome": ["passed"]}
    assert shown(page) == ["med-he-002", "biz-he-07"]
    expect(page.get_by_role("status")).to_have_text(f"Shown: 2 of {everything}")
    page.goto(page.url)
    assert shown(page) == ["med-he-002", "biz-he-07"]
    expect(field(page, "language")).to_have_value("he")
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("status")).to_have_text(f"Shown: {everything} of {everything}")
    assert query(page) == {}


@pytest.mark.parametrize(
    "rest, found",
    [
        pytest.param("?q=СТОИТ+рублей", ["med-ru-003"], id="words"),
        pytest.param("?site=med&kind=not_on_site", ["med-en-101"], id="site and kind"),
        pytest.param(
            "?measure=facts&outcome=failed", ["med-ru-003", "med-en-004"], id="a measure's failures"
        ),
        pytest.param("?outcome=rightly_declined", ["med-en-101"], id="rate"),
        pytest.param("?outcome=judge_error", ["tiny-q-2"], id="judge error"),
        pytest.param("?outcome=faulty", ["biz-ru-08"], id="faulty"),
        pytest.param("?outcome=retried", ["med-en-004"], id="second attempt"),
        pytest.param("?q=%3Cscript%3Ewindow.stolen", ["biz-en-05", "tiny-q-1"], id="hostile"),
        pytest.param("?q=no-such-word", [], id="nothing"),
        pytest.param("?site=nowhere&outcome=<b>", None, id="values that are no choice"),
    ],
)
def test_what_a_filter_finds(page: Page, brief: Path, rest: str, found: list[str] | None) -> None:
    page.goto(address(brief, "en", rest))
    assert shown(page) == found if found is not None else len(shown(page)) == len(few())


def test_a_link_to_a_question_shows_it_whatever_was_filtered(page: Page, brief: Path) -> None:
    page.goto(address(brief, "en", "?language=he#med-ru-003"))
    expect(page.locator('[id="med-ru-003"]')).to_be_in_viewport()
    field(page, "language").select_option("he")
    assert "med-ru-003" not in shown(page)
    page.locator("header.top a", has_text="med-en-004").click()
    expect(page.locator('[id="med-en-004"]')).to_be_in_viewport()


def test_a_cells_link_shows_its_failures(page: Page, brief: Path) -> None:
    page.goto(address(brief))
    page.locator(".matrix tr", has_text="Clinic, Russian").get_by_role("link").first.click()
    expect(page.get_by_role("status")).to_have_text(re.compile(r"Shown: 1 of "))
    assert shown(page) == ["med-ru-003"]


def test_keyboard_alone(page: Page, brief: Path) -> None:
    """Skip to the answers, choose in a list, read on into the questions: each stop is to be
    seen."""
    page.goto(address(brief))
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(field(page, "site")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type("Rus")
    page.keyboard.press("Tab")
    assert query(page) == {"language": ["ru"]}
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.card a')"):
            break
    assert page.evaluate("document.activeElement.closest('.card').id") == "med-ru-003"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_long_answers_scroll_by_keyboard(page: Page, site: Path) -> None:
    page.goto(address(site, "en", "#biz-en-06"))
    long = page.locator('[id="biz-en-06"] .answer')
    long.focus()
    page.keyboard.press("End")
    for _ in range(
        200
    ):  # it scrolls smoothly, and the policy forbids to wait with a text of script
        if scrolled := long.evaluate("n => n.scrollTop > 1000"):
            break
        page.wait_for_timeout(100)
    assert scrolled


def test_from_a_web_server(browser: Browser, brief: Path) -> None:
    """The same files, asked for nowhere else, and with the script that the policy allows."""
    asked: list[str] = []
    with served(brief) as base, browser.new_context() as context:
        context.on("request", lambda request: asked.append(request.url.removeprefix(base)))
        page = context.new_page()
        page.goto(f"{base}/ru/index.html?language=he")
        assert shown(page) == ["med-he-002", "biz-he-07"]
    assert asked == ["/ru/index.html?language=he", "/assets/results.js"]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("language", LANGUAGES)
def test_complete_without_script(browser: Browser, brief: Path, language: str) -> None:
    with browser.new_context(java_script_enabled=False) as plain:
        page = plain.new_page()
        page.goto(address(brief, language, "?site=med"))
        assert page.locator(".card:visible").count() == len(few())
        assert not page.locator("#filter").is_visible()


def test_prints_whole_and_without_controls(page: Page, brief: Path) -> None:
    page.goto(address(brief))
    page.emulate_media(media="print")
    assert not page.locator("#filter").is_visible()
    assert not page.locator(".jump").is_visible()
    long = page.locator('[id="biz-en-06"] .answer')
    assert long.evaluate("n => n.scrollHeight <= n.clientHeight")
    assert page.locator(".judge pre").first.is_visible()
    page.emulate_media(media="print", color_scheme="dark")
    assert (
        page.locator(".banner").first.evaluate("n => getComputedStyle(n).backgroundColor")
        == "rgb(248, 239, 220)"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("language", ["en", "he", pytest.param("ru", marks=pytest.mark.slow)])
def test_120_questions_load_within_a_second(
    context: BrowserContext, many: Path, language: str
) -> None:
    """Processor time of the page's own thread, best of three: what else this machine does is not
    measured."""
    page, times = context.new_page(), []
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    for _ in range(3):
        page.goto(address(many, language), wait_until="load")
        metrics = session.send("Performance.getMetrics")[
            "metrics"
        ]  # they begin anew with each page
        times.append(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))
    assert page.locator(".card").count() == COUNT
    assert 0 < min(times) < 1, times
