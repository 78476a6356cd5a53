"""Fresh records are written down by one process alone, and shown in a live line as they come."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

import pytest

from benchmark.asking import record_file
from benchmark.core.records import Record
from benchmark.run.plan import RecordFiles


class Recorder:
    """In the controller, or the only process: keeps what was asked as soon as its test has it."""

    def __init__(self, config: pytest.Config, files: RecordFiles) -> None:
        self.config, self.files = config, files
        self.kept: list[Record] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "setup":
            for line in getattr(report, "fresh_records", []):
                self._keep(record_file.record_of(line))

    def keep_rest(self, records: Iterable[Record]) -> None:
        """Keep what no test has taken. The file tells what is in it, for an interrupt may follow
        writing; it is read for the few in doubt alone."""
        kept = {record.id for record in self.kept}
        for record in records:
            if record.id not in kept and not record_file.holds(self.files.of(record.id), record):
                self._keep(record)

    def _keep(self, record: Record) -> None:
        record_file.append(self.files.of(record.id), record)
        self.kept.append(record)
        if terminal := self._terminal():
            failed = sum(record.status != 200 for record in self.kept)
            latency = median(record.latency_ms or 0 for record in self.kept)
            line = f"asked {len(self.kept)} · undelivered {failed} · median {latency:.0f} ms"
            terminal.rewrite(line, erase=True)

    def _terminal(self) -> pytest.TerminalReporter | None:
        """Where a person watches, and has not asked for more than the live line."""
        reporter: pytest.TerminalReporter | None
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        return reporter if reporter and reporter.isatty and reporter.verbosity <= 0 else None

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dots between the live lines."""
        is_told = report.when == "call" and report.outcome in ("passed", "failed")
        if is_told and self.kept and self._terminal():
            return report.outcome, "", report.outcome.upper()
        return None
