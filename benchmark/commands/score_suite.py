"""`score-suite`: score recorded responses to a suite, offline."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmark.commands.common import argument, write

_RESPONSES = 'lines {"id", "response"[, "judge_output"]}'
_JSON = "write every score as JSON; - for standard output"
ARGUMENTS = (
    argument("suite", "a suite file", type=Path, metavar="SUITE"),
    argument("responses", _RESPONSES, type=Path, metavar="RESPONSES"),
    argument("--json", _JSON, metavar="F"),
)


def run(options: argparse.Namespace) -> int:
    from benchmark.archive import rescore_suite
    from benchmark.core.files import to_json

    scored = rescore_suite.score_suite(options.suite, options.responses)
    write(options.json or "-", to_json(scored) if options.json else rescore_suite.as_text(scored))
    return 0
