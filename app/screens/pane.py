"""One tab: what it reads, how it shows it, and what the keys mean in it."""

from collections.abc import Callable, Hashable
from typing import Any

from textual.containers import Container

from app.messages import Target, Wanted
from app.screens.arranged import Arrangement
from app.source import Source
from app.widgets.chooser import Chooser
from app.widgets.lines import Lines, Scrolling
from app.widgets.plot import Plot

Apply = Callable[[], None]
Request = Callable[[Source], Apply]
Files = dict[str, str]
"""Texts by the names of the files that they are written to."""


class Pane(Container):
    """Base of the tabs. `request` is called on the loop and returns what is asked in the feed's thread; the answer is a
    function that shows the result, called on the loop again. Only the active pane is asked.
    """

    TITLE = ""
    NOUN = ""
    """What a row of the tab is, for the breadcrumb."""
    PACE_S = 0.0
    """Seconds between two readings that nobody asked for."""

    def __init__(
        self, widget_id: str, clock: Callable[[], float], *, arrangement: Arrangement[Any] | None = None
    ) -> None:
        super().__init__(id=widget_id)
        self.clock = clock
        self.arrangement = arrangement

    def request(self) -> Request | None:
        """Everything the pane shows; None = nothing to read."""
        return None

    def detail_request(self) -> Request | None:
        """Only what belongs to the selected row: read while the view is frozen."""
        return None

    def main_list(self) -> Chooser | Scrolling | None:
        """The list the movement keys act on when no other panel has the focus."""
        return None

    def target_of(self, key: Hashable) -> Target | None:
        """What p, r, x and i act on in the row of this key; None = nothing."""
        return None

    def target(self) -> Target | None:
        """Of the selected row."""
        listed = self.main_list()
        return self.target_of(listed.cursor_key) if isinstance(listed, Chooser) else None

    def targets(self) -> list[Target]:
        """Of the marked rows, each once, else of the selected one."""
        listed = self.main_list()
        marks = sorted(listed.marks, key=str) if isinstance(listed, Chooser) else []
        found = [self.target_of(key) for key in marks] if marks else [self.target()]
        return list({(one.kind, one.name): one for one in found if one is not None}.values())

    def open_row(self) -> None:
        """enter."""

    def go_back(self) -> bool:
        """esc; whether there was anything to go back from."""
        listed = self.main_list()
        return isinstance(listed, Chooser) and listed.clear_marks()

    def side(self, step: int) -> None:
        """left and right: the next card, or scroll the focused panel."""
        panel = self.screen.focused
        aside = isinstance(panel, Chooser) and panel.aside(step)
        if isinstance(panel, Lines) and not aside:
            panel.scroll_side(step)

    def crumbs(self) -> tuple[str, ...]:
        """Where the reader is inside the tab, outermost first."""
        listed = self.main_list()
        key = listed.cursor_key if isinstance(listed, Chooser) else None
        return () if key is None else (f"{self.NOUN} {key}".strip(),)

    def rearranged(self) -> None:
        """The filter or the order changed: show the rows again."""

    def set_filter(self, text: str) -> None:
        """What the filter line says now; "" = all rows."""
        if self.arrangement is not None and self.arrangement.words != text.strip():
            self.arrangement.words = text.strip()
            self.rearranged()

    @property
    def can_filter(self) -> bool:
        return self.arrangement is not None

    def next_match(self, step: int) -> None:
        listed = self.main_list()
        if isinstance(listed, Chooser):
            listed.move(step)

    def sort(self) -> str:
        """The next order; returns what to say, "" when this tab has only one."""
        return self._in_order("" if self.arrangement is None else self.arrangement.next_order())

    def reverse(self) -> str:
        return self._in_order("" if self.arrangement is None else self.arrangement.reverse())

    def _in_order(self, said: str) -> str:
        if said:
            self.rearranged()
        return said

    def toggle_follow(self) -> str:
        return ""

    def plots(self) -> str:
        """Curves as tables, or as curves again; returns what to say, "" when this tab has none."""
        plots = list(self.query(Plot))
        tabled = bool(plots) and not plots[0].tabled
        for plot in plots:
            plot.show_table(tabled=tabled)
        return "" if not plots else "tables in place of curves" if tabled else "curves"

    def talk(self) -> str:
        """The transcript in place of the detail, or the detail; returns what to say, "" when this tab has none."""
        return ""

    def compare(self) -> str:
        """Two rows beside each other; returns what to say, "" when this tab compares nothing."""
        return ""

    def export_request(self) -> Callable[[Source], Files] | None:
        """What is read, in the feed's thread, to be written to files; None = nothing here to export."""
        return None

    def copied(self) -> str:
        """The text of the selected row."""
        listed = self.main_list()
        return listed.said() if isinstance(listed, Chooser) else ""

    def want(self, *, detail: bool = False) -> None:
        """Ask for a reading now instead of at the next tick; detail: only what belongs to the selected row."""
        self.post_message(Wanted(detail=detail))

    def fit_room(self) -> None:
        """Called when the tab becomes the active one and when the screen has another size: what fits now."""

    def shown(self) -> None:
        """Called whenever the tab becomes the active one."""
        listed = self.main_list()
        if listed is not None and listed.focusable:
            self.screen.set_focus(listed, scroll_visible=False)
