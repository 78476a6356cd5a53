"""``python -m benchmark.demo [--port N]``: serve the demo on loopback until Ctrl-C."""

from __future__ import annotations

import argparse
import sys

from benchmark.demo import DemoError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmark.demo", description="Serve the demo sites on loopback."
    )
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="the port (default: a free one)"
    )
    parser.add_argument("--with-parent", action="store_true", help="end when standard input ends")
    options = parser.parse_args(arguments)
    try:
        from benchmark.demo.server import serve

        serve(options.port, with_parent=options.with_parent)
    except DemoError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
