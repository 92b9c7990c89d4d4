"""One measurement each; a terminal goes in, figures come out. Times are monotonic seconds."""

import statistics
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from app.bench.screen.terminal import Terminal

TICK_S: Final = 0.25
QUIET_S: Final = 0.3


@dataclass(frozen=True, slots=True)
class Spent:
    """What a stretch of time cost."""

    seconds: float
    cpu_s: float
    written: int

    @property
    def cpu(self) -> float:
        """Per cent of a core."""
        return 100 * self.cpu_s / self.seconds

    @property
    def cpu_tick_ms(self) -> float:
        return 1000 * self.cpu_s / self.seconds * TICK_S

    @property
    def kib_s(self) -> float:
        return self.written / 1024 / self.seconds


def spent(terminal: Terminal, seconds: float) -> Spent:
    cpu, written, began = terminal.cpu_s(), terminal.total, time.monotonic()
    time.sleep(seconds)
    return Spent(time.monotonic() - began, terminal.cpu_s() - cpu, terminal.total - written)


def key_ms(terminal: Terminal, keys: Sequence[tuple[str, str]], pause_s: float) -> list[float]:
    """Milliseconds from each key until the text that it must bring is written. keys: (key, text)."""
    taken: list[float] = []
    for key, wanted in keys:
        before = terminal.total
        pressed = time.monotonic()
        terminal.press(key)
        taken.append(1000 * (terminal.wait_for(wanted, before) - pressed))
        time.sleep(pause_s)
    return taken


def p95(values: Sequence[float]) -> float:
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def opened_s(terminal: Terminal, key: str, wanted: str) -> float:
    """Seconds from a key until the tab that it opens shows its data."""
    before = terminal.total
    pressed = time.monotonic()
    terminal.press(key)
    return terminal.wait_for(wanted, before) - pressed


def resized_ms(terminal: Terminal, columns: int, lines: int) -> float:
    """Milliseconds until the last byte that a new size brings."""
    began = time.monotonic()
    terminal.resize(columns, lines)
    time.sleep(QUIET_S)
    terminal.settle(QUIET_S)
    return 1000 * max(time.monotonic() - terminal.quiet_s - began, 0.0)


@contextmanager
def closing(terminal: Terminal) -> Generator[Terminal]:
    try:
        yield terminal
    finally:
        terminal.close()
