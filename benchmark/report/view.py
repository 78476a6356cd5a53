"""Verdicts and summary arranged for the templates. No words in here: those are `texts`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

from benchmark.core.provenance import AskedSet
from benchmark.core.records import ANSWERABLE, Verdict
from benchmark.report import charts
from benchmark.report.beside import Beside
from benchmark.report.cards import LABELS, LOSSES, Card, card_of
from benchmark.report.escape import plain, slug
from benchmark.report.i18n import Texts
from benchmark.results import counts as results
from benchmark.results import latency, rates
from benchmark.results.counts import Row
from benchmark.results.summary import Results


@dataclass(frozen=True)
class Scope:
    """A line of the tables, a total over what is "". `level`: cell, site, language or all."""

    site: str
    language: str
    level: str


@dataclass(frozen=True)
class View:
    """A results page in any language."""

    run: Results
    verdicts: Sequence[Verdict]
    beside: Beside

    @cached_property
    def cards(self) -> list[Card]:
        return [card_of(v, self.run, self.beside) for v in self.verdicts]

    def group(self, name: str) -> list[Card]:
        return [card for card in self.cards if card.group == name]

    def labelled(self, label: str) -> list[Card]:
        return [card for card in self.cards if label in card.labels]

    @cached_property
    def label_counts(self) -> list[tuple[str, int]]:
        counts = Counter(label for card in self.cards for label in card.labels)
        return [(label, counts[label]) for label in (*LABELS, *self.faults) if counts[label]]

    @cached_property
    def faults(self) -> list[str]:
        """Why measures had no value, each kind apart: a judge's error is not a truncated answer."""
        return list(dict.fromkeys(m.fault for v in self.verdicts for m in v.measures if m.fault))

    @property
    def losses(self) -> list[str]:
        return [*LOSSES, *self.faults]

    def site_name(self, t: Texts, site: str) -> str:
        """A site's name in the page's language, or as its own file calls it."""
        name = self.run.question_sets.get(site, AskedSet()).name
        return plain(name) if name and site not in t.names["site"] else t.name("site", site)

    # Tables ---------------------------------------------------------------------------------------

    @cached_property
    def measures(self) -> tuple[str, ...]:
        return results.measure_names(self.verdicts)

    @cached_property
    def sites(self) -> list[str]:
        return list(dict.fromkeys(v.question.set for v in self.verdicts))

    @cached_property
    def languages(self) -> list[str]:
        return list(dict.fromkeys(v.question.language for v in self.verdicts))

    @cached_property
    def kinds(self) -> list[str]:
        return list(dict.fromkeys(v.question.kind for v in self.verdicts))

    @cached_property
    def scopes(self) -> list[Scope]:
        """Each site's languages and total, then each language, then everything; no line twice."""
        lines: list[Scope] = []
        for site in self.sites:
            cells = [cell for cell in results.cells(self.verdicts) if cell[0] == site]
            lines += [Scope(*cell, "cell") for cell in cells]
            lines += [Scope(site, "", "site")] if len(cells) > 1 and len(self.sites) > 1 else []
        if len(self.sites) > 1 and len(self.languages) > 1:
            lines += [Scope("", language, "language") for language in self.languages]
        return [*lines, Scope("", "", "all")] if len(lines) > 1 else lines

    @cached_property
    def plotted(self) -> list[Scope]:
        """The lines of the plots: without the totals of sites and languages."""
        return [scope for scope in self.scopes if scope.level in ("cell", "all")]

    def row(self, measure: str, scope: Scope) -> Row:
        return self._rows[measure, scope]

    @cached_property
    def _rows(self) -> dict[tuple[str, Scope], Row]:
        return {
            (name, scope): results.row(self.verdicts, name, scope.site, scope.language)
            for name in self.measures
            for scope in self.scopes
        }

    @cached_property
    def has_rates(self) -> bool:
        return rates.are_known(self.verdicts)

    @cached_property
    def rates(self) -> dict[Scope, list[Row]]:
        known = self.verdicts, self.beside.declining
        return {scope: rates.rows(*known, scope.site, scope.language) for scope in self.scopes}

    def delivered(self, scope: Scope) -> Row:
        return rates.delivered(self.verdicts, scope.site, scope.language)

    def bar(self, row: Row) -> charts.Bar | None:
        bounds = row.interval
        return charts.bar(row.reviewed, row.mechanical, row.of, bounds) if bounds else None

    def has_exact(self, measure: str) -> bool:
        """Whether any line of a measure's plot has an exact interval: no column is all dashes."""
        return any(self.row(measure, scope).exact_interval for scope in self.plotted)

    def stacked(self, rows: Sequence[Row], kind: str) -> list[charts.Segment]:
        return charts.stacked([(row.measure, row.reviewed) for row in self.of_kind(rows, kind)])

    def of_kind(self, rows: Sequence[Row], kind: str) -> Sequence[Row]:
        """The rows of one kind's outcomes among those of `rates`."""
        answerable = len(rates.OUTCOMES[ANSWERABLE])
        return rows[:answerable] if kind == ANSWERABLE else rows[answerable:]

    def query(self, scope: Scope, measure: str) -> str:
        """The address of a cell's failures: what the filter writes there."""
        place = {"site": scope.site, "language": scope.language}
        parts = {**place, "measure": measure, "outcome": "failed"}
        return "?" + urlencode({key: slug(value) for key, value in parts.items() if value})

    # Latency and trend ----------------------------------------------------------------------------

    def latency(self, scope: Scope) -> latency.Latency:
        return latency.of(self._latencies(scope.site, scope.language))

    @cached_property
    def bins(self) -> list[charts.Bin]:
        return charts.bins(self._latencies("", ""))

    def _latencies(self, site: str, language: str) -> list[float]:
        return [
            v.latency_ms
            for v in self.verdicts
            if v.delivered and v.latency_ms is not None and v.question.is_in(site, language)
        ]

    @cached_property
    def quarters(self) -> list[Results]:
        """Earlier quarters and this one; no trend is made of a single one."""
        return [*self.beside.earlier, self.run] if self.beside.earlier else []

    def trend(self, measure: str) -> list[tuple[Results, Row]]:
        """Each quarter that counted a measure, with its total of it."""
        rows = [(quarter, quarter.row(measure)) for quarter in self.quarters]
        return [(quarter, row) for quarter, row in rows if row and row.of]

    def trend_points(self, measure: str) -> list[charts.Point]:
        rows = [(row, row.interval) for _, row in self.trend(measure)]
        return charts.trend([(row.reviewed / row.of, *bounds) for row, bounds in rows if bounds])
