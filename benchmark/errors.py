"""Faults of what we were given, as opposed to faults of ours (exit code 4, not 3)."""

from __future__ import annotations

from collections.abc import Sequence

INVALID_INPUT = 4


class InvalidInput(Exception):
    """Every fault of an input at once: each says where, what was given, what is accepted; `hint` what to do next."""

    def __init__(self, faults: Sequence[str], hint: str = "") -> None:
        self.faults, self.hint = tuple(faults), hint
        lines = (
            list(self.faults)
            if len(self.faults) == 1
            else [f"{len(self.faults)} faults:", *(f"  {f}" for f in self.faults)]
        )
        super().__init__("\n".join([*lines, *([hint] if hint else [])]))
