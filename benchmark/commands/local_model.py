"""`local-model`: serve a small real model on loopback (OpenAI-compatible)."""

from __future__ import annotations

import argparse

from benchmark.commands.common import PORT, argument, tell

ARGUMENTS = (PORT, argument("--threads", "processor threads (default: all)", type=int, metavar="N"))


def run(options: argparse.Namespace) -> int:
    from benchmark.demo.local_model import serve

    serve(options.port, options.threads, tell)
    return 0
