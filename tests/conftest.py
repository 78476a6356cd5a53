"""Fixtures that several test modules share."""

from browsing import browser
from running import demo_url, project, replayable

__all__ = ["browser", "demo_url", "project", "replayable"]
