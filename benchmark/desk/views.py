"""What the desk answers: pages by GET, one action a POST, which leads on to the next answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qsl, quote

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException

from benchmark.asking.tracks import is_judging
from benchmark.core.errors import InvalidInput
from benchmark.core.records import Verdict
from benchmark.desk import reading, showing
from benchmark.desk.desk import Desk, Refused, State
from benchmark.desk.store import Changed
from benchmark.report.escape import highlighted, shown
from benchmark.report.tables import grid
from benchmark.text.urls import same_page

_HERE = Path(__file__).parent
_MOST_BYTES = 64 * 1024
CHANGED = (
    "The review file was changed outside this tab, so nothing was saved. This is how it stands now:"
    " look, and decide again."
)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form; HTTP 413 or 422 where it is none of ours."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise HTTPException(413, f"a form has at most {_MOST_BYTES} bytes")
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=100))
    except ValueError:
        raise HTTPException(422, "accepted is a form of the desk's own page") from None


Form = Annotated[dict[str, str], Depends(_form)]


class Views:
    """What is answered to each address. Files are read anew for every request: nothing shown is
    older than that."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters.update(
            shown=shown,
            direction=showing.direction,
            language=showing.language,
            path=quote,
            json=_json,
        )
        self._templates.globals.update(
            showing=showing, highlighted=highlighted, same_page=same_page, is_judging=is_judging
        )

    def overview(self) -> Response:
        state = self._desk.now()
        return self._page(
            "overview.html", state, grid=grid(state.verdicts), unread=state.next_unread()
        )

    def question(self, name: str) -> Response:
        return self._question(self._desk.now(), name)

    def act(self, name: str, action: str, form: Form) -> Response:
        """Write at once and go on to the next unread answer; or show again what was typed, and why
        it was not saved."""
        if self._desk.now().verdict(name) is None or action not in ("agree", "change", "faulty"):
            raise HTTPException(404, "there is no such question or action")
        try:
            self._write(name, action, form)
        except Changed:
            return self._question(self._desk.now(), name, 409, CHANGED, form=form, reopened=action)
        except Refused as fault:
            return self._question(
                self._desk.now(), name, 422, str(fault), form=form, reopened=action
            )
        following = self._desk.now().next_unread(name)
        return RedirectResponse(f"/q/{quote(following)}" if following else "/", 303)

    def _write(self, name: str, action: str, form: Mapping[str, str]) -> None:
        seen, reason = form.get("seen", ""), form.get("reason", "")
        if action == "agree":
            self._desk.agree(name, seen)
        elif action == "faulty":
            self._desk.faulty(name, reason, seen)
        else:
            chosen = {
                key.removeprefix("measure:"): value
                for key, value in form.items()
                if key.startswith("measure:")
            }
            self._desk.change(
                name,
                {m: v == "pass" for m, v in chosen.items() if v in ("pass", "fail")},
                reason,
                seen,
            )

    def undo(self, form: Form) -> Response:
        try:
            return RedirectResponse(f"/q/{quote(self._desk.undo(form.get('seen', '')))}", 303)
        except (Changed, Refused) as fault:
            notice, status = (CHANGED, 409) if isinstance(fault, Changed) else (str(fault), 422)
        state = self._desk.now()
        name = form.get("from", "")
        if state.verdict(name):
            return self._question(state, name, status, notice)
        context = {"grid": grid(state.verdicts), "unread": state.next_unread()}
        return self._page("overview.html", state, status, notice=notice, **context)

    def pages(self, name: str) -> Response:
        state = self._desk.now()
        verdict = self._known(state, name)
        return self._page(
            "pages.html", state, v=verdict, site=self._desk.pages.site(verdict.question)
        )

    def agreement(self) -> Response:
        others = self._desk.compared()
        return self._page("agreement.html", self._desk.now(), others=others)

    def seen(self) -> Response:
        """The version of the review file, by which a tab that is looked at again knows whether it
        is still right."""
        return JSONResponse({"seen": self._desk.now().version.digest})

    def broken(self, _: Request, fault: Exception) -> Response:
        """The review file was made unusable from outside: nothing is written over it."""
        assert isinstance(fault, InvalidInput)
        return self._html(
            "broken.html", 409, faults=fault.faults, hint=fault.hint, run=self._desk.run
        )

    def problem(self, _: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return Response(
            f"{error.detail}.\n", error.status_code, media_type="text/plain; charset=utf-8"
        )

    def _question(
        self,
        state: State,
        name: str,
        status: int = 200,
        notice: str = "",
        *,
        form: Mapping[str, str] | None = None,
        reopened: str = "",
    ) -> Response:
        """A question's page; `form` as it was sent, and `reopened` its dialog, where it could not
        be saved."""
        verdict, run = self._known(state, name), self._desk.run
        return self._page(
            "question.html",
            state,
            status,
            notice=notice,
            form=form or {},
            reopened=reopened,
            v=verdict,
            group=state.group_of(name),
            place=state.order.index(verdict) + 1,
            previous=state.beside(name, -1),
            following=state.beside(name, 1),
            applicable=[m for m in verdict.measures if m.value is not None or m.fault],
            found={span.what for m in verdict.measures for span in m.spans},
            record=run.record(name),
            others=run.others(name),
            passage=self._desk.pages.evidence(verdict.question),
            grid=grid(state.verdicts),
        )

    def _known(self, state: State, name: str) -> Verdict:
        verdict = state.verdict(name)
        if verdict is None:
            raise HTTPException(404, "there is no such question in this run")
        return verdict

    def _page(
        self, template: str, state: State, status: int = 200, notice: str = "", **context: Any
    ) -> Response:
        walked = reading.walk(state.groups)
        return self._html(
            template,
            status,
            desk=self._desk,
            run=self._desk.run,
            state=state,
            notice=notice,
            read=sum(v.read for v in walked),
            walked=len(walked),
            **context,
        )

    def _html(self, template: str, status: int, **context: Any) -> Response:
        html = self._templates.get_template(template).render(**context)
        return HTMLResponse(html.encode("utf-8", "backslashreplace"), status)


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
