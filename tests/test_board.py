"""The HTTP API and the board: read-only, paged, tagged, with proper errors; and its own OpenAPI
holds against it."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from benchmark.__main__ import main
from benchmark.board.api import create_app
from benchmark.board.shelf import Shelf

ROOT = Path(__file__).parent.parent
RUN = "2026-Q4.some-model"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PATH": ""}
SERVE = [sys.executable, "-m", "benchmark", "serve", "--port"]
SUITE, QUESTION = "arabic-translation", "arabic-translation-q-001"
PROBLEM = "application/problem+json"


def _row(measure: str, passed: int, of: int, mean: float | None) -> dict[str, Any]:
    counts = {"reviewed": passed, "mechanical": passed, "of": of, "delivered": 15, "faults": 1}
    place = {"measure": measure, "site": SUITE, "language": "", "interval": [0.5, 0.9]}
    return place | counts | {"mean_score": mean}


COUNTS = {"questions": 15, "asked": 15, "delivered": 15, "to_read": 15}
RESULTS: dict[str, Any] = {
    "run": RUN,
    "quarter": "2026-Q4",
    "status": "draft",
    "window": ["2026-11-30T10:00:00.000Z", "2026-11-30T11:00:00.000Z"],
    "target": {"name": "some-model", "label": "model some/<b>model", "rehearsal": False},
    "counts": COUNTS | dict.fromkeys(("faulty", "stale", "read"), 0),
    "model": {"name": "some/<script>alert(1)</script>model", "endpoint": "http://127.0.0.1/v1"},
    "judge": {"name": "a judge", "is_the_model": True},
    "question_sets": {},
    "measures": ["llm_judge", "delivered"],
    "table": [],
    "questions": [],
    "totals": [_row("llm_judge", 11, 14, 81.25), _row("delivered", 15, 15, None)],
}
VERDICT = {"question": {"id": QUESTION}, "answer": "نعم"}
TEST = {"metadata": {"verdict": VERDICT, "records": [{"id": QUESTION, "status": 200}]}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project folder with the shipped suites and one run; and things beside it that must never be
    served."""
    root = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "questions" / "suites", root / "questions" / "suites")
    made = root / "reports" / RUN
    made.mkdir(parents=True)
    (made / "results.json").write_text(json.dumps(RESULTS))
    (made / "report.json").write_text(json.dumps({"tests": [TEST]}))
    (root / "reports" / "secret").mkdir()
    (root / "reports" / "secret" / "results.json").write_text('{"run": "secret"}')
    (root / "results.json").write_text('{"run": "outside"}')
    return root


class Client:
    """A real client of a real server."""

    def __init__(self, url: str) -> None:
        self.url = url

    def request(self, method: str, path: str, **arguments: Any) -> requests.Response:
        return requests.request(method, self.url + path, timeout=10, **arguments)

    def get(self, path: str, **arguments: Any) -> requests.Response:
        return self.request("GET", path, **arguments)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """`python -m benchmark serve` on a free port of loopback, as a user starts it."""
    with subprocess.Popen(
        [*SERVE, "0"], cwd=folder, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[1]
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[Client]:
    with served(folder) as url:
        yield Client(url)


def test_suites_are_listed_without_their_questions(client: Client) -> None:
    """Id, name, category, description, how many questions, how they are scored."""
    page = client.get("/api/v1/benchmarks").json()
    assert (page["total"], len(page["items"])) == (7, 7)
    first = page["items"][0]
    keys = {"id", "name", "category", "description", "question_count", "scoring_methods"}
    assert first.keys() == keys
    expected = {"id": "arabic-comprehension", "question_count": 15}
    assert first.items() >= (expected | {"scoring_methods": ["fuzzy_match"]}).items()


def test_a_suite_comes_with_its_questions(client: Client) -> None:
    """In the words of its file."""
    suite = client.get("/api/v1/benchmarks/arabic-pii-detection").json()
    written = json.loads((ROOT / "questions" / "suites" / "arabic-pii-detection.json").read_text())
    texts, expected = ([q["question"] for q in each["questions"]] for each in (suite, written))
    assert texts == expected
    assert suite["questions"][0]["id"] == "q-001"


@pytest.mark.parametrize("path", ["/api/v1/benchmarks", "/api/v1/runs"])
def test_pages_are_cut_as_asked(path: str, client: Client) -> None:
    """`limit` and `offset`; the total stays the whole."""
    whole = client.get(path).json()
    page = client.get(path, params={"limit": 1, "offset": 1}).json()
    assert (page["items"], page["total"]) == (whole["items"][1:2], whole["total"])


def test_a_run_and_one_of_its_questions(client: Client) -> None:
    """Results as written; a question with its answer, verdict and records."""
    short = {
        key: RESULTS[key] for key in ("run", "quarter", "target", "status", "counts", "window")
    }
    assert client.get("/api/v1/runs").json()["items"] == [short]
    assert client.get(f"/api/v1/runs/{RUN}").json() == RESULTS
    question = client.get(f"/api/v1/runs/{RUN}/questions/{QUESTION}").json()
    assert (question["verdict"]["answer"], question["records"][0]["status"]) == ("نعم", 200)


ABSENT = ["benchmarks/poetry", "runs/2026-Q4", "runs/secret", "runs/..", "runs/2026-Q4.%2e%2e"]


@pytest.mark.parametrize("path", [*ABSENT, f"runs/{RUN}/questions/nobody", "nothing"])
def test_what_is_not_there_is_a_problem_404(path: str, client: Client) -> None:
    """RFC 9457, and nothing outside the shelf is reached."""
    assert _is_problem(client.get(f"/api/v1/{path}"), 404)


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=many", "offset=-1"])
def test_a_wrong_value_is_a_problem_422(query: str, client: Client) -> None:
    """It names the value."""
    assert _is_problem(client.get(f"/api/v1/runs?{query}"), 422, query.partition("=")[0])


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nothing_can_be_written(method: str, client: Client) -> None:
    """Read-only."""
    assert client.request(method, f"/api/v1/runs/{RUN}").status_code == 405


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/benchmarks", f"/api/v1/runs/{RUN}", "/api/v1/runs/nobody"]
)
def test_head_is_get_without_its_body(path: str, client: Client) -> None:
    head, got = (client.request(method, path) for method in ("HEAD", "GET"))
    assert (head.status_code, head.content) == (got.status_code, b"")
    for name in ("etag", "content-type", "content-length"):
        assert head.headers.get(name) == got.headers.get(name)


def test_nothing_is_read_through_a_link(folder: Path, tmp_path: Path) -> None:
    """Neither a run that lies elsewhere nor a file that a run's folder only leads to."""
    root = Path(shutil.copytree(folder, tmp_path / "own"))
    run = root / "reports" / RUN
    run.rename(tmp_path / "elsewhere")
    run.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert _asked(root, f"/api/v1/runs/{RUN}").status_code == 404
    assert _asked(root, "/api/v1/runs").json()["total"] == 0
    run.unlink()
    (tmp_path / "elsewhere").rename(run)
    (run / "report.json").rename(tmp_path / "report.json")
    (run / "report.json").symlink_to(tmp_path / "report.json")
    asked = _asked(root, f"/api/v1/runs/{RUN}/questions/{QUESTION}")
    assert _is_problem(asked, 503, "report.json: is a link")


# Files that cannot be read ------------------------------------------------------------------------


@pytest.fixture
def own(folder: Path, tmp_path: Path) -> Path:
    """A copy of the project, to be broken."""
    return shutil.copytree(folder, tmp_path / "own")


def _asked(root: Path, path: str) -> httpx.Response:
    """In this process, without a server."""

    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(create_app(root), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(path)

    return asyncio.run(asked())


def _is_problem(response: httpx.Response | requests.Response, status: int, *words: str) -> bool:
    body, kind = response.json(), response.headers["content-type"]
    assert (response.status_code, kind, body["status"]) == (status, PROBLEM, status)
    return all(word in body["detail"] for word in words)


BROKEN_RESULTS = {
    "no JSON": "{",
    "no object": "[]",
    "another program's": '{"run": 1}',
    "no counts": json.dumps(RESULTS | {"counts": {}}),
    "another total": json.dumps(RESULTS | {"totals": [{"of": 1}]}),
}
BROKEN_REPORTS = {
    "no JSON": "{",
    "no object": "[]",
    "no test": '{"tests": [1]}',
    "no records": '{"tests": [{"metadata": {"verdict": {"question": {"id": "q"}}}}]}',
}


@pytest.mark.parametrize("results", BROKEN_RESULTS.values(), ids=BROKEN_RESULTS)
def test_a_broken_run_is_left_out_and_says_why_at_its_own_address(own: Path, results: str) -> None:
    other = own / "reports" / "2026-Q3.other-model"
    other.mkdir()
    (other / "results.json").write_text(results)
    assert [run["run"] for run in _asked(own, "/api/v1/runs").json()["items"]] == [RUN]
    assert "llm_judge: 11/14" in _asked(own, "/").text
    for path in ("", "/questions/q"):
        named = _asked(own, f"/api/v1/runs/2026-Q3.other-model{path}")
        assert _is_problem(named, 503, "reports/2026-Q3.other-model/results.json: ")
        assert str(own) not in named.text


@pytest.mark.parametrize("report", BROKEN_REPORTS.values(), ids=BROKEN_REPORTS)
def test_a_broken_report_is_a_problem_of_its_questions_alone(own: Path, report: str) -> None:
    (own / "reports" / RUN / "report.json").write_text(report)
    asked = _asked(own, f"/api/v1/runs/{RUN}/questions/q")
    assert _is_problem(asked, 503, f"reports/{RUN}/report.json: ")
    assert _asked(own, f"/api/v1/runs/{RUN}").json() == RESULTS


def test_a_broken_suite_is_a_problem_that_names_it(own: Path) -> None:
    (own / "questions" / "suites" / "arabic-translation.json").write_text('{"id": 5}')
    for path in ("/", "/api/v1/benchmarks", "/api/v1/benchmarks/arabic-translation"):
        assert _is_problem(_asked(own, path), 503, f"questions/suites/{SUITE}.json: id: got 5")
    assert _asked(own, "/api/v1/runs").status_code == 200


def test_a_fault_of_our_own_is_a_problem_too(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Shelf, "suites", lambda _: 1 / 0)
    assert _is_problem(_asked(own, "/"), 500, "ZeroDivisionError")


def test_a_suite_that_cannot_be_read_is_not_served(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 4 before the port is taken."""
    monkeypatch.chdir(own)
    monkeypatch.setattr(socket, "create_server", lambda _: 1 / 0)
    (own / "questions" / "suites" / "arabic-translation.json").write_text("{")
    assert main(["serve", "--port", "0"]) == 4
    assert "arabic-translation.json: line 1" in capsys.readouterr().err


# The rest -----------------------------------------------------------------------------------------


def test_an_etag_saves_the_second_transfer(client: Client) -> None:
    """304 without a body for the same content."""
    first = client.get("/api/v1/benchmarks")
    second = client.get("/api/v1/benchmarks", headers={"If-None-Match": first.headers["etag"]})
    assert (second.status_code, second.content) == (304, b"")
    assert client.get("/api/v1/benchmarks", headers={"If-None-Match": '"other"'}).status_code == 200


def test_the_board_blends_nothing_and_escapes_everything(client: Client) -> None:
    """Pass rate with interval, mean grade apart, sample size, judge named; a hostile model name is
    text."""
    html = client.get("/").text
    assert "llm_judge: 11/14 52–92%" in html
    assert "mean grade 81.2 of 100" in html
    assert "1 without a grade" in html
    assert "judge: a judge (the model itself)" in html
    assert "<script>" not in html
    assert "delivered: 15/15" not in html


def test_the_documentation_needs_no_other_host(client: Client) -> None:
    """The API's pages bring their own scripts."""
    for path in ("/docs", "/redoc"):
        page = client.get(path)
        assert page.status_code == 200
        assert "https://cdn" not in page.text


@pytest.mark.slow
def test_the_api_keeps_its_own_openapi(client: Client) -> None:
    """Whatever is sent to it: statuses and bodies are those that its description promises, and
    never a 500."""
    schema = schemathesis.openapi.from_url(f"{client.url}/openapi.json")
    checks = [not_a_server_error, status_code_conformance, response_schema_conformance]
    operations: list[Any] = list(schema.get_all_operations())
    examples = [example for operation in operations for example in _examples(operation.ok())]
    tried = [example.call_and_validate(checks=checks) for example in examples]
    assert len(tried) >= 5


def _examples(operation: Any, count: int = 12) -> list[Any]:
    """Some generated requests of an operation, the same ones each time."""
    found: list[Any] = []
    quick: dict[str, Any] = {"database": None, "deadline": None, "phases": [Phase.generate]}

    @seed(7)
    @settings(max_examples=count, suppress_health_check=list(HealthCheck), **quick)
    @given(operation.as_strategy())
    def collect(case: Any) -> None:
        found.append(case)

    collect()
    return found


def test_a_taken_port_is_wrong_use(client: Client, folder: Path) -> None:
    """It serves on loopback alone; a taken port is said, with what to do (exit 4)."""
    assert client.url.startswith("http://127.0.0.1:")
    port = client.url.rpartition(":")[2]
    serve = [*SERVE, port]
    taken = subprocess.run(serve, cwd=folder, capture_output=True, env=ENVIRONMENT, check=False)
    assert taken.returncode == 4
    assert all(word in taken.stderr for word in (f"port {port}".encode(), b"--port 0"))
