"""GitHub's summary of a job: Markdown appended to the file that the environment names.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions, "Adding a job
summary": 1 MiB a step, and a longer one is not shown at all."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmark.core.errors import InvalidInput
from benchmark.core.records import Verdict
from benchmark.report.tables import as_markdown, grid, markdown_text

NAME = "GITHUB_STEP_SUMMARY"
MOST = 1_000_000  # bytes, with room below 1 MiB for what other tools of the same step add


def append(text: str, environment: Mapping[str, str] = os.environ) -> None:
    """Add the text where the environment names a file. InvalidInput where it cannot be written."""
    name = environment.get(NAME)
    if not name:
        return
    try:
        with Path(name).open("ab") as file:
            file.write(_cut(text.encode("utf-8", "backslashreplace")))
    except OSError as error:
        fault = f"{NAME}: {name!a} cannot be written ({error.strerror or error})"
        hint = f"The run's reports are written. Unset {NAME} outside GitHub."
        raise InvalidInput([fault], hint) from None


def _cut(text: bytes) -> bytes:
    if len(text) <= MOST:
        return text.rstrip(b"\n") + b"\n\n"
    lines = text[:MOST].rpartition(b"\n")[0]
    return lines + b"\n\n(cut here: the rest is in the run's `results.md`)\n\n"


def partial(
    run: str, label: str, verdicts: Sequence[Verdict], broken: Sequence[str], missing: Sequence[str]
) -> str:
    """The table of an incomplete run, headed by what it lacks: it is not a quarter's result."""
    head = [f"# Answer quality, {markdown_text(run)}: a part of the run", "", markdown_text(label)]
    lost = [f"- broken, no score: {markdown_text(name)}" for name in broken]
    lost += [f"- collected but not reported: {markdown_text(name)}" for name in missing]
    return "\n".join([*head, "", *as_markdown(grid(verdicts)), "", *lost]) + "\n"
