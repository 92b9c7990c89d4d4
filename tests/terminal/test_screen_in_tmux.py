"""The app in a real terminal, driven by keys."""

import os
import shutil
import subprocess
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.device,
    pytest.mark.timeout(200),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


class Terminal:
    """One tmux server with one window."""

    def __init__(self, home: Path, columns: int, rows: int) -> None:
        self._socket = f"kw-test-{uuid.uuid4().hex[:8]}"
        self.home = home
        words = "run --pack axpy_gemv --minutes 4 --seed 3"
        self._tmux(
            "new-session", "-d", "-x", str(columns), "-y", str(rows), f"./run.sh {words}; echo LEFT $?; sleep 600"
        )

    def _tmux(self, *words: str) -> str:
        own = {"KERNELWRIGHT_HOME": str(self.home), "KERNELWRIGHT_GUARD": "pack"}
        environment = {**os.environ, **own, "TERM": "xterm-256color"}
        done = subprocess.run(
            ["tmux", "-L", self._socket, "-f", "/dev/null", *words], cwd=ROOT, env=environment, capture_output=True,
            text=True, check=False, timeout=20,
        )  # fmt: skip
        return done.stdout

    def keys(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    @property
    def text(self) -> str:
        return self._tmux("capture-pane", "-p")

    def until(self, *wanted: str, seconds: float = 60.0) -> str:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            text = self.text
            if all(w in text for w in wanted):
                return text
            time.sleep(0.2)
        raise AssertionError(f"never saw {wanted}; the screen says:\n{self.text}")

    def close(self) -> None:
        self._tmux("kill-server")


@pytest.fixture(params=[(80, 24), pytest.param((200, 50), marks=pytest.mark.long)], ids=["80x24", "200x50"])
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(tmp_path / "home", *request.param)
    yield made
    made.close()
    stop = ["./run.sh", "stop", "--now", "--home", str(made.home)]
    subprocess.run(stop, cwd=ROOT, capture_output=True, check=False, timeout=60)


def test_through_every_tab_then_pause_kill_and_detach(terminal: Terminal) -> None:
    terminal.until("Kernelwright", "gemv", "running")
    words = ("baseline", "strategist", "test", "profile", "no book yet", "filing", "nothing was spent", ", following")
    for key, word in zip("23456789", words, strict=True):
        terminal.keys(key)
        terminal.until(f"[{key} ", word)
    terminal.keys("1")
    terminal.until("[1 Overview]")
    terminal.keys("P")
    terminal.until("paused", seconds=30)
    terminal.keys("P")
    terminal.until("running", seconds=30)
    terminal.keys("3")
    terminal.until("worker-01")
    terminal.keys("q")
    terminal.until("detach")
    terminal.keys("Enter")
    terminal.until("LEFT 0", seconds=20)
    assert "the campaign goes on" in terminal.text
