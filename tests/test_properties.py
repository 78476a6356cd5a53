"""What holds for every text, body and file, shown on thousands that hypothesis makes up.

The same ones each time (`derandomize`): a fault found here fails for everybody."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from support.scoring_inputs import (
    ANSWERABLE,
    HOME,
    NOT_ON_SITE,
    Json,
    judged,
    line,
    question,
    rules,
)
from test_raw import KNOWN, record

from benchmark.archive import run_folder
from benchmark.archive.rescore_suite import score_suite
from benchmark.asking import record_file, targets
from benchmark.asking.manifest import Manifest
from benchmark.asking.record_file import record_of
from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, read_json_lines
from benchmark.core.plain import read
from benchmark.core.records import EXACT, FUZZY, JUDGE, Places, SuiteQuestion
from benchmark.core.run_id import RunId
from benchmark.questions import decline, judge_prompt, sites, suites
from benchmark.results import calibration
from benchmark.scoring import matching, reply, reviews
from benchmark.scoring.judge_reply import judge_score
from benchmark.scoring.rules import applicable
from benchmark.scoring.thought import without_thought
from benchmark.scoring.verdicts import verdict
from benchmark.text.appears import Haystack
from benchmark.text.markup import visible
from benchmark.text.normalise import letters, normalise
from benchmark.text.urls import same_page

ROOT = Path(__file__).parents[1]
EXAMPLE = next((ROOT / "examples").glob("2026-Q4.*"))
SLOW = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
everything = settings(derandomize=True, database=None, deadline=None, suppress_health_check=SLOW)
some = settings(everything, max_examples=40)

# Texts: any characters, and what markup, numbers and scripts are made of.
PIECES = (
    *("<b>", "</b>", "<br>", "<script>", "<!--", "&amp;", "&#36;", "[a](b)", "](", "**", "_", "\\"),
    *("https://x.example/1", "a@x.example", "<think>", "</think>", "```", "score: 80", '{"score":'),
    *("1,234.50", "2 500", "08:00", "8 a.m.", "555-0142", "٣٬٠٠٠", "$ 5", "5 ₪", "12.00", "²"),
    *(
        "שָׁלוֹם",
        "המחיר",
        "מַרְפֵּאָה",
        "مَرْكَز",
        "المـركز",
        "суббота",
        "ё",
        "e\u0301",
        "\u05be",
        "–",
        "״",
        "’",
    ),
    *(
        "\u200b",
        "\u202e",
        "\u00a0",
        "\u2009",
        "\n",
        "\r\n",
        "\u2028",
        "\x00",
        "\ud800",
        "\U0001f600",
    ),
)
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=12).map("".join)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)

# Text ---------------------------------------------------------------------------------------------


@everything
@given(texts, texts)
def test_any_text_is_read(text: str, spelling: str) -> None:
    """No text raises, and what was found lies in it."""
    span = Haystack(text).find(spelling)
    assert span is None or 0 <= span.start < span.end <= len(text)
    assert sum(letters(text).values()) <= len(visible(text).text)
    assert judge_score(text) is None or 0 <= (judge_score(text) or 0) <= 100
    assert text.endswith(without_thought(text)[0])
    assert same_page(text, text, HOME) in (True, False)


@everything
@given(texts)
def test_normalised_text_is_one_line_of_canonical_characters(text: str) -> None:
    normalised = normalise(text).text
    assert "  " not in normalised
    assert normalised == normalised.strip()
    assert not set(normalised) & set("\n\r\t\u00a0\u200b\u202e\u0640–—״’٠")


WORDS = (
    "first visit",
    "מרפאה",
    "суббот",
    "مركز",
    "120",
    "$1,250",
    "08:00",
    "(212) 555-0187",
    "5-7",
)
MARKS = {
    "bidi marks": "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2069",
    "niqqud": "\u05b0\u05b4\u05b7\u05b8\u05bc\u05c1",
    "tashkeel": "\u064b\u064e\u064f\u0650\u0651\u0652",
    "nothing": "\u200b\u200c\u2060\u00ad\ufeff",
}


@pytest.mark.parametrize("marks", MARKS.values(), ids=MARKS)
@everything
@given(st.data())
def test_marks_change_nothing(marks: str, data: st.DataObject) -> None:
    """Wherever they stand: a spelling appears as it did before."""
    spelling = data.draw(st.sampled_from(WORDS))
    answer = f"x: {data.draw(st.sampled_from(WORDS))}, {data.draw(st.sampled_from(WORDS))}."
    places = data.draw(st.lists(st.integers(0, len(answer)), max_size=8))
    marked = answer
    for place in sorted(places, reverse=True):
        marked = marked[:place] + data.draw(st.sampled_from(marks)) + marked[place:]
    assert bool(Haystack(marked).find(spelling)) == bool(Haystack(answer).find(spelling))


SAME = {
    "no-break spaces": (" ", "\u00a0\u202f\u2009\u2007"),
    "dashes": ("-", "\u2010\u2011\u2012\u2013\u2014\u2212\u05be"),
    "Arabic digits": ("0123456789", "٠١٢٣٤٥٦٧٨٩"),
    "Persian digits": ("0123456789", "۰۱۲۳۴۵۶۷۸۹"),
    "wide digits": ("0123456789", "０１２３４５６７８９"),
}
PHRASES = (
    "first visit",
    "5-7",
    "08:00",
    "room 12",
    "(212) 555-0187",
    "follow-up",
    "סוף-שבוע",
    "120",
)


@pytest.mark.parametrize("name", SAME)
@everything
@given(st.sampled_from(PHRASES), st.sampled_from(PHRASES), st.randoms(use_true_random=False))
def test_variants_are_the_same(name: str, spelling: str, said: str, pick: random.Random) -> None:
    """Of a space between words, a dash and a digit: in the answer and in the spelling alike."""
    plain, variants = SAME[name]

    def varied(text: str) -> str:
        if len(plain) > 1:
            return text.translate(str.maketrans(plain, variants))
        return "".join(pick.choice(variants) if c == plain else c for c in text)

    expected = bool(Haystack(f"a {said}.").find(spelling))
    assert bool(Haystack(varied(f"a {said}.")).find(spelling)) == expected
    assert bool(Haystack(f"a {said}.").find(varied(spelling))) == expected


@everything
@given(st.integers(1, 10**6), st.text("0123456789", max_size=3), st.text("0123456789", max_size=3))
def test_a_number_is_not_in_a_longer_one(number: int, before: str, after: str) -> None:
    """Nor in one with a decimal point or thousands."""
    assume(before or after)
    answer = f"It is {before}{number}{after} in all."
    assert Haystack(answer).find(str(number)) is None
    assert Haystack(f"It is {number}.{after or 5}1 in all.").find(str(number)) is None
    assert Haystack(f"It is 7,{number % 1000:03} in all.").find(f"{number % 1000:03}") is None


@everything
@given(st.integers(1, 10**6))
def test_a_number_is_found_however_it_is_written(number: int) -> None:
    spelled = (f"{number:,}", f"{number:,}".replace(",", "\u202f"), f"{number:,}".replace(",", "’"))
    for one in (*spelled, f"${number}", f"{number}₪", f"<b>{number}</b>", f"**{number}**"):
        assert Haystack(f"It is {one}, in all.").find(str(number)), one


# Scoring ------------------------------------------------------------------------------------------

ITEMS = (ANSWERABLE, NOT_ON_SITE)
bodies = (
    st.binary(max_size=60)
    | json_values.map(lambda value: json.dumps(value).encode())
    | st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("answer", "sources", "error", "version"), json_values)
    ).map(lambda value: json.dumps(value).encode())
)
statuses = st.sampled_from([200, 200, 200, 204, 301, 404, 500, None])


@everything
@given(st.sampled_from(ITEMS), bodies, statuses)
def test_any_body_has_a_verdict(item: Json, body: bytes, status: int | None) -> None:
    """`score` never raises, and its measures are consistent: what does not apply is null, what was
    not delivered fails all that applies."""
    result = judged(item, line(item["id"], body, status))
    values = {m.name: m.value for m in result.measures}
    assert {name for name, value in values.items() if value is not None} == {
        *applicable(rules(), question(item))
    }
    assert all(m.reason for m in result.measures)
    assert result.delivered or not any(values.values())
    assert not result.delivered or status == 200


@everything
@given(st.sampled_from(ITEMS), bodies, statuses, st.floats(0, 1e6), texts)
def test_a_verdict_depends_on_question_body_status_and_list_alone(
    item: Json, body: bytes, status: int | None, latency: float, text: str
) -> None:
    """Not on when, how fast, with which headers or after which attempts the answer came."""
    plain = line(item["id"], body, status)
    other = plain | {"latency_ms": latency, "headers": {text: text}, "asked_at": text}
    attempts = [{"status": status, "error": None}] * (1 if status is None else 2)
    one, two = judged(item, plain), judged(item, other | {"attempts": attempts})
    assert one.measures == two.measures
    assert judged(item, plain) == one


PATHS = ("answer", "sources[].sourceUrl", "choices[0].message.content", "a.b[].c[2].d", "", "[][]")
models = st.fixed_dictionaries({}, optional={"content": json_values, "refusal": json_values}).map(
    lambda message: {"choices": [{"message": message}]}
)


@everything
@given(models | json_values, st.sampled_from(PATHS), st.sampled_from(PATHS))
def test_any_place_of_any_body_is_read(body: Any, answer: str, sources: str) -> None:
    places = Places(answer, sources, refusal="choices[0].message.refusal", error=sources)
    found = reply.read(record_of(line("x", json.dumps(body).encode())), places)
    assert (found.answer is None) == (found.problem is not None)
    assert found.answer is None or not reply.is_blank(found.answer)


@everything
@given(
    texts, texts, st.sampled_from([EXACT, FUZZY, JUDGE]), st.lists(st.none() | texts, max_size=2)
)
def test_any_response_has_a_score(
    reference: str, response: str, method: str, judged_by: list[str | None]
) -> None:
    """From 0 to 100, and a pass is a score of 70 with all that is required."""
    asked = SuiteQuestion(
        "q-1", "s", "ar", "answerable", "?", reference_answer=reference, scoring=method
    )
    found = matching.score(asked, response, judged_by)
    assert found.score is None or 0 <= found.score <= 100
    assert found.reason
    if found.score is not None and not found.truncated:
        assert found.passed == (found.score >= 70)
    assert (found.passed is None) == (found.judge_error is not None and not found.truncated)


# The record ---------------------------------------------------------------------------------------

octets = st.binary(max_size=40) | texts.map(lambda text: text.encode("utf-8", "surrogatepass"))


@some
@given(st.lists(octets, min_size=1, max_size=4), texts, st.data())
def test_a_record_comes_back_whatever_tears_it(
    tmp_path: Path, given: list[bytes], page: str, data: st.DataObject
) -> None:
    """What was appended is read, to the byte; cut anywhere, every whole line is, and after the torn
    one is set aside the record can be written on."""
    path = tmp_path / "raw.jsonl"
    path.unlink(missing_ok=True)
    written = [record(body, page=page, request={"json": {"q": page}}) for body in given]
    for each in written:
        record_file.append(path, each)
    assert record_file.read(path, KNOWN) == (written, "")
    assert [reply.body_bytes(each) for each in written] == given
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    kept, torn = record_file.read(path, KNOWN)
    assert kept == written[: len(kept)]
    assert len(kept) >= path.read_bytes().count(b"\n")
    if torn:
        record_file.set_aside_torn(path, torn)
    record_file.append(path, written[-1])
    assert record_file.read(path, KNOWN) == ([*kept, written[-1]], "")


# Every loader -------------------------------------------------------------------------------------


def _reviews(path: Path) -> object:
    known = {item["id"]: applicable(rules(), question(item)) for item in ITEMS}
    return reviews.load(path, "2026-Q4", known, ("biz",))


def _responses(path: Path) -> object:
    return score_suite(ROOT / "questions/suites/arabic-comprehension.json", path)


def _reported(path: Path) -> object:
    folder = run_folder.RunFolder(path.parent)
    return folder.reported(), folder.last_bodies()


REVIEWS = {"quarter": "2026-Q4", "reviews": {"med-en-01": {"read": True, "reviewer": "A. B."}}}
# Loader, the name of its file, and an object that it takes.
LOADERS: dict[str, tuple[Callable[[Path], object], str, Path | Any]] = {
    "question file": (sites.load, "q.json", ROOT / "questions/questions-med.json"),
    "suite": (suites.load, "s.json", ROOT / "questions/suites/arabic-pii-detection.json"),
    "decline lists": (decline.load, "d.json", ROOT / "questions/decline.json"),
    "judge's prompt": (judge_prompt.load, "p.json", ROOT / "questions/judge-prompt.json"),
    "target": (lambda path: targets.load(str(path)), "t.json", ROOT / "targets/demo.json"),
    "reviews": (_reviews, "r.json", REVIEWS),
    "manifest": (
        lambda path: read(Manifest, parse_json(path.read_bytes(), "m"), "m"),
        "manifest.json",
        EXAMPLE / "manifest.json",
    ),
    "results": (
        lambda path: run_folder.results_of(path.read_bytes(), "results.json"),
        "results.json",
        EXAMPLE / "results.json",
    ),
    "report": (_reported, "report.json", {"tests": []}),
    "record": (lambda path: record_file.read(path, KNOWN), "raw.jsonl", line("med-en-01")),
    "responses": (_responses, "responses.jsonl", {"id": "q-001", "response": "x"}),
    "labelled rows": (
        calibration.load,
        "rows.jsonl",
        json.loads((ROOT / "questions/judge-check.jsonl").read_text("utf-8").splitlines()[0]),
    ),
    "lines": (read_json_lines, "lines.jsonl", {"id": "x"}),
}


def _taken(loader: str, folder: Path, data: bytes) -> None:
    """Its value, or its error with a reason; anything else fails the test."""
    load, name, _ = LOADERS[loader]
    (folder / name).write_bytes(data)
    faults = ""
    try:
        load(folder / name)
    except InvalidInput as fault:
        faults = str(fault)
    assert not {unicodedata.category(c) for c in faults if c != "\n"} & {
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    }


def _damaged(value: Any, data: st.DataObject) -> Any:
    """A valid value with another one in some place of it, or with a part gone."""
    if not isinstance(value, dict | list) or not value or data.draw(st.booleans()):
        return data.draw(json_values)
    key: Any = data.draw(
        st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value)))
    )
    changed = value.copy()
    if data.draw(st.integers(0, 4)):
        changed[key] = _damaged(value[key], data)
    else:
        del changed[key]
    return changed


@pytest.mark.parametrize("loader", LOADERS)
@some
@given(st.binary(max_size=80))
def test_random_bytes_are_refused_with_a_reason(loader: str, tmp_path: Path, data: bytes) -> None:
    _taken(loader, tmp_path, data)


@pytest.mark.parametrize("loader", LOADERS)
@some
@given(st.data())
def test_damaged_files_are_refused_with_a_reason(
    loader: str, tmp_path: Path, data: st.DataObject
) -> None:
    source = LOADERS[loader][2]
    valid = json.loads(source.read_text("utf-8")) if isinstance(source, Path) else source
    value = _damaged(valid, data)
    _taken(loader, tmp_path, json.dumps(value).encode())


@pytest.mark.parametrize("loader", LOADERS)
def test_what_is_damaged_was_whole(loader: str, tmp_path: Path) -> None:
    """Else the tests above would show nothing."""
    load, name, source = LOADERS[loader]
    if loader == "report":
        (tmp_path / name).write_bytes((EXAMPLE / name).read_bytes())
    else:
        text = source.read_text("utf-8") if isinstance(source, Path) else json.dumps(source) + "\n"
        if loader == "target":
            text = text.replace('"demo"', '"mine"', 1)
        (tmp_path / name).write_text(text, "utf-8")
    load(tmp_path / name)


@everything
@given(texts)
def test_any_text_is_a_run_or_none(text: str) -> None:
    run = RunId.parse(text)
    assert run is None or str(run) == text


def test_the_verdict_of_the_same_record_twice_is_the_same() -> None:
    """Nothing is kept between two."""
    record_ = record_of(line("med-en-01"))
    asked = question(ANSWERABLE)
    assert verdict(rules(), Places(), asked, record_) == verdict(rules(), Places(), asked, record_)
