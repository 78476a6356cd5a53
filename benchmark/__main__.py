"""`python -m benchmark COMMAND`: arguments to functions.

Exit codes: 0 done, 1 something differs, 2 interrupted, 3 internal, 4 wrong use or invalid input.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from typing import NoReturn

from benchmark.commands import add
from benchmark.core.errors import INVALID_INPUT, InvalidInput, safe

INTERRUPTED, INTERNAL = 2, 3


class Parser(argparse.ArgumentParser):
    """argparse, with the project's exit code for wrong use."""

    def error(self, message: str) -> NoReturn:
        self.exit(INVALID_INPUT, f"{self.format_usage()}error: {message}\n")


def _parser() -> Parser:
    parser = Parser(
        prog="python -m benchmark",
        description="Check, score, verify and serve answer-quality benchmarks.",
    )
    add(parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser))
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run a command; every way out has its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except InvalidInput as fault:
        print(f"error: {fault}", file=sys.stderr)
        return INVALID_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return 0
    except Exception:
        print(safe(traceback.format_exc()), end="", file=sys.stderr)
        return INTERNAL


if __name__ == "__main__":
    sys.exit(main())
