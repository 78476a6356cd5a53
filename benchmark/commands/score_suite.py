"""`score-suite`: score recorded responses to a suite, offline."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    score = commands.add_parser("score-suite", help="score recorded responses to a suite, offline")
    score.add_argument("suite", type=Path, metavar="SUITE", help="a suite file")
    score.add_argument(
        "responses",
        type=Path,
        metavar="RESPONSES",
        help='lines {"id", "response"[, "judge_output"]}',
    )
    score.add_argument(
        "--json", metavar="F", help="write every score as JSON; - for standard output"
    )
    score.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from benchmark.archive import rescore_suite
    from benchmark.commands.score import write
    from benchmark.core.files import to_json

    scored = rescore_suite.score_suite(options.suite, options.responses)
    write(options.json or "-", to_json(scored) if options.json else rescore_suite.as_text(scored))
    return 0
