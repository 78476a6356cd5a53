"""`python -m benchmark`: what it takes, what it says, and its exit codes."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest
from support.project import Project

from benchmark.__main__ import main


def test_check_proves_the_shipped_questions(project: Project) -> None:
    """What is risky is a warning, and no fault; nothing is written."""
    done = project.command("check").expect(0)
    *warnings, last = done.out.splitlines()
    assert last == "120 questions are proved by their pages (rehearsal on the embedded demo)"
    assert all(re.match(r"warning: (med|biz)-(en|he|ru)-\d\d: ", line) for line in warnings)
    assert done.err == ""
    assert list((project.root / "reports").iterdir()) == []


def test_check_warns_of_spellings_that_pass_by_accident(project: Project) -> None:
    """Rubric, "Appears": one to three letters, a word that its cases leave, digits that stand
    elsewhere on the site."""
    med = json.loads(project.set_file("med").read_text("utf-8"))
    russian = next(q for q in med["questions"] if q["id"] == "med-ru-01")
    russian["facts"][0] += ["да", "суббота", "15"]
    project.set_file("med").write_text(json.dumps(med), "utf-8")
    done = project.command("check").expect(0)
    warned = [line for line in done.out.splitlines() if "med-ru-01" in line]
    assert any("'да' is one to three letters" in line for line in warned)
    assert any(
        "'суббота' changes its ending in other cases: write the stem" in line for line in warned
    )
    assert any("'15' occurs elsewhere on the site" in line for line in warned)


def test_check_lists_every_fault_of_every_set_and_changes_nothing(project: Project) -> None:
    med, biz = (json.loads(project.set_file(name).read_text("utf-8")) for name in ("med", "biz"))
    med["questions"][0]["evidence"] = "The moon is made of cheese."
    med["questions"][1]["source_url"] = "https://med.slatech.ai/demo/clinic/en/no-such-page/"
    biz["questions"][15]["must_not_include"].append(biz["questions"][15]["question"])
    biz["questions"][2]["question"] = "сколько это стоит"
    del biz["questions"][3]
    for name, value in (("med", med), ("biz", biz)):
        project.set_file(name).write_text(json.dumps(value), "utf-8")
    before = [project.set_file(name).read_bytes() for name in ("med", "biz")]
    done = project.command("check").expect(4)
    first, second = med["questions"][0]["id"], med["questions"][1]["id"]
    assert (
        f"{first}: evidence: 'The moon is made of cheese.' is not in the visible text of"
        in done.err
    )
    assert f"{first}: facts: none of " in done.err
    assert (
        f"{second}: source_url: https://med.slatech.ai/demo/clinic/en/no-such-page/: no such page"
        in done.err
    )
    assert "biz: en: 14 answerable questions; expected 15" in done.err
    assert "biz-en-16: must_not_include: " in done.err
    assert "biz-en-03: question: got 'сколько это стоит'" in done.err
    assert "never rewritten" in done.err
    assert [project.set_file(name).read_bytes() for name in ("med", "biz")] == before


def test_check_without_questions_says_what_is_missing(project: Project) -> None:
    for name in ("med", "biz"):
        project.set_file(name).unlink()
    project.command("check").expect(4, "2 faults", str(project.set_file("biz").name))


def test_check_takes_no_target_that_is_not_there(project: Project) -> None:
    done = project.command("check", "--target", "nowhere")
    done.expect(4, "--target: got 'nowhere'; expected one of demo, live or a target's file")


def test_demo_on_a_port_that_is_taken_says_so(project: Project) -> None:
    """And how to have a free one."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = project.command("demo", "--port", str(port))
    done.expect(4, f"cannot serve on port {port} of 127.0.0.1: ", "--port 0 takes a free one")
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "arguments, said",
    [
        ((), "usage: python -m benchmark"),
        (("dance",), "invalid choice: 'dance'"),
        (("demo", "--port", "many"), "invalid int value: 'many'"),
        (("check", "--colour", "blue"), "unrecognized arguments: --colour blue"),
    ],
    ids=["nothing", "unknown command", "wrong value", "unknown option"],
)
def test_wrong_use_is_exit_4(project: Project, arguments: tuple[str, ...], said: str) -> None:
    done = project.command(*arguments).expect(4, said)
    assert done.out == ""


def test_a_fault_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that was downloaded is quoted in escapes: a key that clears the screen clears none."""
    (tmp_path / "target.json").write_text(json.dumps({"\x1b[2J\u202e": 1}), "utf-8")
    assert main(["check", "--target", str(tmp_path / "target.json")]) == 4
    said = capsys.readouterr().err
    assert "\\x1b[2J\\u202e: unknown" in said
    assert said.count("\n") > 2, "a fault a line all the same"
    assert not {"\x1b", "\u202e"} & {*said}


def test_help_lists_every_command(project: Project) -> None:
    done = project.command("--help").expect(0)
    assert {"check", "demo", "score"} <= set(re.findall(r"^    ([a-z-]+) ", done.out, re.MULTILINE))
