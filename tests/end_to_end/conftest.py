"""Real campaigns: real gcc, sandbox, clock and database, on the small pack."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "app", *words]


def environment(home: Path) -> dict[str, str]:
    """guard: somebody may edit the tree that is tested."""
    own = {"KERNELWRIGHT_HOME": str(home), "PYTHONPATH": str(ROOT), "KERNELWRIGHT_GUARD": "pack"}
    return {**os.environ, **own}


@pytest.fixture
def cli(tmp_path: Path) -> Callable[..., Any]:
    """Runs a command in a home of the test's own; its JSON, or the finished process with `raw=True`."""
    home = tmp_path / "home"

    def run(*words: str, raw: bool = False, timeout: float = 150.0) -> Any:
        done = subprocess.run(
            command(*words),
            cwd=ROOT,
            env=environment(home),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        if raw:
            return done
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
