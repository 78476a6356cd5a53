"""`compare`: unchanged questions alone, both directions with both answers, and words for what the
numbers can bear."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from support.browser import violations
from support.project import Project

from benchmark.__main__ import main
from benchmark.archive.comparable import read_run
from benchmark.core.errors import InvalidInput
from benchmark.core.plain import plain
from benchmark.core.records import Measure, Review, SiteQuestion, Span, Verdict
from benchmark.report import compare_text
from benchmark.report.compare_page import markdown, page
from benchmark.results import statistics
from benchmark.results.comparison import Change, Comparison, Run, compare
from benchmark.results.pairing import changed_fields, paired
from benchmark.results.statistics import Permuted

HOSTILE = (
    "<script>window.hit=1</script>`code` | x\u202e\x1b[31m\n# not a heading\n| a | b"
    " |\n</blockquote>"
)
HEBREW = "מה שעות הפתיחה של המרפאה בימי שישי ובערבי חג?"
MADE_WITH: dict[str, Any] = {
    "questions": {"med": "d1"},
    "rules": "r1",
    "decline": ["no information"],
}
SHOWN = {"questions": "med 1", "rules": "rules r1", "decline": "lists of 2026-10-28"}


def _verdict(
    name: str, *values: bool | None, concept: str = "", answer: str = "yes", **more: Any
) -> Verdict:
    """A verdict on an English or Hebrew question, by its id, with measures m1, m2, …"""
    site, language, _ = name.split("-")
    facts, text = (("yes",),), f"what is {name}"
    question = SiteQuestion(name, site, language, "answerable", text, facts=facts, concept=concept)
    measures = tuple(Measure(f"m{n}", v, f"reason of m{n}") for n, v in enumerate(values, 1))
    reviewed = {m.name: m.value for m in measures}
    outcome: dict[str, Any] = {"measures": measures, "reviewed": reviewed, "answer": answer}
    return dataclasses.replace(Verdict(question, True, True, **outcome, version="v1"), **more)


def _run(name: str, verdicts: Sequence[Verdict], **more: Any) -> Run:
    values: dict[str, Any] = {"label": "a target", "is_rehearsal": False, "is_final": True}
    values |= {"window": ("2026-10-01", "2026-10-02"), "version": "v1"}
    values |= {"made_with": MADE_WITH, "shown": SHOWN}
    return Run(**{"name": name, "verdicts": tuple(verdicts)} | values | more)


def _compared(before: Sequence[Verdict], after: Sequence[Verdict], **more: Any) -> Comparison:
    return compare(_run("2026-Q4", before), _run("2027-Q1", after), **more)


def _values(pattern: str, language: str = "en", concepts: bool = False) -> list[Verdict]:
    """One question a character: `1` passes m1, `0` fails it."""
    return [
        _verdict(f"med-{language}-{n:02}", char == "1", concept=f"c{n}" if concepts else "")
        for n, char in enumerate(pattern)
    ]


def _everywhere(comparison: Comparison) -> list[str]:
    """The three forms of output, Markdown without its escapes."""
    plain = markdown(comparison).replace("\\", "")
    return ["\n".join(compare_text.terminal(comparison)), plain, page(comparison)]


# Pairs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes, fields",
    [
        ({"question": "what else"}, ["question"]),
        ({"facts": (("no",),), "source_url": "https://e.org/"}, ["source_url", "facts"]),
        ({"also_source_urls": ("https://e.org/",)}, ["also_source_urls"]),
        ({"must_not_include": ("no",)}, ["must_not_include"]),
        ({"evidence": "It says no.", "concept": "c"}, []),
    ],
)
def test_a_question_is_unchanged_where_all_that_decides_its_verdict_is(
    changes: Any, fields: list[str]
) -> None:
    question = _verdict("med-en-01", True).question
    assert changed_fields(question, dataclasses.replace(question, **changes)) == fields


def test_what_is_left_out_is_named_with_why() -> None:
    names = ["med-en-00", "med-en-01", "med-en-02", "med-en-03", "med-en-04"]
    before, after = ({name: _verdict(name, True) for name in names} for _ in range(2))
    del before["med-en-00"], after["med-en-04"]
    same = after["med-en-01"].question
    assert isinstance(same, SiteQuestion)
    asked_otherwise = dataclasses.replace(same, facts=(("no",),))
    after["med-en-01"] = dataclasses.replace(after["med-en-01"], question=asked_otherwise)
    before["med-en-02"] = dataclasses.replace(before["med-en-02"], faulty=True)
    after["med-en-03"] = dataclasses.replace(after["med-en-03"], asked=False)
    pairs, left_out = paired(list(before.values()), list(after.values()))
    assert pairs == ()
    assert dict(left_out) == {
        "med-en-00": "only in the later run",
        "med-en-01": "changed: facts",
        "med-en-02": "faulty",
        "med-en-03": "not asked in both",
        "med-en-04": "only in the earlier run",
    }


def test_the_same_id_in_another_set_is_another_question() -> None:
    verdict = _verdict("med-en-01", True)
    other = dataclasses.replace(verdict, question=dataclasses.replace(verdict.question, set="biz"))
    pairs, left_out = paired([verdict], [other])
    assert (pairs, len(left_out)) == ((), 2)


def test_no_common_question_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="no unchanged question was answered in both"):
        _compared(_values("1"), [_verdict("med-en-77", True)])


# Numbers ------------------------------------------------------------------------------------------


def test_counts_tests_and_words() -> None:
    """(1, 8): p = .0391. Only values after review count, and an answer without a value is in no
    pair."""
    comparison = _compared(_values("1" + "0" * 8 + "1" * 10), _values("0" + "1" * 8 + "1" * 10))
    [total] = comparison.totals
    assert (total.of, total.before, total.after, total.gained, total.lost) == (19, 11, 18, 8, 1)
    assert total.p == pytest.approx(0.0390625)
    assert (total.by_concept, total.adjusted, total.words) == (None, total.p, "better")
    assert [flip.gained for flip in comparison.flips] == [False] + [True] * 8
    flipped = {flip.after.question.id for flip in comparison.flips}
    assert flipped == {f"med-en-{n:02}" for n in range(9)}


def test_the_other_way_is_worse() -> None:
    [total] = _compared(_values("1" * 8), _values("0" * 8)).totals
    assert (total.words, total.gained, total.lost) == ("worse", 0, 8)


def test_a_review_decides_what_is_compared() -> None:
    before, after = _verdict("med-en-01", False), _verdict("med-en-01", False)
    reviewed = dataclasses.replace(
        after, reviewed={"m1": True}, read=True, review=Review("x", {"m1": True}, "in words")
    )
    comparison = _compared([before], [reviewed])
    assert (comparison.totals[0].after, len(comparison.flips)) == (1, 1)
    assert comparison.flips[0].same_answer
    for text in _everywhere(comparison):
        assert "by review: in words" in text
        assert "he answer is the same in both runs" in text


def test_no_detectable_change_is_said_in_words() -> None:
    """(0, 5) is p = .0625: five answers more, and yet no change that could be told from chance."""
    comparison = _compared(_values("0" * 5 + "1" * 10), _values("1" * 15))
    [total] = comparison.totals
    assert (total.gained, total.words) == (5, "no detectable change")
    assert total.detectable == statistics.smallest_detectable(15)
    for text in _everywhere(comparison):
        assert "no detectable change" in text
        assert "52 points" in text


def test_five_pairs_could_show_no_change_at_all() -> None:
    comparison = _compared(_values("0" * 5), _values("1" * 5))
    assert comparison.totals[0].detectable is None
    assert all("too few" in text for text in _everywhere(comparison))


def test_translations_of_a_concept_count_once() -> None:
    """Six concepts gained in three languages each: 18 flips are p < .0001 by McNemar's, and 6
    concepts p = .0312."""
    sides = [
        [v for code in ("en", "he", "ru") for v in _values(passed * 6, code, concepts=True)]
        for passed in "01"
    ]
    comparison = _compared(*sides)
    [total] = comparison.totals
    assert (total.of, total.concepts) == (18, 6)
    assert total.p == pytest.approx(2 / 2**18)
    assert total.by_concept == Permuted(2 / 2**6, True)
    assert total.adjusted == total.tested == 2 / 2**6
    cells = [(cell.language, cell.of, cell.by_concept) for cell in comparison.cells]
    assert cells == [(language, 6, None) for language in ("en", "he", "ru")]
    assert all("0.0312 (6)" in text for text in _everywhere(comparison))


def test_one_concept_in_two_sets_is_two() -> None:
    both = [_verdict(f"{site}-en-01", True, concept="hours") for site in ("med", "biz")]
    assert _compared(both, both).totals[0].by_concept is None


def test_holm_adjusts_over_all_totals_and_over_all_cells() -> None:
    """Two measures, two languages: the better of two totals is doubled, the best of four cells
    taken fourfold."""
    before = [_verdict(f"med-{at}-{n:02}", False, True) for at in ("en", "he") for n in range(8)]
    after = [_verdict(v.question.id, v.question.language == "en", True) for v in before]
    comparison = _compared(before, after)
    p = statistics.mcnemar(0, 8)
    assert [(c.measure, c.adjusted) for c in comparison.totals] == [("m1", 2 * p), ("m2", 1)]
    cells = [(c.measure, c.language, c.adjusted) for c in comparison.cells]
    assert cells == [("m1", "en", 4 * p), ("m1", "he", 1), ("m2", "en", 1), ("m2", "he", 1)]
    assert [c.words for c in comparison.cells].count("better") == 1


def test_a_measure_without_a_pair_has_no_row() -> None:
    comparison = _compared([_verdict("med-en-01", True, None)], [_verdict("med-en-01", True, None)])
    assert [c.measure for c in comparison.totals] == ["m1"]


def test_mean_scores_of_a_graded_measure_count_what_both_graded() -> None:
    """A judge's error in one run leaves the pair out: it is no zero."""

    def graded(n: int, score: float | None) -> Verdict:
        passes, fault = (None, "judge error") if score is None else (score >= 70, "")
        measure = Measure("judge", passes, "", score=score, fault=fault)
        verdict, reviewed = _verdict(f"med-en-{n:02}"), {"judge": passes}
        return dataclasses.replace(verdict, measures=(measure,), reviewed=reviewed)

    before = [graded(n, score) for n, score in enumerate([80, 60, 90, 50])]
    after = [graded(n, score) for n, score in enumerate([82.5, 70, 95, None])]
    comparison = _compared(before, after)
    [found] = comparison.scores
    assert (found.of, found.after) == (3, 82.5)
    assert found.before == pytest.approx(230 / 3)
    assert found.test == Permuted(0.25, True)
    assert comparison.totals[0].of == 3
    assert all("mean score 76.7, then 82.5" in text for text in _everywhere(comparison))


# Refusals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["questions", "rules", "decline"])
def test_runs_that_were_made_otherwise_are_refused_unless_told(what: str) -> None:
    before = _run("2026-Q4", _values("1"))
    differs = {"made_with": MADE_WITH | {what: "x"}, "shown": SHOWN | {what: "something else"}}
    after = _run("2027-Q1", _values("1"), **differs)
    others = [name for name in ("questions", "rules", "decline") if name != what]
    for despite in ([], others):
        with pytest.raises(InvalidInput) as refused:
            compare(before, after, despite)
        assert f"{what}: {SHOWN[what]} against something else" in str(refused.value)
        assert f"--despite {what} " in str(refused.value)
    for text in _everywhere(compare(before, after, [what])):
        assert f"compared although {what} differ: {SHOWN[what]} against something else" in text


def test_nothing_is_said_of_differences_where_there_are_none() -> None:
    comparison = _compared(_values("1"), _values("1"), despite=("questions", "rules", "decline"))
    assert not any("although" in text for text in _everywhere(comparison))


# Output -------------------------------------------------------------------------------------------


def _hostile() -> Comparison:
    before = _verdict("med-he-01", False, answer=HOSTILE, sources=(HOSTILE,))
    question = dataclasses.replace(before.question, question=f"{HEBREW * 3} {HOSTILE}")
    measure = Measure("m1", True, f"found “{HOSTILE}”", (Span(0, 8, HOSTILE),))
    after = dataclasses.replace(
        before, question=question, measures=(measure,), reviewed={"m1": True}, answer=HOSTILE * 2
    )
    return _compared([dataclasses.replace(before, question=question)], [after])


def test_both_answers_stand_side_by_side_whole() -> None:
    long = "an answer " * 1000 + "to its very end"
    comparison = _compared(
        [_verdict("med-en-01", False, answer="no")], [_verdict("med-en-01", True, answer=long)]
    )
    terminal, markdown, html = _everywhere(comparison)
    assert f"| no | {long} |" in markdown
    assert long in html
    assert long[:400] + "…" in terminal
    assert "now passes" in terminal


def test_an_undelivered_answer_is_said_to_be_that() -> None:
    lost = _verdict("med-en-01", False, answer="", delivered=False)
    comparison = _compared([_verdict("med-en-01", True)], [lost])
    terminal, markdown, html = _everywhere(comparison)
    assert "after: not delivered" in terminal
    assert "| yes | not delivered |" in markdown
    assert html.count("No answer was delivered.") == 1


def test_hostile_text_does_not_steer_a_terminal() -> None:
    for line in compare_text.terminal(_hostile()):
        assert line.isprintable()


def test_hostile_text_stays_in_its_markdown_cell() -> None:
    """As many cells in each row as in its heading, and no line that hostile text begins."""
    lines = markdown(_hostile()).splitlines()
    rows = [line for line in lines if line.startswith("|")]
    cells = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    assert set(cells) == {12, 3}
    stray = re.compile(r"^# not|(?<!\\)[<`]")
    assert not [line for line in lines if stray.search(line)]


def test_a_rehearsal_and_a_draft_are_named() -> None:
    before = _run("a", _values("1"), is_rehearsal=True)
    after = _run("b", _values("1"), is_final=False)
    for text in _everywhere(compare(before, after)):
        assert "a rehearsal" in text
        assert "draft" in text


@pytest.mark.browser
def test_the_page_is_accessible_and_runs_nothing(tmp_path: Path, browser: Browser) -> None:
    """Chromium and axe: no violation, no script, no request; the hostile answer is shown as the
    text that it is."""
    path = tmp_path / "compare.html"
    path.write_text(page(_hostile()), "utf-8")
    opened, asked = browser.new_page(), []
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(path.as_uri())
    assert asked == [path.as_uri()]
    assert opened.evaluate("window.hit") is None
    answers = opened.locator("blockquote").all_inner_texts()
    assert len(answers) == 2
    assert all("<script>window.hit=1</script>`code` | x" in text for text in answers)
    assert all("U+202E" in text and "\u202e" not in text for text in answers)
    assert opened.locator("article").count() == 1
    assert opened.locator("h3 span[lang=he]").get_attribute("dir") == "rtl"
    assert [violations(opened, scheme) for scheme in ("light", "dark")] == [[], []]
    opened.close()


# Folders and the command --------------------------------------------------------------------------


def _folder(
    path: Path,
    verdicts: Sequence[Verdict],
    pinned: str = "2026-Q4",
    phrase: str = "no",
    **more: Any,
) -> Path:
    """A run's folder as far as `compare` reads it."""
    lists = [{"since": "2026-10-28", "phrases": {"en": [phrase]}}]
    manifest = {
        "run": path.name,
        "target": {"label": "a target", "rehearsal": False},
        "window": ["2026-10-01", "2026-10-02"],
        "questions": {"med": {"version": "1", "sha256": "q" * 64}},
        "rules": {"sha256": "r" * 64},
        "decline": {"date": "2026-10-28", "lists": ["2026-10-28"], "sha256": pinned},
    }
    tests = [{"call": {}, "metadata": {"verdict": plain(v)}} for v in verdicts]
    write_json(path / "questions/decline.json", lists=lists, pinned={pinned: "2026-10-28"})
    write_json(path / "manifest.json", **manifest | more)
    write_json(path / "report.json", tests=tests)
    return path


def write_json(path: Path, **value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def test_a_folder_is_read_as_it_was_published(tmp_path: Path) -> None:
    verdicts = _values("101", concepts=True)
    run = read_run(_folder(tmp_path / "2026-Q4", verdicts))
    assert run.verdicts == tuple(verdicts)
    head = (run.name, run.label, run.is_rehearsal, run.version)
    assert head == ("2026-Q4", "a target", False, "v1")
    assert run.made_with["decline"] == ["no"]


def test_a_pin_for_another_quarter_is_no_other_decline_list(tmp_path: Path) -> None:
    """The file differs from quarter to quarter; what counts are the phrases in force."""
    before = read_run(_folder(tmp_path / "a", _values("1")))
    later = read_run(_folder(tmp_path / "b", _values("1"), pinned="2027-Q1"))
    assert compare(before, later).despite == {}
    with pytest.raises(InvalidInput, match="decline: lists of 2026-10-28"):
        compare(before, read_run(_folder(tmp_path / "c", _values("1"), phrase="no idea")))


def test_another_judge_is_another_rule(tmp_path: Path) -> None:
    prompt = {"version": "1", "sha256": "p" * 64}
    before, after = (
        read_run(_folder(tmp_path / name, _values("1"), judge={"name": name, "prompt": prompt}))
        for name in ("llama", "qwen")
    )
    words = "judged by llama with prompt pppppppppppp against .* judged by qwen"
    with pytest.raises(InvalidInput, match=words):
        compare(before, after)


def test_the_command_writes_all_three_forms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = str(_folder(tmp_path / "2026-Q4", _values("110")))
    after = str(_folder(tmp_path / "2027-Q1", _values("011"), rules={"sha256": "s" * 64}))
    assert main(["compare", before, after]) == 4
    assert "rules rrrrrrrrrrrr against rules ssssssssssss" in capsys.readouterr().err
    told = ["compare", before, after, "--despite", "rules, decline"]
    assert main(told) == 0
    terminal = capsys.readouterr().out
    pages = ["--out", str(tmp_path / "c.md"), "--page", str(tmp_path / "compare.html")]
    assert main([*told, *pages]) == 0
    assert capsys.readouterr().out == ""
    assert main([*told, "--out", "-"]) == 0
    markdown = (tmp_path / "c.md").read_text("utf-8")
    assert capsys.readouterr().out == markdown
    for text in (terminal, markdown, (tmp_path / "compare.html").read_text("utf-8")):
        assert "compared although rules differ" in text
        assert "m1: now fails" in re.sub(r"\\", "", text)
        assert "m1: now passes" in re.sub(r"\\", "", text)


@pytest.mark.parametrize(
    "name, text, said",
    [
        ("report.json", None, "report.json: cannot be read"),
        ("report.json", "[]", "holds no verdicts that can be read"),
        ("report.json", '{"tests": []}', "holds no verdict"),
        ("manifest.json", "{", "manifest.json: line 1"),
    ],
    ids=["none", "other", "empty", "damaged"],
)
def test_a_folder_that_is_no_run_is_exit_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str | None, said: str
) -> None:
    whole, other = (_folder(tmp_path / each, _values("1")) for each in "ab")
    (other / name).unlink()
    if text is not None:
        (other / name).write_text(text)
    assert main(["compare", str(whole), str(other)]) == 4
    assert said in capsys.readouterr().err


LUCK = "--despite: got 'luck'; expected questions, rules, decline"


@pytest.mark.parametrize(
    "arguments, said",
    [("A A/none", "no such folder"), ("A", "required: DIR"), ("A A --despite rules,luck", LUCK)],
)
def test_wrong_use_is_exit_4(project: Project, arguments: str, said: str) -> None:
    _folder(project.root / "A", _values("1"))
    project.command("compare", *arguments.split()).expect(4, said)


def test_a_row_says_all_that_its_change_does() -> None:
    counts: Any = {"of": 15, "before": 7, "after": 12, "gained": 6, "lost": 1, "concepts": 9}
    tests: Any = {"p": 0.125, "by_concept": Permuted(0.25, False), "adjusted": 0.00001}
    change = Change("facts", "med", "he", **counts, **tests)
    figures = ["7/15 25–70%", "12/15 55–93%", "+6", "−1", "0.1250", "0.2500 (drawn) (9)"]
    expected = ["facts", "med he", *figures, "<0.0001", "better", "52 points"]
    assert compare_text.rows([change])[1] == expected
