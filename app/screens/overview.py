"""Tab 1: what was found, can I trust it, what is it doing, what did it cost, what waits for me."""

from collections.abc import Callable, Hashable
from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from typing_extensions import override

from app.messages import Target
from app.screens import overview_text as text
from app.screens.figures import score_figure
from app.screens.log import event_row
from app.screens.pane import Apply, Pane, Request
from app.source import Source
from app.views import NOTHING
from app.widgets.lines import Lines, Scrolling, tone_line
from app.widgets.plot import Plot
from app.widgets.rows import Rows
from app.widgets.supplier import Listed
from store.views import AgentView, KernelView, OverviewView


class OverviewPane(Pane):
    """Heads on top, then score and device, then trust and what waits; with room, what the agents said last."""

    TITLE = "Overview"
    NOUN = "kernel"

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        super().__init__(widget_id, clock)
        self.heads_title = Lines("heads", widget_id="heads-title", classes="panel headed")
        self.heads = Rows(widget_id="heads")
        self.total = Lines(widget_id="heads-total")
        self.score = Plot("score", widget_id="score", classes="panel")
        self.device = Scrolling("now on the device", widget_id="device", classes="panel right")
        self.trust = Scrolling("trust", widget_id="trust", classes="panel")
        self.needs = Scrolling("needs you", widget_id="needs", classes="panel right")
        self.agents = Lines(widget_id="agents-line")
        self.words = Scrolling("agents", widget_id="words", classes="panel tall-only")
        self.recent = Scrolling("latest", widget_id="recent", classes="panel right tall-only")
        self._kernels: tuple[KernelView, ...] = ()

    @override
    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.heads_title
            yield self.heads
            yield self.total
            with Horizontal(id="overview-middle"):
                yield self.score
                yield self.device
            with Horizontal(id="overview-lower"):
                yield self.trust
                yield self.needs
            with Horizontal(id="overview-tall", classes="tall-only"):
                yield self.words
                yield self.recent
            yield self.agents

    def on_mount(self) -> None:
        self.heads_title.show_with(lambda width: [text.head_title(width)])
        self.total.show([tone_line("reading the store...", "dim")])
        for panel in (self.score, self.device, self.trust, self.needs):
            panel.show([tone_line("...", "dim")])

    @override
    def request(self) -> Request:
        clock, tall = self.clock, self.words.display

        def read(source: Source) -> Apply:
            view = source.overview()
            agents = tuple(source.agents()) if tall else ()
            return partial(self.show_view, view, agents, clock())

        return read

    def show_view(self, view: OverviewView | None, agents: tuple[AgentView, ...], now: float) -> None:
        if view is None:
            self.total.show([tone_line("no campaign yet; `./run.sh run` starts one, or it is starting now", "warn")])
            return
        self._show_heads(view)
        self.score.name_panel(text.score_title(view))
        self.score.show_figure(score_figure(view))
        self.device.show_with(partial(text.device_lines, view))
        self.trust.show_with(
            lambda width: [*text.remark_lines(view.kernels, width), *text.trust_lines(view.campaign, width)]
        )
        self.needs.show_with(partial(text.attention_lines, view))
        self.agents.show([text.agents_line(view)])
        self.words.show_with(partial(text.last_words, agents, now))
        newest = sorted(view.recent, key=lambda event: -event.id)
        self.recent.show_with(lambda width: [event_row(event, width) for event in newest])

    def _show_heads(self, view: OverviewView) -> None:
        self._kernels = view.kernels
        self.heads.styles.height = min(8, max(1, len(view.kernels)))
        self.heads.supply(Listed(view.kernels, lambda kernel: kernel.name, text.head_row))
        self.total.show_with(lambda width: [text.total_line(view.campaign, width)])

    @override
    def main_list(self) -> Rows:
        return self.heads

    @override
    def target_of(self, key: Hashable) -> Target | None:
        kernel = next((one for one in self._kernels if one.name == key), None)
        if kernel is None:
            return None
        return Target("kernel", kernel.name, f"kernel {kernel.name}: {kernel.status or NOTHING}")
