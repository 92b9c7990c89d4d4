"""The place where starts are tested."""

from pathlib import Path

import pytest

from tests.unit.app.starting import Place, as_target, make_place


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = make_place(tmp_path)
    monkeypatch.setattr("app.begin.get_target", lambda name, cache, workspace, compiler: as_target(made.target))
    return made
