"""Suites and runs over HTTP, read-only: a JSON API, its documentation, a board of models."""
