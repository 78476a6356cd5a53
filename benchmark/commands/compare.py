"""`compare`: what changed between two runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    compare = commands.add_parser(
        "compare", help="what changed between two runs, on unchanged questions"
    )
    earlier = "the earlier run's folder, such as reports/2026-Q4"
    compare.add_argument("before", type=Path, metavar="DIR", help=earlier)
    compare.add_argument("after", type=Path, metavar="DIR", help="the later run's folder")
    despite = "compare although these differ: questions, rules, decline, separated by commas"
    compare.add_argument("--despite", default="", metavar="WHAT", help=despite)
    out = "write the comparison as Markdown; - for standard output"
    compare.add_argument("--out", metavar="F.md", help=out)
    side_by_side = "write it as a page, answers side by side; - for standard output"
    compare.add_argument("--page", metavar="F.html", help=side_by_side)
    compare.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    """Exit 0 when compared, whatever has changed."""
    from benchmark.archive.comparable import read_run
    from benchmark.commands.score import write
    from benchmark.report import compare_page, compare_text
    from benchmark.results.comparison import compare

    despite = _despite(options.despite)
    comparison = compare(read_run(options.before), read_run(options.after), despite)
    if options.out:
        write(options.out, compare_page.markdown(comparison))
    if options.page:
        write(options.page, compare_page.page(comparison))
    if not options.out and not options.page:
        write("-", "\n".join(compare_text.terminal(comparison)) + "\n")
    return 0


def _despite(text: str) -> list[str]:
    """The known names given. InvalidInput names the others."""
    from benchmark.core.errors import InvalidInput
    from benchmark.results.comparison import DESPITE

    names = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in DESPITE]:
        expected = f"expected {', '.join(DESPITE)}"
        raise InvalidInput([f"--despite: got {name!a}; {expected}" for name in unknown])
    return names
