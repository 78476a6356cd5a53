"""Formats that others read: valid by their own schemas or validators, true to the results, harmless
and whole."""

from __future__ import annotations

import csv
import dataclasses
import hashlib
import io
import json
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, FormatChecker
from lxml import etree  # type: ignore[import-untyped]
from support.verdicts import (
    HOSTILE,
    faulty,
    graded,
    hostile,
    overruled,
    question,
    undelivered,
    value,
    verdict,
)
from syrupy.assertion import SnapshotAssertion

from benchmark.core.errors import InvalidInput
from benchmark.core.files import write_text
from benchmark.core.records import Review, Verdict
from benchmark.report import formats, step_summary
from benchmark.report.formats import common, ctrf, every_eval_ever, junit, rows
from benchmark.report.formats.safe import CELL, cell, json_text
from benchmark.results import counts as results

SCHEMAS = Path(__file__).parent / "schemas"
LONG = "x" * 200_000
SITE = [
    verdict("med-en-01"),
    verdict("med-en-02", passes=False),
    overruled("med-en-03"),
    faulty("med-en-04"),
    undelivered("med-en-05"),
    verdict("biz-he-01", asked=False, delivered=False, reviewed={}, measures=(), answer=""),
]
SUITE = [graded(1, 85.5), graded(2, 40.0), graded(3, None, "judge error")]
HOSTILES = [
    hostile("med-en-01"),
    verdict("med-en-02", passes=False, answer=LONG + HOSTILE),
    verdict("med-en-03"),
]
RUNS = [
    pytest.param(SITE, "2026-Q4.demo", id="rehearsal"),
    pytest.param(SITE, "2026-Q4", id="live"),
    pytest.param(SUITE, "2026-Q4.some-model", id="suite"),
    pytest.param(HOSTILES, "2026-Q4.demo", id="hostile"),
]
EVERY_RUN = pytest.mark.parametrize("verdicts, run", RUNS)


def json_faults(name: str, instance: Any) -> list[str]:
    schema = json.loads((SCHEMAS / name).read_text("utf-8"))
    return [
        error.message
        for error in Draft7Validator(schema, format_checker=FormatChecker()).iter_errors(instance)
    ]


def harmless(text: str) -> bool:
    """No control, bidi or surrogate character stands in the text itself."""
    return not any(
        unicodedata.category(c).startswith(("C", "Z")) and c not in " \n\r\t\u00a0\ufeff"
        for c in text
    )


# All of them --------------------------------------------------------------------------------------


@EVERY_RUN
def test_every_file_can_be_written_and_nothing_in_it_acts(
    verdicts: list[Verdict], run: str
) -> None:
    for name, text in formats.files(value(verdicts, run), verdicts).items():
        assert text.encode("utf-8"), name
        assert harmless(text), name


def test_a_file_is_the_same_each_time() -> None:
    """Made again from the same results, names and bytes are the same: no clock, no chance."""
    assert formats.files(value(SITE), SITE) == formats.files(value(SITE), SITE)


@pytest.mark.parametrize("name", ["junit.xml", "ctrf.json", "results.csv", "results.jsonl"])
def test_a_rehearsal_and_a_draft_are_labelled_in_every_format(name: str) -> None:
    text = formats.files(value(SITE), SITE)[name]
    assert "rehearsal, not a result of any vendor's platform; draft" in text
    assert "rehearsal" not in formats.files(value(SITE, "2026-Q4"), SITE)[name].replace(
        '"rehearsal": false', ""
    )


def test_a_rehearsal_is_labelled_in_every_eval_ever() -> None:
    log = json.loads(every_eval_ever.aggregate(value(SITE), SITE))
    assert log["model_info"]["id"] == "rehearsal/demo"
    assert log["source_metadata"]["additional_details"]["label"].startswith("rehearsal")


@pytest.mark.parametrize(
    "made, outcome",
    [
        pytest.param(verdict(), "passed", id="passed"),
        pytest.param(verdict(passes=False), "failed", id="failed"),
        pytest.param(overruled("med-en-01"), "passed", id="passed by review"),
        pytest.param(faulty("med-en-01"), "skipped", id="faulty"),
        pytest.param(undelivered("med-en-01"), "failed", id="not delivered"),
        pytest.param(verdict(asked=False, measures=(), reviewed={}), "other", id="not asked"),
        pytest.param(graded(1, None, "judge error"), "other", id="judge error"),
    ],
)
def test_an_outcome_is_that_of_the_tests(made: Verdict, outcome: str) -> None:
    assert common.outcome(made) == outcome
    assert bool(common.message(made)) == (outcome != "passed")


def test_a_reviewers_reason_stands_for_what_he_changed() -> None:
    made = verdict(passes=True)
    review = Review("med-en-01", verdicts={"right": False}, reason="of another year")
    changed = dataclasses.replace(
        made, reviewed=made.reviewed | {"right": False}, review=review, read=True
    )
    assert common.message(changed) == "right: by review: of another year"


# JUnit XML ----------------------------------------------------------------------------------------


@EVERY_RUN
def test_junit_is_valid(verdicts: list[Verdict], run: str) -> None:
    schema = etree.XMLSchema(etree.parse(SCHEMAS / "junit-10.xsd"))
    document = etree.fromstring(junit.text(value(verdicts, run), verdicts).encode())
    assert schema.validate(document), schema.error_log


def test_junit_counts_what_it_lists() -> None:
    root = ET.fromstring(junit.text(value(SITE), SITE))
    assert (root.get("tests"), root.get("failures")) == ("6", "2")
    assert [suite.get("name") for suite in root] == ["med.en", "biz.he"]
    for suite in root:
        assert suite.get("tests") == str(len(suite.findall("testcase")))
        assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
        assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))


def test_junit_holds_a_hostile_answer_whole_as_text() -> None:
    failure = ET.fromstring(junit.text(value(HOSTILES), HOSTILES)).find(".//failure")
    assert failure is not None
    text = failure.text or ""
    assert list(failure) == []
    escaped = ("\\x1b[31m", "\\u202e", "\\ud800", "\\ufffe")
    for part in ("<script>alert(1)</script>", "]]>", *escaped, "שלום Привет مرحبا"):
        assert part in text


def test_pytests_own_junit_xml_holds_hostile_messages(tmp_path: Path) -> None:
    """`pytest --junit-xml` stays usable whatever an answer says, as the questions' test reports
    it."""
    lines = [
        "import pytest",
        "from support.verdicts import hostile",
        "from benchmark.core.messages import failure",
        "def test_question(): pytest.fail(failure(hostile('med-en-01')), pytrace=False)",
    ]
    write_text(tmp_path / "test_one.py", "\n".join(lines))
    here = Path(__file__).parent
    command = f"{sys.executable} -m pytest -q -p no:cacheprovider --junit-xml out.xml test_one.py"
    environment = {"PYTHONPATH": f"{here}:{here.parent}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command.split(), cwd=tmp_path, env=environment, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1, done.stdout
    failure = ET.parse(tmp_path / "out.xml").find(".//failure")
    assert failure is not None
    assert "<script>" in (failure.get("message") or "")


# CTRF ---------------------------------------------------------------------------------------------


@EVERY_RUN
def test_ctrf_is_valid(verdicts: list[Verdict], run: str) -> None:
    assert json_faults("ctrf-0.0.json", json.loads(ctrf.text(value(verdicts, run), verdicts))) == []


def test_the_ctrf_schema_is_looked_at() -> None:
    report = json.loads(ctrf.text(value(SITE), SITE))
    report["results"]["tests"][0]["status"] = "good"
    assert json_faults("ctrf-0.0.json", report)


def test_ctrf_says_what_the_tests_said(snapshot: SnapshotAssertion) -> None:
    report = json.loads(ctrf.text(value(SITE), SITE))["results"]
    statuses = ["passed", "failed", "passed", "skipped", "failed", "other"]
    assert [test["status"] for test in report["tests"]] == statuses
    assert report["summary"] == snapshot(name="summary")
    assert report["tests"][2] == snapshot(name="passed by review")
    assert report["tests"][3] == snapshot(name="faulty")


# Rows ---------------------------------------------------------------------------------------------


def table(verdicts: list[Verdict], run: str = "2026-Q4.demo") -> list[dict[str, str]]:
    """The CSV as a spreadsheet reads it; every row has every column, or DictReader would leave
    None."""
    text = rows.as_csv(value(verdicts, run), verdicts)
    assert text.startswith("\ufeff")
    read = list(
        csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), restkey="more")
    )
    assert all("more" not in row and None not in row.values() for row in read)
    return read


@EVERY_RUN
def test_csv_is_a_table_of_a_row_a_question(verdicts: list[Verdict], run: str) -> None:
    text = rows.as_csv(value(verdicts, run), verdicts)
    assert len(table(verdicts, run)) == len(verdicts) == text.count("\r\n") - 1
    assert text.count("\n") == text.count("\r\n"), "no cell holds a line break"


def test_csv_shows_both_values_of_a_measure_and_the_review(snapshot: SnapshotAssertion) -> None:
    assert table(SITE)[2] == snapshot


def test_a_measure_may_be_called_like_a_column() -> None:
    """Track A has a measure `language`, and every row a language."""
    made = verdict()
    measures = (dataclasses.replace(made.measures[0], name="language"),)
    row = table([dataclasses.replace(made, measures=measures, reviewed={"language": True})])[0]
    assert (row["language"], row["language.reviewed"]) == ("en", "true")


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t", "\r", "＝", " =", "\n=", "a;=", "a\t@", "a\n+"]
)
def test_a_cell_that_a_spreadsheet_would_run_is_defused(start: str) -> None:
    made = cell(f"{start}1+1")
    before = made[: made.index("'")]
    assert before.strip(" ") in ("", "a;", "a\\t", "a\\n", "\\n"), made


@pytest.mark.parametrize(
    "text", ["12-30", "a@b.example", "a = b", "5 + 5", "", "שלום", "8:00–12:30"]
)
def test_a_harmless_cell_is_left_alone(text: str) -> None:
    assert cell(text) == text


def test_no_hostile_cell_can_run() -> None:
    for row in table(HOSTILES):
        assert not any(
            text.startswith(("=", "+", "-", "@", "\t", "\r")) for text in [*row, *row.values()]
        )
        assert ";=" not in "".join(row.values())


def test_a_cell_is_no_longer_than_excel_holds() -> None:
    made = table(HOSTILES)[1]["answer"]
    assert len(made) <= CELL
    assert "results.jsonl has them all" in made


@EVERY_RUN
def test_jsonl_holds_everything_that_was_received(verdicts: list[Verdict], run: str) -> None:
    lines = [
        json.loads(line) for line in rows.as_jsonl(value(verdicts, run), verdicts).splitlines()
    ]
    assert [line["id"] for line in lines] == [v.question.id for v in verdicts]
    for line, v in zip(lines, verdicts, strict=True):
        assert line["answer"] == (v.answer.replace("\ud800", "\\ud800") if v.delivered else None)
        assert line["measures"].keys() == {m.name.replace("\ud800", "\\ud800") for m in v.measures}


def test_json_says_the_same_to_every_reader() -> None:
    """What acts is an escape, what strict readers refuse is text, what people read stays as it
    is."""
    assert json_text("\u202eשלום\x1b") == '"\\u202eשלום\\u001b"'
    assert json_text("\ud800") == '"\\\\ud800"'
    assert json_text({"a": [1, "é🙂\U000e0041"]}) == '{"a": [1, "é🙂\\udb40\\udc41"]}'
    with pytest.raises(ValueError, match="JSON compliant"):
        json_text(float("nan"))


# Every Eval Ever ----------------------------------------------------------------------------------


def logged(verdicts: list[Verdict], run: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    made = value(verdicts, run)
    log = json.loads(every_eval_ever.aggregate(made, verdicts))
    return log, [
        json.loads(line) for line in every_eval_ever.instances(made, verdicts).splitlines()
    ]


@EVERY_RUN
def test_every_eval_ever_is_valid(verdicts: list[Verdict], run: str) -> None:
    log, instances = logged(verdicts, run)
    assert json_faults("every-eval-ever-0.3.0.json", log) == []
    assert [
        fault
        for line in instances
        for fault in json_faults("every-eval-ever-instance-0.3.0.json", line)
    ] == []


@EVERY_RUN
def test_the_two_files_belong_together(verdicts: list[Verdict], run: str, tmp_path: Path) -> None:
    """What that project's validator checks beside the schema: place, digest, rows and keys; scores
    within bounds."""
    made = value(verdicts, run)
    for name, text in formats.files(made, verdicts).items():
        write_text(tmp_path / name, text)
    log, instances = logged(verdicts, run)
    details = log["detailed_evaluation_results"]
    samples = (tmp_path / every_eval_ever.FOLDER / details["file_path"]).read_bytes()
    assert details["checksum"] == hashlib.sha256(samples).hexdigest()
    assert details["total_rows"] == len(instances) == len(samples.splitlines())
    keys = {(line["evaluation_id"], line["model_id"]) for line in instances}
    assert keys == {(log["evaluation_id"], log["model_info"]["id"])}
    joined = {line["evaluation_result_id"] for line in instances}
    assert joined == {result["evaluation_result_id"] for result in log["evaluation_results"]}
    for result in log["evaluation_results"]:
        config = result["metric_config"]
        assert config["min_score"] <= result["score_details"]["score"] <= config["max_score"]


@EVERY_RUN
def test_a_result_is_the_mean_of_its_instances(verdicts: list[Verdict], run: str) -> None:
    log, instances = logged(verdicts, run)
    for result in log["evaluation_results"]:
        mine = [
            line
            for line in instances
            if line["evaluation_result_id"] == result["evaluation_result_id"]
        ]
        mean = sum(line["evaluation"]["score"] for line in mine) / len(mine)
        assert result["score_details"]["score"] == pytest.approx(mean)


def test_a_graded_measure_has_a_rate_and_a_mean_apart() -> None:
    log, instances = logged(SUITE, "2026-Q4.some-model")
    scores = {
        result["evaluation_result_id"]: result["score_details"]
        for result in log["evaluation_results"]
    }
    assert scores["tiny/ar/judge/pass_rate"]["score"] == 0.5
    assert scores["tiny/ar/judge/pass_rate"]["details"]["faults"] == "1"
    assert scores["tiny/ar/judge/mean_score"]["score"] == 62.75
    assert not [
        line
        for line in instances
        if line["sample_id"] == "tiny-q-3" and "judge" in line["evaluation_name"]
    ]


def test_an_interval_is_that_of_the_table() -> None:
    log, _ = logged(SITE, "2026-Q4")
    row = results.row(SITE, "right", "med", "en")
    result = next(
        one
        for one in log["evaluation_results"]
        if one["evaluation_result_id"] == "med/en/right/pass_rate"
    )
    uncertainty = result["score_details"]["uncertainty"]
    assert (
        uncertainty["confidence_interval"]["lower"],
        uncertainty["confidence_interval"]["upper"],
    ) == row.interval
    assert uncertainty["num_samples"] == row.of == 4, "a faulty question is in no score"


@pytest.mark.parametrize(
    "run, model, relation",
    [
        ("2026-Q4", "slatech/assistant", "first_party"),
        ("2026-Q4.demo", "rehearsal/demo", "first_party"),
        ("2026-Q4.some-model", "undisclosed/some-model", "other"),
    ],
)
def test_only_the_vendors_own_run_bears_its_name(run: str, model: str, relation: str) -> None:
    log, _ = logged(SITE, run)
    assert log["model_info"]["id"] == model
    assert log["source_metadata"]["evaluator_relationship"] == relation


def test_a_model_is_named_as_it_names_itself_and_its_judge_beside_it() -> None:
    made = value(
        SUITE, "2026-Q4.qwen-qwen3", model={"name": "qwen/qwen3:8b"}, judge={"name": "llama"}
    )
    log = json.loads(every_eval_ever.aggregate(made, SUITE))
    assert log["model_info"]["id"] == "qwen/qwen3-8b"
    assert json.loads(log["source_metadata"]["additional_details"]["judge"])["name"] == "llama"
    assert json_faults("every-eval-ever-0.3.0.json", log) == []


# Croissant ----------------------------------------------------------------------------------------


def questions_beside(tmp_path: Path, verdicts: list[Verdict]) -> dict[str, Any]:
    """Write the question files of verdicts where the metadata has them; what `results.json` says of
    them."""
    sets: dict[str, Any] = {}
    for name in dict.fromkeys(v.question.set for v in verdicts):
        asked = [dataclasses.asdict(v.question) for v in verdicts if v.question.set == name]
        path = f"suites/{name}.json" if "scoring" in asked[0] else f"questions-{name}.json"
        write_text(tmp_path / "questions" / path, json.dumps({"set": name, "questions": asked}))
        digest = hashlib.sha256((tmp_path / "questions" / path).read_bytes()).hexdigest()
        sets[name] = {"version": "2026.4.0", "sha256": digest, "count": len(asked)}
    return sets


@pytest.mark.filterwarnings(
    "ignore:ConjunctiveGraph is deprecated:DeprecationWarning"
)  # rdflib, in mlcroissant
@pytest.mark.parametrize("verdicts", [SITE, SUITE], ids=["site", "suite"])
def test_croissant_is_valid_and_leads_to_the_questions(
    tmp_path: Path, verdicts: list[Verdict]
) -> None:
    made = value(verdicts, question_sets=questions_beside(tmp_path, verdicts))
    write_text(tmp_path / "croissant.json", formats.files(made, verdicts)["croissant.json"])
    import mlcroissant  # type: ignore[import-untyped] # a second to import, for one test

    dataset = mlcroissant.Dataset(jsonld=str(tmp_path / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert not issues.warnings
    for records in dataset.metadata.record_sets:
        ids = [row[f"{records.id}/id"].decode() for row in dataset.records(records.id)]
        assert ids == [v.question.id for v in verdicts if v.question.set == records.id]


def test_croissant_says_what_the_specification_requires(tmp_path: Path) -> None:
    """The validator passes without any of these
    (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html)."""
    sets = questions_beside(tmp_path, SITE)
    made = json.loads(formats.files(value(SITE, question_sets=sets), SITE)["croissant.json"])
    assert made["@type"] == "sc:Dataset"
    assert made["conformsTo"] == "http://mlcommons.org/croissant/1.1"
    assert made["name"] == "answer-quality-benchmark-questions-2026-Q4"
    assert made["url"].startswith("https://")
    assert made["creator"] == {
        "@type": "sc:Organization",
        "name": "SLAtech",
        "url": "https://slatech.ai/",
    }
    assert (
        "fixed before the first answer: med 2026.4.0 (5), biz 2026.4.0 (1)" in made["description"]
    )
    assert made["license"].startswith("https://spdx.org/licenses/")
    assert (made["datePublished"], made["version"], made["inLanguage"]) == (
        "2026-11-30",
        "2026.4.0",
        ["en", "he"],
    )
    assert {f["contentUrl"]: f["sha256"] for f in made["distribution"]} == {
        f"questions/questions-{name}.json": sets[name]["sha256"] for name in ("med", "biz")
    }


def test_croissant_finds_a_changed_question_file(tmp_path: Path) -> None:
    """The digest is one that a reader's library checks."""
    made = value(SITE, question_sets=questions_beside(tmp_path, SITE))
    write_text(tmp_path / "croissant.json", formats.files(made, SITE)["croissant.json"])
    digest = json.loads((tmp_path / "croissant.json").read_text("utf-8"))["distribution"][0][
        "sha256"
    ]
    path = tmp_path / "questions/questions-med.json"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    write_text(path, path.read_text("utf-8").replace("question med-en-01?", "another question"))
    assert hashlib.sha256(path.read_bytes()).hexdigest() != digest


def test_the_licence_is_the_projects_own() -> None:
    """The questions lie under the licence of the repository that they lie in."""
    licence = (Path(__file__).parents[1] / "LICENSE").read_text("utf-8")
    made = json.loads(formats.files(value(SITE), SITE)["croissant.json"])
    assert made["license"] == "https://spdx.org/licenses/Apache-2.0.html"
    assert licence.split()[:4] == ["Apache", "License", "Version", "2.0,"]


# GitHub's step summary ----------------------------------------------------------------------------


def test_the_summary_is_appended_where_github_names_a_file(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n", "utf-8")
    step_summary.append("# Results\n", {"GITHUB_STEP_SUMMARY": str(path)})
    step_summary.append("שלום \ud800", {"GITHUB_STEP_SUMMARY": str(path)})
    assert path.read_text("utf-8") == "before\n# Results\n\nשלום \\ud800\n\n"


@pytest.mark.parametrize("environment", [{}, {"GITHUB_STEP_SUMMARY": ""}], ids=["unset", "empty"])
def test_elsewhere_no_summary_is_written(
    environment: dict[str, str], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    step_summary.append("# Results\n", environment)
    assert list(tmp_path.iterdir()) == []


def test_a_summary_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="GITHUB_STEP_SUMMARY: .*cannot be written"):
        step_summary.append("# Results\n", {"GITHUB_STEP_SUMMARY": str(tmp_path)})


def test_a_summary_stays_below_githubs_limit(tmp_path: Path) -> None:
    """GitHub shows nothing of a summary over 1 MiB: it is cut at a line, and says so."""
    step_summary.append(
        "ש" * 99 + "\n" + "line\n" * 400_000, {"GITHUB_STEP_SUMMARY": str(tmp_path / "s.md")}
    )
    text = (tmp_path / "s.md").read_text("utf-8")
    assert len(text.encode()) < 2**20
    assert text.endswith("line\n\n(cut here: the rest is in the run's `results.md`)\n\n")


def test_a_part_of_a_run_has_its_own_summary() -> None:
    text = step_summary.partial(
        "2026-Q4.demo", "rehearsal", SITE[:2], ["t.py::q[a]"], ["t.py::q[<b>|c]"]
    )
    assert "a part of the run" in text
    assert r"broken, no score: t.py::q\[a\]" in text
    assert r"collected but not reported: t.py::q\[\<b\>\|c\]" in text
    assert question().id not in text, "a table, no answers"


def test_a_hostile_summary_stays_a_table() -> None:
    text = step_summary.partial(HOSTILE, HOSTILE, [hostile("med-en-01")], [HOSTILE], [HOSTILE])
    assert not re.search(r"(?<!\\)[<>`*]", text), "every mark of Markdown is escaped"
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in tables} == {4}
