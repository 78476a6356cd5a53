"""JUnit XML in the form of the Jenkins xUnit plugin (junit-10.xsd), which pytest's own
`--junit-xml` follows too.

Not pytest's writer: its file is finished after the run's other files and holds the name of the
machine, so it could be neither in a manifest nor made again from results. `--junit-xml` works as
ever beside it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from benchmark.core.records import Verdict
from benchmark.report.formats import common
from benchmark.report.formats.safe import xml_attribute, xml_text
from benchmark.results import counts
from benchmark.results.summary import Results


def text(value: Results, verdicts: Sequence[Verdict]) -> str:
    """A test suite for each set and language, a test case a question."""
    root = ET.Element("testsuites", {"name": xml_attribute(value.run), **_counts(verdicts)})
    for cell in counts.cells(verdicts):
        here = [v for v in verdicts if (v.question.set, v.question.language) == cell]
        root.append(_suite(value, ".".join(cell), here))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _suite(value: Results, name: str, verdicts: Sequence[Verdict]) -> ET.Element:
    skipped = sum(common.outcome(v) in (common.SKIPPED, common.OTHER) for v in verdicts)
    attributes = {"name": xml_attribute(name), **_counts(verdicts), "skipped": str(skipped)}
    suite = ET.Element("testsuite", attributes, timestamp=common.window(value)[0][:19])
    properties = ET.SubElement(suite, "properties")
    label, target = common.label(value), value.target.label
    for key, fact in (("run", value.run), ("target", target), ("label", label)):
        ET.SubElement(properties, "property", name=key, value=xml_attribute(fact))
    suite.extend(_case(name, v) for v in verdicts)
    return suite


def _counts(verdicts: Sequence[Verdict]) -> dict[str, str]:
    failures = str(sum(common.outcome(v) == common.FAILED for v in verdicts))
    time = _seconds(sum(v.latency_ms or 0 for v in verdicts))
    return {"tests": str(len(verdicts)), "failures": failures, "errors": "0", "time": time}


def _seconds(milliseconds: float | None) -> str:
    return f"{(milliseconds or 0) / 1000:.3f}"


def _case(suite: str, v: Verdict) -> ET.Element:
    """`time` is the latency of the answer, in seconds."""
    names = {"classname": xml_attribute(suite), "name": xml_attribute(v.question.id)}
    case = ET.Element("testcase", names, time=_seconds(v.latency_ms))
    outcome, message = common.outcome(v), common.message(v)
    if outcome == common.FAILED:
        failure = ET.SubElement(case, "failure", type="answer", message=xml_attribute(message))
        failure.text = xml_text(f"question: {v.question.question}\n{message}\nanswer: {v.answer}")
    elif outcome != common.PASSED:
        ET.SubElement(case, "skipped", type=outcome, message=xml_attribute(message))
    return case
