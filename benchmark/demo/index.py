"""The passages of a site as vectors: shipped in ``index.npz``, cached, or made anew, in this order.

Vectors are kept by a digest of a site's passages and of the model's name, so a changed page makes
its own site anew and no other. ``python -m benchmark.demo.index`` writes the shipped file."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from benchmark.demo.embedding import SIZE, E5Embedder, Embedder, Vectors
from benchmark.demo.passages import Passage, passages
from benchmark.demo.sites import Site, load

SHIPPED = Path(__file__).parent / "index.npz"


@dataclass(frozen=True)
class SitePassage:
    """A passage, and the public address and title of its page."""

    url: str
    title: str
    passage: Passage

    def __str__(self) -> str:
        return f"{self.title}\n{self.passage}"

    @property
    def lines(self) -> list[str]:
        """Its lines, each with what it stands under, so that it can be understood alone."""
        above = self.title, self.passage.heading
        return [" — ".join(filter(None, dict.fromkeys((*above, x)))) for x in self.passage.lines]


@dataclass(frozen=True)
class SiteIndex:
    """A site's passages in reading order; ``vectors`` has a row of length 1 for each of their
    lines, ``starts`` the number of each passage's first row."""

    passages: tuple[SitePassage, ...]
    vectors: Vectors
    starts: list[int]
    digest: str


@dataclass(frozen=True)
class Index:
    """What the assistant searches, by ``site_id``; ``digest`` (hex) changes with text and model."""

    sites: Mapping[str, SiteIndex]
    digest: str


def build(sites: Iterable[Site], embedder: Embedder, shipped: Path = SHIPPED) -> Index:
    """The index of ``sites``; what ``shipped`` and the cache lack is embedded, 15 ms a line."""
    ready = _read(shipped)
    indexed = {site.site_id: _site_index(site, embedder, ready) for site in sites}
    return Index(indexed, _digest([index.digest for index in indexed.values()]))


def write(sites: Iterable[Site], embedder: Embedder, shipped: Path = SHIPPED) -> None:
    """Make ``shipped`` hold these sites and nothing else."""
    indexes = build(sites, embedder, shipped).sites.values()
    _save(shipped, {index.digest: index.vectors for index in indexes})


def passages_of(site: Site) -> tuple[SitePassage, ...]:
    return tuple(
        SitePassage(page.url, page.title, passage)
        for page in site.pages
        for passage in passages(page.html)
    )


def site_digest(site: Site, model: str) -> str:
    """SHA-256 (hex) of what the vectors are made from."""
    return _digest([model, *(line for each in passages_of(site) for line in each.lines)])


def _digest(parts: list[str]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _site_index(site: Site, embedder: Embedder, ready: Mapping[str, Vectors]) -> SiteIndex:
    found, digest = passages_of(site), site_digest(site, embedder.name)
    vectors = ready.get(digest)
    if vectors is None:
        vectors = _cached(digest, embedder, [line for each in found for line in each.lines])
    starts = [0, *accumulate(len(each.lines) for each in found)][:-1]
    return SiteIndex(found, vectors, starts, digest)


def _cached(digest: str, embedder: Embedder, texts: list[str]) -> Vectors:
    file = cache_folder() / f"{digest}.npz"
    vectors = _read(file).get(digest)
    if vectors is None:
        # Rounded as a file would: answers must not depend on where the vectors came from.
        vectors = embedder.passages(texts).astype(np.float16).astype(np.float32)
        with suppress(OSError):  # a cache that cannot be written costs time at the next start
            _save(file, {digest: vectors})
    return vectors


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME``, else ``~/.cache``, else (without a home) that for temporary files."""
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "answer-benchmark-demo"
    try:
        return Path.home() / ".cache" / "answer-benchmark-demo"
    except RuntimeError:
        return Path(tempfile.gettempdir()) / "answer-benchmark-demo"


def _save(file: Path, vectors: Mapping[str, Vectors]) -> None:
    """Written beside and renamed: a reader gets the whole file or none. Raises ``OSError``."""
    file.parent.mkdir(parents=True, exist_ok=True)
    content = BytesIO()
    halves: dict[str, Any] = {digest: rows.astype(np.float16) for digest, rows in vectors.items()}
    np.savez_compressed(content, **halves)
    handle, beside = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content.getvalue())
        os.chmod(beside, 0o644)
        os.replace(beside, file)
    except OSError:
        os.unlink(beside)
        raise


def _read(file: Path) -> dict[str, Vectors]:
    """The vectors in ``file`` by digest; of a file that is missing, torn or no index, none."""
    try:
        with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as stored:
            read = {name: np.asarray(stored[name], np.float32) for name in stored.files}
    except (OSError, ValueError, EOFError, BadZipFile):
        return {}
    return {name: rows for name, rows in read.items() if rows.ndim == 2 and rows.shape[1] == SIZE}


if __name__ == "__main__":
    write(load(), E5Embedder())
    print(f"wrote {SHIPPED}: {SHIPPED.stat().st_size} bytes")
