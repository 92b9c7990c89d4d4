"""The Textual app: paints its skeleton first, then opens the store in a thread. Its process owns nothing.

`run_app` returns how it ended: "detached", "stopped" (the stop command is written) or "lost" (the terminal went away).
"""

import asyncio
import gc
import os
from collections.abc import Callable
from typing import ClassVar, Literal

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.command import Provider
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.widgets import Input
from textual.worker import Worker, WorkerState
from typing_extensions import override

from app import colours, themes
from app.driver import GuardedDriver, LastResort, hang_up_handled, silence_terminal
from app.feed_bridge import Feed
from app.keys import interrupt_binding
from app.memory import give_back, keep_all
from app.messages import Steer
from app.options import UiOptions
from app.sanitise import clean
from app.screens.dialogs import CANCEL, Ask, Choice
from app.screens.main import MainScreen
from app.screens.palette import Commands
from app.screens.searching import Palette
from app.source import Source, SourceError
from app.views import Line
from app.widgets.bars import PlainScrollBar
from app.widgets.plot import load_plotext

QUIT = "Leave?"
QUIT_CHOICES = (
    Choice("detach", "Detach (d)", "d"),
    Choice("stop", "Stop the loop (s)", "s"),
    Choice(CANCEL, "Cancel", "c"),
)
LEAVE_CHOICES = (Choice("detach", "Leave (d)", "d"), Choice(CANCEL, "Cancel", "c"))
RUNS: tuple[Line, ...] = (
    (("The loop runs in a process of its own.", ""),),
    (("To detach leaves it running; `./run.sh` attaches again.", "dim"),),
    (("To stop takes a final ledger, then the campaign ends.", "dim"),),
)
ENDED: tuple[Line, ...] = ((("No engine runs: there is nothing to stop.", ""),), (("`./run.sh` goes on.", "dim"),))
Ended = Literal["detached", "stopped", "lost"]
WATCH_S = 1.0
RETRY_S = 1.0
GC_THRESHOLDS = (20_000, 10, 5)  # with the usual ones a full collection held the loop for 100 ms
TIDY_S = 20.0
STOP_WAIT_S = 3.0


class KernelwrightApp(App[Ended], inherit_bindings=False):
    """One main screen; dialogs on top of it."""

    TITLE = "Kernelwright"
    CSS_PATH = "screens/main.tcss"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {Commands}
    BINDINGS: ClassVar[list[BindingType]] = [interrupt_binding()]

    def __init__(
        self, make_source: Callable[[], Source], options: UiOptions, last_resort: LastResort | None = None
    ) -> None:
        colour = colours.settled(options.color, os.environ)
        with colours.told_to_textual(colour):
            super().__init__(driver_class=GuardedDriver, ansi_color=True if colour == colours.NONE else None)
        if colour in colours.SYSTEMS:
            self.console._color_system = colours.SYSTEMS[colour]
        self.options = options
        self.feed = Feed(make_source)
        self.main = MainScreen(self.feed, options)
        self._last_resort = last_resort
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (160, "-huge")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-middle"), (36, "-tall")]
        self._mouse_on = options.mouse
        self._running_loop: asyncio.AbstractEventLoop | None = None
        self.animation_level = "none"
        self.set_class(options.ascii, "-ascii")
        ScrollBar.renderer = PlainScrollBar if options.ascii else ScrollBarRender
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = themes.choose(options.theme, colour, os.environ)

    def on_mount(self) -> None:
        self._running_loop = asyncio.get_running_loop()
        self.set_keymap(dict(self.options.keymap))
        self.push_screen(self.main)
        self.call_after_refresh(self._after_first_frame)
        self.set_interval(WATCH_S, self._watch_input)

    def _after_first_frame(self) -> None:
        self.run_worker(self._open_store(), group="store", exit_on_error=False)

    async def _open_store(self) -> None:
        """Tries until it is there: at a first start the engine is still making it."""
        while not self.feed.ready:
            try:
                await self.feed.open()
            except SourceError as error:
                self.main.trouble(f"cannot open the store: {clean(str(error), 200)}")
                await asyncio.sleep(RETRY_S)
        self.main.trouble("")
        await asyncio.to_thread(load_plotext)
        self.main.redraw_plots()
        await self.main.first_read.wait()
        if self._last_resort is not None:  # this process does nothing else
            await asyncio.to_thread(keep_all)
        await self._give_back()
        self.set_interval(TIDY_S, self._give_back)

    async def _give_back(self) -> None:
        await asyncio.to_thread(give_back)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that died is said, with what it died of."""
        if event.state == WorkerState.ERROR:
            error = event.worker.error
            self.main.trouble(f"{event.worker.group}: {type(error).__name__}: {error}")

    def _watch_input(self) -> None:
        driver = self._driver
        if isinstance(driver, GuardedDriver) and driver.input_is_gone():
            self.terminal_lost()

    def terminal_lost(self) -> None:
        """Ends without a word: there is nobody to tell."""
        if self._last_resort is not None:
            self._last_resort.arm()
        silence_terminal()
        self.exit("lost")

    def from_signal(self, action: Callable[[], None]) -> None:
        """Calls `action` on the loop, from a signal handler."""
        if self._running_loop is not None and not self._running_loop.is_closed():
            self._running_loop.call_soon_threadsafe(action)

    def end(self) -> None:
        """SIGTERM and SIGINT: as detach."""
        self.exit("detached")

    def on_unmount(self) -> None:
        self.feed.close()

    @override
    async def on_event(self, event: events.Event) -> None:
        """Keys are done one by one, also when a slow line brings many at once: what one of them opened has the focus
        before the next is looked at, and what was meant for a filter or the palette steers nothing."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self.screen._mounted_event.wait()
            if not isinstance(self.focused, Input) and await self._check_bindings(event.key):
                return
        await super().on_event(event)

    def action_interrupt(self) -> None:
        if isinstance(self.screen, Ask) and self.screen.question == QUIT:
            self.exit("detached")
        else:
            self.action_ask_quit()

    def action_ask_quit(self) -> None:
        """Detach is the default: the loop goes on without a screen."""
        heard = self.main.heard
        said = ENDED if not heard else RUNS[:-1] if self.options.read_only else RUNS
        choices = QUIT_CHOICES if heard and not self.options.read_only else LEAVE_CHOICES
        self.push_screen(Ask(QUIT, said, choices), self._quit)

    def _quit(self, answer: str | None) -> None:
        if answer == "detach":
            self.exit("detached")
        elif answer == "stop":
            self.run_worker(self._stop(), group="commands", exit_on_error=False)

    async def _stop(self) -> None:
        """Ends once the command row is written; says so when it cannot be."""
        steer = Steer("stop")
        try:
            asked = self.feed.ask(lambda source: source.command(steer.verb, steer.target, steer.arguments))
            await asyncio.wait_for(asked, STOP_WAIT_S)
        except (SourceError, TimeoutError) as error:
            self.main.say(f"! stop: {clean(str(error), 120) or 'the store does not answer'}", "bad")
        else:
            self.exit("stopped")

    @override
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"muted": "#8a94a3"}

    @override
    def action_command_palette(self) -> None:
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette(placeholder="a command, tab, agent, kernel, node or filing"))

    def action_mouse(self) -> None:
        """F2: off lets the terminal select text by itself."""
        if isinstance(self._driver, GuardedDriver):
            self._mouse_on = not self._mouse_on
            self._driver.set_mouse(on=self._mouse_on)
            self.main.say("mouse on" if self._mouse_on else "mouse off: the terminal selects text")


def run_app(make_source: Callable[[], Source], options: UiOptions) -> Ended:
    """Runs the screen on this terminal until the user leaves or the terminal goes away."""
    gc.set_threshold(*GC_THRESHOLDS)
    last_resort = LastResort()
    app = KernelwrightApp(make_source, options, last_resort)

    def hung_up() -> None:
        last_resort.arm()
        app.from_signal(app.terminal_lost)

    with hang_up_handled(hung_up, lambda: app.from_signal(app.end)):
        ended = app.run(mouse=app.options.mouse)
    last_resort.disarm()
    return ended or "detached"
