"""No process of a command outlives it, nor the engine that waits for it."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kernels.targets.external.commands import run
from kernels.targets.external.tables import Limits


def test_what_a_command_leaves_running_ends_with_it(tmp_path: Path) -> None:
    script = "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(p.pid)"
    ran = run(["python3", "-c", script], tmp_path, 10, Limits(), {})
    assert ran.ok
    until = time.monotonic() + 60
    while Path(f"/proc/{ran.out.strip()}").exists() and _alive(int(ran.out)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _alive(int(ran.out))


def test_what_leaves_its_session_and_its_parent_ends_as_well(tmp_path: Path) -> None:
    script = "import subprocess as s; print(s.Popen(['setsid', 'sleep', '600'], stdout=s.DEVNULL).pid); "
    twice = f"import subprocess as s, sys; s.run([sys.executable, '-c', {script!r}], start_new_session=True)"
    ran = run(["python3", "-c", twice], tmp_path, 10, Limits(), {})
    assert ran.ok
    until = time.monotonic() + 60
    while _alive(int(ran.out)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _alive(int(ran.out))


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv of util-linux")
def test_a_command_ends_with_the_engine_that_was_killed(tmp_path: Path) -> None:
    """Its lock is free then: what ran on would disturb the next holder's readings."""
    script = (
        "import os, time; print(os.getpid(), file=open('pid.new', 'w')); os.rename('pid.new', 'pid'); time.sleep(600)"
    )
    words = "from kernels.targets.external import commands, tables; from pathlib import Path; "
    words += f"commands.run([{sys.executable!r}, '-c', {script!r}], Path('.'), 600, tables.Limits(), {{}})"
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", words], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(root)}
    ) as one:
        _until((tmp_path / "pid").exists)
        one.kill()
    pid = int((tmp_path / "pid").read_text())
    _until(lambda: not _alive(pid))
    assert not _alive(pid)


def _until(done: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not done() and time.monotonic() < until:
        time.sleep(0.01)


def _alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
