"""The documentation, held to the code: what docs/rubric.md and the other pages say is read out of
the code or run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchmark.asking import http, models, targets, tracks
from benchmark.commands import COMMANDS
from benchmark.core import provenance
from benchmark.core.records import ANSWERABLE, NOT_ON_SITE, Places, Record, SiteQuestion
from benchmark.questions import decline, sites, suites
from benchmark.report.tables import interval
from benchmark.results.statistics import wilson
from benchmark.run import options
from benchmark.scoring import matching, reviews, site_measures, suite_measures
from benchmark.scoring.judge_reply import judge_score
from benchmark.scoring.reply import read
from benchmark.scoring.rules import measure_all, names
from benchmark.scoring.thought import without_thought
from benchmark.text import appears, normalise, urls
from benchmark.text.urls import same_page

ROOT = Path(__file__).resolve().parents[1]
DOCS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
TEXTS = {path.name: path.read_text("utf-8") for path in DOCS}
RUBRIC = TEXTS["rubric.md"]
# The formatter chooses where lines end, so a sentence is looked for in the text without them.
PROSE = {name: " ".join(content.split()) for name, content in TEXTS.items()}
PAGE = "https://med.slatech.ai/demo/clinic/en/"


# Tables of a page ---------------------------------------------------------------------------------


def rows(page: str, *heading: str) -> list[tuple[str, ...]]:
    """The rows of every table of a page that has this heading, cells without their backticks."""
    found: list[tuple[str, ...]] = []
    is_inside = False
    for line in TEXTS[page].splitlines():
        parts = line.strip().strip("|").split(" | ") if line.lstrip()[:1] == "|" else []
        cells = tuple(part.strip() for part in parts)
        is_inside = bool(cells) and (is_inside or cells == heading)
        if is_inside and cells != heading and not set(line) <= set("|- "):
            found.append(tuple(map(cell_text, (*cells, *[""] * (len(heading) - len(cells))))))
    return found


def cell_text(cell: str) -> str:
    r"""What a cell shows between its backticks, `\n` and `\uXXXX` decoded; a cell without backticks
    as it is."""
    code = re.fullmatch(r"(`+)(.*?)\1", cell)
    return re.sub(r"\\(?:u([0-9a-f]{4})|([n\\]))", _decoded, code[2]) if code else cell


def _decoded(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else {"n": "\n", "\\": "\\"}[escape[2]]


def examples(page: str, *heading: str) -> pytest.MarkDecorator:
    """A parametrization over a table's rows, which must be there."""
    found = rows(page, *heading)
    assert found, f"{page} has no table {heading}"
    names = [f"{n}-{row[0][:20]}" for n, row in enumerate(found, 1)]
    return pytest.mark.parametrize("row", found, ids=names)


def column(page: str, *heading: str, at: int = 0) -> list[str]:
    return [row[at] for row in rows(page, *heading)]


def pairs(page: str, *heading: str, at: int = 1) -> dict[str, str]:
    """The first column, and the one at `at`."""
    return {row[0]: row[at] for row in rows(page, *heading)}


def record(body: str, status: int = 200) -> Record:
    return Record("q", "", (), status, {}, 1.0, body, "", PAGE, {})


def measured(name: str, question: SiteQuestion, body: dict[str, object]) -> bool | None:
    """One measure of one answer, by the lists of 2026-Q4."""
    phrases = decline.load(ROOT / "questions" / "decline.json").phrases("2026-11-05")
    rules, answer = site_measures.site_rules(phrases), read(record(json.dumps(body)), Places())
    found = measure_all(rules, question, answer)
    return next(m.value for m in found if m.name == name)


# The rubric's examples ----------------------------------------------------------------------------


@examples("rubric.md", "spelling", "answer", "appears?")
def test_appears(row: tuple[str, ...]) -> None:
    """Each example of "Appears" comes out as the rubric says."""
    assert (appears.Haystack(row[1]).find(row[0]) is not None) == (row[2] == "yes")


@examples("rubric.md", "status", "body", "delivered?")
def test_delivered(row: tuple[str, ...]) -> None:
    """Each example of an answer that came, or did not."""
    assert (read(record(row[1], int(row[0])), Places()).answer is not None) == (row[2] == "yes")


@examples("rubric.md", "returned source", "page of the question", "same page?")
def test_cited(row: tuple[str, ...]) -> None:
    """Each example of two addresses."""
    assert same_page(row[0], row[1], PAGE) == (row[2] == "yes")


@examples("rubric.md", "language", "answer", "passes?")
def test_language(row: tuple[str, ...]) -> None:
    """Each example of an answer's script."""
    question = SiteQuestion("q", "med", row[0], ANSWERABLE, "?")
    assert measured("language", question, {"answer": row[1]}) == (row[2] == "yes")


@examples("rubric.md", "no grounding field", "answer", "forbidden", "declined?")
def test_declined(row: tuple[str, ...]) -> None:
    """Each example of a decline, or none."""
    question = SiteQuestion("q", "med", "en", NOT_ON_SITE, "?", must_not_include=(row[2],))
    body = {"answer": row[1], "hasGroundingContent": json.loads(row[0])}
    assert measured("declined", question, body) == (row[3] == "yes")


@examples("rubric.md", "passed", "of", "95% interval")
def test_interval(row: tuple[str, ...]) -> None:
    """Each interval is Wilson's."""
    assert interval(wilson(int(row[0]), int(row[1]))) == row[2]


@examples("rubric.md", "reference", "response", "matches?")
def test_exact_match(row: tuple[str, ...]) -> None:
    """Each example of an exact match."""
    assert matching.exact(row[0], without_thought(row[1])[0]) == (row[2] == "yes")


@examples("rubric.md", "reference", "response", "score", "numbers missing")
def test_fuzzy_match(row: tuple[str, ...]) -> None:
    """Each score and each list of missing numbers."""
    assert f"{matching.fuzzy(row[0], row[1]):.1f}" == row[2]
    assert ", ".join(matching.numbers_missing(row[0], row[1])) == row[3]


@examples("rubric.md", "judge's reply", "score")
def test_judge(row: tuple[str, ...]) -> None:
    """Each reply of a judge, and the score that is read from it."""
    assert judge_score(row[0]) == (None if row[1] == "none" else float(row[1]))


# The rubric's numbers, lists and dates ------------------------------------------------------------


def test_measures_are_named() -> None:
    """The tables of measures name those of the code and no other, in its order."""
    of_sites = list(names(site_measures.site_rules(())))
    assert column("rubric.md", "key", "measure", "applies to", "passes when") == of_sites
    assert column("README.md", "measure", "question", "passes when") == of_sites
    of_suites = list(names(suite_measures.SUITE_RULES))
    assert column("rubric.md", "key", "applies to", "passes when") == of_suites


def test_sets_and_counts() -> None:
    """Sets, languages and the numbers of questions."""
    sets = pairs("rubric.md", "set", "site", "languages", at=2)
    assert list(sets) == list(sites.SETS)
    languages = "` `".join(sites.SITE_LANGUAGES)
    assert set(sets.values()) == {languages}
    answerable, not_on_site = sites.COUNTS[ANSWERABLE], sites.COUNTS[NOT_ON_SITE]
    assert f"**{answerable}** *answerable*" in PROSE["rubric.md"]
    assert f"**{not_on_site}** *not on the site*" in PROSE["rubric.md"]
    cells = len(sites.SETS) * len(sites.SITE_LANGUAGES)
    assert f"{answerable + not_on_site} questions for each language" in PROSE["rubric.md"]
    assert f"{cells * (answerable + not_on_site)} in all" in PROSE["rubric.md"]


def test_scripts_and_shares() -> None:
    """The least share of letters of each language."""
    shares = site_measures.LEAST_PERCENT
    for at, expected in (1, site_measures.SCRIPTS), (2, {k: f"{v}%" for k, v in shares.items()}):
        assert pairs("rubric.md", "language", "script", "least share", at=at) == expected


def test_domains() -> None:
    """The last labels by which a bare domain is known."""
    quoted = re.search(r"^> ([a-z ]+)$", RUBRIC, re.M)
    assert quoted
    assert quoted[1].split() == normalise._DOMAINS.split("|")


def test_prefixes_and_long_digits() -> None:
    """The letters that may stand before a word, and from where a row of digits is compared by its
    digits."""
    assert f"prefix letters {appears._HEBREW_PREFIX} may" in PROSE["rubric.md"]
    arabic = re.search(r"before an Arabic word, one of ([^a-z]+) may", PROSE["rubric.md"])
    assert arabic
    assert set(arabic[1].split()) == set(appears._ARABIC_PREFIXES)
    assert f"A spelling with **{appears._LONG}** or more digits" in PROSE["rubric.md"]


def test_ignored_parts_of_a_query() -> None:
    """The names that the rubric drops from a query are dropped, and no other."""
    stated = re.search(r"in the query, (.*?) are removed,", PROSE["rubric.md"])
    assert stated
    assert set(re.findall(r"`(.*?)`", stated[1])) == {
        name.replace(".*", "*") for name in urls._TRACKING.pattern.split("|")
    }


def test_asking() -> None:
    """One retry, time and size of a response."""
    assert http.ATTEMPTS == 2
    assert "**One** retry" in PROSE["rubric.md"]
    assert f"more than {http.LARGEST // 2**20} MiB" in PROSE["rubric.md"]
    for name in ("demo", "live"):
        seconds = f"({targets.load(name).timeout_s:g} seconds in the shipped targets)"
        assert seconds in PROSE["rubric.md"]


def test_decline_lists() -> None:
    """Every list with its date and each of its phrases, and the pinned dates."""
    data = json.loads((ROOT / "questions" / "decline.json").read_text("utf-8"))
    parts = re.split(r"^List of \*\*(.*?)\*\*", RUBRIC.partition("\n## Appears")[0], flags=re.M)
    stated = {date: _phrases(body) for date, body in zip(parts[1::2], parts[2::2], strict=True)}
    assert stated == {entry["since"]: entry["phrases"] for entry in data["lists"]}
    pinned = [f"{quarter} is pinned to {date}" for quarter, date in data["pinned"].items()]
    assert pinned == re.findall(r"\d{4}-Q\d is pinned to [\d-]+", PROSE["rubric.md"])


def _phrases(body: str) -> dict[str, list[str]]:
    items = re.findall(r"^- (\w\w): (.*?)(?=\n- |\n\n|\Z)", body, re.M | re.S)
    return {code: " ".join(listed.split()).split(" · ") for code, listed in items}


def test_suites() -> None:
    """What passes, what covers, who judges and how often it is asked."""
    for stated in (
        f"the score is {matching.PASS} or more of 100",
        f"the judge's score is {matching.PASS} or more of 100",
        f"a `ratio` of {matching.COVERED} or more",
        f"`{models.JUDGE_MODEL}` at `{models.JUDGE_URL}`",
        f"({tracks.TRIES} tries in all)",
        "its finish reason is none of " + ", ".join(f"`{cut}`" for cut in suite_measures.CUT),
    ):
        assert stated in PROSE["rubric.md"]


# Files and their fields ---------------------------------------------------------------------------


def test_fields_of_a_question() -> None:
    """docs/adding.md describes every field of a question, and of which kind it is."""
    stated = pairs("adding.md", "field", "kind", "what it holds")
    own = {ANSWERABLE: "answerable", NOT_ON_SITE: "not on site"}
    assert stated == dict.fromkeys(sites._COMMON, "both") | {
        name: own[kind] for kind, fields in sites._FIELDS.items() for name in fields
    }


def test_fields_of_a_target() -> None:
    """docs/targets.md describes every field of a target, which are needed, and every place with its
    default."""
    stated = pairs("targets.md", "field", "needed", "what it holds")
    assert stated == {name: "yes" if name in targets._NEEDED else "no" for name in targets._FIELDS}
    places = pairs("targets.md", "key", "default", "what is there")
    assert places == {name: default or "(none)" for name, default in vars(Places()).items()}


def test_defaults_of_a_target() -> None:
    """The defaults that docs/targets.md states are those of the code."""
    stated = pairs("targets.md", "field", "needed", "what it holds", at=2)
    assert targets.Target.rate_per_minute is None
    assert targets.Target.rehearsal
    kept = " and ".join(f"`{name}`" for name in targets.Target.keep_headers)
    for name, words in {
        "timeout_s": f"{targets.Target.timeout_s:g} by default",
        "concurrency": f"{targets.Target.concurrency} by default",
        "rate_per_minute": "no limit by default",
        "keep_headers": kept,
        "rehearsal": "`true` (default)",
    }.items():
        assert words in stated[name]


def test_live_target() -> None:
    """docs/live.md names every environment variable of the live target, its endpoint and its
    rate."""
    live = targets.load("live")
    needed = re.findall(r"\$\{(\w+)\}", (ROOT / "targets" / "live.json").read_text("utf-8"))
    assert set(re.findall(r"\bSLATECH_\w+", TEXTS["live.md"])) == set(needed)
    assert f"`{live.endpoint}`" in PROSE["live.md"]
    assert f"at most {live.rate_per_minute} requests a minute" in PROSE["live.md"]


def test_fields_of_a_review(tmp_path: Path) -> None:
    """docs/reviewing.md describes every field, and its example is a file that loads."""
    assert set(column("reviewing.md", "field", "what it holds")) == set(reviews._ENTRY.fields)
    example = re.search(r"```json\n(.*?)```", TEXTS["reviewing.md"], re.S)
    assert example
    file = tmp_path / "reviews.json"
    file.write_text(example[1].replace("0a3f…", "0" * 64), "utf-8")
    asked, measures = ("med-en-02", "med-he-17", "biz-ru-04"), ("delivered", "facts", "cited")
    known = dict.fromkeys(asked, (*measures, "language"))
    loaded = reviews.load(file, "2026-Q4", known)
    assert loaded["med-en-02"].verdicts == {"facts": False}
    assert loaded["biz-ru-04"].faulty


def test_the_judge_by_default() -> None:
    """docs/suites.md names the judge of the code."""
    stated = pairs("suites.md", "option", "what it does")
    assert f"`{models.JUDGE_MODEL}` by default" in stated["--judge"]
    assert f"`{models.JUDGE_URL}` by default" in stated["--judge-url"]


def test_fields_of_a_suite() -> None:
    """docs/suites.md describes every field of a suite and of its questions."""
    stated = pairs("suites.md", "field", "needed", "what it holds")
    assert set(stated) == {*suites._SUITE.fields, *suites._QUESTION.fields}
    optional = {name for name, needed in stated.items() if needed == "no"}
    assert optional == {*suites._SUITE.optional, *suites._QUESTION.optional}


# Commands, options, links -------------------------------------------------------------------------


def test_commands_exist() -> None:
    """Every `python -m benchmark …` that a page names is a command."""
    known = {module.__name__.rpartition(".")[2].replace("_", "-") for module in COMMANDS}
    named = re.findall(r"python -m benchmark ([a-z][a-z-]*)", "\n".join(TEXTS.values()))
    assert set(named) - known == set()


def test_options_exist() -> None:
    """Every option in the tables and examples of the pages is one of the benchmark's, of pytest's
    or of a command's."""
    source = Path(options.__file__).read_text("utf-8")
    source += "".join(Path(str(module.__file__)).read_text("utf-8") for module in COMMANDS)
    known = {*re.findall(r"\"(--[a-z-]+)\"", source), "--collect-only", "--dist"}
    named = {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", "\n".join(TEXTS.values()))}
    assert named - known == set()


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of the project leads to one, and to a heading of it where it names
    one."""
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" not in link:
            file, _, anchor = link.partition("#")
            there = page.parent / file if file else page
            assert there.exists(), link
            assert not anchor or anchor in _anchors(there), link


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_pages_that_messages_name_exist() -> None:
    """An error that sends a person to a page of docs/ sends them to one that is there."""
    sources = [*(ROOT / "benchmark").rglob("*.py"), *(ROOT / "benchmark").rglob("*.html")]
    whole = "\n".join(file.read_text("utf-8") for file in sources)
    named = {*re.findall(r"(?<![\w./-])docs/([\w-]+\.md)", whole)}
    assert {"adding.md", "targets.md"} <= named
    assert named - TEXTS.keys() == set()


def test_the_tower_is_the_contract() -> None:
    """docs/design.md has the rooms of pyproject.toml's contract, which are the folders, from the
    top down; its picture has an arrow to each."""
    contract = (ROOT / "pyproject.toml").read_text("utf-8").partition("\nlayers = [")[2]
    layers = re.findall(r"\w+", contract.partition("]")[0])
    stated = column("design.md", "room", "what it does", "what it does not know")
    assert ["__main__", *stated] == layers
    folders = {path.parent.name for path in (ROOT / "benchmark").glob("*/__init__.py")}
    assert set(stated) == folders
    picture = re.search(r"```mermaid\n(.*?)```", TEXTS["design.md"], re.S)
    assert picture
    assert set(re.findall(r"--> (\w+)", picture[1])) == folders - {"commands"}


def test_files_that_the_pages_name_exist() -> None:
    """A path in backticks that begins with a folder of the project, or in docs/design.md with a
    room, leads to a file."""
    ours = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"reports", "reviews"}
    rooms = {path.name for path in (ROOT / "benchmark").iterdir() if path.is_dir()}
    missing = []
    for page, content in TEXTS.items():
        for path in re.findall(r"`([\w.-]+/[\w./-]*)`", content):
            roots = [ROOT] if path.partition("/")[0] in ours else []
            roots += [ROOT / "benchmark"] if path.partition("/")[0] in rooms else []
            if roots and not any((root / path).exists() for root in roots):
                missing.append((page, path))
    assert missing == []


def test_design_names_every_dependency() -> None:
    """docs/design.md gives each package of a run its reason, and the manifest's versions are of
    packages of a run."""
    stated = {*", ".join(column("design.md", "package", "why")).split(", ")}
    listed = (ROOT / "requirements" / "run.in").read_text("utf-8")
    wanted = re.findall(r"^[a-z][\w-]*", listed, re.M)
    assert stated == set(wanted)
    assert set(provenance.PACKAGES) <= set(wanted)
