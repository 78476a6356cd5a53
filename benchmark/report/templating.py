"""How every page of the project is made: jinja2 with autoescape on, an undefined name an error, and
a style that is named by its digest, so that none from an answer counts."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from benchmark.report import escape
from benchmark.report.tables import as_markdown, interval, markdown_text

TEMPLATES = Path(__file__).parent / "templates"


def environment(folder: Path = TEMPLATES) -> Environment:
    """The templates of a folder. What ends in `.md` is Markdown, and escaped by `md` instead."""
    templates = Environment(
        loader=FileSystemLoader(folder),
        autoescape=lambda name: not (name or "").endswith(".md"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters.update(shown=escape.shown, plain=escape.plain, slug=escape.slug)
    templates.filters.update(direction=escape.direction, quoted=escape.quoted, interval=interval)
    templates.filters.update(md=markdown_text, table=lambda rows: "\n".join(as_markdown(rows)))
    return templates


def styled(*sheets: Path, script: bool = False) -> dict[str, str]:
    """`css` and the policy `csp` of a page that opens from anywhere: no request to another host, no
    inline script, nothing embedded, no form that is sent; `script`: files beside it may run."""
    css = "".join(sheet.read_text("utf-8") for sheet in sheets)
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    scripts = "script-src 'self'; " if script else ""
    policy = f"default-src 'none'; {scripts}style-src 'sha256-{digest}'; base-uri 'none'"
    return {"css": Markup(css), "csp": f"{policy}; form-action 'none'"}
