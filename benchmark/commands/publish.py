"""`publish`: freeze a run under a website's folder, with an index over all quarters."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmark.commands.common import argument

_RUN = "a run under reports/, such as 2026-Q4 or 2026-Q4.demo"
_DRAFT = "publish although answers that must be read have not been"
_CORRECTION = "publish other content as a dated correction, for a reason"
ARGUMENTS = (
    argument("name", _RUN, metavar="RUN"),
    argument("--to", "the website's folder", type=Path, required=True, metavar="DIR"),
    argument("--draft", _DRAFT, action="store_true"),
    argument("--correction", _CORRECTION, metavar="REASON"),
)


def run(options: argparse.Namespace) -> int:
    from benchmark.archive.publish import publish
    from benchmark.core.messages import printable

    how = {"draft": options.draft, "correction": options.correction}
    for line in publish(Path.cwd(), options.name, options.to, **how):
        print(printable(line))
    return 0
