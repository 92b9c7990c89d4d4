"""The bench: makes a big home in a temporary folder, then measures the real screen on it, quiet and busy."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from app.bench.screen import measure, soak
from app.bench.screen.budgets import judged
from app.bench.screen.terminal import ROOT, Terminal
from app.source import FilingQuery
from app.store_source import StoreSource
from store import sample
from store.engine import Store

STRETCH_S: Final = 10.0
MOVES: Final = 40
HUNG_S: Final = 4.0
SIZE: Final = (200, 50)
Say = Callable[[str], None]


def run(
    say: Say, size: sample.Size | None = None, home: Path | None = None, *, stretch_s: float = STRETCH_S
) -> dict[str, Any]:
    """home: one that `made` filled before; else a new one, removed afterwards. stretch_s: of each stretch of time that
    is watched."""
    size = size or sample.Size()
    with tempfile.TemporaryDirectory(prefix="kernelwright-bench-") as folder:
        where = home or Path(folder)
        if home is None:
            say(f"making {size.nodes:,} nodes, {size.filings:,} filings, {size.readings:,} readings in {folder}")
            made(where, size)
        load = os.getloadavg()[0]
        figures = {
            **_in_process(where), **_quiet(where, size, say, stretch_s), **_busy(where, size, say, stretch_s),
            **_soaked(where, say, soak.SOAK_S * min(1.0, stretch_s / STRETCH_S)),
        }  # fmt: skip
    return {
        "size": {name: getattr(size, name) for name in ("agents", "trees", "nodes", "filings", "readings")},
        "terminal": list(SIZE), "load_before": load, "load_after": os.getloadavg()[0],
        "cores": os.cpu_count(), "figures": judged(figures),
    }  # fmt: skip


def made(home: Path, size: sample.Size) -> None:
    with Store.open(home) as store:
        store.write_sync(lambda s: sample.fill(s, size))


def _in_process(home: Path) -> dict[str, float]:
    """The first page of filings as the screen's source reads it, the median of nine."""
    source = StoreSource.opened(home, read_only=True)
    try:
        source.changed()
        taken = []
        for _ in range(9):
            began = time.perf_counter()
            source.filings(FilingQuery())
            taken.append(1000 * (time.perf_counter() - began))
    finally:
        source.close()
    return {"filings_page_ms": sorted(taken)[4]}


def _attach(home: Path) -> Terminal:
    return Terminal(["attach", "--home", str(home), "--theme", "dark"], columns=SIZE[0], lines=SIZE[1])


def _quiet(home: Path, size: sample.Size, say: Say, stretch_s: float) -> dict[str, float]:
    """Nobody writes."""
    say("quiet: first frame, idle, keys, trees, a new size")
    with measure.closing(_attach(home)) as terminal:
        first = terminal.wait_for("Overview", 0) - terminal.started
        terminal.wait_for("made_up", 0)
        terminal.settle(1.0)
        figures = {"first_frame_s": first, "start_mb": terminal.resident_mb()}
        figures["idle_cpu"] = measure.spent(terminal, stretch_s).cpu
        figures["key_quiet_ms"] = measure.p95(_moves(terminal, size))
        figures["trees_open_s"] = measure.opened_s(terminal, "2", f"design trees: {size.nodes} nodes")
        terminal.settle(1.0)
        figures["resize_ms"] = measure.resized_ms(terminal, 120, 40)
        figures["after_trees_mb"] = terminal.resident_mb()
    return figures


def _moves(terminal: Terminal, size: sample.Size) -> list[float]:
    """Tabs back and forth, then up and down in the filings; every key must bring its own text."""
    tabs = [("4", "[4 Judging]"), ("7", "[7 Filings]"), ("1", "[1 Overview]"), ("3", "[3 Agents]")] * 3
    taken = measure.key_ms(terminal, tabs, 0.4)
    measure.opened_s(terminal, "7", f"{size.filings} filings")
    terminal.settle(0.5, 5.0)
    down = [("j", f"filing {size.filings - 1 - step}") for step in range(MOVES)]
    return taken + measure.key_ms(terminal, down, 0.1)


@contextmanager
def _team(home: Path) -> Generator["subprocess.Popen[str]"]:
    """The writing process; `_told` ends it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app.bench.screen.team", str(home), "1"], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _told(team: "subprocess.Popen[str]") -> list[float]:
    out, _ = team.communicate("stop\n", timeout=60)
    return [float(end) for end in json.loads(out)]


def _lost(ends: list[float], lost_at: float) -> float:
    """Ticks that are missing in the seconds after the terminal went away, against as many seconds before it."""
    before = sum(lost_at - HUNG_S <= end < lost_at for end in ends)
    after = sum(lost_at <= end < lost_at + HUNG_S for end in ends)
    return float(max(0, before - after - 1))


def _busy(home: Path, size: sample.Size, say: Say, stretch_s: float) -> dict[str, float]:
    """The whole team writes four times a second."""
    say("busy: the overview, the agents, keys, a lost terminal")
    with measure.closing(_attach(home)) as terminal, _team(home) as team:
        terminal.wait_for("made_up", 0)
        time.sleep(6.0)
        overview = measure.spent(terminal, stretch_s)
        measure.opened_s(terminal, "3", f"worker-{size.agents:02d}")
        time.sleep(3.0)
        agents = measure.spent(terminal, stretch_s)
        keys = _moves(terminal, size)
        lost_at = time.monotonic()
        terminal.hang_up()
        time.sleep(HUNG_S)
        ends = _told(team)
    return {
        "overview_cpu": overview.cpu, "overview_kib_s": overview.kib_s, "live_cpu": agents.cpu,
        "live_cpu_tick_ms": agents.cpu_tick_ms, "live_kib_s": agents.kib_s, "live_kib_tick": agents.kib_s / 4,
        "key_busy_ms": measure.p95(keys), "lost_ticks": _lost(ends, lost_at),
    }  # fmt: skip


def _soaked(home: Path, say: Say, seconds: float) -> dict[str, float]:
    say(f"an hour's events in {seconds:.0f} s")
    with measure.closing(_attach(home)) as terminal:
        terminal.wait_for("made_up", 0)
        terminal.settle(1.0, 5.0)
        return soak.soak(terminal, home, seconds)


def text(found: dict[str, Any]) -> str:
    """A line a figure: measured beside its budget."""
    size, rows = found["size"], []
    for one in found["figures"]:
        sign = "+" if one["held"] else "!"
        load = " (with the load of this machine)" if one["wall"] and not one["held"] else ""
        rows.append(
            f"{sign} {one['title']:<58} {one['measured']:10.2f}  of {one['most']:g} {one['unit']}{load}".rstrip()
        )
    head = (
        f"{size['agents']} agents, 3 x {size['trees']} trees, {size['nodes']:,} nodes, {size['filings']:,} filings,"
        f" {size['readings']:,} readings; {found['terminal'][0]}x{found['terminal'][1]};"
        f" load {found['load_before']:.1f} to {found['load_after']:.1f} on {found['cores']} cores"
    )
    return "\n".join([head, *rows])
