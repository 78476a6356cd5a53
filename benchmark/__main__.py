"""`python -m benchmark COMMAND`: arguments to functions.

Exit codes: 0 done, 2 interrupted, 3 internal, 4 wrong use or invalid input.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from pathlib import Path
from typing import NoReturn

from benchmark.errors import INVALID_INPUT, InvalidInput

INTERRUPTED, INTERNAL = 2, 3


class Parser(argparse.ArgumentParser):
    """argparse, with the project's exit code for wrong use."""

    def error(self, message: str) -> NoReturn:
        self.exit(INVALID_INPUT, f"{self.format_usage()}error: {message}\n")


def _parser() -> Parser:
    parser = Parser(prog="python -m benchmark", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    score = commands.add_parser("score", help="re-score recorded answers, without network or third-party packages")
    score.add_argument("questions", type=Path, metavar="QUESTIONS", help="a question file")
    score.add_argument("raw", type=Path, metavar="RAW", help="its raw record (JSON lines)")
    score.add_argument("--reviews", type=Path, metavar="F", help="a review file to apply")
    score.add_argument("--decline-date", metavar="D", help="use decline lists dated on or before this (default: all)")
    score.add_argument(
        "--target", metavar="T", help="target whose response paths to use (default: the documented API's)"
    )
    score.add_argument("--out", metavar="F.md", help="write the table as Markdown; - for standard output")
    score.add_argument("--json", metavar="F", help="write every verdict as JSON; - for standard output")
    score.set_defaults(run=_score)
    check = commands.add_parser("check", help="prove every question against the pages it speaks of")
    check.add_argument(
        "--target", default="demo", metavar="T", help="demo (default), live (fetches the pages), or a target's file"
    )
    check.set_defaults(run=_check)
    demo = commands.add_parser("demo", help="serve the embedded sites and their assistant on loopback")
    demo.add_argument("--port", type=int, default=0, metavar="N", help="the port (default: a free one)")
    demo.set_defaults(run=_demo)
    return parser


def _score(options: argparse.Namespace) -> int:
    from benchmark import files, scorer, tables

    scored = scorer.score(options.questions, options.raw, options.reviews, options.decline_date, options.target)
    if options.json:
        _write(options.json, files.to_json(scorer.as_json(scored)))
    if options.out:
        _write(options.out, scorer.as_markdown_page(scored))
    if not options.json and not options.out:
        _write("-", "\n".join(tables.as_text(tables.grid(scored))) + "\n")
    return 0


def _write(where: str, text: str) -> None:
    from benchmark.files import write_text

    if where == "-":
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    else:
        write_text(Path(where), text)


def _check(options: argparse.Namespace) -> int:
    from benchmark.checking import check

    return check(Path.cwd(), options.target, print)


def _demo(options: argparse.Namespace) -> int:
    from benchmark.demo import DemoError
    from benchmark.demo.server import serve

    try:
        serve(options.port)
    except DemoError as fault:
        raise InvalidInput([str(fault)]) from None
    return 0


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
        traceback.print_exc()
        return INTERNAL


if __name__ == "__main__":
    sys.exit(main())
