"""`score`: re-score recorded answers, without network or third-party packages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmark.commands.common import argument, write

_DATE = "use decline lists dated on or before this (default: all)"
_TARGET = "target whose response paths to use (default: the public API's)"
ARGUMENTS = (
    argument("questions", "a question file", type=Path, metavar="QUESTIONS"),
    argument("raw", "its raw record (JSON lines)", type=Path, metavar="RAW"),
    argument("--reviews", "a review file to apply", type=Path, metavar="F"),
    argument("--decline-date", _DATE, metavar="D"),
    argument("--target", _TARGET, metavar="T"),
    argument("--out", "write the table as Markdown; - for standard output", metavar="F.md"),
    argument("--json", "write every verdict as JSON; - for standard output", metavar="F"),
)


def run(options: argparse.Namespace) -> int:
    from benchmark.archive import rescore
    from benchmark.core import files
    from benchmark.report import tables

    scored = rescore.score(
        options.questions,
        options.raw,
        review_file=options.reviews,
        date=options.decline_date,
        target=options.target,
        tell=lambda line: print(f"warning: {line}", file=sys.stderr),
    )
    if options.json:
        write(options.json, files.to_json(rescore.as_json(scored)))
    if options.out:
        write(options.out, rescore.as_markdown_page(scored))
    if not options.json and not options.out:
        write("-", "\n".join(tables.as_text(tables.grid(scored))) + "\n")
    return 0
