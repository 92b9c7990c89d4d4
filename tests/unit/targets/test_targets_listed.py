"""`doctor` lists every target with what it needs, what is missing and what it cannot do, and sets up the stand-in."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app
from tests.unit.targets.external_kit import TOY

RUN = CliRunner()


def test_doctor_lists_targets_of_the_workspace_and_what_is_wrong_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "targets").mkdir()
    (tmp_path / "targets" / "toy.toml").write_text(TOY.read_text())
    (tmp_path / "targets" / "bad.toml").write_text('title = "x"\n')
    monkeypatch.chdir(tmp_path)
    done = RUN.invoke(app, ["doctor", "--json", "--home", str(tmp_path / "home")])
    found = {one["name"]: one for one in json.loads(done.stdout)["targets"]}
    assert {"cpu-c", "cuda", "opencl", "rngd", "toy", "bad"} <= set(found)
    assert (found["toy"]["available"], found["toy"]["trust"], found["toy"]["missing"]) == (True, "device-timed", [])
    assert "schedule" in found["toy"]["gaps"]
    assert "bad.toml" in found["bad"]["missing"][0]
    assert not found["rngd"]["available"]
    assert found["cuda"]["available"] == ("run" not in found["cuda"]["gaps"] and not found["cuda"]["missing"])
    assert "furiosa-arena" in found["rngd"]["missing"][0] or "cargo" in found["rngd"]["missing"][0]


def test_an_unknown_stand_in_names_those_that_are_known(tmp_path: Path) -> None:
    done = RUN.invoke(
        app, ["doctor", "--stand-in", "abacus", "--into", str(tmp_path), "--home", str(tmp_path / "home")]
    )
    assert done.exit_code != 0
    assert "rngd" in f"{done.output}{done.exception}"
