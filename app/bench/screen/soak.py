"""The screen under an hour's worth of events at a hundred times their speed: whether its memory stays where it is."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from app.bench.screen.terminal import ROOT, Terminal

SPEED: Final = 100.0
SOAK_S: Final = 3600.0 / SPEED
TABS: Final = "913248756"
"""Opened in turn, so that each panel draws what came; the log first, which keeps its last 5000 events."""
FILLED: Final = 0.4
"""Share of the time after which whatever is kept is full."""


def soak(terminal: Terminal, home: Path, seconds: float = SOAK_S) -> dict[str, float]:
    """soak_grown_mb: memory at the end above that after FILLED of the time; soak_events: that were written."""
    writer = subprocess.Popen(
        [sys.executable, "-m", "app.bench.screen.hour", str(home), "1", str(SPEED), str(seconds)], cwd=ROOT,
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        _through_tabs(terminal, seconds * FILLED)
        filled = _on_the_log(terminal)
        _through_tabs(terminal, seconds * (1 - FILLED))
        grown = _on_the_log(terminal) - filled
        said, _ = writer.communicate(timeout=60)
    finally:
        if writer.poll() is None:
            writer.kill()
        writer.wait()
    return {"soak_grown_mb": grown, "soak_events": float(said)}


def _through_tabs(terminal: Terminal, seconds: float) -> None:
    until, index = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        terminal.press(TABS[index % len(TABS)])
        index += 1
        time.sleep(max(0.05, min(1.0, seconds / len(TABS))))


def _on_the_log(terminal: Terminal) -> float:
    """Memory where both looks see the same tab."""
    terminal.press(TABS[0])
    time.sleep(1.5)
    return terminal.resident_mb()
