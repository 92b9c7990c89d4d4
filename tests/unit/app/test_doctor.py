"""`doctor` names every part of a target, what was found, and what is lost without it."""

import json

import pytest

from app.cli import run


def test_json_has_the_shape_that_others_script_against(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"targets", "brains", "sandbox_level", "advice", "limits"}
    cpu = next(t for t in found["targets"] if t["name"] == "cpu-c")
    assert cpu["available"]
    assert not cpu["missing"]
    assert {"gcc", "bwrap", "objdump"} <= {part["name"] for part in cpu["parts"]}
    assert all(part["lost"] for part in cpu["parts"])


def test_text_names_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "bwrap" in out
    assert "sandbox:" in out
