"""`judge-check`: how a judge grades answers whose rightness is known."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmark.asking.models import JUDGE_MODEL, JUDGE_URL


def add(commands: Any) -> None:
    check = commands.add_parser("judge-check", help="calibrate a judge on labelled answers")
    check.add_argument(
        "--judge", default=JUDGE_MODEL, metavar="NAME", help=f"the judge (default: {JUDGE_MODEL})"
    )
    check.add_argument(
        "--judge-url", default=JUDGE_URL, metavar="URL", help="its endpoint; its key: JUDGE_API_KEY"
    )
    check.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from benchmark.asking.judge_check import check

    return check(Path.cwd(), options.judge, options.judge_url, lambda line: print(line, flush=True))
