"""`check`: prove every question against the pages it speaks of."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    check = commands.add_parser("check", help="prove every question against the pages it speaks of")
    target = "demo (default), live (fetches the pages), or a target's file"
    check.add_argument("--target", default="demo", metavar="T", help=target)
    check.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from benchmark.run.checking import check

    return check(Path.cwd(), options.target, print)
