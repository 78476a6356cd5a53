"""`judge-check`: calibrate a judge on labelled answers."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmark.asking.models import JUDGE_MODEL, JUDGE_URL
from benchmark.commands.common import argument, tell

_JUDGE, _URL = f"the judge (default: {JUDGE_MODEL})", "its endpoint; its key: JUDGE_API_KEY"
ARGUMENTS = (
    argument("--judge", _JUDGE, default=JUDGE_MODEL, metavar="NAME"),
    argument("--judge-url", _URL, default=JUDGE_URL, metavar="URL"),
)


def run(options: argparse.Namespace) -> int:
    from benchmark.asking.judge_check import check

    return check(Path.cwd(), options.judge, options.judge_url, tell)
