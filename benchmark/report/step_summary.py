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
# bytes of one summary, with room below 1 MiB for what other tools of the same step add
MOST = 1_000_000


def append(text: str, environment: Mapping[str, str] = os.environ) -> None:
    """Add the text where the environment names a file. InvalidInput where that cannot be
    written."""
    name = environment.get(NAME)
    if not name:
        return
    try:
        with open(
            Path(name), "a", encoding="utf-8", errors="backslashreplace", newline="\n"
        ) as file:
            file.write(_cut(text))
    except OSError as error:
        fault = f"{NAME}: {name!a} cannot be written ({error.strerror or error})"
        raise InvalidInput(
            [fault], f"The run's reports are written. Unset {NAME} outside GitHub."
        ) from None


def _cut(text: str) -> str:
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= MOST:
        return text.rstrip("\n") + "\n\n"
    whole = data[:MOST].decode("utf-8", "ignore").rpartition("\n")[0]
    return f"{whole}\n\n(cut here: the rest is in the run's `results.md`)\n\n"


def partial(
    run: str, label: str, verdicts: Sequence[Verdict], broken: Sequence[str], missing: Sequence[str]
) -> str:
    """The table of a run that is not complete, headed by what it lacks: it is no result of a
    quarter."""
    lost = [f"- broken, no score: {markdown_text(name)}" for name in broken]
    lost += [f"- collected but not reported: {markdown_text(name)}" for name in missing]
    head = [
        f"# Answer quality, {markdown_text(run)}: a part of the run",
        "",
        markdown_text(label),
        "",
    ]
    return "\n".join([*head, *as_markdown(grid(verdicts)), "", *lost]) + "\n"
