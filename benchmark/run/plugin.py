"""One run under pytest: asks or replays, hands each question's verdict to its test, and writes the
reports at the end.

The process that runs the session (the controller under xdist) alone appends to the record and
writes reports. Workers ask and send what they got with the test's setup report."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from benchmark.asking import http, record_file
from benchmark.asking.targets import Prepared, Target
from benchmark.core.errors import InvalidInput
from benchmark.core.messages import printable
from benchmark.core.records import Question, Record, Verdict, to_plain
from benchmark.run import options
from benchmark.run.exit_code import Ending
from benchmark.run.plan import Plan, load
from benchmark.run.preflight import prepare

QUESTIONS = "test_questions.py"
FRESH = pytest.StashKey[list[dict[str, Any]]]()


def redirect(config: pytest.Config) -> None:
    """With --quarter: collect the questions instead of the project's own tests, and let the JSON
    report be made."""
    if config.option.quarter is None:
        if faults := options.without_quarter(config.option):
            raise pytest.UsageError("\n".join(faults))
        return
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = [str(config.rootpath / QUESTIONS)]
    config.option.json_report = True
    if config.option.json_report_file == ".report.json":
        config.option.json_report_file = (
            None  # the run's own folder, once the run is known to be complete
        )
    config.option.json_report_omit = ["collectors", "keywords", "log", "streams"]


def open_session(config: pytest.Config) -> None:
    """Read the plan and take part in the session. Faults of what was given end it with exit code
    4."""
    if config.option.quarter is None:
        return
    try:
        plan = load(
            config.rootpath,
            config.option.quarter,
            config.option.target,
            options.asked(config.option),
        )
        session = Session(config, plan)
    except InvalidInput as fault:
        raise pytest.UsageError(str(fault)) from None
    if config.getoption("dist", "no") == "each":
        raise pytest.UsageError(
            "--dist each: would ask each question once a worker; accepted is -n N alone"
        )
    config.pluginmanager.register(session, "quarter-session")


def of(config: pytest.Config) -> Session:
    session = config.pluginmanager.get_plugin("quarter-session")
    assert isinstance(session, Session)
    return session


class Session:
    """The state of a run, as a pytest plugin."""

    def __init__(self, config: pytest.Config, plan: Plan) -> None:
        self.config, self.plan, self.manifest = config, plan, plan.manifest
        self.ending = Ending(plan, options.least(config.option, plan.measure_names))
        self.is_worker = hasattr(config, "workerinput")
        self.is_controller = not self.is_worker and config.getoption("dist", "no") != "no"
        self.workers = 0
        self.base, self.base_file = "", Path()
        self.asking = self.is_refused = False
        self.asker: http.Asker | None = None
        self.open = ExitStack()
        self.expected: set[str] = set()
        self.fresh: list[Record] = []
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        rate = plan.rate_per_minute
        self.pace = http.Pace(
            rate / workers if rate else None
        )  # a worker has its share of the rate

    # Before the first test ------------------------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Workers are started before it is known what is selected, so the address to ask at comes
        to them in a file."""
        if not self.workers:
            self.base_file = Path(self.open.enter_context(TemporaryDirectory())) / "base"
        self.workers += 1
        node.workerinput["base_file"] = str(self.base_file)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """In the controller, before the first worker is given a question."""
        is_first = not self.expected
        self.expected.update(ids)
        if is_first and ids:
            self._prepare([name.rpartition("[")[2].removesuffix("]") for name in ids])
            self.base_file.write_text(self.base, "utf-8")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.expected.update(item.nodeid for item in session.items)
        if not (self.is_worker or self.is_controller or self.config.option.collectonly):
            ids = [
                item.callspec.params["question"].id
                for item in session.items
                if hasattr(item, "callspec")
            ]
            self._prepare(ids)
            if self.asking:
                self._ask_ahead(ids)

    def _prepare(self, ids: list[str]) -> None:
        """Everything that must hold before the first request; nothing is done when nothing is to be
        asked."""
        to_ask = self.plan.to_ask(ids)
        try:
            if to_ask:
                self.base, self.manifest = prepare(
                    self.plan.asking_by(self.workers), to_ask, self.open
                )
                self.asking = True
        except InvalidInput as fault:
            self.open.close()
            self.is_refused = True
            raise pytest.UsageError(str(fault)) from None

    def _ask_ahead(self, ids: list[str]) -> None:
        self.asker = http.Asker(
            self._ask, {q.id: q for q in self.plan.to_ask(ids)}, self.plan.concurrency
        )

    def _ask(self, question: Question) -> Iterator[Record]:
        """What the question lacks, asked now."""
        return self.plan.track.ask(question, self.plan.known(question), self._send, self.base)

    def _send(self, target: Target, prepared: Prepared) -> Record:
        return http.ask(target, prepared, self.pace)

    # Each question --------------------------------------------------------------------------------

    def parametrize(self, metafunc: pytest.Metafunc) -> None:
        """One test a question, named by the question's id."""
        metafunc.parametrize("question", [pytest.param(q, id=q.id) for q in self.plan.selectable])

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if callspec := getattr(item, "callspec", None):
                question = callspec.params["question"]
                item.extra_keyword_matches |= {*question.tags}

    def judge(self, item: pytest.Item, question: Question, metadata: dict[str, Any]) -> Verdict:
        """The verdict after review; it and the records go into the test's metadata before anything
        is asserted."""
        fresh = self._fresh(question)
        item.stash[FRESH] = [_sendable(record_file.line_of(record)) for record in fresh]
        records = self.plan.known(question) | {record.id: record for record in fresh}
        metadata["records"] = [
            _sendable(record_file.line_of(record)) for record in records.values()
        ]
        result = self.plan.track.verdict(question, records, self.plan.reviews.get(question.id))
        metadata["verdict"] = _sendable(to_plain(result))
        return result

    def _fresh(self, question: Question) -> list[Record]:
        """Records that were asked just now: none in a replay."""
        if not self.plan.is_to_ask(question):
            return []
        if self.is_worker:
            self.base = Path(self.config.workerinput["base_file"]).read_text("utf-8")  # type: ignore[attr-defined]
        return self.asker.result(question.id) if self.asker else list(self._ask(question))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Fresh records travel with the setup report, from a worker to the controller too."""
        report = yield
        if report.when == "setup" and (lines := item.stash.get(FRESH, [])):
            report.fresh_records = lines  # type: ignore[attr-defined]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """In the controller, or the only process: write fresh records down as soon as their test
        has them."""
        if report.when == "setup" and not self.is_worker:
            for line in getattr(report, "fresh_records", []):
                self._keep(record_file.record_of(line))

    def _keep(self, record: Record) -> None:
        record_file.append(self.plan.file_of(record.id), record)
        self.fresh.append(record)
        self._tell()

    def _tell(self) -> None:
        """A live line, where there is a terminal."""
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if reporter and reporter.isatty and reporter.verbosity <= 0:
            failed = sum(record.status != 200 for record in self.fresh)
            latency = median(record.latency_ms or 0 for record in self.fresh)
            reporter.rewrite(
                f"asked {len(self.fresh)} · undelivered {failed} · median {latency:.0f} ms",
                erase=True,
            )

    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dots between the live lines."""
        live = self.fresh and getattr(
            self.config.pluginmanager.get_plugin("terminalreporter"), "isatty", False
        )
        if (
            live
            and self.config.option.verbose <= 0
            and report.when == "call"
            and report.outcome in ("passed", "failed")
        ):
            return report.outcome, "", report.outcome.upper()
        return None

    # After the last test --------------------------------------------------------------------------

    @pytest.hookimpl(optionalhook=True)
    def pytest_json_modifyreport(self, json_report: dict[str, Any]) -> None:
        """Reports are made from the JSON report (only where something ran)."""
        self._stop_asking()
        if not (self.config.option.collectonly or self.is_refused) and self.expected:
            self.ending.write(json_report, self.expected, self.manifest, self.config.option)

    def _stop_asking(self) -> None:
        """Nothing more is asked, and what came is kept: the file says what is, for an interrupt may
        follow writing."""
        kept = {
            record.id for record in self.fresh
        }  # so that the file is read for the few in doubt alone
        for records in self.asker.finish() if self.asker else ():
            for record in (record for record in records if record.id not in kept):
                if not record_file.holds(self.plan.file_of(record.id), record):
                    self._keep(record)
        self.asker = None
        self.open.close()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._stop_asking()
        if not self.is_worker and not self.config.option.collectonly:
            session.exitstatus = self.ending.exit_code(int(session.exitstatus), self.config.option)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, None, None]:
        """The table stands below everything that pytest itself has to say, where it is seen."""
        yield
        if self.ending.report:
            terminalreporter.section(f"results of {self.plan.run}")
        for line in (*self.ending.results(), *self.ending.torn(self.asking)):
            terminalreporter.write_line(line)
        problem = self.ending.problem or (
            "" if self.expected or self.config.option.collectonly else self._nothing()
        )
        for line in filter(None, problem.split("\n")):
            terminalreporter.write_line(f"ERROR: {printable(line)}", red=True)

    def _nothing(self) -> str:
        quarter = self.plan.quarter
        return (
            f"no question was selected; `pytest --quarter {quarter} --collect-only -q` lists them"
        )


def _sendable(plain: Any) -> Any:
    """xdist carries UTF-8 alone: half a surrogate pair, which a question or a review may hold,
    becomes a `?`."""
    return json.loads(json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace"))
