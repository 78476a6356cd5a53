"""The command line of a run: pytest options, and from them what to load."""

from __future__ import annotations

from typing import Any

import pytest

from benchmark.asking.models import JUDGE_MODEL, JUDGE_URL
from benchmark.core.errors import InvalidInput
from benchmark.run.plan import Asked

_GROUP = "quarter", "answer-quality benchmark"
DEMO = "demo"
_NEED_SUITES = ("model", "model_url", "repeats", "judge", "judge_url", "judge_repeats")
_NEED_QUARTER = (
    "suites",
    *_NEED_SUITES,
    "offline",
    "ask_again",
    "report_only",
    "fail_under",
    "concurrency",
    "rate",
)


def add(parser: pytest.Parser) -> None:
    """Declare every option of a run."""
    group = parser.getgroup(*_GROUP)
    group.addoption(
        "--quarter",
        metavar="YYYY-Qn",
        help="ask (or replay) the questions of a quarter, such as 2026-Q4",
    )
    group.addoption(
        "--target",
        metavar="NAME|FILE",
        default=DEMO,
        help="whom to ask: demo (default), live, or a target's file",
    )
    group.addoption(
        "--concurrency",
        metavar="N",
        help=(
            "questions under way at once (default: the target's own); with xdist's -n, each worker"
            " asks one at a time"
        ),
    )
    group.addoption(
        "--rate", metavar="N/min", help="at most so many requests a minute, such as 30/min"
    )
    group.addoption(
        "--offline",
        action="store_true",
        help="replay recorded answers only; stop if one is missing",
    )
    group.addoption(
        "--ask-again",
        metavar="IDS",
        help="ask these questions again although they are recorded, such as med-en-03,biz-he-07",
    )
    group.addoption(
        "--report-only",
        action="store_true",
        help="exit 0 whatever the answers were, unless the run itself broke",
    )
    _add_suites(group)
    group.addoption(
        "--fail-under",
        metavar="MEASURE=PERCENT",
        action="append",
        default=[],
        help=(
            "exit 1 only if a measure, after review, is under this, such as facts=80; may be"
            " repeated"
        ),
    )


def _add_suites(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--suites",
        metavar="all|IDS",
        help="ask a model the suites of questions/suites (with --model)",
    )
    group.addoption("--model", metavar="NAME", help="the model's name, as its endpoint knows it")
    group.addoption(
        "--model-url",
        metavar="URL",
        help="its OpenAI-compatible endpoint; the key is read from MODEL_API_KEY",
    )
    group.addoption(
        "--repeats", metavar="N", help="ask each question of a suite N times, and report what flips"
    )
    group.addoption(
        "--judge", metavar="NAME", help=f"the model that grades (default: {JUDGE_MODEL})"
    )
    group.addoption(
        "--judge-url",
        metavar="URL",
        help=f"its endpoint (default: {JUDGE_URL}); the key is read from JUDGE_API_KEY",
    )
    group.addoption(
        "--judge-repeats", metavar="N", help="judge each answer N times, and report what flips"
    )


def asked(options: Any) -> Asked:
    """What the options ask for; InvalidInput lists every fault of theirs."""
    faults: list[str] = []
    numbers: dict[str, Any] = {
        "concurrency": _number(
            "--concurrency", options.concurrency, "a whole number from 1 to 64", 64, faults
        ),
        "rate_per_minute": _number(
            "--rate", _per_minute(options.rate), "a rate such as 30/min", 60_000, faults
        ),
        "repeats": (
            _number("--repeats", options.repeats, "a whole number from 1 to 20", 20, faults) or 1
        ),
        "judge_repeats": (
            _number(
                "--judge-repeats", options.judge_repeats, "a whole number from 1 to 20", 20, faults
            )
            or 1
        ),
    }
    faults += _suite_faults(options)
    if options.offline and options.ask_again:
        faults.append("--ask-again: asks, and --offline asks nothing; accepted is one of them")
    if faults:
        raise InvalidInput(faults)
    suites = (
        None if options.suites is None else () if options.suites == "all" else names(options.suites)
    )
    return Asked(
        names(options.ask_again or ""),
        options.offline,
        suites=suites,
        model=options.model or "",
        model_url=options.model_url or "",
        judge=JUDGE_MODEL if options.judge is None else options.judge,
        judge_url=JUDGE_URL if options.judge_url is None else options.judge_url,
        **numbers,
    )


def names(text: str) -> tuple[str, ...]:
    """A list with commas."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def _suite_faults(options: Any) -> list[str]:
    """--suites, --model and --model-url go together, and the others go with --suites."""
    if options.suites is None:
        given = [name for name in _NEED_SUITES if getattr(options, name) is not None]
        return [
            f"--{name.replace('_', '-')}: goes with --suites all (or the names of suites)"
            for name in given
        ]
    missing = [
        f"--{name.replace('_', '-')}"
        for name in ("model", "model_url")
        if not getattr(options, name)
    ]
    example = "--model qwen2.5:7b --model-url http://127.0.0.1:11434/v1"
    is_empty = not names(options.suites)
    faults = {
        f"--suites: given {options.suites!a}, accepted is all, or names of suites with commas": (
            is_empty
        ),
        f"--suites: needs {' and '.join(missing)}, such as {example}": bool(missing),
        f"--judge: given {options.judge!a}, accepted is a model's name": options.judge == "",
        "--target: does not go with --suites": options.target != DEMO,
    }
    return [fault for fault, is_one in faults.items() if is_one]


def _per_minute(text: str | None) -> str | None:
    return None if text is None else text.removesuffix("/min")


def least(options: Any, measures: tuple[str, ...]) -> dict[str, float]:
    """`--fail-under` as percent by measure."""
    given = [text.partition("=") for text in options.fail_under]
    faults = [
        f"--fail-under: given {name + sign + number!a}, accepted is MEASURE=PERCENT with one of"
        f" {', '.join(measures)}"
        for name, sign, number in given
        if name not in measures or _percent(number) is None
    ]
    if faults:
        raise InvalidInput(faults)
    return {name: float(number) for name, _, number in given}


def without_quarter(options: Any) -> list[str]:
    """Options that mean nothing without --quarter but were given."""
    names = [name for name in _NEED_QUARTER if getattr(options, name) not in (None, False, [])]
    names += ["target"] if options.target != DEMO else []
    return [f"--{name.replace('_', '-')}: goes with --quarter YYYY-Qn" for name in names]


def _number(
    name: str, given: str | None, accepted: str, most: int, faults: list[str]
) -> int | None:
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
