"""`verify`: recheck a published folder from its own files, offline."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmark.commands.common import argument

ARGUMENTS = (
    argument("folder", "a run's folder, such as reports/2026-Q4", type=Path, metavar="DIR"),
)


def run(options: argparse.Namespace) -> int:
    """A finding a line, then what was checked. Exit 0 where all holds, 1 where anything differs."""
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
