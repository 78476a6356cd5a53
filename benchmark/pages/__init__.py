"""A page as a visitor sees it, the passages an assistant may quote from it, and which URLs name one page.

Knows only the standard library; the HTML parser is imported when a page is read, so that scoring, which compares
URLs alone, runs without any third-party package. Everything here is pure: no file, no network, no clock.
"""

from benchmark.pages.quoting import Passage, passages, quotable
from benchmark.pages.splitting import sentences
from benchmark.pages.urls import page_identity, same_page
from benchmark.pages.visible import visible_text

__all__ = ["Passage", "page_identity", "passages", "quotable", "same_page", "sentences", "visible_text"]
