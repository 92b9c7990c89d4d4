"""The judge from the command line on the real device: real gcc, sandbox, clock and database, on the small pack."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One home for all tests of a file, so that probes and runner are built once."""
    return tmp_path_factory.mktemp("judge") / "home"


@pytest.fixture(scope="module")
def command(home: Path) -> Callable[..., Said]:
    def run(*words: str | Path, timeout: float = 100.0) -> Said:
        done = subprocess.run(
            [sys.executable, "-m", "app", *map(str, words)],
            cwd=ROOT,
            env={
                **os.environ,
                "KERNELWRIGHT_HOME": str(home),
                "PYTHONPATH": str(ROOT),
                "KERNELWRIGHT_GUARD": "pack",
            },
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    return run
