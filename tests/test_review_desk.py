"""The review desk over HTTP: who gets in, what each action writes, blind reviews, and a desk that
is killed."""

from __future__ import annotations

import hashlib
import http.client
import json
import re
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from support.desk import (
    BIDI,
    FAILED,
    HOSTILE,
    QUARTER,
    REVIEWER,
    RUN,
    TOKEN,
    Json,
    Visitor,
    copied,
    items,
    make_run,
    process,
    served,
    suite_run,
)

from benchmark.__main__ import main
from benchmark.core.files import to_json

WALK = 20  # 10 not on the site, 4 failed, a fifth of the 26 passes
READ_HE = "med-he-16"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    make_run(root, items())
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    """A copy of the run without reviews."""
    return copied(made, tmp_path / "root")


@pytest.fixture
def desk(root: Path) -> Iterator[Visitor]:
    with served(root) as visitor:
        yield visitor


# Who gets in --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def open_desk(made: Path) -> Iterator[Visitor]:
    """A desk at which nothing is written."""
    with served(made) as visitor:
        yield visitor


def raw(desk: Visitor, method: str, path: str, headers: Json, body: str = "") -> tuple[int, str]:
    """A request with just these headers; `Host` is not added."""
    connection = http.client.HTTPConnection(urlsplit(desk.base).netloc, timeout=20)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            connection.putheader(name, value)
        connection.endheaders(body.encode())
        reply = connection.getresponse()
        return reply.status, reply.read().decode()
    finally:
        connection.close()


def admitted(desk: Visitor) -> Json:
    """The headers of a form that is sent from the desk's own page."""
    ((name, value),) = desk.session.cookies.items()
    host = urlsplit(desk.base).netloc
    form = "application/x-www-form-urlencoded"
    return {"Host": host, "Origin": desk.base, "Cookie": f"{name}={value}", "Content-Type": form}


PATHS = [
    "/",
    "/q/med-en-01",
    "/agreement",
    "/seen",
    "/pages/med-en-01",
    "/static/desk.js",
    "/nowhere",
]


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_shown_without_the_token(open_desk: Visitor, path: str) -> None:
    with requests.Session() as stranger:
        for cookies in ({}, {f"review-desk-{urlsplit(open_desk.base).port}": "guessed"}):
            reply = stranger.get(open_desk.base + path, cookies=cookies, timeout=20)
            assert reply.status_code == 403
            assert "med-en" not in reply.text
            assert TOKEN not in reply.text


WRONG = {
    "a foreign host, as after DNS rebinding": {"Host": "evil.example"},
    "a foreign host with our port": {"Host": "evil.example:{port}"},
    "our host with another port": {"Host": "127.0.0.1:1"},
    "no host": {"Host": ""},
    "a foreign origin": {"Origin": "https://evil.example"},
    "another port's origin": {"Origin": "http://127.0.0.1:1"},
    "an opaque origin": {"Origin": "null"},
    "no origin": {"Origin": None},
    "a cross-site post": {"Sec-Fetch-Site": "cross-site"},
    "another port's post": {"Sec-Fetch-Site": "same-site"},
    "no token": {"Cookie": None},
    "a wrong token": {"Cookie": "review-desk-{port}=guessed"},
    "an empty token": {"Cookie": "review-desk-{port}="},
    "another desk's cookie": {"Cookie": f"review-desk-1={TOKEN}"},
}


@pytest.mark.parametrize("changes", WRONG.values(), ids=WRONG)
def test_nothing_else_may_write(open_desk: Visitor, changes: Json) -> None:
    """One wrong header is enough; the same request without it is let through."""
    port, headers = urlsplit(open_desk.base).port, admitted(open_desk)
    wrong = {name: value and value.format(port=port) for name, value in changes.items()}
    sent = {name: value for name, value in (headers | wrong).items() if value is not None}
    assert raw(open_desk, "POST", "/q/med-en-01/agree", sent, "seen=old")[0] == 403
    assert raw(open_desk, "POST", "/q/med-en-01/agree", headers, "seen=old")[0] == 409
    assert not open_desk.file.exists()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1.evil.example:{port}"]
)
def test_a_foreign_name_does_not_even_read(open_desk: Visitor, host: str) -> None:
    named = {"Host": host.format(port=urlsplit(open_desk.base).port)}
    for path in (*PATHS, f"/?token={TOKEN}"):
        status, text = raw(
            open_desk,
            "GET",
            path,
            admitted(open_desk) | named | {"Origin": f"http://{named['Host']}"},
        )
        assert status == 403
        assert "med-en" not in text


def test_the_token_goes_from_the_address_into_a_cookie(open_desk: Visitor) -> None:
    """Only for scripts of nobody and requests of its own pages; the address is left behind at
    once."""
    with requests.Session() as browser:
        reply = browser.get(open_desk.url, timeout=20, allow_redirects=False)
        assert (reply.status_code, reply.headers["Location"]) == (303, "/")
        cookie = reply.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Domain" not in cookie
        assert browser.get(open_desk.base, timeout=20).status_code == 200
        assert (
            browser.get(
                f"{open_desk.base}/?token=guessed", timeout=20, cookies={cookie: ""}
            ).status_code
            == 200
        )
    assert (
        raw(open_desk, "GET", "/?token=guessed", {"Host": urlsplit(open_desk.base).netloc})[0]
        == 403
    )
    assert (
        raw(
            open_desk,
            "GET",
            f"/q/med-en-01?token={TOKEN}",
            {"Host": urlsplit(open_desk.base).netloc},
        )[0]
        == 403
    )


def test_every_answer_says_what_a_browser_may_do(open_desk: Visitor) -> None:
    """No script or style but the desk's files, no frame, nothing kept, nothing for other origins;
    refusals too."""
    with requests.Session() as stranger:
        for reply in (
            open_desk.get(),
            open_desk.get("/static/desk.css"),
            stranger.get(open_desk.base, timeout=20),
        ):
            policy = reply.headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert reply.headers["Cache-Control"] == "no-store"
            assert reply.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert "Access-Control-Allow-Origin" not in reply.headers


def test_it_listens_on_loopback_alone(root: Path) -> None:
    with process(root, RUN, "--reviewer", REVIEWER) as (_, url):
        assert urlsplit(url).hostname == "127.0.0.1"
        own = socket.gethostbyname_ex(socket.gethostname())[2]
        for address in [address for address in own if not address.startswith("127.")]:
            with socket.socket() as outside:
                outside.settimeout(2)
                assert outside.connect_ex((address, urlsplit(url).port or 0)) != 0


@pytest.mark.parametrize(
    "path", ["/q/med-en-99", "/pages/med-en-99", "/q/..%2f..%2fetc", "/static/../app.py", "/x"]
)
def test_what_is_not_there(open_desk: Visitor, path: str) -> None:
    assert open_desk.get(path).status_code == 404


def test_a_form_that_is_none(open_desk: Visitor) -> None:
    """Too long, not text, an unknown action: nothing is written."""
    headers = admitted(open_desk)
    assert raw(open_desk, "POST", "/q/med-en-01/agree", headers, "seen=" + "x" * 70_000)[0] == 413
    assert raw(open_desk, "POST", "/q/med-en-01/agree", headers, "seen=א")[0] == 422
    assert (
        raw(
            open_desk,
            "POST",
            "/q/med-en-01/agree",
            headers,
            "&".join(f"f{n}=1" for n in range(200)),
        )[0]
        == 422
    )
    assert raw(open_desk, "POST", "/q/med-en-01/erase", headers, "seen=")[0] == 404
    assert not open_desk.file.exists()


# What each action writes --------------------------------------------------------------------------


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_agreeing_writes_the_entry_and_leads_on(desk: Visitor) -> None:
    """With reviewer and the answer's digest, at once; the next page is the next unread answer."""
    reply = desk.post(f"/q/{READ_HE}/agree")
    assert (reply.status_code, reply.headers["Location"]) == (303, "/q/med-he-17")
    digest = digest_of("אין לי מידע על כך.")
    assert desk.entries() == {
        READ_HE: {"answer_sha256": digest, "read": True, "reviewer": REVIEWER}
    }
    assert list(desk.entries()[READ_HE]) == ["answer_sha256", "read", "reviewer"]
    assert json.loads(desk.file.read_text("utf-8"))["quarter"] == QUARTER


def test_changing_writes_only_what_differs(desk: Visitor) -> None:
    """A measure that is left, or set to what it is, is not in the entry; the reason becomes one
    line."""
    fields = {"measure__facts": "pass", "measure__language": "pass", "measure__cited": ""}
    reply = desk.post("/q/med-en-01/change", reason=" says it\n free of charge ", **fields)
    assert reply.status_code == 303
    entry = desk.entries()["med-en-01"]
    assert entry["verdicts"] == {"facts": True}
    assert entry["reason"] == "says it free of charge"
    page = desk.get("/q/med-en-01").text
    assert "by review passes" in page
    assert "says it free of charge" in page


def test_an_undelivered_answer_is_read_by_the_digest_of_its_body(desk: Visitor) -> None:
    desk.post("/q/med-en-03/agree")
    assert desk.entries()["med-en-03"]["answer_sha256"] == digest_of('{"error": "out of order"}')
    page = desk.get("/q/med-en-03").text
    assert "No answer was delivered." in page
    assert "out of order" in page


def test_marking_faulty_leaves_the_question_out(desk: Visitor) -> None:
    """The live table shows it on the very next page."""
    assert re.search(r">facts</th><td>12/15", desk.get().text)
    desk.post("/q/med-en-01/faulty", reason="הדף אומר אחרת")
    assert desk.entries()["med-en-01"] | {"answer_sha256": ""} == {
        "answer_sha256": "", "faulty": True, "reason": "הדף אומר אחרת", "reviewer": REVIEWER,
    }  # fmt: skip
    assert re.search(r">facts</th><td>12/14", desk.get().text)


REFUSED = {
    "a change without a reason": (
        "change",
        {"measure__facts": "pass", "reason": " \n "},
        "A reason of one line",
    ),
    "a change of nothing": ("change", {"reason": "because"}, "No measure would change"),
    "a change to what it is": (
        "change",
        {"measure__facts": "fail", "reason": "because"},
        "No measure would change",
    ),
    "a measure that does not apply": (
        "change",
        {"measure__declined": "pass", "reason": "x"},
        "declined: no such",
    ),
    "an unknown measure": (
        "change",
        {"measure__taste": "pass", "reason": "x"},
        "taste: no such measure",
    ),
    "faulty without a reason": ("faulty", {}, "A reason of one line"),
}


@pytest.mark.parametrize("action, fields, says", REFUSED.values(), ids=REFUSED)
def test_an_action_that_says_too_little_is_refused(
    desk: Visitor, action: str, fields: Json, says: str
) -> None:
    reply = desk.post(f"/q/med-en-01/{action}", **fields)
    assert reply.status_code == 422
    assert says in reply.text
    assert not desk.file.exists()


def test_what_the_desk_writes_the_run_reads(desk: Visitor, root: Path) -> None:
    """`reviews.load`, with all its checks, is what `pytest --quarter` reads the file with."""
    desk.post("/q/med-en-01/change", reason="x", measure__facts="pass")
    desk.post("/q/med-en-04/faulty", reason=HOSTILE)
    desk.post("/q/med-en-16/agree")
    with served(root) as again:
        assert again.get().text.count(">changed<") == 1
        assert again.get().text.count(">faulty<") == 1
        assert "3</b> of 20 read" in again.get().text


def test_undo_puts_back_what_was_there(desk: Visitor) -> None:
    """Step by step, also an entry that was overwritten, until nothing is left of what this desk
    did."""
    desk.post("/q/med-en-01/agree")
    first = desk.file.read_bytes()
    desk.post("/q/med-en-01/faulty", reason="a slip")
    reply = desk.post("/undo")
    assert (reply.status_code, reply.headers["Location"]) == (303, "/q/med-en-01")
    assert desk.file.read_bytes() == first
    desk.post("/undo")
    assert desk.entries() == {}
    reply = desk.post("/undo")
    assert reply.status_code == 422
    assert "Nothing is left to undo" in reply.text


def test_undo_leaves_what_others_made_of_the_entry(desk: Visitor) -> None:
    """The page was loaded after their edit, and so the file is the one that was seen: it is theirs
    all the same."""
    desk.post("/q/med-en-16/agree")
    text = desk.file.read_text("utf-8").replace(REVIEWER, "somebody else")
    desk.file.write_text(text, "utf-8")
    reply = desk.post("/undo")
    assert reply.status_code == 422
    assert "was changed outside this desk since" in reply.text
    assert desk.file.read_text("utf-8") == text


def test_everything_is_walked_through_once(desk: Visitor) -> None:
    """By the addresses that the desk itself leads to: 20 answers, then the overview, which says
    that all are read."""
    where = re.search(r'href="(/q/[^"]+)" data-key="n"', desk.get().text)
    assert where
    visited = [where[1]]
    while (following := desk.post(f"{visited[-1]}/agree").headers["Location"]) != "/":
        visited.append(following)
    assert len(visited) == len(set(visited)) == WALK
    assert visited[:10] == [f"/q/med-{lang}-{n}" for lang in ("en", "he") for n in range(16, 21)]
    assert visited[10:14] == [f"/q/{name}" for name in FAILED]
    assert "All 20 answers have been read" in desk.get().text
    assert 'class="status final"' in desk.get().text


# Other people's edits -----------------------------------------------------------------------------


def test_an_edit_from_outside_is_told_and_kept(desk: Visitor) -> None:
    """What was typed is still there, and the page is up to date: one more press saves it."""
    seen = desk.seen()
    desk.file.parent.mkdir(exist_ok=True)
    theirs = {"med-en-02": {"read": True, "reviewer": "somebody else"}}
    desk.file.write_text(to_json({"quarter": QUARTER, "reviews": theirs}), "utf-8")
    reply = desk.post("/q/med-en-01/change", seen=seen, reason="my reason", measure__facts="pass")
    assert reply.status_code == 409
    assert "was changed outside this tab, so nothing was saved" in reply.text
    assert 'value="my reason"' in reply.text
    assert desk.entries() == theirs
    fresh = re.search(r'name="seen" value="([0-9a-f]{64})"', reply.text)
    assert fresh
    assert (
        desk.post(
            "/q/med-en-01/change", seen=fresh[1], reason="my reason", measure__facts="pass"
        ).status_code
        == 303
    )
    assert desk.entries()["med-en-02"] == theirs["med-en-02"]


def test_a_second_tab_is_told_too(desk: Visitor) -> None:
    """Two tabs that were loaded at the same time: the second to act has not seen the first one's
    entry."""
    seen = desk.seen()
    assert desk.post("/q/med-en-16/agree", seen=seen).status_code == 303
    assert desk.post("/q/med-en-17/agree", seen=seen).status_code == 409
    assert desk.post("/undo", seen=seen).status_code == 409
    assert list(desk.entries()) == ["med-en-16"]


def test_presses_at_once_write_one_entry(desk: Visitor) -> None:
    """Eight tabs at the same moment: one is first, and the others are told."""
    seen, codes = desk.seen(), []
    start = threading.Barrier(8)

    def press(n: int) -> None:
        start.wait(10)
        codes.append(desk.post(f"/q/med-en-{n:02}/agree", seen=seen).status_code)

    threads = [threading.Thread(target=press, args=(n,)) for n in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(codes) == [303, *[409] * 7]
    assert len(desk.entries()) == 1


def test_a_file_that_was_broken_outside_is_told_and_kept(desk: Visitor) -> None:
    desk.post("/q/med-en-16/agree")
    seen = desk.seen()
    desk.file.write_text('{"quarter": "2026-Q4", "reviews": {"<b>": {}}}', "utf-8")
    broken = desk.file.read_bytes()
    for reply in (desk.get("/q/med-en-01"), desk.post("/q/med-en-01/agree", seen=seen)):
        assert reply.status_code == 409
        assert "The review file cannot be used" in reply.text
        assert "&lt;b&gt;" in reply.text
    assert desk.file.read_bytes() == broken


def test_a_stale_review_is_not_applied_and_is_replaced(desk: Visitor) -> None:
    """Its digest is another answer's: the desk says so, and leads there."""
    desk.file.parent.mkdir(exist_ok=True)
    entry = {"faulty": True, "reason": "old", "reviewer": "A. B.", "answer_sha256": "0" * 64}
    desk.file.write_text(to_json({"quarter": QUARTER, "reviews": {"med-he-02": entry}}), "utf-8")
    page = desk.get("/q/med-he-02").text
    assert "is of another answer, so it is not applied" in page
    assert "0</b> of 20 read" in page
    desk.post("/q/med-he-02/agree")
    assert "old" not in str(desk.entries())
    assert "1</b> of 20 read" in desk.get().text


# What is shown ------------------------------------------------------------------------------------


def test_evidence_stands_in_its_pages_context(open_desk: Visitor) -> None:
    """With the page's text before and after it, and the whole site one key away."""
    item = next(item for item in items() if item["id"] == "med-he-02")
    page = open_desk.get("/q/med-he-02").text
    found = re.search(
        r'<blockquote class="page" dir="rtl" lang="he"><span'
        r' class="context">(.+?)</span><mark>(.+?)</mark>'
        r'<span class="context">(.+?)</span>',
        page,
        re.S,
    )
    assert found
    assert found[2].split() == item["evidence"].split()
    assert len(found[1]) > 10
    assert len(found[3]) > 10
    site = open_desk.get("/pages/med-he-02").text
    assert site.count("<article>") > 5
    assert '<mark id="evidence">' in site


def test_the_matched_spelling_is_marked(open_desk: Visitor) -> None:
    page = open_desk.get("/q/med-he-16").text
    assert re.search(r'<mark title="declined: [^"]+">אין לי מידע</mark>', page)


@pytest.mark.parametrize(
    "name, direction", [("med-he-02", "rtl"), ("med-en-01", "ltr"), ("med-he-16", "rtl")]
)
def test_each_answer_has_its_own_direction(open_desk: Visitor, name: str, direction: str) -> None:
    """By most of its letters: a Hebrew answer that begins with a Latin name runs from the right all
    the same."""
    answer = re.search(
        r'<div class="answer" dir="(\w+)" lang="(\w+)"', open_desk.get(f"/q/{name}").text
    )
    assert answer
    assert answer[1] == direction


def test_hostile_text_is_shown_as_text(open_desk: Visitor) -> None:
    """Markup is escaped, a template's braces stay, overrides and escapes are named; the link that
    runs is no link."""
    page = open_desk.get("/q/med-en-04").text
    assert "<script>window" not in page
    assert "<img" not in page
    assert "{{ 7*7 }}" in page
    assert BIDI[0] not in page
    assert "U+202E" in page
    assert "U+001B" in page
    assert not re.search(r"href=.javascript", open_desk.get("/q/med-en-01").text + page)
    assert "javascript:window.stolen=1" in open_desk.get("/q/med-en-01").text


def test_a_long_answer_and_lone_surrogates_are_shown_whole(tmp_path: Path) -> None:
    long = "word " * 40_000
    make_run(
        tmp_path,
        items(("en",)),
        {"med-en-01": {"answer": long}, "med-en-02": {"answer": "half \ud83d", "x": "\udc00"}},
    )
    with served(tmp_path) as desk:
        assert long in desk.get("/q/med-en-01").text
        assert "half \ufffd" in desk.get("/q/med-en-02").text
        assert desk.post("/q/med-en-02/agree").status_code == 303


def test_a_page_is_made_at_once(open_desk: Visitor) -> None:
    """A reviewer presses a key a second: a page takes a tenth of one, whatever else the machine
    does meanwhile."""
    taken = []
    for name in ("med-en-16", "med-he-02", "med-he-16"):
        start = time.process_time()
        assert open_desk.get(f"/q/{name}").status_code == 200
        taken.append(time.process_time() - start)
    assert min(taken) < 0.1


def test_a_suite_shows_reference_score_and_judge(tmp_path: Path) -> None:
    """A graded measure; a judge's error that a person gives a value; the raw reply and what the
    judge was sent."""
    suite_run(tmp_path)
    with served(tmp_path, f"{QUARTER}.a-model") as desk:
        page = desk.get("/q/translation-q-001").text
        for text in (
            "صباح الخير",
            "85.0 of 100",
            "{&#34;score&#34;: 85}",
            "JUDGE THIS",
            "difficulty",
            "llm_judge",
        ):
            assert text in page
        page = desk.get("/q/translation-q-002").text
        assert "judge error" in page
        assert "I cannot say &lt;/pre&gt;&lt;script&gt;" in page
        reply = desk.post("/q/translation-q-002/change", reason="right", measure__llm_judge="pass")
        assert reply.status_code == 303
        assert desk.entries()["translation-q-002"]["verdicts"] == {"llm_judge": True}
        assert "1</b> of 2 read" in desk.get().text


def test_a_page_on_the_web_is_linked_at_its_evidence(tmp_path: Path) -> None:
    """The shipped pages are the demo's alone: a live run is read against the live site."""
    make_run(tmp_path, items(("en",)), run="2026-Q4")
    with served(tmp_path, "2026-Q4") as desk:
        page = desk.get("/q/med-en-01").text
        assert re.search(
            r'href="https://med\.slatech\.ai/demo/clinic/en/[^"]*#:~:text=[^"]+"[^>]*noopener'
            r" noreferrer",
            page,
        )
        assert "The whole site, as text" not in page


# Two reviewers ------------------------------------------------------------------------------------


def read_all(desk: Visitor, **different: str) -> None:
    """Agree with everything; `different` questions (with _ for -) are changed in that measure."""
    names = re.findall(r'<li><a href="/q/([\w-]+)"', desk.get().text)[:WALK]
    for name in names:
        measure = different.get(name.replace("-", "_"))
        if measure:
            fields = {f"measure__{measure}": "fail", "reason": f"I differ on {name}"}
            assert desk.post(f"/q/{name}/change", **fields).status_code == 303
        else:
            assert desk.post(f"/q/{name}/agree").status_code == 303


@pytest.mark.slow
def read_first(root: Path) -> bytes:
    """The first reviewer's file: everything read, one value changed and one question faulty."""
    with served(root, reviewer="First Reader") as first:
        read_all(first, med_en_16="declined")
        first.post("/q/med-en-01/faulty", reason="a secret reason")
        return first.file.read_bytes()


def test_a_blind_reviewer_sees_nothing_of_the_first(root: Path) -> None:
    """Neither entries nor their effect, on any page, until everything has been read."""
    entries = read_first(root)
    with served(root, reviewer="Second Reader", blind=True) as second:
        for path in ("/", "/agreement", "/q/med-en-16", "/q/med-en-01"):
            page = second.get(path).text
            for word in ("First Reader", "I differ", "a secret reason", ">changed<", ">read<"):
                assert word not in page
        assert "Hidden until you have read everything: 20 of 20" in second.get("/agreement").text
        read_all(second, med_he_16="declined")
        assert second.file.read_bytes() == entries
        file = root / "reviews" / f"reviews-{RUN}.by_second-reader.json"
        assert len(second.entries(file)) == WALK


def test_two_reviewers_that_are_done_see_how_far_they_agree(root: Path) -> None:
    read_first(root)
    with served(root, reviewer="Second Reader", blind=True) as second:
        read_all(second, med_he_16="declined")
        page = second.get("/agreement").text
        # 20 read by both; declined: 10 not on the site, of which each reviewer fails another one
        assert re.search(
            r"declined</th><td>8</td><td>1</td><td>1</td><td>0</td><td>80\.0%</td><td>-0\.111</td>",
            page,
        )
        assert re.search(
            r"question is sound</th><td>19</td><td>0</td><td>1</td><td>0</td><td>95\.0%", page
        )
        assert "Disagreements to settle (3)" in page
        for text in ("I differ on med-en-16", "I differ on med-he-16", "a secret reason"):
            assert text in page
        reply = second.post("/q/med-en-16/agree")
        assert reply.status_code == 422
        assert "no longer be blind" in reply.text
    with served(root, reviewer="First Reader") as first:
        page = first.get("/agreement").text
        assert "Second Reader" in page
        assert "Disagreements to settle (3)" in page


def test_the_first_reviewer_does_not_see_an_unfinished_second(root: Path) -> None:
    with served(root, reviewer="Second Reader", blind=True) as second:
        second.post("/q/med-en-16/faulty", reason="a secret reason")
    with served(root, reviewer="First Reader") as first:
        read_all(first)
        page = first.get("/agreement").text
        assert "19 answers are left" in page
        assert "a secret reason" not in page


# The command --------------------------------------------------------------------------------------


def enter(url: str) -> Visitor:
    """A visitor by the address that a process printed."""
    parts = urlsplit(url)
    visitor = Visitor(f"http://{parts.netloc}", Path())
    assert visitor.session.get(url, timeout=20).status_code == 200
    return visitor


def test_a_killed_desk_loses_no_entry(root: Path) -> None:
    """SIGKILL right after an answer that came back, and amid presses: what was acknowledged is in
    the file, whole."""
    file = root / "reviews" / f"reviews-{RUN}.json"
    acknowledged: list[str] = []
    for kill_after in (1, 6):
        with process(root, RUN, "--reviewer", REVIEWER) as (child, url):
            visitor = enter(url)
            names = [f"med-he-{n:02}" for n in range(1, 21) if f"med-he-{n:02}" not in acknowledged]
            presser = threading.Thread(target=press_until_dead, args=(visitor, names, acknowledged))
            wanted = len(acknowledged) + kill_after
            presser.start()
            while len(acknowledged) < wanted:
                presser.join(0.001)
                assert presser.is_alive()
            child.send_signal(signal.SIGKILL)
            presser.join(20)
            assert child.wait(10) == -signal.SIGKILL
            visitor.session.close()
        assert set(acknowledged) <= set(json.loads(file.read_text("utf-8"))["reviews"])
    with served(root) as desk:
        assert desk.get().status_code == 200
        assert desk.post("/q/med-en-16/agree").status_code == 303


def press_until_dead(visitor: Visitor, names: list[str], acknowledged: list[str]) -> None:
    for name in names:
        try:
            if visitor.post(f"/q/{name}/agree").status_code == 303:
                acknowledged.append(name)
        except requests.RequestException:
            return


def test_ctrl_c_ends_the_desk_with_0(root: Path) -> None:
    with process(root, RUN, "--reviewer", REVIEWER) as (child, url):
        visitor = enter(url)
        visitor.session.close()
        child.send_signal(signal.SIGINT)
        assert child.wait(20) == 0
        assert child.stdout
        assert child.stdout.read() == ""


def test_a_used_port_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["review", RUN, "--port", str(port), "--reviewer", REVIEWER]) == 4
        assert main(["review", RUN, "--port", "70000", "--reviewer", REVIEWER]) == 4
    said = capsys.readouterr().err
    assert f"--port: got {port}, which cannot be used (Address already in use)" in said
    assert "--port: got 70000" in said


def test_without_any_name_nothing_is_served(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", "/dev/null")
    assert subprocess.run(
        ["git", "-C", str(root), "config", "user.name"], check=False, capture_output=True
    ).returncode
    assert main(["review", RUN]) == 4
    assert "--reviewer: missing; expected your name" in capsys.readouterr().err
