"""`verify`: recheck a published folder from its own files, offline, with nothing but Python."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    verify = commands.add_parser(
        "verify", help="recheck a published folder from its own files, offline"
    )
    verify.add_argument(
        "folder", type=Path, metavar="DIR", help="a run's folder, such as reports/2026-Q4"
    )
    verify.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """One line a finding, then what was checked. Exit 0 where all holds, 1 where anything
    differs."""
    from benchmark.archive import verify as verifying
    from benchmark.archive.seal import SUMS, files
    from benchmark.core.files import sha256
    from benchmark.core.messages import printable

    found = 0
    for finding in verifying.verify(options.folder):
        print(printable(finding))
        found += 1
    sums = options.folder / SUMS
    seal = f"; SHA-256 of {SUMS}: {sha256(sums.read_bytes())}" if sums.is_file() else ""
    print(f"{options.folder}: {found or 'no'} findings in {len(files(options.folder))} files{seal}")
    return 1 if found else 0
