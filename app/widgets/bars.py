"""The one-line widgets around the tabs: header, tab bar, footer, and the notices above the footer."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events
from textual.scrollbar import ScrollBarRender
from typing_extensions import override

from app.keys import Key
from app.messages import KeyAsked, TabAsked
from app.sanitise import cells, clean, fit
from app.views import Line, Span, beside, width_of, wrap
from app.widgets.lines import Lines

FOLDS: Final = 2
GAP: Final = 2
"""Cells between two keys of the footer."""
LEAST_WAY: Final = 8
"""Cells from which a breadcrumb is worth its place."""


class PlainScrollBar(ScrollBarRender):
    """Without block glyphs, for `--ascii`."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


class Bar(Lines):
    """One line with two ends, as wide as the screen: what it says is right before it is laid out again."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id, classes="bar")
        self._ends: tuple[tuple[Span, ...], tuple[Span, ...]] = ((), ())

    def show_ends(self, left: Sequence[Span], right: Sequence[Span] = ()) -> None:
        self._ends = (tuple(left), tuple(right))
        self.show([beside(left, right, self.room)])

    @property
    def room(self) -> int:
        return self.app.size.width

    @override
    def on_resize(self) -> None:
        self.show_ends(*self._ends)


class TabBar(Bar):
    """The tabs by number; the active one in brackets and in bold, so that it shows without colour. After them, as far
    as there is room, where the reader is inside the tab."""

    def __init__(self, names: Sequence[str], *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._names = tuple(names)
        self._active = 0
        self._badge: tuple[Span, ...] = ()
        self._crumbs: tuple[str, ...] = ()

    def show_active(self, index: int, badge: Sequence[Span] = (), crumbs: Sequence[str] = ()) -> None:
        self._active, self._badge, self._crumbs = index, tuple(badge), tuple(crumbs)
        room = self.room - width_of(self._badge)
        tabs = self._tabs(room)
        self.show_ends((*tabs, *self._way(room - width_of(tabs))), self._badge)

    def _way(self, room: int) -> Line:
        text = "".join(f" > {clean(crumb, 40)}" for crumb in self._crumbs)
        if not text or room < LEAST_WAY:
            return ()
        return ((fit(text, min(room, cells(text))), "accent"),)

    @override
    def on_resize(self) -> None:
        self.show_active(self._active, self._badge, self._crumbs)

    def _tabs(self, room: int) -> Line:
        long = self._labels(short=False)
        return long if width_of(long) <= room else self._labels(short=True)

    def _labels(self, *, short: bool) -> Line:
        spans: list[Span] = []
        for index, name in enumerate(self._names):
            if index == self._active:
                spans.append((f"[{index + 1} {name}]", "strong"))
            else:
                spans.append((f" {index + 1} " if short else f" {index + 1} {name} ", "dim"))
        return tuple(spans)

    def on_click(self, event: events.Click) -> None:
        at = event.x
        for index, (text, _) in enumerate(self._tabs(self.room - width_of(self._badge))):
            if at < len(text):
                self.post_message(TabAsked(index))
                return
            at -= len(text)


class KeyBar(Bar):
    """The footer: as many keys as fit, never a cut one."""

    def __init__(self, keys: Sequence[Key], *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._keys = tuple(keys)
        self._shown: tuple[Key, ...] = ()

    @override
    def on_resize(self) -> None:
        self.fit()

    def fit(self) -> None:
        """The keys that there is room for."""
        fitting = self._fitting(self.room - 1)
        self._shown = tuple(key for key in self._keys if key in fitting)
        self.show_ends([(" ", ""), *(span for key in self._shown for span in _label(key))])

    def on_click(self, event: events.Click) -> None:
        """On a key or its title; the blanks between two belong to none."""
        at = event.x - 1
        for key in self._shown:
            width = width_of(_label(key))
            if 0 <= at < width - GAP:
                self.post_message(KeyAsked(key.action))
                return
            at -= width

    def _fitting(self, room: int) -> list[Key]:
        """The last two keys (help and the way out) are never left out."""
        fitting: list[Key] = []
        for key in (*self._keys[-2:], *self._keys[:-2]):
            room -= width_of(_label(key))
            if room >= 0:
                fitting.append(key)
        return fitting


def _label(key: Key) -> Line:
    return ((key.shown, "accent"), (f" {key.title}{' ' * GAP}", "dim"))


class NoticeLines(Lines):
    """What a command came to, above the footer; gone when there is nothing to say."""

    MOST = 4

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self.display = False

    def show_notices(self, notices: Sequence[Line]) -> None:
        lines = [row for line in notices for row in _folded(line, max(8, self.app.size.width - 2))][-self.MOST :]
        self.display = bool(lines)
        self.styles.height = len(lines)
        self.show(lines)


def _folded(line: Line, width: int) -> list[Line]:
    """On two lines at most, and with a sign where that is not all of it."""
    said, tone = "".join(text for text, _ in line), line[0][1]
    rows = wrap(said, width)
    if len(rows) > FOLDS:
        rows = [*rows[: FOLDS - 1], fit(" ".join(rows[FOLDS - 1 :]), width)]
    return [((f" {row}", tone),) for row in rows]
