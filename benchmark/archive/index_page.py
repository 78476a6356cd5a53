"""The index over all quarters, a page a language: what the published editions say, side by side. No
rule in here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmark.archive.editions import Edition
from benchmark.core.records import from_plain
from benchmark.report import i18n
from benchmark.report.templating import TEMPLATES, environment, styled
from benchmark.results.counts import Row

MARK = 'content="answer-quality-benchmark publish"'
_FOLDER = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Column:
    """A run in the trend: its last edition, and how it differs from the quarter before it.

    `changed`: "first", "same", "questions" or "rules"; figures of two columns compare strictly only
    where it is "same"."""

    edition: Edition
    results: dict[str, Any]
    changed: str

    def link(self, language: str) -> str:
        """The run's results page, in the reader's language where it has one, relative to an index
        page."""
        page = f"{language}/index.html"
        name = page if page in self.edition.entry.files else "index.html"
        return f"{folder_link(self.edition)}/report/{name}"

    def row(self, measure: str, site: str, language: str) -> Row | None:
        """The run's count of a measure in a place ("" is all); None where it has none."""
        for plain in [*self.results["totals"], *self.results["table"]]:
            if (plain["measure"], plain["site"], plain["language"]) == (measure, site, language):
                return from_plain(Row, plain)
        return None


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
        names = (name for column in self.columns for name in column.results["measures"])
        return list(dict.fromkeys(names))

    @property
    def places(self) -> list[tuple[str, str]]:
        """(site, language) of every run."""
        rows = [row for column in self.columns for row in column.results["table"]]
        return list(dict.fromkeys((row["site"], row["language"]) for row in rows))


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
    """The vendor's own quarters first, then other targets, then rehearsals; each in the order of
    its quarters."""
    last = {edition.entry.run: edition for edition in editions}
    runs = [(edition, edition.results()) for edition in last.values()]
    targets = dict.fromkeys(results["target"]["name"] for _, results in runs)
    grouped = [_group([r for r in runs if r[1]["target"]["name"] == name]) for name in targets]
    return sorted(grouped, key=lambda group: (group.rehearsal, not group.is_vendor, group.target))


def _group(runs: Sequence[tuple[Edition, dict[str, Any]]]) -> Group:
    ordered = sorted(runs, key=lambda run: str(run[1]["quarter"]))
    changed = ["first", *(_changed(before[1], after[1]) for before, after in pairwise(ordered))]
    columns = tuple(Column(*run, how) for run, how in zip(ordered, changed, strict=True))
    last = columns[-1].results
    target, is_vendor = last["target"], last["run"] == last["quarter"]
    return Group(target["name"], target["label"], bool(target["rehearsal"]), is_vendor, columns)


def _changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Whether two quarters asked the same questions and scored them by the same rules and lists."""
    if _digests(before["question_sets"]) != _digests(after["question_sets"]):
        return "questions"
    return "same" if _rules(before) == _rules(after) else "rules"


def _rules(run: dict[str, Any]) -> list[Any]:
    digests = [(run.get(key) or {}).get("sha256") for key in ("rules", "decline")]
    return [*digests, run.get("judge")]


def _digests(sets: dict[str, Any]) -> dict[str, str]:
    return {name: questions["sha256"] for name, questions in sets.items()}
