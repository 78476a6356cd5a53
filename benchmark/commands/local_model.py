"""`local-model`: serve a small real model on loopback, as an OpenAI-compatible endpoint."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    local = commands.add_parser(
        "local-model", help="serve a small real model on loopback (OpenAI-compatible)"
    )
    local.add_argument(
        "--port", type=int, default=0, metavar="N", help="the port (default: a free one)"
    )
    local.add_argument("--threads", type=int, metavar="N", help="processor threads (default: all)")
    local.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from benchmark.demo.local_model import serve

    serve(options.port, options.threads, lambda line: print(line, flush=True))
    return 0
