"""The screen in a real pseudo-terminal: it leaves it as it was, and ends soon when it goes away."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernels.sandbox.readable import readable

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60.0


class Terminal:
    """A child in a pty. controlling: the child gets SIGHUP when the master closes; otherwise only EIO and EOF."""

    def __init__(self, *arguments: str, controlling: bool) -> None:
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        if controlling:
            arguments = (*arguments, "controlling")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.unit.app_tui.pty_child", *arguments],
            cwd=ROOT, stdin=self.slave, stdout=self.slave, stderr=self.slave, start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        self.output = b""

    def read_until(self, wanted: bytes) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while wanted not in self.output:
            assert time.monotonic() < deadline, f"{wanted!r} never came; the terminal got {self.output[-500:]!r}"
            self.read_for(0.1)

    def read_for(self, seconds: float) -> None:
        if readable(self.master, seconds):
            self.output += os.read(self.master, 65536)

    def drain_for(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.read_for(0.05)

    def hang_up(self) -> None:
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = -1

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for descriptor in (self.master, self.slave):
            if descriptor >= 0:
                os.close(descriptor)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


@pytest.mark.parametrize("controlling", [True, False], ids=["SIGHUP", "EOF and EIO only"])
@pytest.mark.parametrize("load", ["idle", "busy"])
def test_a_lost_terminal_ends_the_screen_quietly(terminals: list[Terminal], load: str, controlling: bool) -> None:
    terminal = Terminal(load, controlling=controlling)
    terminals.append(terminal)
    terminal.read_until(b"bwrap+seccomp")
    terminal.drain_for(0.5)
    terminal.hang_up()
    assert terminal.process.wait(timeout=60.0) == 0


@pytest.mark.parametrize("ending", ["keys", "SIGTERM", "SIGHUP"])
def test_the_terminal_is_left_as_it_was(terminals: list[Terminal], ending: str) -> None:
    terminal = Terminal("idle", controlling=True)
    terminals.append(terminal)
    terminal.read_until(b"bwrap+seccomp")
    if ending == "keys":
        os.write(terminal.master, b"q")
        terminal.read_until(b"Detach")
        terminal.drain_for(0.3)
        os.write(terminal.master, b"d")
    else:
        terminal.process.send_signal(signal.Signals[ending])
    terminal.read_until(b"ended: detached")
    assert terminal.process.wait(timeout=60.0) == 0
    assert b"\x1b[?1049l" in terminal.output and b"\x1b[?25h" in terminal.output
    after = termios.tcgetattr(terminal.slave)
    assert after[:4] == terminal.before[:4]
