"""Answer-quality benchmark: asking, recording, scoring, reviewing and publishing the answers of
assistants."""

__version__ = "0.1.0"
