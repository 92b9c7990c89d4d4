"""The main screen: header, tabs, the active pane, footer."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widget import AwaitMount
from textual.widgets import Input
from typing_extensions import override

from app.feed_bridge import Feed
from app.keys import bindings, footer_keys, rebound
from app.messages import KeyAsked, TabAsked
from app.options import UiOptions
from app.screens import header_text, rates
from app.screens.pane import Pane
from app.screens.reading import ReadingScreen
from app.screens.tabs import TABS, Tab
from app.views import Span, wrap
from app.widgets.bars import Bar, KeyBar, NoticeLines, TabBar
from app.widgets.lines import Lines, tone_line
from app.widgets.plot import Plot

SMALLEST: Final = (60, 15)


class MainScreen(ReadingScreen, inherit_bindings=False):
    """Panes are made when their tab is first opened; only the active one is read and drawn."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]
    ESCAPE_TO_MINIMIZE = False

    def __init__(self, feed: Feed, options: UiOptions, tabs: Sequence[Tab] = TABS) -> None:
        super().__init__(feed, options)
        self.keys = rebound(options.keymap)
        self._tabs = tuple(tabs)
        self._panes: dict[int, Pane] = {}
        self._mounting: dict[int, AwaitMount] = {}
        self._active = 0
        self.header = Bar(widget_id="header")
        self.tab_bar = TabBar([tab.name for tab in self._tabs], widget_id="tabs")
        self.body = Container(id="body")
        self.line = Input(placeholder="show only rows with these words", id="filter", compact=True)
        self.notice_lines = NoticeLines(widget_id="notices")
        self.keys_bar = KeyBar(footer_keys(self.keys), widget_id="footer")
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
        self.start_ticking()

    async def on_key_asked(self, message: KeyAsked) -> None:
        await self.run_action(message.action)

    @property
    @override
    def pane(self) -> Pane:
        return self._panes[self._active]

    def open_tab(self, index: int) -> None:
        if index not in self._panes:
            pane = self._tabs[index].make(self._tabs[index].name.lower(), self.options.clock)
            self._panes[index] = pane
            self._mounting[index] = self.body.mount(pane)
        if self.maximized is not None:
            self.minimize()
        self._active = index
        for number, pane in self._panes.items():
            pane.display = number == index
        self.line.value, self.line.display = "", False
        self.read_all()
        self.show_bars()
        self.call_after_refresh(self._arrived)

    async def _arrived(self) -> None:
        """A pane can neither measure nor take the focus before all that is in it is there."""
        if not self.pane.is_mounted:
            await self._mounting[self._active]
        self.pane.fit_room()
        if not (self.line.display and self.line.has_focus):
            self.pane.shown()
        self.start_round()

    def action_tab(self, number: int) -> None:
        if number <= len(self._tabs):
            self.open_tab(number - 1)

    def action_tab_step(self, step: int) -> None:
        self.open_tab((self._active + step) % len(self._tabs))

    def on_tab_asked(self, message: TabAsked) -> None:
        self.open_tab(message.index)

    @override
    def show_bars(self) -> None:
        now, width = self.options.clock(), self.app.size.width
        left, right = header_text.header_spans(self.view, now, width, self.options.copied_at)
        said: list[Span] = [(f" ! {self.trouble_text[: max(60, width - 40)]} ", "bad")] if self.trouble_text else right
        self.header.show_ends(left, said)
        self.tab_bar.show_active(self._active, self._badge(), self._crumbs())
        self.show_notices()

    def _badge(self) -> list[Span]:
        new, paused = self.new_since_freeze, 0 if self.view is None else len(self.view.paused)
        said = [
            "" if new is None else f" view frozen, {new} new ",
            f" {paused} paused " if paused else "",
            " read-only " if self.read_only else "",
            rates.badge(self.wait_s),
        ]
        return [(text, "warn") for text in said if text]

    def _crumbs(self) -> tuple[str, ...]:
        return (*self.pane.crumbs(), "zoomed") if self.maximized is not None else self.pane.crumbs()

    def redraw_plots(self) -> None:
        """The plotting library has arrived."""
        for plot in self.query(Plot):
            plot.redraw()

    @override
    def show_notices(self) -> None:
        self.notice_lines.styles.margin = (0, 0, 2 if self.line.display else 1, 0)  # above the filter
        self.notice_lines.show_notices(self.notices.lines(self.options.clock()))

    @override
    def filter_line(self) -> Input:
        return self.line

    @override
    def copy(self, text: str) -> None:
        if not text:
            self.say("nothing to copy here")
            return
        self.app.copy_to_clipboard(text)
        path = self.options.state_dir / "copied.txt"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8", errors="replace")
        except OSError as error:
            self.say(f"! copied to the terminal only: {error}", "warn")
        else:
            self.say(f"copied to the terminal's clipboard and to {path}")

    def on_resize(self) -> None:
        width, height = self.app.size
        small = width < SMALLEST[0] or height < SMALLEST[1]
        self.set_class(small, "-small")
        text = f"too small, need {SMALLEST[0]}x{SMALLEST[1]}, have {width}x{height}"
        self.too_small.show([tone_line(row, "warn") for row in wrap(text, width)] if small else [])
        if self._panes:
            self.pane.fit_room()
        self.keys_bar.fit()
        self.show_bars()
