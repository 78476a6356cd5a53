"""The commands of `python -m benchmark`: a module each, with its help as the docstring, `ARGUMENTS`
and `run`; what runs is imported when it runs."""

from __future__ import annotations

from typing import Any

from benchmark.commands import (
    check,
    compare,
    demo,
    judge_check,
    local_model,
    publish,
    review,
    score,
    score_suite,
    serve,
    verify,
)

COMMANDS = (
    *(score, score_suite, check, demo, local_model, judge_check),
    *(review, serve, publish, verify, compare),
)


def add(parsers: Any) -> None:
    """Declare every command, named like its module."""
    for module in COMMANDS:
        name = module.__name__.rpartition(".")[2].replace("_", "-")
        text = (module.__doc__ or "").partition(": ")[2].rstrip(".")
        parser = parsers.add_parser(name, help=" ".join(text.split()))
        for argument, how in module.ARGUMENTS:
            parser.add_argument(argument, **how)
        parser.set_defaults(run=module.run)
