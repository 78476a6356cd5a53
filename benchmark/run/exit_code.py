"""What a run comes to once its last test is over: its reports, its exit code, and what the terminal
says."""

from __future__ import annotations

import traceback
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from benchmark.asking import record_file
from benchmark.asking.manifest import Manifest
from benchmark.core.errors import InvalidInput
from benchmark.core.records import verdict_of
from benchmark.results.counts import gate
from benchmark.run import reports
from benchmark.run.plan import Plan

FAILED, INTERNAL, INVALID = 1, 3, 4


@dataclass
class Ending:
    """`least` is what `--fail-under` asks for; `problem` what stood in the way of the reports
    (`is_ours`: by us)."""

    plan: Plan
    least: dict[str, float]
    report: reports.Report | None = None
    problem: str = ""
    is_ours: bool = False

    def write(
        self,
        json_report: dict[str, Any],
        expected: Collection[str],
        manifest: Manifest,
        option: Any,
    ) -> None:
        """Apply reviews and render the results from the JSON report; `expected`: node ids that were
        collected."""
        order = {
            name: at for at, name in enumerate(self.plan.set_of)
        }  # under xdist they come as they finish
        json_report.get("tests", []).sort(key=lambda test: order.get(_id_of(test), -1))
        told = json_report.get("tests", ())
        tests = [test for test in told if "call" in test and "verdict" in test.get("metadata", {})]
        verdicts = tuple(verdict_of(test["metadata"]["verdict"]) for test in tests)
        broken = tuple(test["nodeid"] for test in told if test["outcome"] == "error")
        missing = tuple(sorted(set(expected) - {test["nodeid"] for test in tests}))
        self.report = reports.Report(self.plan, manifest, verdicts, broken, missing)
        json_report["exitcode"] = self.exit_code(int(json_report["exitcode"]), option)
        try:
            self.report.write(json_report)
        except InvalidInput as fault:
            self.problem = str(fault)
        except (
            Exception
        ) as fault:  # ours, and said as ours: pytest would end with the code of a failed test
            self.is_ours, self.problem = (
                True,
                f"the reports could not be made: {fault!r}\n{traceback.format_exc()}",
            )

    def exit_code(self, code: int, option: Any) -> int:
        """0 all passed, 1 some answers failed, 2 interrupted, 3 internal, 4 wrong use or invalid
        input."""
        if self.is_ours:
            return INTERNAL
        if self.problem or code == pytest.ExitCode.NO_TESTS_COLLECTED:
            return INVALID
        if code not in (0, FAILED) or self.report is None:
            return code
        if self.report.broken:
            return INTERNAL
        if self.report.missing:  # on purpose only where -x or --maxfail stopped at failed answers
            return code if option.maxfail and code == FAILED else INTERNAL
        if self.least:
            return FAILED if gate(self.report.verdicts, self.least) else 0
        return (
            FAILED if any(v.failed for v in self.report.verdicts) and not option.report_only else 0
        )

    def results(self) -> Iterator[str]:
        """The table and what belongs beside it; nothing where nothing ran."""
        if self.report:
            yield from self.report.terminal_lines()
            yield from (f"--fail-under: {line}" for line in gate(self.report.verdicts, self.least))

    def torn(self, asking: bool) -> Iterator[str]:
        """Torn last lines, and what became of them: a replay moves nothing."""
        for path in self.plan.torn:
            yield (
                f"{path}: its last line was torn, and is"
                f" {f'moved to {record_file.aside(path)}' if asking else 'left out'}"
            )


def _id_of(test: dict[str, Any]) -> str:
    return str(test.get("metadata", {}).get("verdict", {}).get("question", {}).get("id"))
