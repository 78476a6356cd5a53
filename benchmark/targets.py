"""A target: a file that says how a question becomes a request, and where things are in the response.

A value in braces is filled for each question: `{question}`, `{page}` (the page the visitor is on), `{base}` (the
address of the embedded demo) and whatever `sites` names for that set and language. `${NAME}` is an environment
variable: it is sent, and never written to a file. docs/targets.md describes every field.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmark.data import Places, Question
from benchmark.errors import InvalidInput
from benchmark.files import parse_json, read_bytes, sha256

SHIPPED = Path(__file__).resolve().parent.parent / "targets"
_ENVIRONMENT = re.compile(r"\$\{(\w+)\}")
_FIELD = re.compile(r"(?<!\$)\{(\w+)\}")


@dataclass(frozen=True)
class Target:
    """What a target file holds. `rehearsal`: its results are labelled, and are never the vendor's."""

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


@dataclass(frozen=True)
class Prepared:
    """One question's request as it may be written down: environment variables still stand as `${NAME}`."""

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
    """A shipped target by name (`demo`, `live`) or any other by its file. InvalidInput lists every fault."""
    shipped = SHIPPED / f"{name}.json"
    path = shipped if re.fullmatch(r"[a-z0-9-]+", name) and shipped.exists() else Path(name)
    if path is not shipped and not path.is_file():
        names = ", ".join(sorted(p.stem for p in SHIPPED.glob("*.json")))
        raise InvalidInput([f"--target: given {name!a}, accepted is one of {names} or a target's file"])
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
        keep_headers=tuple(value.get("keep_headers", Target.keep_headers)),
    )


def _faults(value: Any, is_shipped: bool) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"given a JSON {type(value).__name__}, accepted is an object"
        return
    yield from (f"{key}: missing, accepted is {_KINDS[key][1]}" for key in _NEEDED if key not in value)
    for key, given in value.items():
        kind, accepted = _KINDS.get(key, (object, ""))
        if key not in _KINDS:
            yield f"{key}: unknown field, accepted are {', '.join(_KINDS)}"
        elif not isinstance(given, kind) or (isinstance(given, bool) and kind is not bool):
            yield f"{key}: given {ascii(given)[:60]}, accepted is {accepted}"
    name = value.get("name")
    if isinstance(name, str) and not (
        re.fullmatch(r"[a-z0-9][a-z0-9-]{0,30}", name) and (is_shipped or name not in ("demo", "live"))
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
    if isinstance(value.get("concurrency"), int) and value["concurrency"] < 1:
        yield f"concurrency: given {value['concurrency']}, accepted is a whole number from 1"


def _is_site(site: Any) -> bool:
    return isinstance(site, dict) and "page" in site and all(isinstance(text, str) for text in site.values())


def missing_environment(target: Target, groups: tuple[str, ...], environment: Mapping[str, str]) -> list[str]:
    """Environment variables that requests for these set-languages need and that are not set."""
    used = [target.endpoint, target.headers, target.body, *(target.sites.get(group, {}) for group in groups)]
    names = dict.fromkeys(name for value in used for name in _ENVIRONMENT.findall(str(value)))
    return [name for name in names if not environment.get(name)]


def prepare(target: Target, question: Question, base: str = "") -> Prepared:
    """The request for one question. InvalidInput where the target has no site for its set and language."""
    group = f"{question.set}-{question.language}"
    if group not in target.sites:
        raise InvalidInput([f"target {target.name}: sites: no {group}, which {question.id} needs"])
    values = {"question": question.question, "base": base, **target.sites[group]}
    headers = {name: _fill(text, values) for name, text in target.headers.items()}
    return Prepared(question.id, values["page"], _fill(target.endpoint, values), headers, _fill(target.body, values))


def _fill(value: Any, values: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _FIELD.sub(lambda name: values.get(name[1], name[0]), value)
    if isinstance(value, dict):
        return {key: _fill(inner, values) for key, inner in value.items()}
    return [_fill(inner, values) for inner in value] if isinstance(value, list) else value


def resolved(value: Any, environment: Mapping[str, str] = os.environ) -> Any:
    """A prepared value with `${NAME}` replaced: what is really sent."""
    if isinstance(value, str):
        return _ENVIRONMENT.sub(lambda name: environment.get(name[1], ""), value)
    if isinstance(value, dict):
        return {key: resolved(inner, environment) for key, inner in value.items()}
    return [resolved(inner, environment) for inner in value] if isinstance(value, list) else value


def host_of(target: Target, base: str = "") -> str:
    """`scheme://host:port` of the endpoint, for messages."""
    parts = urlsplit(_fill(target.endpoint, {"base": base}))
    return f"{parts.scheme}://{parts.netloc}"
