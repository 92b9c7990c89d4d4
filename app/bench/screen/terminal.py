"""The screen in a pseudo-terminal of its own: keys in, bytes out with their times, and what its process costs."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kernels.sandbox.readable import readable

SYNC_ASKED: Final = b"\x1b[?2026$p"
SYNC_KNOWN: Final = b"\x1b[?2026;2$y"
TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
ROOT: Final = Path(__file__).parents[3]


class Terminal:
    """One child on a terminal of `columns` x `lines`. Answers whether it has synchronised output, as terminals do."""

    def __init__(self, words: Sequence[str], *, columns: int = 200, lines: int = 50) -> None:
        self._master, slave = pty.openpty()
        self._size(slave, columns, lines)
        self.started = time.monotonic()
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app", *words], cwd=ROOT, stdin=slave, stdout=slave, stderr=slave,
            start_new_session=True, env=environment,
        )  # fmt: skip
        os.close(slave)
        self._lock = threading.Lock()
        self._output = bytearray()
        self._last = self.started
        self._open = True
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while self._open:
            if not readable(self._master, 0.05):
                continue
            try:
                data = os.read(self._master, 1 << 16)
            except OSError:
                return
            with self._lock:
                self._output += data
                self._last = time.monotonic()
            if SYNC_ASKED in data:
                os.write(self._master, SYNC_KNOWN)

    @property
    def total(self) -> int:
        """Bytes written so far."""
        with self._lock:
            return len(self._output)

    @property
    def quiet_s(self) -> float:
        """Seconds since the last byte."""
        with self._lock:
            return time.monotonic() - self._last

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_for(self, wanted: str, after: int, patience_s: float = 60.0) -> float:
        """When (monotonic seconds) `wanted` stood in what came after the first `after` bytes.

        Raises: TimeoutError with the end of the output.
        """
        deadline, ended = time.monotonic() + patience_s, False
        while time.monotonic() < deadline:
            with self._lock:
                if self._output.find(wanted.encode(), after) >= 0:
                    return self._last
            if ended:
                break
            ended = self._ended()
            time.sleep(0.001)
        with self._lock:
            end = bytes(self._output[-400:])
        raise TimeoutError(f"{wanted!r} never came to the screen; it wrote {end!r}")

    def _ended(self) -> bool:
        """Whether the child is gone; what it wrote is read then, for nobody else holds its terminal open for long."""
        if self.process.poll() is None:
            return False
        self._reader.join(timeout=2.0)
        return True

    def settle(self, quiet_s: float = 0.5, patience_s: float = 30.0) -> None:
        """Waits until nothing was written for so long; gives up silently on a screen that is always busy."""
        deadline = time.monotonic() + patience_s
        while self.quiet_s < quiet_s and time.monotonic() < deadline:
            time.sleep(0.02)

    def resize(self, columns: int, lines: int) -> None:
        self._size(self._master, columns, lines)
        self.process.send_signal(signal.SIGWINCH)

    def cpu_s(self) -> float:
        """Processor seconds of the child and its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S

    def resident_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def hang_up(self) -> int:
        """Closes the terminal under the child; its exit code."""
        self._open = False
        self._reader.join()
        os.close(self._master)
        self._master = -1
        return self.process.wait(timeout=20.0)

    def close(self) -> None:
        self._open = False
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        if self._master >= 0:
            os.close(self._master)

    @staticmethod
    def _size(descriptor: int, columns: int, lines: int) -> None:
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
