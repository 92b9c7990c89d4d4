"""Two screens of one campaign, an engine that dies, an input that ends: over a real store and in real terminals."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from textual.pilot import Pilot

from app.bench.screen import measure, run
from app.bench.screen.terminal import Terminal
from app.options import UiOptions
from app.store_source import StoreSource
from app.tui import Ended, KernelwrightApp
from store import agents, campaigns, commands, events, heartbeat
from store.clock import now
from store.engine import Store

ROOT = Path(__file__).parents[3]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path) as opened:
        number = opened.write_sync(
            lambda s: campaigns.create(s, pack="p", pack_digest="d", target="cpu-c", fingerprint="f", kernels=["gemv"])
        )
        opened.write_sync(lambda s: agents.upsert_agent(s, number, "worker-01", role="worker", kernel="gemv"))
        opened.write_sync(lambda s: heartbeat.beat(s, number, started_at=now(), holder="reading gemv"))
        yield opened


class Viewer:
    """One screen in this process."""

    def __init__(self, app: KernelwrightApp, pilot: Pilot[Ended]) -> None:
        self.app, self.pilot = app, pilot

    @property
    def text(self) -> str:
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    async def until(self, holds: Callable[[str], bool]) -> None:
        for _ in range(600):
            if holds(self.text):
                return
            await self.pilot.pause(0.05)
        raise AssertionError(self.text)


async def opened(stack: AsyncExitStack, home: Path, clock: Callable[[], float], *, read_only: bool = False) -> Viewer:
    options = UiOptions(theme="dark", state_dir=home / "copied", clock=clock, read_only=read_only)
    app = KernelwrightApp(lambda: StoreSource.opened(home, read_only=read_only), options)
    viewer = Viewer(app, await stack.enter_async_context(app.run_test(size=(100, 30))))
    await viewer.until(lambda text: "+ running" in text)
    return viewer


async def test_what_one_viewer_asks_both_see_and_either_may_go(store: Store, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        one = await opened(stack, tmp_path, now)
        async with AsyncExitStack() as short:
            other = await opened(short, tmp_path, now, read_only=True)
            await one.pilot.press("p")
            await one.until(lambda text: "pausing gemv..." in text)
            taken = store.write_sync(
                lambda s: (row.id, row.verb, row.target) if (row := commands.take_next(s)) else None
            )
            assert taken is not None and taken[1:] == ("pause", "gemv")
            store.write_sync(lambda s: commands.finish(s, taken[0], "done", "paused"))
            store.write_sync(lambda s: events.append(s, 1, "attention", "gemv", "somebody paused it"))
            for viewer in (one, other):
                await viewer.until(lambda text: "somebody paused it" in text)
            await one.until(lambda text: "+ pause gemv: paused" in text)
            await other.pilot.press("p")
            await other.until(lambda text: "! read-only: pause gemv refused" in text)
        store.write_sync(lambda s: events.append(s, 1, "attention", "gemv", "the other one left"))
        await one.until(lambda text: "the other one left" in text)


async def test_a_dead_engine_is_said_as_soon_as_it_is_silent_for_twelve_seconds(store: Store, tmp_path: Path) -> None:
    at = [now()]
    store.write_sync(lambda s: heartbeat.beat(s, 1, started_at=at[0], holder=""))
    beat = at[0] = now()
    async with AsyncExitStack() as stack:
        viewer = await opened(stack, tmp_path, lambda: at[0])
        at[0] = beat + 8.0
        await viewer.pilot.pause(0.6)
        assert "+ running" in viewer.text
        at[0] = beat + 12.5
        await viewer.until(lambda text: "! engine silent for 1" in text)
        store.write_sync(lambda s: heartbeat.beat(s, 1, started_at=beat, holder=""))
        at[0] = now()
        await viewer.until(lambda text: "+ running" in text)


def test_the_end_of_the_input_alone_ends_the_screen() -> None:
    """As when a wrapper gives a program another input than its output."""
    master, slave = pty.openpty()
    output, screen = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.unit.app_tui.pty_child", "idle"], cwd=ROOT, stdin=slave, stdout=screen,
        stderr=screen, start_new_session=True, env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        os.close(slave)
        seen = b""
        while b"bwrap+seccomp" not in seen:
            seen += os.read(output, 65536)
        os.close(master)
        assert child.wait(timeout=60.0) == 0
    finally:
        child.kill()
        child.wait()
        for descriptor in (output, screen):
            os.close(descriptor)


@pytest.mark.long
@pytest.mark.parametrize("how", ["closed", "SIGHUP"])
def test_a_lost_viewer_costs_the_writer_no_tick(store: Store, tmp_path: Path, how: str) -> None:
    """The writer beats four times a second as a team does; the screen repaints with it when its terminal goes."""
    team = subprocess.Popen(
        [sys.executable, "-m", "app.bench.screen.team", str(tmp_path), "1"], cwd=ROOT, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        with measure.closing(Terminal(["attach", "--home", str(tmp_path)], columns=100, lines=30)) as terminal:
            terminal.wait_for("running", 0)
            time.sleep(5.0)
            lost_at, lost = time.monotonic(), now()
            if how == "SIGHUP":
                terminal.process.send_signal(signal.SIGHUP)
                assert terminal.process.wait(timeout=60.0) == 0
            else:
                assert terminal.hang_up() == 0
            time.sleep(max(0.0, lost_at + run.HUNG_S - time.monotonic()))
            beaten = store.read_sync(heartbeat.engine)
    finally:
        said, _ = team.communicate("stop\n", timeout=30)
    assert beaten is not None and beaten.heartbeat_at > lost + 3.0
    assert run._lost(json.loads(said), lost_at) <= 1.0
