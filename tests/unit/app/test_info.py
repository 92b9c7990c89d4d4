"""`info` says where things lie, and which of them are not there yet."""

import json
from pathlib import Path

import pytest

from app.cli import run
from store.engine import Store


def test_it_names_what_is_there_and_what_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Store.open(tmp_path).close()
    words = ["info", "--home", str(tmp_path)]
    assert run(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"database   {tmp_path / 'kernelwright.db'}" in lines
    assert f"settings   {tmp_path / 'kernelwright.toml'}  (not there yet)" in lines
    assert f"copies     {tmp_path / 'copied'}  (not there yet)" in lines
    assert run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["home"] == str(tmp_path) and found["engine"] == "not running"


def test_it_makes_nothing(tmp_path: Path) -> None:
    assert run(["info", "--home", str(tmp_path / "nowhere")]) == 0
    assert not (tmp_path / "nowhere").exists()
