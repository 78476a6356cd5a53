"""The manifest: what a run was made with. Begun before its first request, completed at its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from benchmark.core.files import read_json, to_json, write_text
from benchmark.core.plain import optional, plain, read
from benchmark.core.provenance import (
    AskedModel,
    AskedSet,
    AskedTarget,
    UsedDecline,
    UsedJudge,
    UsedRules,
    Versions,
)
from benchmark.results.summary import Counts

NAME = "manifest.json"


@dataclass(frozen=True, kw_only=True)
class Asking:
    """What a session was to ask. `pages`: digests by address of the pages that the questions speak
    of, as they were then; None where there are none."""

    started_at: str = ""
    to_ask: int = 0
    asked_again: tuple[str, ...] = ()
    target_sha256: str = ""
    concurrency: int = 1
    rate_per_minute: float | None = None
    pages: dict[str, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Session(Versions, Asking):
    """A session of asking, and the versions that asked."""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """`decline` is of a site's run, `model`, `repeats` and `judge` of a model's. `window`, `counts`
    and `record`, the digests of the raw files by name, are known at the end."""

    run: str = ""
    quarter: str = ""
    target: AskedTarget = AskedTarget()
    questions: dict[str, AskedSet] = field(default_factory=dict)
    sessions: tuple[Session, ...] = ()
    rules: UsedRules | None = None
    decline: UsedDecline | None = optional(None)
    model: AskedModel | None = optional(None)
    repeats: int | None = optional(None)
    judge: UsedJudge | None = optional(None)
    window: tuple[str, ...] | None = optional(None)
    counts: Counts | None = optional(None)
    record: dict[str, str] | None = optional(None)

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """An empty one where there is no file yet. InvalidInput where it is not a manifest."""
        return read(cls, read_json(path), path) if path.exists() else cls()

    def write(self, folder: Path) -> None:
        write_text(folder / NAME, to_json(plain(self)))

    @property
    def decline_date(self) -> str:
        return self.decline.date if self.decline else ""

    def question_digest(self, name: str) -> str:
        return self.questions.get(name, AskedSet()).sha256

    @property
    def changed_pages(self) -> tuple[str, ...] | None:
        """Addresses of pages that were not the same in every session of asking; None where no
        session looked at them."""
        looked = [session.pages for session in self.sessions if session.pages]
        urls = dict.fromkeys(url for pages in looked for url in pages)
        changed = (url for url in urls if len({pages.get(url) for pages in looked}) > 1)
        return tuple(changed) if looked else None
