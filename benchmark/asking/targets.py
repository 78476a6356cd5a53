"""A target: a file that says how a question becomes a request, and where things are in the
response.

A value in braces is filled for each question: `{question}`, `{page}` (the page the visitor is on),
`{base}` (the address of the embedded demo) and whatever `sites` names for that set and language.
`${NAME}` is an environment variable: it is sent, and never written to a file. docs/targets.md
describes every field."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from benchmark.core import validation
from benchmark.core.errors import InvalidInput
from benchmark.core.records import Places, Question, from_plain
from benchmark.core.validation import Value, is_a

SHIPPED = Path(__file__).resolve().parents[2] / "targets"
_ENVIRONMENT = re.compile(r"\$\{(\w+)\}")
_FIELD = re.compile(r"(?<!\$)\{(\w+)\}")
_NAME = "[a-z0-9][a-z0-9-]{0,30}"
TAKEN = ("demo", "live")
_NOT_TAKEN = f"(?!({'|'.join(TAKEN)})$){_NAME}"
_SHORT = "a short name of a-z 0-9 -; demo and live are taken"


def _is_site(site: Any) -> bool:
    is_texts = isinstance(site, dict) and all(isinstance(text, str) for text in site.values())
    return is_texts and "page" in site


def _is_positive(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: is_a(*kinds)(value) and value > 0


@dataclass(frozen=True)
class Target:
    """What a target file holds. `rehearsal`: its results are never the vendor's, and say so."""

    name: str
    label: str
    endpoint: str
    body: Any
    sites: dict[str, dict[str, str]]
    sha256: str
    headers: dict[str, str] = field(default_factory=dict)
    places: Places = Places()
    rehearsal: bool = True
    embedded: bool = False
    timeout_s: float = 60.0
    concurrency: int = 1
    rate_per_minute: float | None = None
    keep_headers: tuple[str, ...] = ("content-type", "date")
    path: str = ""  # of the file; a model has none


@dataclass(frozen=True)
class Prepared:
    """A question's request as it may be written down: environment variables stand as `${NAME}`."""

    id: str
    page: str
    url: str
    headers: dict[str, str]
    body: Any


_MORE_THAN_0 = "more than 0"
_PLACES = {place.name: validation.ANY_TEXT for place in fields(Places)}
_FIELDS: dict[str, validation.Check] = {
    "name": validation.matching(_NAME, _SHORT),
    "label": Value(is_a(str), "a text for people"),
    "endpoint": validation.matching(r"https?://.+|\{base\}/.*", "an http(s) address"),
    "body": Value(
        lambda value: isinstance(value, dict) and "{question}" in str(value),
        "an object, with {question} where the question goes",
    ),
    "sites": validation.MapOf(Value(_is_site, "an object of texts, with page")),
    "headers": validation.MapOf(validation.ANY_TEXT),
    "response": validation.Object(_PLACES, optional=_PLACES),
    "rehearsal": validation.TRUE_OR_FALSE,
    "embedded": validation.TRUE_OR_FALSE,
    "timeout_s": Value(_is_positive(int, float), f"seconds, {_MORE_THAN_0}"),
    "concurrency": Value(_is_positive(int), "a whole number from 1"),
    "rate_per_minute": Value(_is_positive(int, float), f"requests a minute, {_MORE_THAN_0}"),
    "keep_headers": validation.ListOf(validation.ANY_TEXT),
}
_NEEDED = ("name", "label", "endpoint", "body", "sites")
_FILE = validation.Object(_FIELDS, optional=_FIELDS.keys() - {*_NEEDED})
_FURTHER = replace(_FILE, fields=_FIELDS | {"name": validation.matching(_NOT_TAKEN, _SHORT)})


def load(name: str) -> Target:
    """A shipped target by name, or any other by its file. InvalidInput lists every fault."""
    shipped = SHIPPED / f"{name}.json"
    path = shipped if re.fullmatch(r"[a-z0-9-]+", name) and shipped.exists() else Path(name)
    if path is not shipped and not path.is_file():
        names = ", ".join(sorted(p.stem for p in SHIPPED.glob("*.json")))
        raise InvalidInput([f"--target: got {name!a}; expected one of {names} or a target's file"])
    form = _FILE if path is shipped else _FURTHER
    value, digest = validation.load(path, form.faults, "docs/targets.md describes every field.")
    places = Places(**value.get("response", {}))
    return from_plain(Target, {**value, "places": places, "sha256": digest, "path": str(path)})


def environment_faults(
    target: Target, groups: tuple[str, ...], environment: Mapping[str, str]
) -> list[str]:
    """What is wrong with the environment variables that requests for these set-languages need;
    values are not shown."""
    used = [
        target.endpoint,
        target.headers,
        target.body,
        *(target.sites.get(group, {}) for group in groups),
    ]
    values = {name: environment.get(name, "") for name in _named(*used)}
    faults = {name: "is not set" for name, value in values.items() if not value}
    odd = {
        name for name, value in values.items() if not re.fullmatch(r"[!-~]([ -~]*[!-~])?", value)
    } - {*faults}
    faults |= dict.fromkeys(
        sorted(odd), "holds outer white space or a character that is not printable ASCII"
    )
    return [
        f"target {target.name}: the environment variable {name} {fault}"
        for name, fault in faults.items()
    ]


def _named(*values: Any) -> list[str]:
    """Environment variables that stand in these values, each once."""
    return list(
        dict.fromkeys(name for value in values for name in _ENVIRONMENT.findall(str(value)))
    )


def prepare(target: Target, question: Question, base: str = "") -> Prepared:
    """The request for one question. InvalidInput without a site for its set and language."""
    group = f"{question.set}-{question.language}"
    if group not in target.sites:
        raise InvalidInput([f"target {target.name}: sites: no {group}, which {question.id} needs"])
    values = {"question": question.question, "base": base, **target.sites[group]}
    templates = (target.endpoint, target.headers, target.body)
    return Prepared(question.id, values["page"], *_filled(templates, _FIELD, values))


def _filled(value: Any, names: re.Pattern[str], values: Mapping[str, str]) -> Any:
    """The value with the names in its texts replaced; one that is not among `values` stays."""
    if isinstance(value, str):
        return names.sub(lambda name: values.get(name[1], name[0]), value)
    if isinstance(value, dict):
        return {key: _filled(inner, names, values) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_filled(inner, names, values) for inner in value]
    return value


@dataclass(frozen=True)
class Sent:
    """A request as it is sent. It holds secrets: it is never written down, nor shown."""

    url: str
    headers: dict[str, str] = field(repr=False)
    body: Any = field(repr=False)


def sent(target: Target, prepared: Prepared, environment: Mapping[str, str] = os.environ) -> Sent:
    """The request with `${NAME}` replaced where the target itself says so: a question, or an answer
    that a judge is to read, may hold such text too, and must not draw anything out of the
    environment."""
    sites = list(target.sites.values())
    templates = {"url": target.endpoint, "headers": target.headers, "body": target.body}
    return Sent(
        **{
            part: _filled(
                getattr(prepared, part),
                _ENVIRONMENT,
                {name: environment.get(name, "") for name in _named(template, sites)},
            )
            for part, template in templates.items()
        }
    )
