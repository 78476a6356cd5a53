"""A run's id, which names its folder and files: `2026-Q4` is the run on the live target,
`2026-Q4.demo` one on any other, so that no other run passes for the vendor's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

LIVE = "live"
QUARTER = re.compile(r"[0-9]{4}-Q[1-4]")
EXAMPLES = "a run such as 2026-Q4 or 2026-Q4.demo"
# Targets are named a-z 0-9 -, and models as `asking.models.safe_name` has them.
_RUN = re.compile(rf"({QUARTER.pattern})(?:\.(?!{LIVE}$)([a-z0-9_][a-z0-9._-]*))?")


@dataclass(frozen=True, order=True)
class RunId:
    """A quarter and the name of the target that was asked."""

    quarter: str
    target: str = LIVE

    @classmethod
    def parse(cls, text: str) -> RunId | None:
        """The inverse of `str`; None where the text is not a run's id."""
        match = _RUN.fullmatch(text)
        return cls(match[1], match[2] or LIVE) if match else None

    def __str__(self) -> str:
        return self.quarter if self.target == LIVE else f"{self.quarter}.{self.target}"

    def folder(self, root: Path) -> Path:
        """Where the run lies in a project."""
        return root / "reports" / str(self)

    def review_file(self, root: Path, second: str = "") -> Path:
        """The run's reviews, or those of a `second` reviewer."""
        return root / "reviews" / f"reviews-{self}{f'.by_{second}' if second else ''}.json"
