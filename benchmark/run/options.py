"""The command line of a run: its options, and what they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmark.asking.models import JUDGE_MODEL, JUDGE_URL
from benchmark.core.errors import InvalidInput

if TYPE_CHECKING:
    import pytest

DEMO = "demo"
_VALUES = {  # option: (what its value looks like, what it does)
    "--quarter": ("YYYY-Qn", "ask (or replay) the questions of a quarter, such as 2026-Q4"),
    "--target": ("NAME|FILE", "the target: demo (default), live, or a target's file"),
    "--concurrency": (
        "N",
        "questions under way at once (default: the target's own); with xdist's -n, each worker"
        " asks one at a time",
    ),
    "--rate": ("N/min", "at most so many requests a minute, such as 30/min"),
    "--ask-again": ("IDS", "ask these again although recorded, such as med-en-03,biz-he-07"),
    "--suites": ("all|IDS", "ask a model the suites of questions/suites (with --model)"),
    "--model": ("NAME", "the model's name, as its endpoint knows it"),
    "--model-url": ("URL", "its OpenAI-compatible endpoint; MODEL_API_KEY holds the key"),
    "--repeats": ("N", "ask each question of a suite N times, and report what flips"),
    "--judge": ("NAME", f"the model that grades (default: {JUDGE_MODEL})"),
    "--judge-url": ("URL", f"its endpoint (default: {JUDGE_URL}); JUDGE_API_KEY holds the key"),
    "--judge-repeats": ("N", "judge each answer N times, and report what flips"),
}
_FLAGS = {
    "--offline": "replay recorded answers only; stop if one is missing",
    "--report-only": "exit 0 whatever the answers were, unless the run itself broke",
}
_GATE = "--fail-under"
_NEED_SUITES = ("--model", "--model-url", "--repeats", "--judge", "--judge-url", "--judge-repeats")
_NUMBERS = {  # option: (the form of its value, the largest number, a unit that may follow)
    "--concurrency": ("a whole number from 1 to 64", 64, ""),
    "--rate": ("a rate such as 30/min", 60_000, "/min"),
    "--repeats": ("a whole number from 1 to 20", 20, ""),
    "--judge-repeats": ("a whole number from 1 to 20", 20, ""),
}


@dataclass(frozen=True)
class Asked:
    """What the command line asks for, beside the quarter and the target."""

    again: tuple[str, ...] = ()
    offline: bool = False
    concurrency: int | None = None
    rate_per_minute: float | None = None
    suites: tuple[str, ...] | None = None  # (): all of them; None: Track A
    model: str = ""
    model_url: str = ""
    repeats: int = 1
    judge: str = JUDGE_MODEL
    judge_url: str = JUDGE_URL
    judge_repeats: int = 1


def add(parser: pytest.Parser) -> None:
    """Declare every option of a run."""
    group = parser.getgroup("quarter", "answer-quality benchmark")
    for name, (metavar, text) in _VALUES.items():
        default = DEMO if name == "--target" else None
        group.addoption(name, metavar=metavar, default=default, help=text)
    for name, text in _FLAGS.items():
        group.addoption(name, action="store_true", help=text)
    text = "exit 1 only if a measure, after review, is under this, such as facts=80; repeatable"
    group.addoption(_GATE, metavar="MEASURE=PERCENT", action="append", default=[], help=text)


def _value(options: Any, name: str) -> Any:
    return getattr(options, name.removeprefix("--").replace("-", "_"))


def asked(options: Any) -> Asked:
    """What the options ask for; InvalidInput lists every fault of theirs."""
    numbers: dict[str, int | None] = {}
    faults: list[str] = []
    for name, (form, most, unit) in _NUMBERS.items():
        text = _value(options, name)
        numbers[name] = _number(text, most, unit)
        faults += (
            [] if text is None or numbers[name] else [f"{name}: got {text!a}; expected {form}"]
        )
    faults += _suite_faults(options)
    if options.offline and options.ask_again:
        faults.append("--ask-again: got --offline too, which asks nothing; expected one of them")
    if faults:
        raise InvalidInput(faults)
    return Asked(
        names(options.ask_again or ""),
        options.offline,
        numbers["--concurrency"],
        numbers["--rate"],
        suites=() if options.suites == "all" else options.suites and names(options.suites),
        model=options.model or "",
        model_url=options.model_url or "",
        repeats=numbers["--repeats"] or 1,
        judge=JUDGE_MODEL if options.judge is None else options.judge,
        judge_url=JUDGE_URL if options.judge_url is None else options.judge_url,
        judge_repeats=numbers["--judge-repeats"] or 1,
    )


def names(text: str) -> tuple[str, ...]:
    """A list with commas."""
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def _number(text: str | None, most: int, unit: str) -> int | None:
    """A whole number from 1 to `most`; None if it is not one."""
    digits = (text or "").removesuffix(unit)
    is_number = digits.isascii() and digits.isdigit() and 1 <= int(digits) <= most
    return int(digits) if is_number else None


def _suite_faults(options: Any) -> list[str]:
    """--suites, --model and --model-url go together, and the others go with --suites."""
    if options.suites is None:
        lonely = [name for name in _NEED_SUITES if _value(options, name) is not None]
        return [f"{name}: goes with --suites all (or the names of suites)" for name in lonely]
    missing = [name for name in ("--model", "--model-url") if not _value(options, name)]
    example = "--model qwen2.5:7b --model-url http://127.0.0.1:11434/v1 (OpenAI-compatible)"
    form = "expected all, or names of suites with commas"
    faults = {
        f"--suites: got {options.suites!a}; {form}": not names(options.suites),
        f"--suites: needs {' and '.join(missing)}, such as {example}": bool(missing),
        "--judge: got ''; expected a model's name": options.judge == "",
        "--target: does not go with --suites": options.target != DEMO,
    }
    return [fault for fault, is_one in faults.items() if is_one]


def least(options: Any, measures: tuple[str, ...]) -> dict[str, float]:
    """`--fail-under` as percent by measure."""
    gates = [text.partition("=") for text in options.fail_under]
    wrong = [gate for gate in gates if gate[0] not in measures or _percent(gate[2]) is None]
    if wrong:
        form = f"expected MEASURE=PERCENT with one of {', '.join(measures)}"
        raise InvalidInput(f"{_GATE}: got {''.join(gate)!a}; {form}" for gate in wrong)
    return {name: float(number) for name, _, number in gates}


def _percent(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number <= 100 else None


def without_quarter(options: Any) -> list[str]:
    """Options that mean nothing without --quarter but were given."""
    defaults = {"--target": DEMO}
    lonely = [
        name
        for name in (*_VALUES, *_FLAGS, _GATE)
        if _value(options, name) not in (None, False, [], defaults.get(name))
    ]
    return [f"{name}: goes with --quarter YYYY-Qn" for name in lonely]
