"""Formats that others read, made from a run's results. Every module: `(value, verdicts) -> str`,
pure, one format.

`value` is what `results.json` holds. Everything hostile is harmless in every format: JSON and XML
hold it escaped, a spreadsheet runs none of it, and what no other program could read (a lone
surrogate) is written out as text."""

from __future__ import annotations

from collections.abc import Sequence

from benchmark.core.records import Verdict
from benchmark.report.formats import croissant, ctrf, every_eval_ever, junit, rows
from benchmark.results.summary import Results


def files(value: Results, verdicts: Sequence[Verdict]) -> dict[str, str]:
    """Names inside the run's folder, and their text. UTF-8; the CSV has a byte order mark."""
    return {
        "junit.xml": junit.text(value, verdicts),
        "ctrf.json": ctrf.text(value, verdicts),
        "results.csv": rows.as_csv(value, verdicts),
        "results.jsonl": rows.as_jsonl(value, verdicts),
        "croissant.json": croissant.text(value, verdicts),
        every_eval_ever.path(value, ".json"): every_eval_ever.aggregate(value, verdicts),
        every_eval_ever.path(value, "_samples.jsonl"): every_eval_ever.instances(value, verdicts),
    }
