"""`compare`: what changed between two runs, on unchanged questions."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmark.commands.common import argument, write
from benchmark.core.errors import InvalidInput

_BEFORE = "the earlier run's folder, such as reports/2026-Q4"
_DESPITE = "compare although these differ: questions, rules, decline, separated by commas"
_OUT = "write the comparison as Markdown; - for standard output"
_PAGE = "write it as a page, answers side by side; - for standard output"
ARGUMENTS = (
    argument("before", _BEFORE, type=Path, metavar="DIR"),
    argument("after", "the later run's folder", type=Path, metavar="DIR"),
    argument("--despite", _DESPITE, default="", metavar="WHAT"),
    argument("--out", _OUT, metavar="F.md"),
    argument("--page", _PAGE, metavar="F.html"),
)


def run(options: argparse.Namespace) -> int:
    """Exit 0 when compared, whatever has changed."""
    from benchmark.archive.comparable import read_run
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
    from benchmark.results.comparison import DESPITE

    names = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in DESPITE]:
        expected = f"expected {', '.join(DESPITE)}"
        raise InvalidInput([f"--despite: got {name!a}; {expected}" for name in unknown])
    return names
