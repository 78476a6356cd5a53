"""Run ids, and records to plain values and back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from benchmark.asking.models import safe_name
from benchmark.core.errors import InvalidInput
from benchmark.core.plain import optional, plain, read
from benchmark.core.run_id import RunId

RUNS = ("2026-Q4", "2026-Q4.demo", "2027-Q1.qwen2.5-coder-1.5b_q4")
NO_RUNS = ("2026-Q5", "2026-Q4.", "2026-Q4.Demo", "2026-Q4.live", "2026-Q4/..", "2026-Q4.a/b", "")


@pytest.mark.parametrize("text", RUNS)
def test_a_run_is_its_quarter_and_its_target(text: str, tmp_path: Path) -> None:
    run = RunId.parse(text)
    assert run is not None
    assert str(run) == text
    assert run.folder(tmp_path) == tmp_path / "reports" / text
    assert run.review_file(tmp_path).name == f"reviews-{text}.json"
    assert run.review_file(tmp_path, "b-c").name == f"reviews-{text}.by_b-c.json"


@pytest.mark.parametrize("text", [*NO_RUNS, *(f"{text}\n" for text in RUNS)])
def test_nothing_else_is_a_run(text: str) -> None:
    """No path, and no second name for the live target's run."""
    assert RunId.parse(text) is None


def test_a_run_without_a_target_is_the_live_ones() -> None:
    assert RunId.parse("2026-Q4") == RunId("2026-Q4", "live")


@pytest.mark.parametrize("name", ["Qwen/Qwen3:8b", "_x", "live", "../..", "מודל", ""])
def test_every_models_name_makes_a_run(name: str) -> None:
    run = RunId("2026-Q4", safe_name(name))
    assert RunId.parse(str(run)) == run


@dataclass(frozen=True)
class Inner:
    n: float | None
    why: str = optional("")


@dataclass(frozen=True)
class Outer:
    name: str
    inner: Inner
    every: dict[str, tuple[Inner, ...]] = field(default_factory=dict)
    free: Any = None


OUTER = Outer("x", Inner(None), {"a": (Inner(1.5, "so"), Inner(2))}, [1])
PLAIN = {
    "name": "x",
    "inner": {"n": None},
    "every": {"a": [{"n": 1.5, "why": "so"}, {"n": 2}]},
    "free": [1],
}


def test_a_record_is_written_and_read_back() -> None:
    """What is optional is written only where it says something."""
    assert plain(OUTER) == PLAIN
    assert read(Outer, PLAIN, "f.json") == OUTER


def test_a_file_of_another_version_is_read() -> None:
    """An earlier one lacks what has a default; what a later one has more is left out."""
    later = {"name": "x", "inner": {"n": 1, "mood": 2}, "mood": 1}
    assert read(Outer, later, "f.json") == Outer("x", Inner(1))


@pytest.mark.parametrize(
    "value, fault",
    [
        ([], "f.json: got []; expected an object"),
        ({"inner": {"n": 1}}, "f.json: name is missing"),
        (PLAIN | {"inner": {}}, "f.json: inner: n is missing"),
        (PLAIN | {"name": None}, "f.json: name: got None; expected str"),
        (PLAIN | {"inner": {"n": True}}, "f.json: inner: n: got True; expected float"),
        (PLAIN | {"every": {"a": [5]}}, "f.json: every: a: 1: got 5; expected an object"),
        (PLAIN | {"every": {"a": 5}}, "f.json: every: a: got 5; expected a list"),
        (PLAIN | {"every": []}, "f.json: every: got []; expected an object"),
    ],
)
def test_a_fault_names_the_place_and_what_is_expected(value: Any, fault: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read(Outer, value, "f.json")
    assert refused.value.faults == (fault,)
