"""Headless Chromium for the tests of pages, and axe-core in it.

A run of the benchmark loads these tests' conftest.py too, without what only tests need: it is
imported when used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
DARK = {"runOnly": ["color-contrast"]}  # all that a dark scheme changes


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS.split())
        yield found
        found.close()


def violations(page: Page, scheme: str = "light") -> list[str]:
    """What axe-core finds in a page that is shown in this colour scheme."""
    from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    options = {"resultTypes": ["violations"], "preload": False} | (DARK if scheme == "dark" else {})
    found = Axe().run(page, options=options).response["violations"]
    return [f"{v['id']}: {node['html']}" for v in found for node in v["nodes"]]
