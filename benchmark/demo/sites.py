"""The shipped sites: ``site.json`` and HTML fragments, rendered into whole pages.

Public addresses are the rubric's: ``https://med.slatech.ai/demo/clinic/{language}/{path}`` for the
set ``med``, ``https://business.slatech.ai/demo/office/{language}/{path}`` for ``biz``."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmark.demo import DemoError

ROOT = Path(__file__).parent / "sites"
WIDGET_KEY = "demo-widget-key"
_PLACES = {
    "clinic": ("med", "https://med.slatech.ai"),
    "office": ("biz", "https://business.slatech.ai"),
}
_DIRECTIONS = {"he": "rtl", "ar": "rtl"}


@dataclass(frozen=True)
class Page:
    """``url`` is the public address, percent-encoded; ``html`` the whole document."""

    url: str
    title: str
    html: str


@dataclass(frozen=True)
class Site:
    """One language of one firm; ``site_id`` is a GUID made from ``root_url``: it never changes."""

    set: str
    kind: str
    language: str
    root_url: str
    site_id: str
    name: str
    phone: str
    pages: tuple[Page, ...]


@lru_cache(maxsize=1)
def strings() -> dict[str, dict[str, str]]:
    """What layout, widget and assistant say, by language."""
    loaded: dict[str, dict[str, str]] = json.loads((ROOT / "strings.json").read_text("utf-8"))
    return loaded


def load(root: Path = ROOT) -> tuple[Site, ...]:
    """Every site under ``root``, by kind and language; ``DemoError`` names a file at fault."""
    files = sorted(path for kind in _PLACES for path in root.glob(f"{kind}/*/site.json"))
    if not files:
        raise DemoError(f"{root}: no site found; expected {{clinic,office}}/{{language}}/site.json")
    return tuple(_site(file) for file in files)


def _site(file: Path) -> Site:
    kind, language = file.parts[-3:-1]
    set_name, host = _PLACES[kind]
    root_url = f"{host}/demo/{kind}/{language}/"
    try:
        about = json.loads(file.read_text("utf-8"))
        about |= {
            "language": language,
            "site_id": str(uuid.uuid5(uuid.NAMESPACE_URL, root_url)),
            "widget_key": WIDGET_KEY,
            "url": root_url,
            "pages": [page | {"url": root_url + quote(page["path"])} for page in about["pages"]],
        }
        pages = tuple(_page(page, about, file.parent) for page in about["pages"])
        return Site(
            set=set_name,
            kind=kind,
            language=language,
            root_url=root_url,
            site_id=about["site_id"],
            name=about["name"],
            phone=about["phone"],
            pages=pages,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DemoError(f"{file}: {type(error).__name__}: {error}") from error


def _page(page: dict[str, Any], about: dict[str, Any], folder: Path) -> Page:
    layout = environment().get_template("layout.html")
    html = layout.render(
        site=about,
        page=page,
        body=(folder / page["file"]).read_text("utf-8"),
        organization=_organization(about),
        text=strings()[about["language"]],
    )
    return Page(page["url"], page["title"], html)


def _organization(about: dict[str, Any]) -> dict[str, Any]:
    """schema.org's Organization, for the page's JSON-LD."""
    return {
        "@context": "https://schema.org",
        "@type": about["organization_type"],
        "name": about["name"],
        "url": about["url"],
        "telephone": about["phone"],
        "email": about["email"],
        "address": {
            "@type": "PostalAddress",
            "streetAddress": about["street"],
            "addressLocality": about["city"],
            "addressCountry": about["country"],
        },
    }


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Templates beside the sites; a misspelt name is an error, and text is escaped by default."""
    environment = Environment(
        loader=FileSystemLoader(ROOT),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["direction"] = lambda language: _DIRECTIONS.get(language, "ltr")
    environment.filters["path"] = lambda url: "/" + url.split("/", 3)[3]
    return environment
