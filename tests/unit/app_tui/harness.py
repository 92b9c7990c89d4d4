"""Starts the app headless on a fake source, with a frozen clock, and waits for what the screen should come to."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType

from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot

from app.options import UiOptions
from app.screens.main import MainScreen
from app.tui import Ended, KernelwrightApp
from app.widgets.lines import Lines
from app.widgets.plot import load_plotext
from tests.unit.app_tui.fake_source import NOW, FakeSource

NOWHERE = Path(os.devnull) / "nowhere"
SIZES = ((80, 24), (200, 50))
STILL = 5
"""Equal looks, 20 ms apart, after which the screen is taken to be whole."""


class Screen:
    """What a test sees of the running app."""

    def __init__(self, app: KernelwrightApp, pilot: Pilot[Ended], source: FakeSource) -> None:
        self.app, self.pilot, self.source = app, pilot, source

    @property
    def main(self) -> MainScreen:
        return self.app.main

    @property
    def dialog_open(self) -> bool:
        return len(self.app.screen_stack) > 2

    async def press(self, *keys: str) -> None:
        """As `Pilot.press`, but waits for the queues to be empty instead of for an idle processor."""
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 else key
            event = Key(name, key if len(key) == 1 else None)
            event.set_sender(self.app)
            self.app.post_message(event)
            await self.settle()

    async def settle(self) -> None:
        await self.pilot._wait_for_screen()
        await asyncio.sleep(0)
        await self.pilot._wait_for_screen()

    async def until(self, holds: Callable[[], object], why: str = "") -> None:
        """Polls; fails with the screen's text after half a minute."""
        for _ in range(1000):
            await asyncio.sleep(0.02)
            await self.settle()
            if holds():
                return
        raise AssertionError(f"{why or 'it never held'}:\n{self.text()}")

    async def until_shown(self, *words: str) -> None:
        await self.until(lambda: all(word in self.text() for word in words), f"not shown: {words}")

    async def still(self) -> str:
        """The text once no reading is under way or wanted and nothing changes any more."""
        main, seen = self.main, list[tuple[str, dict[str, int]]]()

        def rests() -> bool:
            if main._busy or main._full or main._detail or main._once_more:
                seen.clear()
                return False
            seen.append((self.text(), dict(self.source.reads)))
            return len(seen) >= STILL and all(look == seen[-1] for look in seen[-STILL:])

        await self.until(rests, "the screen never came to rest")
        return seen[-1][0]

    def text(self) -> str:
        """The screen as a terminal shows it."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)

    def panel(self, selector: str) -> Lines:
        return self.main.query_one(selector, Lines)


@asynccontextmanager
async def running(
    source: FakeSource | None = None, *, size: tuple[int, int] = (100, 30), state_dir: Path = NOWHERE,
    theme: str = "dark", read_only: bool = False, ascii_only: bool = False, clock: Callable[[], float] = lambda: NOW,
    keymap: Mapping[str, str] = MappingProxyType({}), color: str = "auto", read: bool = True,
) -> AsyncGenerator[Screen]:  # fmt: skip
    """The app with its first reading on the screen; with `read` false it may still be under way."""
    load_plotext()
    used = source or FakeSource()
    options = UiOptions(
        theme=theme, color=color, read_only=read_only, ascii=ascii_only, keymap=keymap, state_dir=state_dir,
        clock=clock,
    )  # fmt: skip
    app = KernelwrightApp(lambda: used, options)
    async with app.run_test(size=size) as pilot:
        screen = Screen(app, pilot, used)
        begun = screen.main.first_read.is_set if read else partial(used.reads.get, "overview")
        await screen.until(begun, "the source was never read")
        await screen.settle()
        yield screen
