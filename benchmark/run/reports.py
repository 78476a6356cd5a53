"""A run's reports: what is written when it is complete, and what the terminal shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmark.asking.judge_check import calibration_of
from benchmark.asking.manifest import Manifest
from benchmark.core.messages import printable
from benchmark.core.records import Verdict
from benchmark.report import step_summary
from benchmark.report.tables import as_text, grid
from benchmark.results import counts as results
from benchmark.results import repeats
from benchmark.results.summary import Summary
from benchmark.run.plan import Plan

_LISTED = 5  # names at a terminal; the pages list them all


@dataclass
class Report:
    """Verdicts of tests that ran, node ids that broke, node ids that never reported."""

    plan: Plan
    manifest: Manifest
    verdicts: tuple[Verdict, ...]
    broken: tuple[str, ...]
    missing: tuple[str, ...]
    written: list[str] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Every question of every set has a verdict: only then is it the quarter's result."""
        return {v.question.id for v in self.verdicts} == {q.id for q in self.plan.questions}

    def write(self, json_report: dict[str, Any]) -> None:
        """Write a complete run's files, or InvalidInput; a subset leaves them alone."""
        plan, verdicts = self.plan, self.verdicts
        if self.is_complete:
            from benchmark.run.writing import write

            begun = self.manifest
            self.manifest, self.written = write(plan, begun, verdicts, self.broken, json_report)
        else:
            lost, label = (self.broken, self.missing), plan.target.label
            step_summary.append(step_summary.partial(plan.run, label, verdicts, *lost))

    def terminal_lines(self) -> list[str]:
        """The table and what belongs beside it."""
        target, folder = self.plan.target, self.plan.folder
        label = target.label.upper() if target.rehearsal else target.label
        where = f"a part of the run: {folder} keeps its reports"
        if self.written:
            where = f"written: {', '.join(self.written)} in {folder}"
        table = as_text(grid(self.verdicts))
        return [label, *table, "", *self._counts(), *self._judging(), *self._lost(), where]

    def _counts(self) -> list[str]:
        summary = Summary.of(self.verdicts)
        counts, latency = summary.counts, summary.latency_ms
        asked = f"asked {counts.asked} of {counts.questions}, delivered {counts.delivered}"
        median = f", median latency {latency.median:.0f} ms over {latency.of}" if latency.of else ""
        read = f"{counts.read} of {counts.to_read} answers that must be read have been"
        stale = f", {counts.stale} reviews are of another answer" if counts.stale else ""
        status = summary.status if self.is_complete else "draft"  # a part of a run is never final
        return [
            f"{asked}, faulty {counts.faulty}{median}",
            f"{status}: {read}{stale} ({self.plan.review_file})",
        ]

    def _judging(self) -> list[str]:
        judge, repeated = self.manifest.judge, repeats.repeats(self.verdicts)
        if not judge:
            return [*repeats.lines(None, repeated)]
        checked = calibration_of(self.plan.root, judge)
        whose = "the model itself" if judge.is_the_model else judge.name
        known = _known(checked) if checked else "never checked (python -m benchmark judge-check)"
        judging = repeats.judging(self.verdicts)
        return [f"judge: {whose}, {known}", *repeats.lines(judging, repeated)]

    def _lost(self) -> list[str]:
        """What is in no score, or is there by a person's word."""
        stale = [v.question.id for v in self.verdicts if v.stale]
        lines = [f"stale reviews, not applied: {_listed(stale)}"] if stale else []
        for v in results.changed_by_review(self.verdicts):
            if v.review and not v.faulty and not v.failed:
                lines.append(f"passes by review: {v.question.id}: {printable(v.review.reason)}")
        lines += [f"broken, no score: {name}" for name in self.broken]
        if self.missing:
            lines.append(f"collected but not reported: {_listed(self.missing)}")
        return lines


def _listed(names: Sequence[str]) -> str:
    """The first few of them, and how many more."""
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"


def _known(checked: dict[str, Any]) -> str:
    names = ("sensitivity", "specificity")
    right, wrong = ("{k}/{n}".format_map(checked["all"][name]) for name in names)
    return f"checked: {right} right answers passed, {wrong} wrong ones failed"
