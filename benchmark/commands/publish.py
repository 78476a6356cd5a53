"""`publish`: freeze a run under a website's folder, and make the index over all quarters."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    publish = commands.add_parser(
        "publish", help="freeze a run under a website's folder, with an index over all quarters"
    )
    publish.add_argument(
        "name", metavar="RUN", help="a run under reports/, such as 2026-Q4 or 2026-Q4.demo"
    )
    publish.add_argument(
        "--to", type=Path, required=True, metavar="DIR", help="the website's folder"
    )
    publish.add_argument(
        "--draft",
        action="store_true",
        help="publish although answers that must be read have not been",
    )
    publish.add_argument(
        "--correction",
        metavar="REASON",
        help="publish other content as a dated correction, for a reason",
    )
    publish.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from benchmark.archive.publish import publish
    from benchmark.core.messages import printable

    how = {"draft": options.draft, "correction": options.correction}
    for line in publish(Path.cwd(), options.name, options.to, **how):
        print(printable(line))
    return 0
