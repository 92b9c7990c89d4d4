"""A list with a cursor, marks and follow, whatever its entries look like: the base of `Rows` and `Board`.

Cursor and marks stick to the entry's key, so a new order or new entries never move them to something else.
"""

from collections.abc import Hashable
from functools import partial

from textual import events
from typing_extensions import override

from app.messages import Moved, Opened
from app.sanitise import clean
from app.widgets.lines import LAYOUT_CHECKS, LAYOUT_S, Lines
from app.widgets.supplier import NOTHING, Supplier


class Chooser(Lines, can_focus=True):
    """Posts `Moved` when the cursor stands on another key, `Opened` on a click on the cursor's entry."""

    def __init__(self, title: str = "", *, widget_id: str, classes: str | None = None, follows: bool = False) -> None:
        super().__init__(title, widget_id=widget_id, classes=classes)
        self._supplier: Supplier = NOTHING
        self.cursor = 0
        self.following = follows
        self.marks: set[Hashable] = set()
        self._range_from: int | None = None

    def supply(self, supplier: Supplier) -> None:
        """New entries; the cursor stays on its key, else near its place, else on the last one when following."""
        old_key = self.cursor_key
        self._supplier = supplier
        self.fit_content()
        if self.following:
            self.cursor = max(0, supplier.count() - 1)
        elif old_key is not None:
            found = supplier.find(old_key)
            self.cursor = self.cursor if found is None else found
        self.cursor = max(0, min(self.cursor, supplier.count() - 1))
        self._after_move(old_key)

    @property
    def size_of_list(self) -> int:
        return self._supplier.count()

    @property
    def cursor_key(self) -> Hashable:
        """None when the list is empty."""
        return self._supplier.key(self.cursor) if 0 <= self.cursor < self._supplier.count() else None

    def span_of(self, index: int) -> tuple[int, int]:
        """The first line of an entry, and how many it has."""
        raise NotImplementedError

    def index_at(self, x: int, y: int) -> int:
        """The entry at a cell of the content."""
        raise NotImplementedError

    def said(self) -> str:
        """The entry under the cursor as text, for copying."""
        if self.cursor_key is None:
            return ""
        line = self._supplier.row(self.cursor, max(1, self.size.width))
        return "".join(clean(text) for text, _ in line).strip()

    def choose(self, key: Hashable) -> None:
        """The cursor on this key, if it is there."""
        found = self._supplier.find(key)
        if found is not None:
            self.move_to(found)

    def move(self, step: int) -> None:
        self.move_to(self.cursor + step)

    def aside(self, step: int) -> bool:
        """Left (-1) and right (1); whether that means anything here."""
        del step  # a list of one column has no left and right
        return False

    def page(self, step: int) -> None:
        self.move_to(self.cursor + step * max(1, self.size.height // 2))

    def edge(self, step: int) -> None:
        self.move_to(0 if step < 0 else self.size_of_list - 1)

    def move_to(self, index: int) -> None:
        """Going up stops following."""
        old_key = self.cursor_key
        if index < self.cursor:
            self.following = False
        self.cursor = max(0, min(index, self.size_of_list - 1))
        self._mark_range()
        self._after_move(old_key)

    def _after_move(self, old_key: Hashable) -> None:
        self._keep_visible()
        self.repaint_changed()
        if self.cursor_key != old_key:
            self.post_message(Moved(self.id or ""))

    def _keep_visible(self, checks: int = LAYOUT_CHECKS) -> None:
        """Scrolls to the cursor, and looks again a few times: a layout that is still under way may undo it."""
        height, top = self.size.height, self.scroll_offset.y
        first, lines = self.span_of(self.cursor)
        visible = top <= first and first + lines <= top + height
        if height and not visible:
            wanted = first if first < top else first - height + lines
            self.scroll_to(y=wanted, animate=False, immediate=True)
        if checks and (not visible or checks < LAYOUT_CHECKS):
            self.set_timer(LAYOUT_S, partial(self._keep_visible, checks - 1))

    def toggle_mark(self) -> None:
        if self.cursor_key is not None:
            self.marks ^= {self.cursor_key}
            self.move_to(self.cursor + 1)

    def toggle_range(self) -> None:
        """The first call starts a range at the cursor, the second ends it."""
        self._range_from = self.cursor if self._range_from is None else None
        self._mark_range()
        self.repaint_changed()

    def clear_marks(self) -> bool:
        """Whether there was anything to clear."""
        had = bool(self.marks) or self._range_from is not None
        self.marks, self._range_from = set(), None
        self.repaint_changed()
        return had

    def _mark_range(self) -> None:
        if self._range_from is not None and self.size_of_list:
            low, high = sorted((min(self._range_from, self.size_of_list - 1), self.cursor))
            self.marks |= {self._supplier.key(index) for index in range(low, high + 1)}

    def lead(self, index: int) -> str:
        """What stands in front of an entry, so that cursor and marks show without colour."""
        return "*" if self._supplier.key(index) in self.marks else ">" if index == self.cursor else " "

    @override
    def on_resize(self) -> None:
        self._keep_visible()

    def on_show(self) -> None:
        """Entries that came before the first layout."""
        self._keep_visible()

    def on_focus(self) -> None:
        self.repaint_changed()

    def on_blur(self) -> None:
        self.repaint_changed()

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset_capture(self)
        index = self.index_at(at.x, self.scroll_offset.y + at.y)
        if index == self.cursor:
            self.post_message(Opened(self.id or ""))
        elif 0 <= index < self.size_of_list:
            self.move_to(index)
