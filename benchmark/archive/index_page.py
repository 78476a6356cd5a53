"""The index over all quarters, a page a language: what the published editions say, side by side. No
rule in here."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from benchmark.archive.editions import Edition
from benchmark.core.provenance import AskedSet
from benchmark.report import escape, i18n
from benchmark.report.i18n import MissingText, Texts
from benchmark.results.summary import Results

MARK = 'content="answer-quality-benchmark publish"'
_TEMPLATES = Path(__file__).parents[1] / "report" / "templates"
# No script and no request at all; the style is named by its digest, so that none from an answer
# counts.
_POLICY = "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class Column:
    """A run in the trend: its last edition, and how its questions and rules differ from the quarter
    before it.

    `changed`: "first", "same", "questions" or "rules"; figures of two columns compare strictly only
    where it is "same"."""

    edition: Edition
    changed: str

    @property
    def results(self) -> Results:
        return self.edition.results

    def link(self, language: str) -> str:
        """The run's results page, in the reader's language where it has one, relative to an index
        page."""
        own = f"{language}/index.html"
        name = own if own in self.edition.entry.files else "index.html"
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
        return list(dict.fromkeys(m for column in self.columns for m in column.results.measures))

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
    css = "".join(
        (_TEMPLATES / name).read_text("utf-8")
        for name in ("pages/results.css", "published-index.css")
    )
    languages = load()
    shared = {
        "groups": groups(editions),
        "editions": sorted(
            editions,
            key=lambda e: (e.entry.published_at, e.entry.run, e.entry.number),
            reverse=True,
        ),
        "languages": list(languages.values()),
        "css": Markup(css),  # our own file
        "csp": _POLICY.format(base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()),
    }
    template = _environment().get_template("published-index.html")
    return {
        f"{name}/eval/index.html": template.render(shared, t=t) for name, t in languages.items()
    }


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(shown=escape.shown)
    made.globals.update(folder_link=folder_link)
    return made


def load() -> dict[str, Texts]:
    """The results pages' words with this page's own; MissingText where a language lacks one that
    another has."""
    own = json.loads((_TEMPLATES / "published-texts.json").read_text("utf-8"))
    every = {key for some in own.values() for key in some}
    missing = [
        f"{name}: {key}" for name in i18n.LANGUAGES for key in sorted(every - {*own.get(name, {})})
    ]
    if missing:
        raise MissingText(f"published-texts.json lacks {', '.join(missing)}")
    return {name: replace(t, texts={**t.texts, **own[name]}) for name, t in i18n.load().items()}


def groups(editions: Sequence[Edition]) -> list[Group]:
    """The vendor's own quarters first, then other targets, then rehearsals; each in the order of
    its quarters."""
    last = {edition.entry.run: edition for edition in editions}
    by_target: dict[str, list[Edition]] = {}
    for edition in last.values():
        by_target.setdefault(edition.results.target.name, []).append(edition)
    made = map(_group, by_target.values())
    return sorted(made, key=lambda group: (group.rehearsal, not group.is_vendor, group.target))


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
    rules = [
        (run.rules and run.rules.sha256, run.decline and run.decline.sha256, run.judge)
        for run in (before, after)
    ]
    return "same" if rules[0] == rules[1] else "rules"


def _digests(sets: dict[str, AskedSet]) -> dict[str, str]:
    return {name: questions.sha256 for name, questions in sets.items()}
