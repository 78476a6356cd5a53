"""The review desk in a real browser: keys, direction, tabs, hostile answers, other pages,
accessibility."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from support.browser import violations
from support.desk import QUARTER, REVIEWER, Visitor, copied, items, make_run, served, suite_run

from benchmark.core.files import to_json

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    make_run(root, items())
    return root


@pytest.fixture
def desk(made: Path, tmp_path: Path) -> Iterator[Visitor]:
    with served(copied(made, tmp_path / "root")) as visitor:
        yield visitor


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own, in which any error of a script or refusal of the policy fails the
    test."""
    found = browser.new_context(viewport={"width": 1280, "height": 800})
    found.set_default_timeout(15_000)
    problems: list[str] = []
    found.on("weberror", lambda error: problems.append(str(error.error)))
    found.on(
        "console",
        lambda message: problems.append(message.text) if _is_fault(message.text) else None,
    )
    yield found
    found.close()
    assert problems == []


def _is_fault(text: str) -> bool:
    return "status of 4" not in text  # the desk's own refusals, which the tests look at


@pytest.fixture
def page(context: BrowserContext, desk: Visitor) -> Page:
    """A tab that has entered by the printed address."""
    found = context.new_page()
    found.goto(desk.url)
    return found


def press(page: Page, key: str) -> None:
    """A key that leads to another page."""
    with page.expect_navigation():
        page.keyboard.press(key)


# The way through ----------------------------------------------------------------------------------


def test_a_review_by_keys_alone(page: Page, desk: Visitor) -> None:
    """Agree, change with one digit, faulty, undo; each is in the file at once, and the next unread
    answer is shown."""
    assert page.url == f"{desk.base}/"
    press(page, "n")
    expect(page.locator("h1")).to_contain_text("med-en-16")
    press(page, "a")
    expect(page.locator("h1")).to_contain_text("med-en-17")
    assert desk.entries()["med-en-16"]["read"] is True

    page.keyboard.press("3")
    page.keyboard.type("does not decline at all")
    press(page, "Enter")
    assert desk.entries()["med-en-17"]["verdicts"] == {"declined": False}
    assert desk.entries()["med-en-17"]["reason"] == "does not decline at all"

    page.keyboard.press("f")
    page.keyboard.type("the page says it")
    press(page, "Enter")
    assert desk.entries()["med-en-18"]["faulty"] is True
    expect(page.locator("h1")).to_contain_text("med-en-19")
    expect(page.get_by_role("status")).to_have_text("Saved: med-en-18 marked faulty")

    press(page, "u")
    expect(page.locator("h1")).to_contain_text("med-en-18 unread")
    assert sorted(desk.entries()) == ["med-en-16", "med-en-17"]
    press(page, "n")
    press(page, "p")
    expect(page.locator("h1")).to_contain_text("med-en-18")
    expect(page.locator(".progress")).to_contain_text("2 of 20 read")


def test_keys_work_on_a_hebrew_layout(page: Page, desk: Visitor) -> None:
    """There the key with A on it gives a shin."""
    page.goto(f"{desk.base}/q/med-he-16")
    with page.expect_navigation():
        page.evaluate(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ש', code: 'KeyA',"
            " bubbles: true}))"
        )
    assert list(desk.entries()) == ["med-he-16"]


def test_a_held_or_repeated_key_acts_once(page: Page, desk: Visitor) -> None:
    """Neither a key that is held down nor a second press before the next page is an entry that
    nobody meant."""
    page.goto(f"{desk.base}/q/med-en-16")
    with page.expect_navigation():
        page.evaluate(
            "for (const repeat of [false, true, false]) document.body.dispatchEvent("
            "new KeyboardEvent('keydown', {key: 'a', code: 'KeyA', bubbles: true, repeat}))"
        )
    expect(page.locator("h1")).to_contain_text("med-en-17")
    assert list(desk.entries()) == ["med-en-16"]


def test_letters_typed_into_a_reason_are_no_keys(page: Page, desk: Visitor) -> None:
    """And a dialog that was cancelled has written nothing."""
    page.goto(f"{desk.base}/q/med-en-16")
    page.keyboard.press("f")
    page.keyboard.type("a fun cap 123")
    expect(page.locator("#faulty input[name=reason]")).to_have_value("a fun cap 123")
    page.keyboard.press("Escape")
    expect(page.locator("#faulty")).to_be_hidden()
    assert not desk.file.exists()


def test_single_keys_can_be_switched_off(page: Page, desk: Visitor) -> None:
    """WCAG 2.1.4: for those who speak to their computer, or touch keys by chance; it is
    remembered."""
    page.goto(f"{desk.base}/q/med-en-16")
    page.get_by_label("single keys work").uncheck()
    page.goto(f"{desk.base}/q/med-en-17")
    page.keyboard.press("a")
    page.keyboard.press("c")
    expect(page.locator("#change")).to_be_hidden()
    expect(page.locator("h1")).to_contain_text("med-en-17")
    assert not desk.file.exists()


def test_jumping_to_any_question(page: Page, desk: Visitor) -> None:
    """By an id or by words in any language, also to an answer that the walk leaves out."""
    page.goto(f"{desk.base}/q/med-en-16")
    page.keyboard.press("g")
    page.keyboard.type("שישי")
    shown = page.locator("#jump li:visible")
    expect(shown.first).to_contain_text("med-he-02")
    assert all("שישי" in text for text in shown.all_inner_texts())
    press(page, "Enter")
    expect(page.locator("h1")).to_contain_text("med-he-02")
    page.keyboard.press("g")
    page.keyboard.type("he-12")
    press(page, "Enter")
    expect(page.locator("h1")).to_contain_text("med-he-12")


def test_the_table_is_live(page: Page, desk: Visitor) -> None:
    page.goto(f"{desk.base}/q/med-en-01")
    page.keyboard.press("t")
    cell = page.locator("#table tr", has_text="facts").locator("td").first
    expect(cell).to_contain_text("12/15")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.keyboard.type("it is free")
    press(page, "Enter")
    page.keyboard.press("t")
    expect(page.locator("#table tr", has_text="facts").locator("td").first).to_contain_text(
        "13/15 (12/15)"
    )


def test_it_works_without_script(browser: Browser, desk: Visitor) -> None:
    """Agreeing and going on are plain forms and links."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(desk.url)
    page.get_by_role("link", name="Start with med-en-16").click()
    page.get_by_role("button", name="Agree").click()
    page.get_by_role("link", name="Next").click()
    assert page.url.endswith("/q/med-en-18")
    assert list(desk.entries()) == ["med-en-16"]
    context.close()


# Hebrew -------------------------------------------------------------------------------------------


def test_hebrew_runs_from_the_right(page: Page, desk: Visitor) -> None:
    """Question, answer and evidence; the answer begins with a Latin name all the same. A Hebrew
    reason is kept."""
    page.goto(f"{desk.base}/q/med-he-02")
    for selector in (".question", ".answer", "blockquote.page"):
        style = page.locator(selector).evaluate(
            "e => [getComputedStyle(e).direction, getComputedStyle(e).textAlign]"
        )
        assert style == ["rtl", "start"]
    name = page.locator(".answer").evaluate(
        "e => { const r = document.createRange(); r.setStart(e.firstChild, 0);"
        " r.setEnd(e.firstChild, 7); return r.getBoundingClientRect().right -"
        " e.getBoundingClientRect().right }"
    )
    assert -40 < name <= 0  # its first word stands at the right edge
    page.keyboard.press("2")
    page.keyboard.type("התשובה נכונה: שעה 12:30")
    reason = page.locator("#change input[name=reason]")
    assert reason.evaluate("e => getComputedStyle(e).direction") == "rtl"
    press(page, "Enter")
    assert desk.entries()["med-he-02"]["reason"] == "התשובה נכונה: שעה 12:30"


# Other tabs, other editors ------------------------------------------------------------------------


def test_an_edit_from_outside_is_told_and_nothing_is_lost(page: Page, desk: Visitor) -> None:
    """The desk says so and shows the file as it is; what was typed is still there, and one more
    press saves it."""
    page.goto(f"{desk.base}/q/med-en-01")
    page.keyboard.press("2")
    page.keyboard.type("my reason")
    theirs = {"med-en-01": {"read": True, "reviewer": "somebody else"}}
    desk.file.parent.mkdir(exist_ok=True)
    desk.file.write_text(to_json({"quarter": QUARTER, "reviews": theirs}), "utf-8")
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_contain_text(
        "changed outside this tab, so nothing was saved"
    )
    assert desk.entries() == theirs
    assert page.url == f"{desk.base}/q/med-en-01"  # so that loading it anew sends no form
    expect(page.locator("#change")).to_be_visible()
    expect(page.locator("#change input[name=reason]")).to_have_value("my reason")
    press(page, "Enter")
    assert desk.entries()["med-en-01"]["reviewer"] == REVIEWER
    assert desk.entries()["med-en-01"]["verdicts"] == {"facts": True}


@pytest.mark.slow
def test_a_tab_that_is_looked_at_again_is_up_to_date(
    context: BrowserContext, page: Page, desk: Visitor
) -> None:
    """A second tab wrote meanwhile: the first one loads anew, unless something is being typed in
    it."""
    page.goto(f"{desk.base}/q/med-en-16")
    other = context.new_page()
    other.goto(f"{desk.base}/q/med-en-17")
    press(other, "a")
    with page.expect_navigation():
        page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator(".progress")).to_contain_text("1 of 20 read")
    page.keyboard.press("f")
    page.keyboard.type("half a reas")
    press(other, "a")
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.wait_for_timeout(300)
    expect(page.locator("#faulty input[name=reason]")).to_have_value("half a reas")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("changed outside this tab")
    assert sorted(desk.entries()) == ["med-en-17", "med-en-18"]


# Hostile text and hostile pages -------------------------------------------------------------------


def test_a_hostile_answer_is_shown_whole_and_runs_nothing(page: Page, desk: Visitor) -> None:
    """No element of its making, no request, no link that runs; overrides turn nothing around."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in ("med-en-04", "med-en-01"):
        page.goto(f"{desk.base}/q/{name}")
        page.get_by_text("The response as received").click()
        assert page.evaluate("window.stolen") is None
        assert (
            page.locator("main img, main script, main [onerror], a[href^='javascript']").count()
            == 0
        )
    page.goto(f"{desk.base}/q/med-en-04")
    text = page.locator(".answer").inner_text()
    assert "</div></pre><script>window.stolen = 1</script>" in text
    assert "{{ 7*7 }}" in text
    assert "desrever" in text
    assert "\u202e" not in text
    assert page.locator(".answer").evaluate("e => e.closest('.reading') !== null")
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(desk.base).netloc}


class Evil(BaseHTTPRequestHandler):
    """A page of another server on this machine, which posts to the desk as soon as it is loaded."""

    def do_GET(self) -> None:
        path, _, target = self.path.partition("?to=")
        html = (
            f"<iframe src='{target}/q/med-en-16'></iframe>"
            if path == "/frame"
            else (
                f"<form method=post action='{target}/q/med-en-16/agree'><input"
                f" name=seen></form><script>fetch('{target}/seen', {{credentials:"
                " 'include'}).then(r => r.text()).then(t => document.title = 'read ' + t, () =>"
                " document.title = 'refused').then(() => document.forms[0].submit())</script>"
            )
        )
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(html.encode())

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def evil() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Evil)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f":{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join(10)


@pytest.mark.parametrize(
    "host",
    [
        pytest.param("127.0.0.1", id="same site, other port"),
        pytest.param("localhost", id="another site", marks=pytest.mark.slow),
    ],
)
def test_another_page_can_neither_read_nor_write(
    browser: Browser, desk: Visitor, evil: str, host: str
) -> None:
    """Cookies know no ports: a page of another port does send ours, and is told by its origin."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(desk.url)
    titles: list[str] = []
    with page.expect_response(re.compile("/q/med-en-16/agree")) as answer:
        page.goto(f"http://{host}{evil}/?to={desk.base}")
        titles.append(page.title())
    assert answer.value.status == 403
    assert not any(title.startswith("read") for title in titles)
    assert not desk.file.exists()
    context.close()


def test_a_framed_desk_shows_nothing(browser: Browser, desk: Visitor, evil: str) -> None:
    """So that no page can lay its own button over ours: the cookie would be sent along."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(desk.url)
    page.goto(f"http://127.0.0.1{evil}/frame?to={desk.base}", wait_until="load")
    (frame,) = page.frames[1:]
    assert "Question" not in frame.locator("body").inner_text()
    context.close()


# Accessible, and on a small screen ----------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, desk: Visitor, scheme: str) -> None:
    """Every page and every dialog; changed, faulty, stale and undelivered answers."""
    desk.post("/q/med-en-01/change", reason="says so", measure__facts="pass")
    desk.post("/q/med-he-16/faulty", reason="הדף אומר אחרת")
    desk.post("/q/med-en-03/agree")
    text = desk.file.read_text("utf-8")
    desk.file.write_text(
        re.sub(r'(?<="med-en-03": \{\n   "answer_sha256": ")\w{64}', "0" * 64, text), "utf-8"
    )
    found: list[str] = []
    paths = ("/", "/q/med-en-01", "/q/med-he-16", "/q/med-en-03", "/pages/med-he-02", "/agreement")
    for path in paths if scheme == "light" else paths[1:3]:
        page.goto(desk.base + path)
        found += [f"{path}: {fault}" for fault in violations(page, scheme)]
    page.goto(f"{desk.base}/q/med-he-02")
    page.get_by_text("The response as received").click()
    for key in ("c", "f", "g", "t") if scheme == "light" else ("t",):
        page.keyboard.press(key)
        found += [f"{key}: {fault}" for fault in violations(page, scheme)]
        page.locator("dialog[open]").get_by_role("button", name=re.compile("Cancel|Close")).click()
    assert found == []


@pytest.mark.slow
def test_axe_finds_nothing_at_the_end_of_a_blind_review(
    browser: Browser, made: Path, tmp_path: Path
) -> None:
    """The agreement's tables, and a suite's answer with its judge."""
    suite_run(copied(made, tmp_path / "root"))
    found: list[str] = []
    context = browser.new_context()
    run = f"{QUARTER}.a-model"
    for blind, reviewer in ((False, "First Reader"), (True, "Second Reader")):
        with served(tmp_path / "root", run, reviewer, blind) as desk:
            desk.post("/q/translation-q-001/agree")
            desk.post(
                "/q/translation-q-002/change",
                reason="right",
                measure__llm_judge="fail" if blind else "pass",
            )
            page = context.new_page()
            page.goto(desk.url)
            for path in ("/q/translation-q-002", "/agreement"):
                page.goto(desk.base + path)
                found += [f"{path}: {fault}" for fault in violations(page)]
    assert page.locator("td", has_text=re.compile(r"^50\.0%$")).count() == 1
    context.close()
    assert found == []


def test_axe_finds_nothing_on_a_questions_page(page: Page, desk: Visitor) -> None:
    page.goto(f"{desk.base}/q/med-he-16")
    assert violations(page) == []


def test_nothing_sticks_out_of_a_small_screen(page: Page, desk: Visitor) -> None:
    page.set_viewport_size({"width": 360, "height": 700})
    for path in ("/", "/q/med-en-04", "/q/med-he-02", "/pages/med-he-02"):
        page.goto(desk.base + path)
        assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0


@pytest.mark.slow
def test_the_actions_hide_nothing_that_has_the_focus(page: Page, desk: Visitor) -> None:
    """The bar at the bottom stays; whatever is tabbed to is scrolled above it."""
    page.set_viewport_size({"width": 1000, "height": 500})
    page.goto(f"{desk.base}/q/med-he-02")
    for _ in range(25):
        page.keyboard.press("Tab")
        hidden = page.evaluate(
            "(() => { const e = document.activeElement, r = e.getBoundingClientRect(); const bar ="
            " document.querySelector('.actions'); return !bar.contains(e) && e !== document.body &&"
            " r.height < 200 && r.bottom > bar.getBoundingClientRect().top + 1 && e.outerHTML })()"
        )
        assert not hidden
