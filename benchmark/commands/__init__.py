"""The commands of `python -m benchmark`: one module each, with `add(commands)`; what runs is
imported when it runs."""

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
    score,
    score_suite,
    check,
    demo,
    local_model,
    judge_check,
    review,
    serve,
    publish,
    verify,
    compare,
)
