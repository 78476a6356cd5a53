"""`demo`: serve the embedded sites and their assistant on loopback."""

from __future__ import annotations

import argparse

from benchmark.commands.common import PORT
from benchmark.core.errors import InvalidInput

ARGUMENTS = (PORT,)


def run(options: argparse.Namespace) -> int:
    from benchmark.demo import DemoError
    from benchmark.demo.server import serve

    try:
        serve(options.port)
    except DemoError as fault:
        raise InvalidInput([str(fault)]) from None
    return 0
