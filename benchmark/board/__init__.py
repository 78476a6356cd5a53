"""Suites and runs over HTTP, read-only: a JSON API with its documentation, and a board of models by
suite."""
