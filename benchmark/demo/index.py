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
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from benchmark.demo.embedding import SIZE, E5Embedder, Embedder, Vectors
from benchmark.demo.passages import Passage, quotable
from benchmark.demo.sites import Site, load

SHIPPED = Path(__file__).parent / "index.npz"


@dataclass(frozen=True)
class SitePassage:
    """A passage and the public address of its page."""

    url: str
    passage: Passage


@dataclass(frozen=True)
class SiteIndex:
    """A site's passages in reading order, each once a page; ``vectors`` has one row of length 1 for
    each."""

    passages: tuple[SitePassage, ...]
    vectors: Vectors
    digest: str


@dataclass(frozen=True)
class Index:
    """What the assistant searches, by ``site_id``; ``digest`` (hex) changes with any passage and
    with the model."""

    sites: Mapping[str, SiteIndex]
    digest: str


def build(sites: Iterable[Site], embedder: Embedder, shipped: Path = SHIPPED) -> Index:
    """The index of ``sites``: what neither ``shipped`` nor the cache holds is embedded (some 15 ms
    a passage)."""
    ready = _read(shipped)
    indexed = {site.site_id: _site_index(site, embedder, ready) for site in sites}
    return Index(indexed, _digest([index.digest for index in indexed.values()]))


def stale(sites: Iterable[Site], model: str, shipped: Path = SHIPPED) -> list[str]:
    """The root URLs of the sites whose vectors ``shipped`` lacks."""
    ready = _read(shipped)
    return [site.root_url for site in sites if site_digest(passages_of(site), model) not in ready]


def write(sites: Iterable[Site], embedder: Embedder, shipped: Path = SHIPPED) -> None:
    """Make ``shipped`` hold these sites and nothing else. Half precision: the scores move by less
    than 0.001."""
    indexes = build(sites, embedder, shipped).sites.values()
    _save(shipped, {index.digest: index.vectors for index in indexes})


def passages_of(site: Site) -> tuple[SitePassage, ...]:
    """What a site's pages offer for quoting; what a page says twice in the same words counts
    once."""
    return tuple(
        SitePassage(page.url, passage)
        for page in site.pages
        for passage in dict.fromkeys(quotable(page.html))
    )


def site_digest(passages: Iterable[SitePassage], model: str) -> str:
    """SHA-256 (hex) of what the vectors are made from."""
    return _digest([model, *(str(each.passage) for each in passages)])


def _digest(parts: list[str]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _site_index(site: Site, embedder: Embedder, ready: Mapping[str, Vectors]) -> SiteIndex:
    passages = passages_of(site)
    digest = site_digest(passages, embedder.name)
    vectors = ready.get(digest)
    if vectors is None:
        vectors = _cached(digest, embedder, [str(each.passage) for each in passages])
    return SiteIndex(passages, vectors, digest)


def _cached(digest: str, embedder: Embedder, texts: list[str]) -> Vectors:
    file = cache_folder() / f"{digest}.npz"
    vectors = _read(file).get(digest)
    if vectors is None:
        vectors = _halved(embedder.passages(texts))
        with suppress(
            OSError
        ):  # a cache that cannot be written costs time at the next start, nothing else
            _save(file, {digest: vectors})
    return vectors


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME``, else ``~/.cache``, else, without a home, the folder for temporary
    files."""
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "answer-benchmark-demo"
    try:
        return Path.home() / ".cache" / "answer-benchmark-demo"
    except RuntimeError:
        return Path(tempfile.gettempdir()) / "answer-benchmark-demo"


def _halved(vectors: Vectors) -> Vectors:
    """Rounded as a file would round them: answers must not depend on where the vectors came
    from."""
    return vectors.astype(np.float16).astype(np.float32)


def _save(file: Path, vectors: Mapping[str, Vectors]) -> None:
    """Written beside and renamed: another process reads the whole file or none. Raises
    ``OSError``."""
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
