"""A target: a file that says how a question becomes a request, and where things are in the
response.

A value in braces is filled for each question: `{question}`, `{page}` (the page the visitor is on),
`{base}` (the address of the embedded demo) and whatever `sites` names for that set and language.
`${NAME}` is an environment variable: it is sent, and never written to a file. docs/targets.md
describes every field."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark.core.errors import InvalidInput
from benchmark.core.files import parse_json, read_bytes, sha256
from benchmark.core.records import Places, Question

SHIPPED = Path(__file__).resolve().parents[2] / "targets"
_ENVIRONMENT = re.compile(r"\$\{(\w+)\}")
_FIELD = re.compile(r"(?<!\$)\{(\w+)\}")


@dataclass(frozen=True)
class Target:
    """What a target file holds. `rehearsal`: its results are labelled, and are never the
    vendor's."""

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
    """One question's request as it may be written down: environment variables still stand as
    `${NAME}`."""

    id: str
    page: str
    url: str
    headers: dict[str, str]
    body: Any


_KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "name": (str, "a short name of a-z 0-9 -"),
    "label": (str, "a text for people"),
    "endpoint": (str, "an http(s) address"),
    "body": (dict, "an object, with {question} where the question goes"),
    "sites": (dict, "an object: set-language to an object of texts, with page"),
    "headers": (dict, "an object of texts"),
    "response": (dict, "an object of paths: answer, sources, no_grounding, error, version"),
    "rehearsal": (bool, "true or false"),
    "embedded": (bool, "true or false"),
    "timeout_s": ((int, float), "seconds"),
    "concurrency": (int, "a whole number from 1"),
    "rate_per_minute": ((int, float), "requests a minute"),
    "keep_headers": (list, "a list of header names"),
}
_NEEDED = ("name", "label", "endpoint", "body", "sites")


def load(name: str) -> Target:
    """A shipped target by name (`demo`, `live`) or any other by its file. InvalidInput lists every
    fault."""
    shipped = SHIPPED / f"{name}.json"
    path = shipped if re.fullmatch(r"[a-z0-9-]+", name) and shipped.exists() else Path(name)
    if path is not shipped and not path.is_file():
        names = ", ".join(sorted(p.stem for p in SHIPPED.glob("*.json")))
        raise InvalidInput(
            [f"--target: given {name!a}, accepted is one of {names} or a target's file"]
        )
    data = read_bytes(path)
    value = parse_json(data, str(path))
    faults = [f"{path}: {fault}" for fault in _faults(value, path is shipped)]
    if faults:
        raise InvalidInput(faults, "docs/targets.md describes every field.")
    known = {key: value[key] for key in value if key not in ("response", "keep_headers")}
    return Target(
        **known,
        places=Places(**value.get("response", {})),
        sha256=sha256(data),
        path=str(path),
        keep_headers=tuple(value.get("keep_headers", Target.keep_headers)),
    )


def _faults(value: Any, is_shipped: bool) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"given a JSON {type(value).__name__}, accepted is an object"
        return
    yield from (
        f"{key}: missing, accepted is {_KINDS[key][1]}" for key in _NEEDED if key not in value
    )
    for key, given in value.items():
        kind, accepted = _KINDS.get(key, (object, ""))
        if key not in _KINDS:
            yield f"{key}: unknown field, accepted are {', '.join(_KINDS)}"
        elif not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
            yield f"{key}: given {ascii(given)[:60]}, accepted is {accepted}"
    name = value.get("name")
    if isinstance(name, str) and not (
        re.fullmatch(r"[a-z0-9][a-z0-9-]{0,30}", name)
        and (is_shipped or name not in ("demo", "live"))
    ):
        yield f"name: given {name!a}, accepted is {_KINDS['name'][1]}; demo and live are taken"
    if isinstance(value.get("response"), dict):
        yield from (
            f"response: {key}: unknown, accepted are {', '.join(vars(Places()))}"
            for key in value["response"]
            if key not in vars(Places())
        )
    if isinstance(value.get("sites"), dict):
        yield from (
            f"sites: {key}: accepted is an object of texts, with page"
            for key, site in value["sites"].items()
            if not _is_site(site)
        )
    yield from _inner_faults(value)


def _inner_faults(value: dict[str, Any]) -> Iterator[str]:
    """What a field of the right kind can still get wrong; found before the first request, not in
    each answer."""
    for key in ("timeout_s", "concurrency", "rate_per_minute"):
        if isinstance(value.get(key), (int, float)) and value[key] <= 0:
            yield f"{key}: given {value[key]}, accepted is {_KINDS[key][1]}, more than 0"
    for key in ("headers", "response"):
        inner = value.get(key)
        for name, given in inner.items() if isinstance(inner, dict) else ():
            if not isinstance(given, str):
                yield f"{key}: {name}: given {ascii(given)[:60]}, accepted is a text"
    kept = value.get("keep_headers")
    if isinstance(kept, list) and not all(isinstance(name, str) for name in kept):
        yield f"keep_headers: given {ascii(kept)[:60]}, accepted is {_KINDS['keep_headers'][1]}"
    if isinstance(value.get("body"), dict) and "{question}" not in str(value["body"]):
        yield f"body: {{question}} is missing, accepted is {_KINDS['body'][1]}"
    if isinstance(value.get("endpoint"), str) and not re.match(
        r"https?://.|\{base\}/", value["endpoint"]
    ):
        yield f"endpoint: given {value['endpoint']!a}, accepted is {_KINDS['endpoint'][1]}"


def _is_site(site: Any) -> bool:
    return (
        isinstance(site, dict)
        and "page" in site
        and all(isinstance(text, str) for text in site.values())
    )


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
    """The request for one question. InvalidInput where the target has no site for its set and
    language."""
    group = f"{question.set}-{question.language}"
    if group not in target.sites:
        raise InvalidInput([f"target {target.name}: sites: no {group}, which {question.id} needs"])
    values = {"question": question.question, "base": base, **target.sites[group]}
    headers = {name: _fill(text, values) for name, text in target.headers.items()}
    return Prepared(
        question.id,
        values["page"],
        _fill(target.endpoint, values),
        headers,
        _fill(target.body, values),
    )


def _fill(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _FIELD.sub(lambda name: values.get(name[1], name[0]), value)
    if isinstance(value, dict):
        return {key: _fill(inner, values) for key, inner in value.items()}
    return [_fill(inner, values) for inner in value] if isinstance(value, list) else value


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
    url, headers, body = (
        _resolved(value, {name: environment.get(name, "") for name in _named(template, sites)})
        for value, template in (
            (prepared.url, target.endpoint),
            (prepared.headers, target.headers),
            (prepared.body, target.body),
        )
    )
    return Sent(url, headers, body)


def _resolved(value: Any, environment: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _ENVIRONMENT.sub(lambda name: environment.get(name[1], name[0]), value)
    if isinstance(value, dict):
        return {key: _resolved(inner, environment) for key, inner in value.items()}
    return [_resolved(inner, environment) for inner in value] if isinstance(value, list) else value
