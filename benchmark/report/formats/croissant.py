"""Croissant 1.1 (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html): what the
question sets are.

A file object with its digest and a record set for each question file. Addresses of files are
relative to this one: they lie beside it in a published folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmark.core.provenance import AskedSet
from benchmark.core.records import Question, Verdict
from benchmark.report.formats import common
from benchmark.report.formats.safe import json_text
from benchmark.results.summary import Results

CONFORMS_TO = "http://mlcommons.org/croissant/1.1"
LICENCE = "https://spdx.org/licenses/Apache-2.0.html"  # of the repository with the questions
WEBSITE = f"{common.PUBLISHER_URL}en/eval/"
_ORGANIZATION = {"@type": "sc:Organization", "name": common.PUBLISHER, "url": common.PUBLISHER_URL}
_FIELDS = {
    "site": ("id", "language", "kind", "question"),
    "suite": ("id", "question", "reference_answer", "scoring"),
}
_SAME_NAME = (
    "arrayShape citeAs column containedIn equivalentProperty extract field fileProperty fileObject"
    " fileSet format includes isArray isLiveDataset jsonPath key md5 parentField path recordSet"
    " references regex repeated replace samplingRate separator source subField transform"
)
# the specification's appendix 1, as its reference implementation writes it
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "sc": "https://schema.org/",
    **{name: f"cr:{name}" for name in _SAME_NAME.split()},
}


def text(value: Results, verdicts: Sequence[Verdict]) -> str:
    """Metadata of the question sets that this run asked."""
    firsts = {v.question.set: v.question for v in reversed(verdicts)}
    sets = {name: questions for name, questions in value.question_sets.items() if name in firsts}
    citation = f"questions of the {common.SUITE}, {value.quarter}, {WEBSITE}"
    dataset = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": f"{common.SUITE}-questions-{value.quarter}",
        "description": _description(value.run, sets),
        "conformsTo": CONFORMS_TO,
        "citeAs": f"{common.PUBLISHER}: {citation}",
        "creator": _ORGANIZATION,
        "publisher": _ORGANIZATION,
        "datePublished": common.window(value)[1][:10],
        "inLanguage": list(dict.fromkeys(v.question.language for v in verdicts)),
        "isLiveDataset": False,
        "license": LICENCE,
        "url": WEBSITE,
        "version": _version(sets),
        "distribution": [_file(name, questions, firsts[name]) for name, questions in sets.items()],
        "recordSet": [_records(name, firsts[name]) for name in sets],
    }
    return json_text(dataset, indent=1) + "\n"


def _description(run: str, sets: dict[str, AskedSet]) -> str:
    listed = (f"{name} {some.version} ({some.count})" for name, some in sets.items())
    asked = f"Questions that the {common.SUITE} asked in run {run}, fixed before the first answer"
    return f"{asked}: {', '.join(listed)}.".replace("  ", " ")


def _version(sets: dict[str, AskedSet]) -> str:
    """The sets' own version where they share one, else that of the form of this description."""
    versions = {questions.version for questions in sets.values()}
    return versions.pop() if len(versions) == 1 and versions != {""} else "1.0.0"


def _file(name: str, questions: AskedSet, first: Question) -> dict[str, Any]:
    path = first.file.format(set=name)
    return {
        "@type": "cr:FileObject",
        "@id": f"file-{name}",
        "name": path.rpartition("/")[2],
        "contentUrl": path,
        "encodingFormat": "application/json",
        "sha256": questions.sha256,
    }


def _records(name: str, first: Question) -> dict[str, Any]:
    head = {"@type": "cr:RecordSet", "@id": name, "name": name, "key": {"@id": f"{name}/id"}}
    return {**head, "field": [_field(name, field) for field in _FIELDS[first.track]]}


def _field(name: str, field: str) -> dict[str, Any]:
    head = {"@type": "cr:Field", "@id": f"{name}/{field}", "name": field, "dataType": "sc:Text"}
    extract = {"jsonPath": f"$.questions[*].{field}"}
    return {**head, "source": {"fileObject": {"@id": f"file-{name}"}, "extract": extract}}
