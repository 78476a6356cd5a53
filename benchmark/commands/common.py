"""What several commands share: how they declare an argument, and where they write."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

from benchmark.core.files import write_text

Argument = tuple[str, dict[str, Any]]
tell = partial(print, flush=True)


def argument(name: str, text: str, **how: Any) -> Argument:
    """An argument as argparse takes it; `text` is its help."""
    return name, {"help": text, **how}


PORT = argument("--port", "the port (default: a free one)", type=int, default=0, metavar="N")


def write(where: str, text: str) -> None:
    """Write to a file, whole or not at all, or to standard output for `-`."""
    if where == "-":
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    else:
        write_text(Path(where), text)
