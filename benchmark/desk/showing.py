"""How the desk shows what it was given; `benchmark.report.escape` makes hostile text harmless."""

from __future__ import annotations

from urllib.parse import quote

from benchmark.asking.models import PLACES
from benchmark.core.records import Question, Record
from benchmark.scoring import reply
from benchmark.text.normalise import letters
from benchmark.text.urls import page_identity

_ENOUGH = 5000  # characters of a text that show its script
_WHOLE, _END = 8, 4  # words of an evidence that a text fragment holds whole, or of each of its ends


def language(text: str) -> str:
    """The language whose script most letters of a text are in; "und" where that is none of ours."""
    counted = letters(text[:_ENOUGH])
    return max(counted, key=lambda code: counted[code], default="") or "und"


def address(url: str) -> str:
    """An address that may be linked to; "" for anything but http(s)."""
    return url if page_identity(url) is not None else ""


def evidence_address(question: Question) -> str:
    """The evidence's page, at the evidence, in browsers that know text fragments."""
    page = next(iter(question.pages), "")
    words = question.passage.split()
    ends = [words] if len(words) <= _WHOLE else [words[:_END], words[-_END:]]
    fragment = ",".join(quote(" ".join(end), safe="").replace("-", "%2D") for end in ends)
    return address(page) and f"{page}#:~:text={fragment}"


def replied(record: Record) -> str:
    """What a model or a judge replied in a record, or else the response as received."""
    return reply.read(record, PLACES).answer or record.body or record.body_base64 or "nothing came"


def sent(record: Record) -> str:
    """The chat messages of a record's request, one below the other; "" where it held none."""
    body = record.request.get("json")
    messages = body.get("messages", ()) if isinstance(body, dict) else ()
    chat = (m for m in messages if isinstance(m, dict))
    return "\n\n".join(f"{m.get('role')}:\n{m.get('content')}" for m in chat)
