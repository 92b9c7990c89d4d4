"""Tab Profile: where the time of each kernel's head goes, by its last stored profile."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from typing_extensions import override

from app.messages import Moved, Opened, Target
from app.screens import profile_tab_text as text
from app.screens.pane import Apply, Pane, Request
from app.source import Source
from app.views import count
from app.widgets.lines import Lines, Scrolling, tone_line
from app.widgets.rows import Rows
from app.widgets.supplier import Listed
from store.profile_views import ProfileView
from store.views import KernelView

MOST_ROWS: Final = 8


@dataclass(frozen=True, slots=True)
class Profiled:
    """A kernel with the last profile of its head, None when it has none."""

    kernel: KernelView
    view: ProfileView | None


class ProfilePane(Pane):
    """Kernels above, the chart and the spans of the selected one below. enter goes into them, esc back."""

    TITLE = "Profile"
    NOUN = "kernel"

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        super().__init__(widget_id, clock)
        self.headline = Lines("profiles", widget_id=f"{widget_id}-head", classes="panel headed")
        self.rows = Rows(widget_id=f"{widget_id}-rows")
        self.detail = Scrolling("", widget_id=f"{widget_id}-detail", classes="panel")
        self._seen: tuple[Profiled, ...] = ()
        self._pack = ""

    @override
    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.headline
            yield self.rows
            yield self.detail

    @override
    def request(self) -> Request:
        def read(source: Source) -> Apply:
            view = source.overview()
            kernels = () if view is None else view.kernels
            seen = tuple(Profiled(kernel, source.profile(kernel.name)) for kernel in kernels)
            return partial(self._show, seen, "" if view is None else view.campaign.pack)

        return read

    def _show(self, seen: tuple[Profiled, ...], pack: str) -> None:
        self._seen, self._pack = seen, pack
        known = sum(one.view is not None for one in seen)
        self.headline.name_panel(f"{count(known, 'profile')} of {count(len(seen), 'kernel')}")
        self.headline.show_with(lambda width: [text.title(width)])
        self.rows.styles.height = min(MOST_ROWS, max(1, len(seen)))
        now = self.clock()
        self.rows.supply(Listed(seen, lambda one: one.kernel.name, lambda o, w: text.row(o.kernel, o.view, now, w)))
        self._show_detail()

    @property
    def _selected(self) -> Profiled | None:
        return self._seen[self.rows.cursor] if self.rows.cursor < len(self._seen) else None

    def _show_detail(self) -> None:
        one = self._selected
        if one is None:
            self.detail.name_panel("")
            self.detail.show([tone_line("no kernel yet", "dim")])
            return
        self.detail.name_panel(f"profile of {one.kernel.name}")
        self.detail.show_with(partial(text.detail, self._pack, one.kernel, one.view, self.clock()))

    @override
    def main_list(self) -> Rows:
        return self.rows

    def on_moved(self, message: Moved) -> None:
        message.stop()
        self.detail.scroll_home(animate=False)
        self._show_detail()

    def on_opened(self, message: Opened) -> None:
        message.stop()
        self.open_row()

    @override
    def open_row(self) -> None:
        self.screen.set_focus(self.detail, scroll_visible=False)

    @override
    def go_back(self) -> bool:
        if not self.detail.has_focus:
            return super().go_back()
        self.screen.set_focus(self.rows, scroll_visible=False)
        return True

    @override
    def target_of(self, key: Hashable) -> Target | None:
        return Target("kernel", key, f"kernel {key}") if isinstance(key, str) else None

    @override
    def copied(self) -> str:
        return self.detail.text()
