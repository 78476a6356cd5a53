"""What the desk answers: pages by GET, one action a POST, which leads on to the next answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse
from jinja2 import Environment
from starlette.exceptions import HTTPException
from starlette.responses import Response

from benchmark.asking.tracks import is_judging
from benchmark.core.errors import InvalidInput
from benchmark.core.records import Verdict
from benchmark.desk import showing
from benchmark.desk.desk import Desk, Refused, State
from benchmark.desk.store import Changed
from benchmark.report.escape import highlighted
from benchmark.report.tables import grid
from benchmark.report.templating import environment
from benchmark.text.urls import same_page

_MOST_BYTES = 64 * 1024
CHANGED = (
    "The review file was changed outside this tab, so nothing was saved. This is how it stands now:"
    " look, and decide again."
)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; HTTP 413 or 422 where it is not one of ours."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise HTTPException(413, f"a form has at most {_MOST_BYTES} bytes")
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=100))
    except ValueError:
        raise HTTPException(422, "expected a form of the desk's own page") from None


Form = Annotated[dict[str, str], Depends(_form)]


@dataclass(frozen=True)
class Notice:
    """Why an action was not saved: its form as it was sent, and the dialog to open again."""

    text: str = ""
    status: int = 200
    form: Mapping[str, str] = field(default_factory=dict)
    dialog: str = ""


def _unsaved(fault: Exception, form: Mapping[str, str] | None = None, dialog: str = "") -> Notice:
    text, status = (CHANGED, 409) if isinstance(fault, Changed) else (str(fault), 422)
    return Notice(text, status, form or {}, dialog)


def _templates() -> Environment:
    templates = environment(Path(__file__).parent / "templates")
    templates.filters.update(language=showing.language, path=quote, json=_json)
    templates.globals.update(showing=showing, highlighted=highlighted, same_page=same_page)
    templates.globals.update(is_judging=is_judging, grid=grid)
    return templates


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


class Views:
    """What each address answers. Files are read anew for every request."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._templates = desk, _templates()

    def overview(self) -> Response:
        return self._overview(self._desk.now())

    def question(self, name: str) -> Response:
        return self._question(self._desk.now(), name)

    def act(self, name: str, action: str, form: Form) -> Response:
        """Write at once and go on to the next unread answer; or show again why it was not saved."""
        if self._desk.now().verdict(name) is None or action not in ("agree", "change", "faulty"):
            raise HTTPException(404, "there is no such question or action")
        try:
            self._write(name, action, form)
        except (Changed, Refused) as fault:
            return self._question(self._desk.now(), name, _unsaved(fault, form, action))
        following = self._desk.now().next_unread(name)
        return RedirectResponse(f"/q/{quote(following)}" if following else "/", 303)

    def _write(self, name: str, action: str, form: Mapping[str, str]) -> None:
        seen, reason = form.get("seen", ""), form.get("reason", "")
        if action == "agree":
            self._desk.agree(name, seen)
        elif action == "faulty":
            self._desk.faulty(name, reason, seen)
        else:
            values = {
                key.removeprefix("measure:"): value == "pass"
                for key, value in form.items()
                if key.startswith("measure:") and value in ("pass", "fail")
            }
            self._desk.change(name, values, reason, seen)

    def undo(self, form: Form) -> Response:
        try:
            return RedirectResponse(f"/q/{quote(self._desk.undo(form.get('seen', '')))}", 303)
        except (Changed, Refused) as fault:
            state, name, notice = self._desk.now(), form.get("from", ""), _unsaved(fault)
        if state.verdict(name):
            return self._question(state, name, notice)
        return self._overview(state, notice)

    def pages(self, name: str) -> Response:
        state = self._desk.now()
        verdict = self._known(state, name)
        site = self._desk.pages.site(verdict.question)
        return self._page("pages.html", state, v=verdict, site=site)

    def agreement(self) -> Response:
        others = self._desk.compared()
        return self._page("agreement.html", self._desk.now(), others=others)

    def seen(self) -> Response:
        """The review file's version, by which a tab knows whether it is still right."""
        return JSONResponse({"seen": self._desk.now().version.digest})

    def broken(self, _: Request, fault: Exception) -> Response:
        """The review file was made unusable from outside: nothing is written over it."""
        assert isinstance(fault, InvalidInput)
        return self._html("broken.html", 409, faults=fault.faults, hint=fault.hint)

    def problem(self, _: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return PlainTextResponse(f"{error.detail}.\n", error.status_code)

    def _overview(self, state: State, notice: Notice | None = None) -> Response:
        return self._page("overview.html", state, notice, unread=state.next_unread())

    def _question(self, state: State, name: str, notice: Notice | None = None) -> Response:
        verdict = self._known(state, name)
        return self._page(
            "question.html",
            state,
            notice,
            v=verdict,
            group=state.group_of(name),
            place=state.order.index(verdict) + 1,
            previous=state.beside(name, -1),
            following=state.beside(name, 1),
            applicable=[m for m in verdict.measures if m.value is not None or m.fault],
            found={span.what for m in verdict.measures for span in m.spans},
            record=self._desk.run.record(name),
            others=self._desk.run.others(name),
            passage=self._desk.pages.evidence(verdict.question),
        )

    def _known(self, state: State, name: str) -> Verdict:
        verdict = state.verdict(name)
        if verdict is None:
            raise HTTPException(404, "there is no such question in this run")
        return verdict

    def _page(
        self, template: str, state: State, notice: Notice | None = None, **context: Any
    ) -> Response:
        notice, walked = notice or Notice(), len(state.walked)
        context |= {"state": state, "notice": notice, "walked": walked}
        return self._html(template, notice.status, read=walked - state.left, **context)

    def _html(self, template: str, status: int, **context: Any) -> Response:
        page = self._templates.get_template(template)
        html = page.render(context, desk=self._desk, run=self._desk.run)
        return HTMLResponse(html.encode("utf-8", "backslashreplace"), status)
