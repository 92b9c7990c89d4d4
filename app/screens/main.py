"""The main screen: header, tabs, the active pane, footer; one tick, one reading at a time."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import Input
from textual.worker import Worker, WorkerState
from typing_extensions import override

from app.feed_bridge import Feed, SourceError
from app.keys import bindings, footer_keys
from app.messages import Steer, TabAsked, Target, Wanted
from app.options import UiOptions
from app.sanitise import clean
from app.screens import header_text
from app.screens.agents import AgentsPane
from app.screens.filings import FilingsPane
from app.screens.judging import JudgingPane
from app.screens.log import LogPane
from app.screens.looking import LookingScreen
from app.screens.notices import Notice
from app.screens.overview import OverviewPane
from app.screens.pane import Pane
from app.screens.rounds import Answer, Question, ask
from app.screens.trees import TreesPane
from app.views import Span, Tone
from app.widgets.bars import Bar, KeyBar, NoticeLines, TabBar
from app.widgets.lines import Lines, tone_line
from app.widgets.plot import Plot

TICK_S: Final = 0.25
SMALLEST: Final = (60, 15)
REST: Final = 4.0  # a reading that took t seconds is followed by REST * t without one, unless a key asks


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab: its short name and what makes its pane."""

    name: str
    make: Callable[[str, Callable[[], float]], Pane]


TABS: Final[tuple[Tab, ...]] = (
    Tab("Overview", OverviewPane),
    Tab("Trees", TreesPane),
    Tab("Agents", AgentsPane),
    Tab("Judging", JudgingPane),
    Tab("Filings", FilingsPane),
    Tab("Log", LogPane),
)


class MainScreen(LookingScreen, inherit_bindings=False):
    """Panes are made when their tab is first opened; only the active one is read and drawn."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]
    ESCAPE_TO_MINIMIZE = False

    def __init__(self, feed: Feed, options: UiOptions, tabs: Sequence[Tab] = TABS) -> None:
        super().__init__(read_only=options.read_only)
        self._feed, self._options, self._tabs = feed, options, tuple(tabs)
        self._panes: dict[int, Pane] = {}
        self._active = 0
        self._full, self._detail, self._busy = True, False, False
        self._stale, self._not_before = False, 0.0
        self._last_event, self._frozen_at, self._trouble = -1, -1, ""
        self.header = Bar(widget_id="header")
        self.tab_bar = TabBar([tab.name for tab in self._tabs], widget_id="tabs")
        self.body = Container(id="body")
        self.line = Input(placeholder="show only rows with these words", id="filter", compact=True)
        self.notice_lines = NoticeLines(widget_id="notices")
        self.keys_bar = KeyBar(footer_keys(), widget_id="footer")
        self.too_small = Lines(widget_id="too-small")

    @override
    def compose(self) -> ComposeResult:
        self.line.display = False
        yield self.header
        yield self.tab_bar
        yield self.body
        yield self.line
        yield self.keys_bar
        yield self.notice_lines
        yield self.too_small

    def on_mount(self) -> None:
        self.open_tab(0)
        self.set_interval(TICK_S, self._tick)

    @property
    @override
    def pane(self) -> Pane:
        return self._panes[self._active]

    def open_tab(self, index: int) -> None:
        if index not in self._panes:
            pane = self._tabs[index].make(self._tabs[index].name.lower(), self._options.clock)
            self._panes[index] = pane
            self.body.mount(pane)
        if self.maximized is not None:
            self.minimize()
        self._active = index
        for number, pane in self._panes.items():
            pane.display = number == index
        self.line.value, self.line.display = "", False
        self._full = True
        self._show_bars()
        self.call_after_refresh(self._arrived)

    def _arrived(self) -> None:
        self.pane.shown()
        self._start_round()

    def action_tab(self, number: int) -> None:
        if number <= len(self._tabs):
            self.open_tab(number - 1)

    def action_tab_step(self, step: int) -> None:
        self.open_tab((self._active + step) % len(self._tabs))

    def on_tab_asked(self, message: TabAsked) -> None:
        self.open_tab(message.index)

    def _tick(self) -> None:
        self._show_bars()
        self._start_round()

    def _show_bars(self) -> None:
        now, width = self._options.clock(), self.app.size.width
        left, right = header_text.header_spans(self.view, now, width)
        said: list[Span] = [(f" ! {self._trouble[:60]} ", "bad")] if self._trouble else right
        self.header.show_ends(left, said)
        self.tab_bar.show_active(self._active, self._badge())
        self.show_notices()

    def _badge(self) -> list[Span]:
        if self._frozen_at >= 0:
            return [(f" view frozen, {self._last_event - self._frozen_at} new ", "warn")]
        return [(" read-only ", "warn")] if self.read_only else []

    def on_wanted(self, message: Wanted) -> None:
        message.stop()
        self._detail = True
        self._full = self._full or not message.detail
        self._start_round()

    def known_agents(self) -> list[Target]:
        """Agents that a pane has seen, for the palette."""
        pane = next((pane for pane in self._panes.values() if isinstance(pane, AgentsPane)), None)
        return [] if pane is None else pane.known()

    def _start_round(self) -> None:
        if self._busy or not self._feed.ready:
            return
        self._busy = True
        self.run_worker(self._round(), group="feed", exit_on_error=False)

    async def _round(self) -> None:
        """Asks until nothing is wanted any more, then waits for the next tick."""
        try:
            await self._ask_once()
            while self._full or self._detail:
                await self._ask_once()
        except SourceError as error:
            self._trouble, self._full, self._detail = clean(str(error), 200), True, False
        finally:
            self._busy = False

    async def _ask_once(self) -> None:
        started, pane = time.monotonic(), self.pane
        question = Question(
            self._full, started >= self._not_before, self._stale, self._frozen_at >= 0, self._last_event,
            tuple(self.notices.pending()), pane.request(), pane.detail_request() if self._detail else None,
        )  # fmt: skip
        self._full, self._detail = False, False
        answer = await self._feed.ask(partial(ask, question))
        ended = time.monotonic()
        if answer.whole:
            self._not_before = ended + max(REST * (ended - started), pane.PACE_S)
        self._stale, self._trouble = answer.stale, ""
        self._take(answer, pane)

    def _take(self, answer: Answer, pane: Pane) -> None:
        now = self._options.clock()
        for command in answer.commands:
            self.notices.answered(command, now)
        if answer.fresh:
            self.view, self._last_event = answer.overview, answer.last_event
        if answer.apply is not None and pane is self.pane:
            answer.apply()
        self._show_bars()

    def redraw_plots(self) -> None:
        """The plotting library has arrived."""
        for plot in self.query(Plot):
            plot.redraw()

    def trouble(self, text: str) -> None:
        """The store cannot be read: said in the header until it can."""
        self._trouble = clean(text, 300)
        self._show_bars()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that died is said, with what it died of."""
        if event.state == WorkerState.ERROR:
            error = event.worker.error
            self.say(f"! {event.worker.group}: {type(error).__name__}: {error}", "bad")

    @override
    def say(self, text: str, tone: Tone = "") -> None:
        self.notices.say(clean(text, 160), self._options.clock(), tone)
        self.show_notices()

    @override
    def show_notices(self) -> None:
        self.notice_lines.show_notices(self.notices.lines(self._options.clock()))

    @override
    async def send(self, steer: Steer, notice: Notice) -> None:
        try:
            notice.command = await self._feed.ask(lambda s: s.command(steer.verb, steer.target, steer.arguments))
        except SourceError as error:
            notice.text, notice.tone = f"! {steer.verb} {steer.target}: {clean(str(error), 120)}", "bad"
            notice.until = self._options.clock() + 10.0
        self._start_round()

    @override
    def filter_line(self) -> Input:
        return self.line

    @override
    def copy(self, text: str) -> None:
        if not text:
            self.say("nothing to copy here")
            return
        self.app.copy_to_clipboard(text)
        path = self._options.state_dir / "copied.txt"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8", errors="replace")
        except OSError as error:
            self.say(f"! copied to the terminal only: {error}", "warn")
        else:
            self.say(f"copied to the terminal's clipboard and to {path}")

    def action_freeze(self) -> None:
        """space: the view stands still, the loop goes on; again: everything new at once."""
        self._frozen_at = -1 if self._frozen_at >= 0 else max(0, self._last_event)
        self._full = self._frozen_at < 0
        self._show_bars()
        self._start_round()

    def action_refresh_now(self) -> None:
        self._full = True
        self._start_round()
        self.refresh(layout=True)

    def on_resize(self) -> None:
        width, height = self.app.size
        small = width < SMALLEST[0] or height < SMALLEST[1]
        self.set_class(small, "-small")
        text = f"too small, need {SMALLEST[0]}x{SMALLEST[1]}, have {width}x{height}"
        self.too_small.show([tone_line(text, "warn")] if small else [])
        self._show_bars()
