"""Targets are data: the vendor's live one, and one of another make that speaks the same contract in
other words."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.assistant import Asked, Assistant, Json, Reply, as_json, assistant, right
from support.project import ROOT, Done, Project, copy

from benchmark.asking import targets
from benchmark.core.records import Question
from benchmark.demo.sites import load as load_sites

SITES = [f"{site}_{language}" for site in ("MED", "BIZ") for language in ("EN", "HE", "RU")]
LIVE_VARIABLES = {"SLATECH_WIDGET_KEY", *(f"SLATECH_SITE_ID_{site}" for site in SITES)}
FOLDERS = {"med": "clinic", "biz": "office"}
ASKED = Question("med-ru-07", "med", "ru", "answerable", "${SLATECH_WIDGET_KEY} {page}")
SECRETS = {
    "VENDOR_KEY": "k-5ecret-of-the-vendor",
    "VENDOR_SITE_MED_RU": "s-5ecret-site",
    "VENDOR_TENANT": "t-5ecret",
}


# The live target ----------------------------------------------------------------------------------


def test_the_live_target_names_every_missing_variable_in_one_error(project: Project) -> None:
    """Each site's id and the widget key come from the environment; nothing is asked or written
    without them."""
    done = project.quarter("--target", "live").expect(4, "7 faults", "docs/live.md")
    for name in LIVE_VARIABLES:
        assert f"target live: the environment variable {name} is not set" in done.said
    assert list((project.root / "reports").iterdir()) == []


def test_only_what_the_selected_questions_need_must_be_set(project: Project) -> None:
    done = project.quarter("--target", "live", "-k", "med and he", SLATECH_WIDGET_KEY="k")
    done.expect(4, "the environment variable SLATECH_SITE_ID_MED_HE is not set")
    assert not done.names("SLATECH_WIDGET_KEY")
    assert not done.names("MED_EN")


def test_the_live_target_is_the_documented_public_api() -> None:
    """Rubric, "Asking"."""
    live = targets.load("live")
    request = targets.prepare(live, ASKED)
    assert request.url == "https://api.slatech.ai/v1/query/ask"
    assert request.headers["X-Site-Id"] == "${SLATECH_SITE_ID_MED_RU}"
    assert request.body == {
        "question": ASKED.question,
        "topK": 10,
        "scoreThreshold": 0.5,
        "pageUrl": "https://med.slatech.ai/demo/clinic/ru/",
    }
    assert live.rehearsal is False
    assert live.concurrency == 1
    assert (live.places.answer, live.places.sources) == ("answer", "sources[].sourceUrl")


def test_text_that_looks_like_a_variable_draws_nothing_out_of_the_environment() -> None:
    """A question, or a model's answer that a judge is to read, may hold `${NAME}`: it is sent as it
    stands."""
    live = targets.load("live")
    question = dataclasses.replace(ASKED, question="what is ${SLATECH_WIDGET_KEY} and ${HOME}")
    environment = {name: f"value of {name}" for name in (*LIVE_VARIABLES, "HOME")}
    sent = targets.sent(live, targets.prepare(live, question), environment)
    assert sent.headers == {
        "X-Site-Id": "value of SLATECH_SITE_ID_MED_RU",
        "X-Widget-Key": "value of SLATECH_WIDGET_KEY",
    }
    assert sent.body["question"] == question.question
    assert "value of" not in repr(sent)


# A vendor of another make -------------------------------------------------------------------------


def pages() -> dict[str, str]:
    """Every page of the shipped sites by its path, percent-encoded as it is asked for."""
    return {urlsplit(page.url).path: page.html for site in load_sites() for page in site.pages}


def rewritten(root: Path, address: str) -> None:
    """The question files with their pages on loopback, as if the vendor's sites were there."""
    for file in (root / "questions").glob("questions-*.json"):
        text = file.read_text("utf-8")
        for site in ("https://med.slatech.ai", "https://business.slatech.ai"):
            text = text.replace(site, address)
        file.write_text(text, "utf-8")


def vendor(root: Path, address: str) -> str:
    """A target file with no field name in common with the vendor's, and secrets in header, body and
    address."""
    sites = {}
    for name in SITES:
        site, language = name.lower().split("_")
        page = f"{address}/demo/{FOLDERS[site]}/{language}/"
        sites[f"{site}-{language}"] = {"page": page, "site": f"${{VENDOR_SITE_{name}}}"}
    value = {
        "name": "vendor",
        "label": "a vendor of another make",
        "rehearsal": False,
        "endpoint": address + "/chat/${VENDOR_TENANT}/answers",
        "headers": {"Authorization": "Bearer ${VENDOR_KEY}"},
        "body": {
            "input": {"text": "{question}"},
            "context": {"url": "{page}", "property": "{site}"},
            "limit": 5,
        },
        "response": {
            "answer": "result.text",
            "sources": "result.refs[].link",
            "no_grounding": "result.grounded",
            "error": "fault",
            "version": "meta.build",
        },
        "sites": sites,
    }
    path = root / "vendor.json"
    path.write_text(json.dumps(value), "utf-8")
    return str(path)


def in_other_words(questions: list[Json]) -> dict[str, Reply]:
    """Right answers under the vendor's names; the sources are relative, and followed by another
    page."""
    replies = {}
    for question in questions:
        said = right(question)
        urls = [urlsplit(source["sourceUrl"]).path for source in said["sources"]]
        refs = [{"link": url} for url in (*urls, "/elsewhere")]
        result = {"text": said["answer"], "refs": refs, "grounded": said["hasGroundingContent"]}
        value = {"result": result, "meta": {"build": "7.1"}, "fault": None}
        replies[question["question"]] = as_json(value)
    return replies


class Vendor:
    """The other vendor: its project, its server with the pages it serves, and the target file that
    names it."""

    def __init__(
        self, pytester: pytest.Pytester, server: Assistant, served: dict[str, str]
    ) -> None:
        project = copy(pytester.path, pytester=pytester)
        rewritten(project.root, server.url)
        self.server, self.served = server, served
        self.project = dataclasses.replace(project, run_name="2026-Q4.vendor")
        self.target = vendor(project.root, server.url)
        self.replies = in_other_words(project.questions())

    def run(self, *arguments: str, **environment: str) -> Done:
        return self.project.quarter("--target", self.target, *arguments, **environment)

    def files(self) -> dict[str, bytes]:
        """Every file that is not one of the copy's own, wherever it lies."""
        found = (path for path in (self.project.root / "reports").rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in found}


@pytest.fixture
def other(pytester: pytest.Pytester) -> Iterator[Vendor]:
    served = pages()

    def answer(asked: Asked) -> Reply | None:
        return it.replies.get(asked.body["input"]["text"])

    with assistant(answer, served) as server:
        it = Vendor(pytester, server, served)
        yield it


def secret_variables() -> dict[str, str]:
    return {f"VENDOR_SITE_{site}": "s" for site in SITES} | SECRETS


def test_a_target_of_other_names_is_asked_and_read_by_its_file_alone(other: Vendor) -> None:
    """A whole quarter: other address, other fields, other places; no secret in anything that was
    written or said."""
    done = other.run(**secret_variables()).expect(0)
    assert "A VENDOR OF ANOTHER MAKE" not in done.out, "which is how a rehearsal is labelled"
    key = SECRETS["VENDOR_SITE_MED_RU"]
    asked = next(a for a in other.server.asked if a.body["context"]["property"] == key)
    assert asked.path == f"/chat/{SECRETS['VENDOR_TENANT']}/answers"
    assert asked.headers["Authorization"] == f"Bearer {SECRETS['VENDOR_KEY']}"
    assert asked.body["context"]["url"].endswith("/demo/clinic/ru/")
    assert asked.body["limit"] == 5
    assert other.server.most_at_once == 1, "a target's own default"
    results = other.project.read("results.json")
    assert results["platform_version"] == "7.1"
    target = {"name": "vendor", "label": "a vendor of another make", "rehearsal": False}
    assert results["target"] == target
    assert {row["reviewed"] for row in results["table"] if row["measure"] == "cited"} == {15}
    files = other.files()
    assert len(files) > 5
    for name, data in files.items():
        assert not any(secret.encode() in data for secret in SECRETS.values()), name
    assert not any(secret in done.said for secret in SECRETS.values())
    request = other.project.line("med-ru-07")["request"]
    assert request["headers"]["Authorization"] == "Bearer ${VENDOR_KEY}"
    assert request["json"]["context"]["property"] == "${VENDOR_SITE_MED_RU}"
    assert request["url"].endswith("/chat/${VENDOR_TENANT}/answers")
    assert b"banner rehearsal" not in (other.project.folder / "en" / "index.html").read_bytes()


def test_a_secret_is_not_told_when_a_request_fails(other: Vendor) -> None:
    """Neither in the record, nor in the message of the failed test."""
    other.replies.clear()
    done = other.run("-k", "med-ru-07", **secret_variables()).expect(1, "connection error")
    said = done.said.encode() + b"".join(other.files().values())
    assert not any(secret.encode() in said for secret in SECRETS.values())


UNSENDABLE = ["k-5ecret\n", " k-5ecret", "k-5ecret\r\nX-Other: 1", "k-5ecret–dash", "\t"]
ODD = "holds outer white space or a character that is not printable"


@pytest.mark.parametrize("value", UNSENDABLE)
def test_a_secret_that_no_header_can_carry_is_a_fault_and_not_shown(value: str) -> None:
    (fault,) = targets.environment_faults(targets.load("live"), (), {"SLATECH_WIDGET_KEY": value})
    assert fault.startswith(f"target live: the environment variable SLATECH_WIDGET_KEY {ODD}")
    assert "5ecret" not in fault


def test_a_secret_that_no_header_can_carry_stops_the_run(other: Vendor) -> None:
    """A line break at the end of a key is easily there; it would make 120 undelivered answers of
    the quarter."""
    done = other.run("-k", "med-ru-07", **secret_variables() | {"VENDOR_KEY": "k-5ecret\n"})
    done.expect(
        4,
        "the environment variable VENDOR_KEY holds outer white space or a character that is not"
        " printable",
    )
    assert "5ecret" not in done.said
    assert other.server.asked == []


def test_an_address_that_does_not_answer_is_told_without_its_secret(other: Vendor) -> None:
    other.server.stop()
    done = other.run("-k", "med-ru-07", **secret_variables())
    done.expect(4, "/chat/${VENDOR_TENANT}/answers does not answer")
    assert SECRETS["VENDOR_TENANT"] not in done.said


# Its pages ----------------------------------------------------------------------------------------


def spoil(other: Vendor) -> None:
    """The vendor changed a price, and took a page away."""
    source = {
        question["id"]: urlsplit(question.get("source_url", "")).path
        for question in other.project.questions()
    }
    other.served[source["med-en-01"]] = "<html><body><p>Prices are being revised.</p></body></html>"
    del other.served[source["biz-ru-01"]]


def test_live_pages_that_do_not_hold_the_evidence_stop_the_run_with_the_list(other: Vendor) -> None:
    """Before the first live request `check` runs against the live pages (exit 4): no question is
    asked."""
    spoil(other)
    done = other.run("-k", "med-he-01", **secret_variables())
    done.expect(
        4,
        "med-en-01: evidence: ",
        "is not in the visible text of",
        "Nothing was asked.",
        "biz-ru-01: source_url: ",
        "HTTP 404",
    )
    assert other.server.asked == []
    assert not other.project.folder.exists()


@pytest.mark.slow
def test_check_fetches_the_targets_pages_and_says_the_same(other: Vendor) -> None:
    """It asks nothing, so it needs no key."""
    good = other.project.command("check", "--target", other.target)
    good.expect(0, "120 questions are proved by their pages (a vendor of another make)")
    spoil(other)
    bad = other.project.command("check", "--target", other.target)
    bad.expect(4, "med-en-01: evidence: ", "biz-ru-01: source_url: ")
    assert other.server.asked == []


def test_the_shipped_targets_are_the_two_documented_ones() -> None:
    assert sorted(path.stem for path in (ROOT / "targets").glob("*.json")) == ["demo", "live"]
