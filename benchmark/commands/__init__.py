"""The commands of `python -m benchmark`: one module each, with `add(commands)`; what runs is imported when it runs."""

from benchmark.commands import check, demo, score

COMMANDS = (score, check, demo)
