"""The index over all quarters, a page a language: published editions side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmark.archive.editions import Edition
from benchmark.core.provenance import AskedSet
from benchmark.report import i18n
from benchmark.report.templating import TEMPLATES, environment, styled
from benchmark.results.summary import Results

MARK = 'content="answer-quality-benchmark publish"'
_FOLDER = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Column:
    """A run in the trend: its last edition, and how it differs from the quarter before it.

    `changed`: "first", "same", "questions" or "rules"; figures of two columns compare strictly only
    where it is "same"."""

    edition: Edition
    changed: str

    @property
    def results(self) -> Results:
        return self.edition.results

    def link(self, language: str) -> str:
        """The run's results page, in the reader's language if it has one, from an index page."""
        page = f"{language}/index.html"
        name = page if page in self.edition.entry.files else "index.html"
        return f"{folder_link(self.edition)}/report/{name}"


@dataclass(frozen=True)
class Group:
    """The runs against one target, oldest first: what a trend may be read along."""

    target: str
    label: str
    rehearsal: bool
    is_vendor: bool
    columns: tuple[Column, ...]

    @property
    def measures(self) -> list[str]:
        names = (name for column in self.columns for name in column.results.measures)
        return list(dict.fromkeys(names))

    @property
    def places(self) -> list[tuple[str, str]]:
        """(site, language) of every run."""
        rows = [row for column in self.columns for row in column.results.table]
        return list(dict.fromkeys((row.site, row.language) for row in rows))


def folder_link(edition: Edition) -> str:
    """An edition's folder as seen from `TO/{language}/eval/index.html`."""
    return f"../../eval/{edition.entry.run}/{edition.entry.number}"


def pages(editions: Sequence[Edition]) -> dict[str, str]:
    """Names under the website's folder, and the pages' text."""
    templates, languages = environment(_FOLDER), i18n.load()
    templates.globals.update(folder_link=folder_link)
    shared = {
        "groups": groups(editions),
        "editions": sorted(editions, key=_published, reverse=True),
        "languages": list(languages.values()),
        **styled(TEMPLATES / "pages/results.css", _FOLDER / "index.css"),
    }
    page = templates.get_template("index.html")
    return {f"{name}/eval/index.html": page.render(shared, t=t) for name, t in languages.items()}


def _published(edition: Edition) -> tuple[str, str, int]:
    entry = edition.entry
    return entry.published_at, entry.run, entry.number


def groups(editions: Sequence[Edition]) -> list[Group]:
    """The vendor's own quarters first, then other targets, then rehearsals, each by quarter."""
    last = {edition.entry.run: edition for edition in editions}
    by_target: dict[str, list[Edition]] = {}
    for edition in last.values():
        by_target.setdefault(edition.results.target.name, []).append(edition)
    grouped = map(_group, by_target.values())
    return sorted(grouped, key=lambda group: (group.rehearsal, not group.is_vendor, group.target))


def _group(editions: Sequence[Edition]) -> Group:
    ordered = sorted(editions, key=lambda edition: edition.results.quarter)
    pairs = pairwise(edition.results for edition in ordered)
    changed = ["first", *(_changed(before, after) for before, after in pairs)]
    columns = tuple(Column(edition, how) for edition, how in zip(ordered, changed, strict=True))
    last = ordered[-1].results
    target = last.target
    return Group(target.name, target.label, target.rehearsal, last.is_vendors, columns)


def _changed(before: Results, after: Results) -> str:
    """Whether two quarters asked the same questions and scored them by the same rules and lists."""
    if _digests(before.question_sets) != _digests(after.question_sets):
        return "questions"
    return "same" if _rules(before) == _rules(after) else "rules"


def _rules(run: Results) -> tuple[Any, ...]:
    return run.rules and run.rules.sha256, run.decline and run.decline.sha256, run.judge


def _digests(sets: dict[str, AskedSet]) -> dict[str, str]:
    return {name: questions.sha256 for name, questions in sets.items()}
