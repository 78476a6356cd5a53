"""Faults of what we were given, as opposed to faults of ours (exit code 4, not 3)."""

from __future__ import annotations

from collections.abc import Iterable

from benchmark.core.messages import printable

INVALID_INPUT = 4


def safe(text: str) -> str:
    """Lines that cannot steer a terminal: a fault may quote a file that was downloaded."""
    return "\n".join(map(printable, text.split("\n")))


class InvalidInput(Exception):
    """Every fault of an input at once, each "PLACE: got X; expected Y"; `hint`: what to do next.

    As a text it is `safe`, wherever it is shown; `faults` are as they were given.
    """

    def __init__(self, faults: Iterable[str], hint: str = "") -> None:
        self.faults, self.hint = tuple(faults), hint
        lines = (
            list(self.faults)
            if len(self.faults) == 1
            else [f"{len(self.faults)} faults:", *(f"  {f}" for f in self.faults)]
        )
        super().__init__(safe("\n".join([*lines, *([hint] if hint else [])])))
