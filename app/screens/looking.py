"""The keys that only move and look: cursor, panels, filter, order, marks, copy, zoom."""

from typing import TYPE_CHECKING

from textual.widgets import Input

from app.keys import KEYS, Key
from app.screens.dialogs import Help
from app.screens.steering import SteeringScreen
from app.widgets.chooser import Chooser
from app.widgets.lines import Lines, Scrolling

if TYPE_CHECKING:
    from textual.widget import Widget

Movable = Chooser | Scrolling


class LookingScreen(SteeringScreen):
    """Base of the main screen between steering and the tabs. keys: the key table as it is bound."""

    keys: tuple[Key, ...] = KEYS

    def movable(self) -> Movable | None:
        """The focused panel, else the active tab's list."""
        focused = self.focused
        return focused if isinstance(focused, Chooser | Scrolling) else self.pane.main_list()

    def rows(self) -> Chooser | None:
        listed = self.pane.main_list()
        return listed if isinstance(listed, Chooser) else None

    def action_move(self, step: int) -> None:
        panel = self.movable()
        if panel is not None:
            panel.move(step)

    def action_page(self, step: int) -> None:
        panel = self.movable()
        if panel is not None:
            panel.page(step)

    def action_edge(self, step: int) -> None:
        panel = self.movable()
        if panel is not None:
            panel.edge(step)

    def action_side(self, step: int) -> None:
        self.pane.side(step)

    def action_panel(self, step: int) -> None:
        if step > 0:
            self.focus_next()
        else:
            self.focus_previous()

    def action_open(self) -> None:
        self.pane.open_row()

    def action_back(self) -> None:
        """Zoom, then filter, then what the tab has to go back from."""
        line = self.filter_line()
        if self.maximized is not None:
            self.minimize()
        elif line.display and not self.pane.has_class("-detail"):
            self.close_filter()
        else:
            self.pane.go_back()

    def filter_line(self) -> Input:
        raise NotImplementedError

    def action_filter(self) -> None:
        if not self.pane.can_filter:
            self.say("this tab has nothing to filter")
            return
        line = self.filter_line()
        line.display = True
        self.set_focus(line)

    def close_filter(self) -> None:
        line = self.filter_line()
        line.value, line.display = "", False
        self.pane.shown()

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input is self.filter_line():
            self.pane.set_filter(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The filter stays, the list gets the keys back."""
        if event.input is self.filter_line():
            self.filter_line().display = bool(event.value)
            self.pane.shown()

    def action_match(self, step: int) -> None:
        self.pane.next_match(step)

    def action_sort(self) -> None:
        self.say(self.pane.sort() or "this tab has one order")

    def action_reverse(self) -> None:
        self.say(self.pane.reverse() or "this tab has one order")

    def action_follow(self) -> None:
        self.say(self.pane.toggle_follow() or "nothing to follow in this tab")

    def action_mark(self) -> None:
        rows = self.rows()
        if rows is not None:
            rows.toggle_mark()

    def action_mark_range(self) -> None:
        rows = self.rows()
        if rows is not None:
            rows.toggle_range()

    def action_zoom(self) -> None:
        panel: Widget | None = self.focused or self.pane.main_list()
        if self.maximized is not None:
            self.minimize()
        elif isinstance(panel, Lines):
            self.maximize(panel, container=False)

    def action_plots(self) -> None:
        self.say(self.pane.plots() or "this tab has no curves to switch to")

    def action_talk(self) -> None:
        self.say(self.pane.talk() or "only agents have a transcript")

    def action_compare(self) -> None:
        self.say(self.pane.compare() or "this tab has nothing to compare")

    def action_copy(self) -> None:
        self.copy(self.pane.copied())

    def action_copy_panel(self) -> None:
        panel = self.focused or self.pane.main_list()
        self.copy(panel.text() if isinstance(panel, Lines) else "")

    def copy(self, text: str) -> None:
        """To the terminal's clipboard and to a file."""
        raise NotImplementedError

    def action_help(self) -> None:
        self.app.push_screen(Help(self.keys))
