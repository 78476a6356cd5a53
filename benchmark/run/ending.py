"""The end of a run: reports from pytest's JSON report, and what the terminal shows at its end."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from benchmark.asking import record_file
from benchmark.core.errors import InvalidInput
from benchmark.core.messages import printable
from benchmark.core.records import verdict_of
from benchmark.results.counts import gate
from benchmark.run.exit_code import INTERNAL, INVALID, exit_code
from benchmark.run.reports import Report
from benchmark.run.sending import Start


@dataclass
class Ending:
    """`stop` ends the asking and keeps what came; `least` is what `--fail-under` asks for.

    `problem` stood in the way of the reports, with exit code `problem_code`."""

    start: Start
    option: Any
    stop: Callable[[], None]
    least: dict[str, float]
    report: Report | None = None
    problem: str = ""
    problem_code: int = 0

    def render(self, json_report: dict[str, Any]) -> None:
        """Make the reports of what ran from the JSON report, put in the questions' order."""
        self.stop()
        if self.option.collectonly or self.start.is_refused or not self.start.expected:
            return
        order = {q.id: at for at, q in enumerate(self.start.plan.questions)}
        json_report["tests"].sort(key=lambda test: order.get(_id_of(test), -1))
        self.report = self._collected(json_report["tests"])
        json_report["exitcode"] = self.exit_code(int(json_report["exitcode"]))
        try:
            self.report.write(json_report)
        except InvalidInput as fault:
            self.problem, self.problem_code = str(fault), INVALID
        except Exception as fault:  # pytest would end with the code of a failed test
            self.problem = f"the reports could not be made: {fault!r}\n{traceback.format_exc()}"
            self.problem_code = INTERNAL

    def _collected(self, tests: list[dict[str, Any]]) -> Report:
        """A test without a call stage has not run, whatever pytest says."""
        ran = [test for test in tests if "call" in test and "verdict" in test.get("metadata", {})]
        return Report(
            self.start.plan,
            self.start.manifest,
            verdicts=tuple(verdict_of(test["metadata"]["verdict"]) for test in ran),
            broken=tuple(test["nodeid"] for test in tests if test["outcome"] == "error"),
            missing=tuple(sorted(self.start.expected - {test["nodeid"] for test in ran})),
        )

    def exit_code(self, code: int) -> int:
        return self.problem_code or exit_code(code, self.report, self.least, self.option)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self.stop()
        if not self.option.collectonly:
            session.exitstatus = self.exit_code(int(session.exitstatus))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, None, None]:
        """The table stands below everything that pytest itself has to say, where it is seen."""
        yield
        if self.report:
            terminalreporter.section(f"results of {self.start.plan.run}")
        for line in (*self._results(), *self._torn()):
            terminalreporter.write_line(line)
        for line in filter(None, (self.problem or self._nothing()).split("\n")):
            terminalreporter.write_line(f"ERROR: {printable(line)}", red=True)

    def _results(self) -> Iterator[str]:
        if self.report:
            yield from self.report.terminal_lines()
            yield from (f"--fail-under: {line}" for line in gate(self.report.verdicts, self.least))

    def _torn(self) -> Iterator[str]:
        """Torn last lines, and where they are now: the replay of a part moves nothing."""
        for path in self.start.plan.torn:
            aside = record_file.aside(path)
            where = f"is moved to {aside}" if aside.exists() else "is left out"
            yield f"{path}: its last line was torn, and {where}"

    def _nothing(self) -> str:
        if self.start.expected or self.option.collectonly:
            return ""
        listing = f"`pytest --quarter {self.start.plan.quarter} --collect-only -q` lists them"
        return f"no question was selected; {listing}"


def _id_of(test: dict[str, Any]) -> str:
    return str(test.get("metadata", {}).get("verdict", {}).get("question", {}).get("id"))
