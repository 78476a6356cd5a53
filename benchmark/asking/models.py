"""A model behind an OpenAI-compatible endpoint, as a target: to be asked, or to judge.

Keys are read from the environment when a request is sent, and stand as `${NAME}` in everything that
is written."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from benchmark.asking.targets import SHIPPED, Target
from benchmark.core.errors import InvalidInput
from benchmark.core.files import sha256, to_json
from benchmark.core.records import Places

MODEL_KEY, JUDGE_KEY = "MODEL_API_KEY", "JUDGE_API_KEY"
JUDGE_MODEL, JUDGE_URL = "llama-3.3-70b-versatile", "https://api.groq.com/openai/v1"
SEED = 7
TOKENS = 1024
TIMEOUT_S = 600.0
PLACES = Places(
    answer="choices[0].message.content",
    sources="",
    no_grounding="",
    error="error",
    version="model",
    finish="choices[0].finish_reason",
    refusal="choices[0].message.refusal",
)
KEEP_HEADERS = ("content-type", "date", "server", "x-request-id", "retry-after")


def target(
    name: str,
    url: str,
    key: str,
    extra: Mapping[str, Any],
    environment: Mapping[str, str] = os.environ,
) -> Target:
    """The target for a model; `extra` goes into each request's body beside its name. InvalidInput
    for a bad URL."""
    endpoint = _endpoint(url)
    settings = {"temperature": 0, "seed": SEED, "max_tokens": TOKENS, "stream": False}
    body = {"model": name, **settings, **extra}
    headers = {"Authorization": f"Bearer ${{{key}}}"} if environment.get(key) else {}
    digest = sha256(to_json({"endpoint": endpoint, "body": body}).encode())
    return Target(
        name=safe_name(name),
        label=f"model {name} at {urlsplit(endpoint).netloc}",
        endpoint=endpoint,
        body=body,
        sites={},
        sha256=digest,
        headers=headers,
        places=PLACES,
        rehearsal=False,
        timeout_s=TIMEOUT_S,
        keep_headers=KEEP_HEADERS,
    )


def _endpoint(url: str) -> str:
    if not _is_address(url):
        raise InvalidInput(
            [f"model URL: got {url!a}; expected an address such as http://127.0.0.1:11434/v1"],
            "Keys go in the environment (MODEL_API_KEY, JUDGE_API_KEY), not into the address.",
        )
    base = url.rstrip("/")
    return base if base.endswith("/chat/completions") else f"{base}/chat/completions"


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # half an IPv6 address, or a port that is none
        return False
    return is_whole and not parts.username and not parts.query


def safe_name(name: str) -> str:
    """A model's name as a part of a folder's name; never that of a shipped target."""
    safe = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-.")[:60] or "model"
    taken = {path.stem for path in SHIPPED.glob("*.json")}
    return f"model-{safe}" if safe in taken else safe
