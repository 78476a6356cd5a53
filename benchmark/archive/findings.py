"""Findings: a published JSON value, which may be of any form, against what it should be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def differing(place: str, published: Any, expected: Any, by: str = "recomputed") -> Iterator[str]:
    """A finding where they are not the same; `by` says where what is expected comes from."""
    if not same(published, expected):
        yield f"{place}: is {shown(published)}, {by} {shown(expected)}"


def at(value: Any, *keys: str) -> Any:
    """What stands under these keys; None where anything on the way is missing or no object."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def same(published: Any, recomputed: Any) -> bool:
    """Equal as JSON, but for a float's last digits, which are not the same on every machine."""
    if isinstance(recomputed, bool) or isinstance(published, bool):
        return published is recomputed
    if isinstance(recomputed, dict) and isinstance(published, dict):
        is_alike = published.keys() == recomputed.keys()
        return is_alike and all(same(published[key], recomputed[key]) for key in recomputed)
    if isinstance(recomputed, list) and isinstance(published, list):
        return len(published) == len(recomputed) and all(map(same, published, recomputed))
    if isinstance(recomputed, float) and isinstance(published, (int, float)):
        margin = 1e-9 * max(1.0, abs(recomputed))
        return abs(published) < 1e300 and abs(published - recomputed) <= margin
    return bool(published == recomputed)


def shown(value: Any) -> str:
    """A value in a finding: JSON on one line, cut where it is long."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 120 else text[:117] + "..."
