"""Fixtures that several test modules share."""

from support.browser import browser
from support.project import demo_url, project, replayable

__all__ = ["browser", "demo_url", "project", "replayable"]
