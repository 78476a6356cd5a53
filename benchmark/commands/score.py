"""`score`: re-score recorded answers, without network or third-party packages."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    score = commands.add_parser(
        "score", help="re-score recorded answers, without network or third-party packages"
    )
    score.add_argument("questions", type=Path, metavar="QUESTIONS", help="a question file")
    score.add_argument("raw", type=Path, metavar="RAW", help="its raw record (JSON lines)")
    score.add_argument("--reviews", type=Path, metavar="F", help="a review file to apply")
    score.add_argument(
        "--decline-date",
        metavar="D",
        help="use decline lists dated on or before this (default: all)",
    )
    score.add_argument(
        "--target",
        metavar="T",
        help="target whose response paths to use (default: the public API's)",
    )
    score.add_argument(
        "--out", metavar="F.md", help="write the table as Markdown; - for standard output"
    )
    score.add_argument(
        "--json", metavar="F", help="write every verdict as JSON; - for standard output"
    )
    score.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
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


def write(where: str, text: str) -> None:
    """Write to a file, whole or not at all, or to standard output for `-`."""
    from benchmark.core.files import write_text

    if where == "-":
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    else:
        write_text(Path(where), text)
