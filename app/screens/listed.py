"""A tab with a list and the detail of its selected row: side by side with room, one after the other without."""

from collections.abc import Callable, Hashable
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from typing_extensions import override

from app.messages import Moved, Opened
from app.screens.arranged import Arrangement
from app.screens.pane import Pane
from app.widgets.chooser import Chooser
from app.widgets.lines import Lines, Scrolling
from app.widgets.rows import Rows

DETAIL = "-detail"


class ListedPane(Pane):
    """Base of Trees, Agents, Filings and Log. enter goes into the detail, esc back to the list."""

    def __init__(
        self, widget_id: str, clock: Callable[[], float], *, list_title: str, follows: bool = False,
        arrangement: Arrangement[Any] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(widget_id, clock, arrangement=arrangement)
        self.headline = Lines(list_title, widget_id=f"{widget_id}-head", classes="panel headed")
        self.rows = Rows(widget_id=f"{widget_id}-rows", classes="list", follows=follows)
        self.detail = Scrolling("", widget_id=f"{widget_id}-detail", classes="panel detail")

    @override
    def compose(self) -> ComposeResult:
        with Horizontal(classes="listed"):
            with Vertical(classes="side"):
                yield self.headline
                yield self.rows
            yield self.detail

    @override
    def main_list(self) -> Chooser:
        return self.rows

    @property
    def selected(self) -> Hashable:
        return self.main_list().cursor_key

    @override
    def crumbs(self) -> tuple[str, ...]:
        inside = self.has_class(DETAIL) or self.detail.has_focus
        return (*super().crumbs(), "detail") if inside else super().crumbs()

    @override
    def open_row(self) -> None:
        if self.detail.has_focus:
            return
        self.add_class(DETAIL)
        self.screen.set_focus(self.detail, scroll_visible=False)

    @override
    def go_back(self) -> bool:
        if not self.has_class(DETAIL) and not self.detail.has_focus:
            return super().go_back()
        self.remove_class(DETAIL)
        self.screen.set_focus(self.main_list(), scroll_visible=False)
        return True

    def on_moved(self, message: Moved) -> None:
        message.stop()
        self.detail.scroll_home(animate=False)
        self.moved()

    def moved(self) -> None:
        """The cursor stands on another row."""
        self.want(detail=True)

    def on_opened(self, message: Opened) -> None:
        message.stop()
        self.open_row()
