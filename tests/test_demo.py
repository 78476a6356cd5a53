"""The embedded target: its pages, its assistant, its server, and the process that runs it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen

import numpy as np
import pytest
import requests
import uvicorn

from benchmark.demo import DemoError, index, process
from benchmark.demo.assistant import FEWEST, MOST, Answer, Assistant, Hit, how_many
from benchmark.demo.embedding import SIZE, E5Embedder, Vectors
from benchmark.demo.lexical import stems
from benchmark.demo.server import create_app
from benchmark.demo.sites import WIDGET_KEY, Site, load, strings
from benchmark.questions import sites as question_sets

QUESTION_FILES = Path(__file__).resolve().parents[1] / "questions"
KINDS = {"med": "clinic", "biz": "office"}

ABOUT = ("name", "phone", "street", "city")
SITES: dict[str, tuple[tuple[str, str, str, str], dict[str, list[str]]]] = {
    # what it says about itself; its pages by path: a heading and paragraphs
    "clinic/en": (
        ("Test <Clinic>", "(207) 555-0100", "1 </script> Street", "Town"),
        {
            "": ["Welcome", "We are a small clinic by the sea.", "Our doctors know patients well."],
            "prices/": ["Prices", "A flu shot costs $41.", "Parking behind the house is free."],
            "café/": ["Café", "The café sells cake on Tuesdays.", "Newspapers lie on the table."],
        },
    ),
    "clinic/he": (
        ("מרפאה", "04-555-0100", "הרחוב 1", "חיפה"),
        {
            "": ["ברוכים הבאים", "אנחנו מרפאה קטנה ליד הים.", "הרופאים שלנו ותיקים."],
            "prices/": ["מחירים", "חיסון נגד שפעת עולה 52 שקלים.", "החניה מאחורי הבית חינם."],
        },
    ),
    "clinic/ru": (
        ("Клиника", "+7 843 555-01-00", "Улица, 1", "Казань"),
        {
            "": ["Добро пожаловать", "Мы маленькая клиника у реки.", "Врачи работают давно."],
            "prices/": ["Цены", "Прививка от гриппа стоит 630 рублей.", "Парковка бесплатная."],
        },
    ),
    "office/en": (
        ("Test Office", "0117 496 0100", "2 Street", "Bristol"),
        {"": ["Office", "The office plant is called Gerald.", "We keep books for small firms."]},
    ),
}
QUESTIONS = {
    "en": ("how much is a flu shot", "41"),
    "he": ("כמה עולה חיסון נגד שפעת", "52"),
    "ru": ("сколько стоит прививка от гриппа", "630"),
}


class WordEmbedder:
    """Texts with common words are near each other: as good as a model for the words of these tests,
    and at once."""

    name = "words"

    def query(self, text: str) -> Vectors:
        row = np.full(SIZE, 0.25, np.float32)  # cosines lie as close together as those of a model
        for stem in stems(text):
            row[int.from_bytes(stem.encode(), "big") % SIZE] += 1
        return np.asarray(row / np.linalg.norm(row), np.float32)

    def passages(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self.query(text) for text in texts])


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> tuple[Site, ...]:
    root = tmp_path_factory.mktemp("sites")
    for place, (about, pages) in SITES.items():
        _write_site(root / place, dict(zip(ABOUT, about, strict=True)), pages)
    return load(root)


def _write_site(folder: Path, about: dict[str, str], pages: dict[str, list[str]]) -> None:
    folder.mkdir(parents=True)
    entries = []
    for n, (path, (heading, *paragraphs)) in enumerate(pages.items()):
        html = f"<h1>{heading}</h1>" + "".join(f"<p>{each}</p>" for each in paragraphs)
        (folder / f"{n}.html").write_text(html, "utf-8")
        names = {"nav": f"Page {n}", "title": f"Title & {n}", "description": "About."}
        entries.append({"path": path, "file": f"{n}.html"} | names)
    fixed = {"organization_type": "Organization", "email": "a@h.example", "country": "XX"}
    value = fixed | {"tagline": "t", "footer": "f"} | about | {"pages": entries}
    (folder / "site.json").write_text(json.dumps(value), "utf-8")


@pytest.fixture(scope="module", autouse=True)
def _no_cache_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def assistant(sites: tuple[Site, ...]) -> Assistant:
    return Assistant(sites, index.build(sites, WordEmbedder(), Path("none")), WordEmbedder())


class Client(requests.Session):
    """Requests to one server, without following redirects."""

    def __init__(self, base_url: str) -> None:
        super().__init__()
        self.base_url = base_url

    def request(self, method: Any, url: Any, *rest: Any, **more: Any) -> requests.Response:
        more |= {"allow_redirects": False, "timeout": 30}
        return super().request(method, self.base_url + str(url), *rest, **more)


@pytest.fixture(scope="module")
def client(sites: tuple[Site, ...]) -> Iterator[Client]:
    listener = socket.create_server(("127.0.0.1", 0))
    app = create_app(sites, WordEmbedder(), Path("none"))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    yield Client(f"http://127.0.0.1:{listener.getsockname()[1]}")
    server.should_exit = True
    thread.join(10)


def site_of(sites: Sequence[Site], language: str, kind: str = "clinic") -> Site:
    return next(site for site in sites if (site.kind, site.language) == (kind, language))


def post(client: Client, site: Site, body: Any, **headers: str | None) -> Any:
    sent: dict[str, Any] = {"X-Site-Id": site.site_id, "X-Widget-Key": WIDGET_KEY}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post("/v1/query/ask", content, headers=sent)


# --- What it may know


OPENED = """
import sys
opened = []
def hook(event, args):
    if event in ("open", "os.listdir"):
        opened.append(str(args[0]))
sys.addaudithook(hook)
from benchmark.demo.server import create_app
from benchmark.demo.sites import load
from benchmark.demo.embedding import E5Embedder
from benchmark.demo.index import build
from benchmark.demo.assistant import Assistant
sites, embedder = load(), E5Embedder()
create_app(sites, embedder)
Assistant(sites, build(sites, embedder), embedder).ask(sites[0], "what does it cost")
print("\\n".join(opened))
"""


def test_the_demo_opens_no_question_file() -> None:
    """It must never read the question files: from start to an answer no such file is opened, nor
    its folder listed."""
    command = [sys.executable, "-c", OPENED]
    shown = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    opened = shown.stdout.splitlines()
    assert any(name.endswith("index.npz") for name in opened)
    assert not [name for name in opened if re.search(r"\bquestions\b(?!\.pyc?$)", name)]


# --- Pages


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("he", "rtl"), ("ru", "ltr")])
def test_language_and_direction(sites: tuple[Site, ...], language: str, direction: str) -> None:
    """A page says its language and writing direction."""
    assert f'<html lang="{language}" dir="{direction}">' in site_of(sites, language).pages[0].html


def test_addresses(sites: tuple[Site, ...]) -> None:
    """Public addresses are the rubric's, percent-encoded, and each page names its own as
    canonical."""
    site = site_of(sites, "en")
    assert site.root_url == "https://med.slatech.ai/demo/clinic/en/"
    assert site_of(sites, "en", "office").root_url == "https://business.slatech.ai/demo/office/en/"
    assert site.site_id == str(uuid.uuid5(uuid.NAMESPACE_URL, site.root_url))
    assert site.pages[2].url == site.root_url + "caf%C3%A9/"
    assert all(f'<link rel="canonical" href="{page.url}">' in page.html for page in site.pages)
    assert 'href="/demo/clinic/en/caf%C3%A9/" aria-current="page"' in site.pages[2].html


def test_text_of_a_site_is_escaped(sites: tuple[Site, ...]) -> None:
    """Names are text, in HTML and in JSON-LD, where a closing script tag must not end the
    script."""
    html = site_of(sites, "en").pages[0].html
    linked = re.search(r'<script type="application/ld\+json">(.*?)</script>', html)
    assert linked
    organization = json.loads(linked[1])
    assert organization["name"] == "Test <Clinic>"
    assert organization["telephone"] == "(207) 555-0100"
    assert organization["address"]["streetAddress"] == "1 </script> Street"
    assert "Test &lt;Clinic&gt;" in html
    assert "<Clinic>" not in html


def test_the_languages_say_the_same_things() -> None:
    """Layout, widget and assistant have every string in every language."""
    assert len({frozenset(text) for text in strings().values()}) == 1


def test_a_broken_site_is_named(tmp_path: Path) -> None:
    """An error names the file; a folder without sites is an error too."""
    with pytest.raises(DemoError, match="no site found"):
        load(tmp_path)
    (tmp_path / "clinic" / "en").mkdir(parents=True)
    (tmp_path / "clinic" / "en" / "site.json").write_text("{}", "utf-8")
    with pytest.raises(DemoError, match=r"site\.json: KeyError: 'pages'"):
        load(tmp_path)


# --- The assistant


@pytest.mark.parametrize("language", QUESTIONS)
def test_answers_from_the_right_site(
    sites: tuple[Site, ...], assistant: Assistant, language: str
) -> None:
    """An answer quotes that site and language only, and names the page it quotes."""
    question, fact = QUESTIONS[language]
    site = site_of(sites, language)
    answer = assistant.ask(site, question)
    assert answer.grounded
    assert fact in answer.text
    assert answer.sources[0].url == f"{site.root_url}prices/"
    assert all(source.url.startswith(site.root_url) for source in answer.sources)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "couldn't find"), ("he", "לא מצאתי"), ("ru", "не нашёл")]
)
def test_declines(sites: tuple[Site, ...], assistant: Assistant, language: str, words: str) -> None:
    """Under the threshold it declines in the site's language, with that site's phone and no
    source."""
    site = site_of(sites, language)
    answer = assistant.ask(site, "zzz", threshold=1)
    assert words in answer.text
    assert site.phone in answer.text
    assert (answer.sources, answer.grounded) == ((), False)


def test_another_language_is_not_searched(sites: tuple[Site, ...], assistant: Assistant) -> None:
    """What only another site says is not found."""
    question = "what is the office plant called, Gerald?"
    assert "Gerald" in assistant.ask(site_of(sites, "en", "office"), question).text
    assert "Gerald" not in assistant.ask(site_of(sites, "en"), question, threshold=0).text


def test_top_k_and_threshold(sites: tuple[Site, ...], assistant: Assistant) -> None:
    """``topK`` caps the passages; sources come best first, one a page, scored from 0 to 1."""
    site = site_of(sites, "en")
    one, many = (
        assistant.ask(site, "newspapers and doctors", top_k=k, threshold=0) for k in (1, 20)
    )
    assert len(one.text.split("\n\n")) == len(one.sources) == 1
    scores = [source.score for source in many.sources]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert len({source.url for source in many.sources}) == len(many.sources) > 1


CUTS = {
    (0.9, 0.8, 0.3, 0.2, 0.1): (10, 2),
    (0.9, 0.8, 0.7, 0.2, 0.1): (10, 3),
    (0.9, 0.1, 0.1, 0.1, 0.0): (10, 4),
    (0.9, 0.8, 0.7, 0.2, 0.0): (2, 2),
    (0.9, 0.1, 0.0): (1, 1),
    (0.9,): (10, 1),
}


@pytest.mark.parametrize("scores, cut", CUTS.items())
def test_the_cut_lies_in_the_widest_gap(scores: list[float], cut: tuple[int, int]) -> None:
    most, count = cut
    assert how_many([*scores], most) == count


def test_same_question_same_answer(sites: tuple[Site, ...], assistant: Assistant) -> None:
    """Answers depend on neither order nor concurrency."""
    asked = [(site_of(sites, code), question) for code, (question, _) in QUESTIONS.items()] * 8

    def ask(each: tuple[Site, str]) -> Answer:
        return assistant.ask(*each)

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(ask, asked)) == list(map(ask, reversed(asked)))[::-1]


def test_the_model_itself(sites: tuple[Site, ...]) -> None:
    """The real model finds what a visitor says in other words, and gives the same vectors to
    threads at once."""
    embedder, site = E5Embedder(), site_of(sites, "en")
    real = Assistant([site], index.build([site], embedder, Path("none")), embedder)
    assert "$41" in real.ask(site, "what do you charge for an influenza vaccination").text
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(embedder.query, ["one question"] * 8))
    assert all(np.array_equal(row, rows[0]) for row in rows)


# --- The index


class CountingEmbedder(WordEmbedder):
    def __init__(self) -> None:
        self.embedded = 0

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        return super().passages(texts)


def test_the_shipped_index_is_up_to_date() -> None:
    """After a page has changed: python -m benchmark.demo.index."""
    expected = {index.site_digest(site, E5Embedder().name) for site in load()}
    with np.load(index.SHIPPED) as shipped:
        assert set(shipped.files) == expected, "run: python -m benchmark.demo.index"


def closeness(hits: list[Hit]) -> dict[str, float]:
    """How far the scores of an answer are from another decision: by the threshold, by the number of
    passages, by the order of pages. The order of passages of one page is that of the page."""
    scores = [hit.score for hit in hits]
    decision = {"declined or not": abs(scores[0] - 0.5)}
    if scores[0] < 0.5:
        return decision
    gaps = sorted(scores[n - 1] - scores[n] for n in range(FEWEST, MOST + 1))
    pages: dict[str, float] = {}
    for hit in hits[: how_many(scores, 10)]:
        pages.setdefault(hit.url, hit.score)
    order = min((a - b for a, b in pairwise(pages.values())), default=1.0)
    return decision | {"passages": gaps[-1] - gaps[-2], "pages": order}


@pytest.mark.slow
def test_answers_are_the_same_on_every_machine() -> None:
    """No decision on a shipped question is within 0.01 of another one, the noise of a processor.

    After a page has changed, or the model: move the constants of ``assistant``."""
    sites, embedder = load(), E5Embedder()
    served = Assistant(sites, index.build(sites, embedder), embedder)
    close: dict[str, float] = {}
    for name, kind in KINDS.items():
        for q in question_sets.load(QUESTION_FILES / f"questions-{name}.json").questions:
            hits = served.search(site_of(sites, q.language, kind), q.question)
            close |= {f"{q.id} {what}": m for what, m in closeness(hits).items() if m < 0.01}
    assert close == {}


def test_vectors_are_made_once(
    sites: tuple[Site, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shipped vectors are used; a changed site is embedded, alone, and then cached."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    embedder, shipped = CountingEmbedder(), tmp_path / "index.npz"
    index.write(sites[1:], embedder, shipped)
    embedder.embedded = 0
    first = index.build(sites, embedder, shipped)
    assert embedder.embedded == sum(len(each.lines) for each in index.passages_of(sites[0]))
    again = index.build(sites, embedder, shipped)
    assert embedder.embedded == sum(len(each.lines) for each in index.passages_of(sites[0]))
    assert first.digest == again.digest
    for site in sites:
        assert np.array_equal(first.sites[site.site_id].vectors, again.sites[site.site_id].vectors)


def test_a_cache_that_cannot_be_used(
    sites: tuple[Site, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an unwritable cache nor a torn file is an error."""
    blocked, torn = tmp_path / "blocked", tmp_path / "index.npz"
    blocked.write_text("a file where the folder should be", "utf-8")
    torn.write_bytes(b"PK\x03\x04 torn")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    digests = [index.build(sites, WordEmbedder(), path).digest for path in (torn, Path("none"))]
    assert digests[0] == digests[1]


# --- The server


def test_the_contract(sites: tuple[Site, ...], client: Client) -> None:
    """The answer as the vendor documents it, in UTF-8, with a version."""
    site = site_of(sites, "ru")
    text = " сколько стоит прививка от гриппа "
    reply = post(client, site, {"question": text, "pageUrl": site.root_url})
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/json; charset=utf-8"
    body = reply.json()
    assert set(body) == {"answer", "sources", "hasGroundingContent", "version"}
    assert "630" in body["answer"]
    assert set(body["sources"][0]) == {"sourceUrl", "snippet", "score"}
    assert body["hasGroundingContent"] is True
    assert re.fullmatch(r"demo-1\.[0-9a-f]{8}", body["version"])


CLINIC = "https://med.slatech.ai/demo/clinic"
BAD_BODIES: dict[str, Any] = {
    "no JSON": b"question=x",
    "no UTF-8": b'{"question": "\xff"}',
    "lone surrogate": b'{"question": "\\ud800"}',
    "no object": [],
    "no question": {},
    "blank": {"question": " \n "},
    "too long": {"question": "x" * 2001},
    "no text": {"question": 7},
    "topK 0": {"question": "x", "topK": 0},
    "topK 21": {"question": "x", "topK": 21},
    "topK no integer": {"question": "x", "topK": "10"},
    "threshold over 1": {"question": "x", "scoreThreshold": 1.1},
    "threshold NaN": b'{"question": "x", "scoreThreshold": NaN}',
    "page of another site": {"question": "x", "pageUrl": f"{CLINIC}/he/"},
    "page beside the site": {"question": "x", "pageUrl": f"{CLINIC}/english/"},
    "no page": {"question": "x", "pageUrl": "javascript:1"},
}


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES)
def test_bad_input(sites: tuple[Site, ...], client: Client, body: Any) -> None:
    """422 as problem JSON that says what is wrong."""
    reply = post(client, site_of(sites, "en"), body)
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json; charset=utf-8"
    assert reply.json()["detail"]


def test_who_may_ask(sites: tuple[Site, ...], client: Client) -> None:
    """The site and the widget's public key are needed: 401 without, 403 for a site that is not
    served."""
    site, body = site_of(sites, "en"), {"question": "flu shot"}
    assert post(client, site, body, X_Site_Id=site.site_id.upper()).status_code == 200
    assert post(client, site, body, X_Site_Id=None).status_code == 401
    assert post(client, site, body, X_Site_Id=str(uuid.uuid4())).status_code == 403
    assert post(client, site, body, X_Widget_Key=None).status_code == 401
    assert post(client, site, body, X_Widget_Key="wrong").status_code == 401


def test_large_bodies_are_refused(sites: tuple[Site, ...], client: Client) -> None:
    """413 over 64 kB."""
    body = b'{"question": "x", "more": "' + b"x" * 65_536 + b'"}'
    reply = post(client, site_of(sites, "en"), body)
    assert (reply.status_code, reply.json()["status"]) == (413, 413)


def test_the_counter(sites: tuple[Site, ...], client: Client) -> None:
    """Every request to ask counts, refused ones too; nothing else does."""
    before = client.get("/v1/stats").json()["asked"]
    post(client, site_of(sites, "en"), {"question": "flu shot"})
    post(client, site_of(sites, "en"), {})
    client.get("/")
    assert client.get("/v1/stats").json() == {"asked": before + 2}


def test_pages_are_served(sites: tuple[Site, ...], client: Client) -> None:
    """Every page at its public path, non-ASCII ones too; `/` lists the sites; the slash is
    added."""
    for site in sites:
        for page in site.pages:
            assert client.get("/" + page.url.split("/", 3)[3]).text == page.html
        assert site.root_url.split("/", 3)[3] in client.get("/").text
    redirect = client.get("/demo/clinic/en/caf%C3%A9")
    assert redirect.status_code == 308
    assert redirect.headers["location"] == "/demo/clinic/en/caf%C3%A9/"
    assert client.head("/demo/clinic/en/").status_code == 200


def test_missing_pages(client: Client) -> None:
    """404 in the language of the site; problem JSON where a program asked."""
    reply = client.get("/demo/clinic/he/none/")
    assert reply.status_code == 404
    assert '<html lang="he" dir="rtl">' in reply.text
    assert client.get("/none").status_code == 404
    assert client.get("/v1/none").headers["content-type"].startswith("application/problem+json")


@pytest.mark.parametrize(
    "path", ["/", "/demo/clinic/en/", "/none", "/widget.js", "/site.css", "/v1/stats"]
)
def test_security_headers(client: Client, path: str) -> None:
    """No inline script may run, and no type is guessed."""
    headers = client.get(path).headers
    assert "script-src 'self';" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_the_widget_writes_text_only(client: Client) -> None:
    """Answers cannot bring markup into a page."""
    script = client.get("/widget.js").text
    assert "textContent" in script
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", script)


# --- The process


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with process.running() as url:
        yield url


def test_it_runs_beside_us(base_url: str) -> None:
    """A server on a free loopback port, with the shipped sites."""
    with urlopen(f"{base_url}/demo/office/he/") as reply:
        assert 'dir="rtl"' in reply.read().decode()


def test_a_used_port(base_url: str) -> None:
    """A port in use is named, with what to do."""
    port = int(base_url.rsplit(":", 1)[1])
    said = rf"cannot serve on port {port} .*; --port 0 takes a free one"
    with pytest.raises(DemoError, match=said), process.running(port):
        pass


def test_it_stops_whatever_happens() -> None:
    """The port is free again after the block, also after an error in it."""
    with pytest.raises(ZeroDivisionError), process.running() as url:
        raise ZeroDivisionError
    assert _closes(int(url.rsplit(":", 1)[1]), tries=1)


def test_too_slow_a_start() -> None:
    """What is not ready in time is an error, and is stopped."""
    with pytest.raises(DemoError, match=r"not ready in 0\.01 s"), process.running(timeout_s=0.01):
        pass


PARENT = """
from benchmark.demo.process import running
with running() as url: print(url, flush=True); input()
"""


def parent(before: str = "") -> tuple[subprocess.Popen[str], str]:
    """A process of its own with a server beside it, and where that is."""
    command = [sys.executable, "-c", before + PARENT]
    streams: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    child = subprocess.Popen(command, **streams, text=True, start_new_session=True)
    assert child.stdout
    return child, child.stdout.readline().strip()


def test_it_ends_with_its_parent() -> None:
    """A parent that is killed takes the server with it."""
    child, url = parent()
    child.kill()
    child.communicate()
    assert _closes(int(url.rsplit(":", 1)[1]))


def test_an_interrupt_from_the_keyboard_is_not_for_it() -> None:
    """Ctrl-C goes to the whole group of the terminal: what is under way is answered, and then the
    server is stopped."""
    child, url = parent("import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)")
    os.killpg(child.pid, signal.SIGINT)
    time.sleep(0.5)
    with urlopen(f"{url}/demo/office/he/") as reply:
        assert reply.status == 200
    child.communicate("\n")


def _closes(port: int, tries: int = 50) -> bool:
    for _ in range(tries):
        with socket.socket() as probe:
            probe.settimeout(0.2)
            if probe.connect_ex(("127.0.0.1", port)):
                return True
        time.sleep(0.1)
    return False
