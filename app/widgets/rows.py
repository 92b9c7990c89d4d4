"""A list of any length with a cursor, marks and follow: draws only what is visible, rows come from a supplier.

Cursor and marks stick to the row's key, so a new order or new rows never move them to something else.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Generic, Protocol, TypeVar

from textual import events
from typing_extensions import override

from app.messages import Moved, Opened
from app.views import Line
from app.widgets.lines import Lines

T = TypeVar("T")
LAYOUT_S, LAYOUT_CHECKS = 0.05, 8


class Supplier(Protocol):
    """Rows on demand. `row` is asked for visible rows only and must be cheap."""

    def count(self) -> int: ...

    def key(self, index: int) -> Hashable: ...

    def find(self, key: Hashable) -> int | None:
        """Where the row with this key stands now."""
        ...

    def row(self, index: int, width: int) -> Line: ...


class Listed(Generic[T]):
    """A supplier over values that are at hand; a row is made when it is drawn, for the width it is drawn in."""

    def __init__(self, values: Sequence[T], key: Callable[[T], Hashable], row: Callable[[T, int], Line]) -> None:
        self._values, self._key, self._row = values, key, row
        self._where: dict[Hashable, int] | None = None

    def count(self) -> int:
        return len(self._values)

    def key(self, index: int) -> Hashable:
        return self._key(self._values[index])

    def find(self, key: Hashable) -> int | None:
        if self._where is None:
            self._where = {self._key(value): index for index, value in enumerate(self._values)}
        return self._where.get(key)

    def row(self, index: int, width: int) -> Line:
        return self._row(self._values[index], width)


def _no_row(_value: str, _width: int) -> Line:
    return ()


NOTHING: Supplier = Listed((), str, _no_row)


class Rows(Lines, can_focus=True):
    """The list. Posts `Moved` when the cursor stands on another key, `Opened` on a click on the cursor's row."""

    def __init__(self, title: str = "", *, widget_id: str, classes: str | None = None, follows: bool = False) -> None:
        super().__init__(title, widget_id=widget_id, classes=classes)
        self._supplier: Supplier = NOTHING
        self.cursor = 0
        self.following = follows
        self.marks: set[Hashable] = set()
        self._range_from: int | None = None

    def supply(self, supplier: Supplier) -> None:
        """New rows; the cursor stays on its key, else near its place, else on the last row when following."""
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
    def cursor_key(self) -> Hashable:
        """None when the list is empty."""
        return self._supplier.key(self.cursor) if 0 <= self.cursor < self._supplier.count() else None

    @override
    def count(self) -> int:
        return self._supplier.count()

    @override
    def content_width(self) -> int:
        return 0

    @override
    def line(self, index: int) -> tuple[Line, str]:
        key = self._supplier.key(index)
        marked = key in self.marks
        row = self._supplier.row(index, self.scrollable_content_region.width - 1)
        lead = "*" if marked else ">" if index == self.cursor else " "
        under = ("tone--cursor" if self.has_focus else "tone--cursor-blurred") if index == self.cursor else ""
        return ((lead, "warn" if marked else ""), *row), under or ("tone--marked" if marked else "")

    def move(self, step: int) -> None:
        self.move_to(self.cursor + step)

    def page(self, step: int) -> None:
        self.move_to(self.cursor + step * max(1, self.size.height // 2))

    def edge(self, step: int) -> None:
        self.move_to(0 if step < 0 else self.count() - 1)

    def move_to(self, index: int) -> None:
        """Going up stops following."""
        old_key = self.cursor_key
        if index < self.cursor:
            self.following = False
        self.cursor = max(0, min(index, self.count() - 1))
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
        visible = top <= self.cursor < top + height
        if height and not visible:
            wanted = self.cursor if self.cursor < top else self.cursor - height + 1
            self.scroll_to(y=wanted, animate=False, immediate=True)
        if checks and (not visible or checks < LAYOUT_CHECKS):
            self.set_timer(LAYOUT_S, partial(self._keep_visible, checks - 1))

    def toggle_mark(self) -> None:
        if self.cursor_key is not None:
            self.marks ^= {self.cursor_key}
            self.move(1)

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
        if self._range_from is not None and self.count():
            low, high = sorted((min(self._range_from, self.count() - 1), self.cursor))
            self.marks |= {self._supplier.key(index) for index in range(low, high + 1)}

    @override
    def on_resize(self) -> None:
        self._keep_visible()

    def on_show(self) -> None:
        """Rows that came before the first layout."""
        self._keep_visible()

    def on_focus(self) -> None:
        self.repaint_changed()

    def on_blur(self) -> None:
        self.repaint_changed()

    def on_click(self, event: events.Click) -> None:
        index = self.scroll_offset.y + event.get_content_offset_capture(self).y
        if index == self.cursor:
            self.post_message(Opened(self.id or ""))
        elif index < self.count():
            self.move_to(index)
