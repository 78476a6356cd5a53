"""The raw record (design, "Contracts"): what came back, unchanged, one line a question, never
rewritten."""

from __future__ import annotations

import base64
import dataclasses
import json
import os
from pathlib import Path
from typing import Any

import pytest
from support.scoring_inputs import ANSWERABLE, HOME, Json, judged, line, raw_file
from syrupy.assertion import SnapshotAssertion

from benchmark.asking import models, record_file
from benchmark.core.errors import InvalidInput
from benchmark.core.files import sha256
from benchmark.core.reasons import Reason
from benchmark.core.records import Attempt, Places, Record
from benchmark.scoring import reply as replies

KNOWN = ("med-en-01", "med-en-02", "med-en-03")
AT = "2026-11-02T09:00:00.000Z"


def record(
    octets: bytes = b'{"answer": "It costs $120."}', name: str = "med-en-01", **changes: Any
) -> Record:
    """A record as asking makes it, of a response with this body."""
    try:
        text, encoded = octets.decode(), None
    except UnicodeDecodeError:
        text, encoded = None, base64.b64encode(octets).decode()
    made = Record(
        id=name,
        asked_at=AT,
        attempts=(
            Attempt(None, "timeout: no whole response within 60 s", 60_000.1, AT),
            Attempt(200, None, 12.5, AT),
        ),
        status=200,
        headers={"content-type": "application/json", "date": "Mon, 02 Nov 2026 09:00:00 GMT"},
        latency_ms=12.5,
        body=text,
        body_sha256=sha256(octets),
        page=HOME,
        request={"method": "POST", "json": {"question": "сколько стоит", "topK": 10}},
        body_base64=encoded,
    )
    return dataclasses.replace(made, **changes)


def faults(path: Path, known: tuple[str, ...] = KNOWN) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        record_file.read(path, known)
    assert "never edited" in caught.value.hint
    return list(caught.value.faults)


# Written and read ---------------------------------------------------------------------------------

BODIES = {
    "JSON": b'{"answer": "It costs $120."}',
    "white space as it came": b' {"answer" :\t"x"}\r\n\n',
    "every script": 'שלום "где" عيادة 😀'.encode(),
    "line separators": "a\u2028b\u2029c\x85d\x0be".encode(),
    "a byte order mark": b'\xef\xbb\xbf{"answer": "x"}',
    "control characters": bytes(range(32)) + b"\x7f",
    "no UTF-8": b'{"answer": "\xff\xfe"}',
    "half a character": "где".encode()[:-1],
    "UTF-16": "where".encode("utf-16"),
    "an escaped lone surrogate": rb'{"answer": "\ud800"}',
    "nothing": b"",
    "NUL": b"\0",
}


@pytest.mark.parametrize("octets", BODIES.values(), ids=BODIES)
def test_round_trip(octets: bytes, tmp_path: Path) -> None:
    """What is read is what was written, to the byte: the body, its digest, every attempt, the
    request."""
    path, written = tmp_path / "raw.jsonl", record(octets)
    record_file.append(path, written)
    (read,), torn = record_file.read(path, KNOWN)
    assert (read, torn) == (written, "")
    assert replies.body_bytes(read) == octets
    assert sha256(replies.body_bytes(read)) == read.body_sha256


def test_a_line_has_the_contracts_fields(tmp_path: Path) -> None:
    """The fields of the contract, in ASCII, on one line; `body_base64` only where the body is no
    UTF-8."""
    path = tmp_path / "raw.jsonl"
    record_file.append(path, record("где\u2028".encode()))
    record_file.append(path, record(b"\xff", "med-en-02"))
    text = path.read_text("ascii")
    assert text.count("\n") == 2
    first, second = map(json.loads, text.splitlines())
    fields = {
        "id",
        "asked_at",
        "attempts",
        "status",
        "headers",
        "latency_ms",
        "body",
        "body_sha256",
        "page",
        "request",
    }
    assert first.keys() == fields
    assert second.keys() == fields | {"body_base64"}
    assert first["attempts"][0].keys() == {"status", "error", "latency_ms", "started_at"}
    assert (second["body"], base64.b64decode(second["body_base64"])) == (None, b"\xff")


def test_a_line_is_on_the_disk_when_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Appended, whole and with its line break, then synced: each time before anything else
    happens."""
    path, synced = tmp_path / "raw.jsonl", list[bytes]()
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(path.read_bytes()))
    for number, name in enumerate(KNOWN, 1):
        before = path.read_bytes() if path.exists() else b""
        record_file.append(path, record(name=name))
        after = path.read_bytes()
        assert after.startswith(before)
        assert after.count(b"\n") == number
        assert after.endswith(b"\n")
        assert synced == [*synced[:-1], after]
        assert len(synced) == number


def test_a_lone_surrogate_in_a_record_is_written(tmp_path: Path) -> None:
    """A text that no file can hold as it is goes through an escape, and comes back."""
    path, written = (
        tmp_path / "raw.jsonl",
        record(page="https://x.example/\ud800", request={"json": {"q": "\udfff"}}),
    )
    record_file.append(path, written)
    assert record_file.read(path, KNOWN)[0] == [written]


def test_not_a_number_is_never_written(tmp_path: Path) -> None:
    """NaN is no JSON: nothing is written rather than a line that nobody can read."""
    path = tmp_path / "raw.jsonl"
    record_file.append(path, record())
    before = path.read_bytes()
    with pytest.raises(ValueError, match="not JSON compliant"):
        record_file.append(path, record(name="med-en-02", latency_ms=float("nan")))
    assert path.read_bytes() == before


def test_every_line_is_kept_in_order(tmp_path: Path) -> None:
    """A question asked again has two lines; both are read, in the order of the file, and the last
    one counts."""
    lines = [
        line("med-en-02"),
        line("med-en-01", "It costs $125."),
        line("med-en-01", "It costs $120."),
    ]
    records, _ = record_file.read(raw_file(tmp_path / "raw.jsonl", lines), KNOWN)
    assert [r.id for r in records] == ["med-en-02", "med-en-01", "med-en-01"]
    last = {r.id: r for r in records}["med-en-01"]
    assert replies.read(last, Places()).answer == "It costs $120."


def test_an_older_line_lacks_fields(tmp_path: Path) -> None:
    """Only id and status are needed; what a line lacks is empty, and what it has beyond is no
    fault."""
    path = raw_file(tmp_path / "raw.jsonl", [{"id": "med-en-01", "status": 200, "note": "older"}])
    (read,), _ = record_file.read(path, KNOWN)
    assert read == Record("med-en-01", "", (), 200, {}, None, None, "", "", {})
    assert replies.read(read, Places()).problem == Reason("no_body")


def test_blank_lines_and_windows_line_breaks(tmp_path: Path) -> None:
    """A file that went through an editor or a mail has the same records."""
    text = json.dumps(line("med-en-01")) + "\r\n\r\n   \n" + json.dumps(line("med-en-02")) + "\r\n"
    path = tmp_path / "raw.jsonl"
    path.write_bytes(text.encode())
    assert [r.id for r in record_file.read(path, KNOWN)[0]] == ["med-en-01", "med-en-02"]


def test_an_empty_file(tmp_path: Path) -> None:
    """Nothing was asked yet."""
    assert record_file.read(raw_file(tmp_path / "raw.jsonl", []), KNOWN) == ([], "")


# A torn last line ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cut", [1, 20, -2], ids=["after a brace", "in a field", "before the last brace"]
)
def test_a_torn_last_line_is_told(cut: int, tmp_path: Path) -> None:
    """A run that was killed while it wrote: whole lines are read, the torn one is handed out, not
    an error."""
    whole, torn = json.dumps(line("med-en-01")), json.dumps(line("med-en-02"))[:cut]
    path = tmp_path / "raw.jsonl"
    path.write_text(f"{whole}\n{torn}", "ascii")
    records, found = record_file.read(path, KNOWN)
    assert ([r.id for r in records], found) == (["med-en-01"], torn)


def test_a_torn_last_line_is_set_aside(tmp_path: Path) -> None:
    """It is moved, not lost; the record is cut back to its whole lines and can be written on; so is
    a second one."""
    path = tmp_path / "raw.jsonl"
    record_file.append(path, record())
    whole = path.read_bytes()
    for torn in ('{"id": "med-en-02", "sta', '{"id": "med-en-0'):
        path.write_bytes(whole + torn.encode())
        record_file.set_aside_torn(path, record_file.read(path, KNOWN)[1])
        assert path.read_bytes() == whole
    assert (
        record_file.aside(path).read_text("utf-8") == '{"id": "med-en-02", "sta\n{"id": "med-en-0\n'
    )
    record_file.append(path, record(name="med-en-02"))
    assert [r.id for r in record_file.read(path, KNOWN)[0]] == ["med-en-01", "med-en-02"]


def test_a_last_line_without_its_line_break_is_whole(tmp_path: Path) -> None:
    """An editor took the last line break away: no answer is lost by that."""
    path = tmp_path / "raw.jsonl"
    path.write_text("\n".join(json.dumps(line(name)) for name in KNOWN), "ascii")
    records, torn = record_file.read(path, KNOWN)
    assert ([r.id for r in records], torn) == (list(KNOWN), "")


def test_a_last_line_without_its_line_break_can_be_written_on(tmp_path: Path) -> None:
    """What was whole before a record is appended is whole afterwards."""
    path = tmp_path / "raw.jsonl"
    path.write_text(json.dumps(line("med-en-01")), "ascii")
    record_file.append(path, record(name="med-en-02"))
    assert [r.id for r in record_file.read(path, KNOWN)[0]] == ["med-en-01", "med-en-02"]


# Foreign lines ------------------------------------------------------------------------------------

FOREIGN: dict[str, Any] = {
    "no JSON": "nonsense",
    "another JSON": "[1]",
    "null": "null",
    "two on a line": '{"id": "med-en-01", "status": 200} {}',
    "nested too deep": "[" * 100_000,
    "an unknown question": line("med-en-99"),
    "no id": {"status": 200},
    "an id that is no text": line("x") | {"id": 5},
    "no status": {"id": "med-en-01"},
    "a status in words": line("med-en-01", status=200) | {"status": "200"},
    "a status that is a truth": line("med-en-01") | {"status": True},
    "a body that is no text": line("med-en-01", body=b"") | {"body": {}},
    "a latency in words": line("med-en-01", latency_ms="5"),
    "headers that are none": line("med-en-01", headers=[]),
    "attempts that are none": line("med-en-01", attempts={}),
    "an attempt that is none": line("med-en-01", attempts=[5]),
    "a count of attempts": line("med-en-01", attempts=2),
    "an id with something behind it": line("med-en-01~x"),
    "a body that is no base64": line("med-en-01", b"\xff", body_base64="x"),
}


@pytest.mark.parametrize("given", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_line_is_named(
    given: str | Json, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    """ "A line without a question is an error", and so is any line that no record was written as:
    file, line, field."""
    path = tmp_path / "raw.jsonl"
    text = given if isinstance(given, str) else json.dumps(given)
    path.write_text(f"{json.dumps(line('med-en-02'))}\n{text}\n", "ascii")
    (found,) = faults(path)
    assert found.removeprefix(f"{path}: line 2: ") == snapshot


def test_all_foreign_lines_are_listed(tmp_path: Path) -> None:
    """Every fault of every line at once, and no record is handed out beside them."""
    path = tmp_path / "raw.jsonl"
    texts = [
        "{}",
        json.dumps(line("med-en-01")),
        "nonsense",
        json.dumps(line("biz-en-01", status=None, page=None)),
    ]
    path.write_text("\n".join([*texts, ""]), "ascii")
    assert [fault.removeprefix(f"{path}: ").split(";")[0] for fault in faults(path)] == [
        "line 1: id: missing",
        "line 1: status: missing",
        "line 3: got 'nonsense'",
        "line 4: page: got None",
        "line 4: id: got 'biz-en-01'",
    ]


def test_a_foreign_line_steers_no_terminal(tmp_path: Path) -> None:
    """What stands in a damaged file is shown escaped and short."""
    path = tmp_path / "raw.jsonl"
    nasty = "\x1b[2J\u202e\ud800" + "x" * 10_000
    lines = [
        nasty.encode("utf-8", "surrogatepass"),
        json.dumps(line(nasty, latency_ms=nasty)).encode(),
        b"\xff\xfe",
    ]
    path.write_bytes(b"\n".join([*lines, b""]))
    text = "".join(found := faults(path))
    assert text.isprintable()
    assert "\\x1b[2J\\u202e" in text
    assert [fault for fault in found if "latency_ms" in fault or "JSON object" in fault] != found


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """As for any other input."""
    with pytest.raises(InvalidInput, match=r"cannot be read \(No such file"):
        record_file.read(tmp_path / "raw.jsonl", KNOWN)


def test_a_lone_surrogate_of_an_older_record_has_its_bytes() -> None:
    assert replies.body_bytes(record(body="\ud800x")) == b"\xed\xa0\x80x"


# Through to the verdict ---------------------------------------------------------------------------


def test_lone_surrogates_of_an_answer_are_made_safe() -> None:
    """Half a character is no text anywhere: it becomes U+FFFD in the answer, its sources and its
    version."""
    body = (
        rb'{"answer": "\ud800 $120", "sources": ["https://x.example/\udfff"], "version": "\udc00"}'
    )
    verdict = judged(ANSWERABLE, line("med-en-01", body))
    assert (verdict.answer, verdict.sources, verdict.version) == (
        "\ufffd $120",
        ("https://x.example/\ufffd",),
        "\ufffd",
    )
    assert {m.name: m.value for m in verdict.measures}["facts"]
    json.dumps(dataclasses.asdict(verdict), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "octets",
    [
        rb'{"error": "\ud800"}',
        rb'"\ud800"',
        b"\xff",
        "\ud800".encode("utf-8", "surrogatepass"),
        rb'{"answer": ["\ud800"]}',
    ],
    ids=["an error", "no object", "no UTF-8", "encoded halves", "no text"],
)
def test_lone_surrogates_of_no_answer_are_made_safe(octets: bytes) -> None:
    """The reason that nothing was delivered can be written too, whatever the body was."""
    verdict = judged(ANSWERABLE, line("med-en-01", octets))
    assert not verdict.delivered
    json.dumps(dataclasses.asdict(verdict), ensure_ascii=False).encode()


# Why no answer was delivered ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"content": ""}, Reason("empty")),
        ({"content": "", "refusal": None}, Reason("empty")),
        ({"content": []}, Reason("empty")),
        ({"content": None}, Reason("no_text", {"place": "'choices[0].message.content'"})),
        ({}, Reason("no_text", {"place": "'choices[0].message.content'"})),
    ],
    ids=str,
)
def test_a_model_that_says_nothing_is_told_how(message: Json, reason: Reason) -> None:
    body = json.dumps({"choices": [{"message": message}]}).encode()
    said = replies.read(record(body), models.PLACES)
    assert (said.answer, said.problem) == (None, reason)


def test_a_fault_of_json_is_told_in_80_characters() -> None:
    """In Python's words, which say where; 81 of them here."""
    said = replies.read(record(b'{"a": 1,' + b"\n" * 1000 + b" x"), Places())
    assert said.problem
    assert said.problem.code == "not_json"
    assert len(said.problem.args["error"]) == 80
