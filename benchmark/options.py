"""The command line of a run: pytest options, and from them what to load."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.errors import InvalidInput
from benchmark.plan import Asked

_GROUP = "quarter", "answer-quality benchmark"
_NEED_QUARTER = ("offline", "ask_again", "report_only", "fail_under", "concurrency", "rate")


def add(parser: pytest.Parser) -> None:
    """Declare every option of a run."""
    group = parser.getgroup(*_GROUP)
    group.addoption("--quarter", metavar="YYYY-Qn", help="ask (or replay) the questions of a quarter, such as 2026-Q4")
    group.addoption(
        "--target", metavar="NAME|FILE", default="demo", help="whom to ask: demo (default), live, or a target's file"
    )
    group.addoption(
        "--concurrency", metavar="N", help="questions under way at once; the target's own default otherwise"
    )
    group.addoption("--rate", metavar="N/min", help="at most so many requests a minute, such as 30/min")
    group.addoption("--offline", action="store_true", help="replay recorded answers only; stop if one is missing")
    group.addoption(
        "--ask-again",
        metavar="IDS",
        help="ask these questions again although they are recorded, such as med-en-03,biz-he-07",
    )
    group.addoption(
        "--report-only", action="store_true", help="exit 0 whatever the answers were, unless the run itself broke"
    )
    group.addoption(
        "--fail-under",
        metavar="MEASURE=PERCENT",
        action="append",
        default=[],
        help="exit 1 only if a measure, after review, is under this, such as facts=80; may be repeated",
    )


def asked(options: Any) -> Asked:
    """What the options ask for; InvalidInput lists every fault of theirs."""
    faults: list[str] = []
    concurrency = _number("--concurrency", options.concurrency, "a whole number from 1 to 64", 64, faults)
    rate = _number(
        "--rate", (options.rate or "").removesuffix("/min") or None, "requests a minute, such as 30/min", 60_000, faults
    )
    if faults:
        raise InvalidInput(faults)
    again = tuple(filter(None, (name.strip() for name in (options.ask_again or "").split(","))))
    return Asked(again, options.offline, concurrency, rate)


def least(options: Any, measures: tuple[str, ...]) -> dict[str, float]:
    """`--fail-under` as percent by measure."""
    given = [text.partition("=") for text in options.fail_under]
    faults = [
        f"--fail-under: given {name + sign + number!a}, accepted is MEASURE=PERCENT with one of {', '.join(measures)}"
        for name, sign, number in given
        if name not in measures or _percent(number) is None
    ]
    if faults:
        raise InvalidInput(faults)
    return {name: float(number) for name, _, number in given}


def without_quarter(options: Any) -> list[str]:
    """Options that mean nothing without --quarter but were given."""
    names = [name for name in _NEED_QUARTER if getattr(options, name)]
    return [f"--{name.replace('_', '-')}: goes with --quarter YYYY-Qn" for name in names]


def _number(name: str, given: str | None, accepted: str, most: int, faults: list[str]) -> int | None:
    if given is None:
        return None
    if not given.isascii() or not given.isdigit() or not 1 <= int(given) <= most:
        faults.append(f"{name}: given {given!a}, accepted is {accepted}")
        return None
    return int(given)


def _percent(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number <= 100 else None
