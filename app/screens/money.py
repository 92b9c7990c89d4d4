"""Tab Money: what was spent and is reserved, by role, model and kernel, what a gain cost, the score against that."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from typing_extensions import override

from app.messages import Target
from app.screens import money_text as text
from app.screens.arranged import Arrangement
from app.screens.figures import cost_figure
from app.screens.listed import ListedPane
from app.screens.money_text import Priced
from app.screens.pane import Apply, Request
from app.source import Source
from app.views import count, plain
from app.widgets.lines import Lines, tone_line
from app.widgets.plot import Plot
from app.widgets.supplier import Listed
from store.money_views import MoneyView

ORDERS: Final[dict[str, Callable[[Priced], tuple[float, str]]]] = {
    "group": lambda row: (text.GROUPS.index(row.group), ""),
    "spent": lambda row: (-row.share.usd - row.share.held_usd, row.share.name),
    "tokens": lambda row: (-row.share.tokens, row.share.name),
    "device time": lambda row: (-(row.share.device_s or 0.0), row.share.name),
    "gains": lambda row: (-row.share.accepted, row.share.name),
}


class MoneyPane(ListedPane):
    TITLE = "Money"
    PACE_S = 2.0

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        self._arranged = Arrangement[Priced](lambda row: f"{row.group} {row.share.name}", ORDERS)
        super().__init__(widget_id, clock, list_title="shares", arrangement=self._arranged)
        self.sum = Lines("money", widget_id="money-sum", classes="panel")
        self.curve = Plot("score against cost", widget_id="money-curve", classes="panel")
        self._view: MoneyView | None = None

    @override
    def compose(self) -> ComposeResult:
        with Vertical():
            yield self.sum
            yield from super().compose()
            yield self.curve

    @override
    def request(self) -> Request:
        def read(source: Source) -> Apply:
            return partial(self._show, source.money())

        return read

    def _show(self, view: MoneyView | None) -> None:
        self._view = view
        if view is None:
            self.sum.show([tone_line("no campaign yet, nothing spent", "dim")])
            return
        self.sum.show_with(partial(text.summary, view))
        self.curve.name_panel(text.curve_title(view))
        self.curve.show_figure(cost_figure(view))
        self._list(view)

    def _list(self, view: MoneyView) -> None:
        kept = self._arranged.of(text.rows_of(view))
        self.headline.name_panel(f"{count(len(kept), 'share')}{self._arranged.title}")
        self.headline.show_with(lambda width: [text.share_title(width)])
        self.rows.explain(self._arranged.why_none("no share yet"))
        self.rows.supply(Listed(kept, lambda row: row.key, text.share_row))
        self._show_detail(view)

    def _show_detail(self, view: MoneyView) -> None:
        row = self._selected(view)
        self.detail.name_panel("" if row is None else f"{row.group} {row.share.name}")
        if row is None:
            self.detail.show([tone_line("no share yet", "dim")])
        else:
            self.detail.show_with(partial(text.share_page, view, row))

    def _selected(self, view: MoneyView) -> Priced | None:
        return next((row for row in text.rows_of(view) if row.key == self.selected), None)

    @override
    def moved(self) -> None:
        if self._view is not None:
            self._show_detail(self._view)

    @override
    def rearranged(self) -> None:
        if self._view is not None:
            self._list(self._view)

    @override
    def target_of(self, key: Hashable) -> Target | None:
        rows = [] if self._view is None else text.rows_of(self._view)
        row = next((one for one in rows if one.key == key and one.group == "kernel"), None)
        return None if row is None else Target("kernel", row.share.name, f"kernel {row.share.name}")

    @override
    def crumbs(self) -> tuple[str, ...]:
        row = None if self._view is None else self._selected(self._view)
        return () if row is None else (row.group, row.share.name, *super().crumbs()[1:])

    @override
    def copied(self) -> str:
        row = None if self._view is None else self._selected(self._view)
        return "" if row is None else plain(text.share_row(row, 140)).strip()
