"""`knowledge skills`: the index, whole skills, a workspace's own, broken files, and edits by hand that are noticed."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli import run
from knowledge.baselines.values import KERNEL_TYPES
from store import reads
from store.engine import Store
from tests.unit.knowledge_skills.test_skill_files import BODY, FRONT, written


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KERNELWRIGHT_HOME", str(tmp_path / "home"))
    Store.open(tmp_path / "home").close()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(*names: str) -> dict[str, Any]:
        capsys.readouterr()
        assert run(["knowledge", "skills", *names, "--json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    return ask


def test_the_index_and_a_skill_of_the_workspace(
    workspace: Path, asked: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    written(workspace / "skills", FRONT + BODY)
    found = asked()
    assert list(found["index"]) == list(KERNEL_TYPES)
    assert "mine" in found["index"]["reduction"]
    assert found["own"] == ["mine"]
    (mine,) = asked("mine")["skills"]
    assert (mine["origin"], mine["levers"], mine["file"]) == (
        "workspace", ["accumulators"], str(workspace / "skills" / "mine.md"),
    )  # fmt: skip
    assert run(["knowledge", "skills", "mine"]) == 0
    assert "for reduction; levers accumulators" in capsys.readouterr().out
    assert run(["knowledge", "skills"]) == 0
    assert "mine " in capsys.readouterr().out


@pytest.mark.parametrize(("name", "said"), [("nope", "skills nope: there are none of that name"), ("mine", "mine.md")])
def test_mistakes_are_said(workspace: Path, capsys: pytest.CaptureFixture[str], name: str, said: str) -> None:
    if name == "mine":
        written(workspace / "skills", "no front matter")
    assert run(["knowledge", "skills", name]) == 2
    assert said in capsys.readouterr().err


def test_edits_by_hand_are_noticed_once_and_kept(workspace: Path, asked: Any, tmp_path: Path) -> None:
    assert asked()["changed"] == []
    path = written(workspace / "skills", FRONT + BODY)
    assert asked()["changed"] == [{"name": "mine", "how": "added"}]
    path.write_text((FRONT + BODY).replace("sums", "long sums"))
    assert asked()["changed"] == [{"name": "mine", "how": "edited"}]
    assert asked()["changed"] == []
    assert asked("mine")["skills"][0]["description"] == "A strategy of mine for long sums"
    path.unlink()
    assert asked()["changed"] == [{"name": "mine", "how": "removed"}]
    with Store.open(tmp_path / "home") as store:
        told = [e.text for e in store.read_sync(lambda s: reads.events(s, None)) if e.kind == "knowledge_file"]
    assert told == [f"skill mine {how} by hand" for how in ("added", "edited", "removed")]
