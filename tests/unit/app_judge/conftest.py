"""Commands in a home of the test's own, in this process."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app import cli


@dataclass(frozen=True, slots=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def command(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    monkeypatch.setenv("KERNELWRIGHT_HOME", str(home))

    def run(*words: str | Path) -> Said:
        code = cli.run([str(w) for w in words])
        found = capsys.readouterr()
        return Said(code, found.out, found.err)

    return run
