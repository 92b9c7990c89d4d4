"""Lines of spans on Textual's line API: the base of every panel and list.

A new text is compared row by row with what is drawn, and only rows that differ are repainted. Every span passes
`sanitise.clean` on its way to the terminal.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from typing_extensions import override

from app.sanitise import cells, clean
from app.views import TONES, Line, Tone, width_of

FAR = 1 << 16
CUT = "~"
"""In the last cell of a line that goes on beyond it."""
LAYOUT_S, LAYOUT_CHECKS = 0.05, 8


def changed(old: Line, new: Line) -> tuple[int, int]:
    """The cells (from, up to) outside of which two lines read the same; everything where a character may be wide, up to
    FAR where one of them ends earlier."""
    if not all(narrow(text) for text, _ in (*old, *new)):
        return 0, FAR
    before, after = _marks(old), _marks(new)
    start = _alike(before, after)
    if len(before) != len(after):
        return start, FAR
    return start, len(after) - _alike(before[start:][::-1], after[start:][::-1])


def narrow(text: str) -> bool:
    """Whether every character takes one cell."""
    shown = clean(text)
    return shown.isascii() or cells(shown) == len(shown)


def reach(line: Line) -> int:
    """Cells up to the last one that is not blank."""
    return cells("".join(clean(text) for text, _ in line).rstrip())


def _marks(line: Line) -> list[tuple[str, Tone]]:
    return [(mark, tone) for text, tone in line for mark in clean(text)]


def _alike(one: Sequence[tuple[str, Tone]], other: Sequence[tuple[str, Tone]]) -> int:
    """How many begin alike."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


class Lines(ScrollView, can_focus=False, inherit_bindings=False):
    """A panel of lines. `show` sets them; wider lines are cut with a sign, and scroll sideways where the panel may have
    the focus."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"tone--{tone}" for tone in TONES} | {
        "tone--row", "tone--cursor", "tone--cursor-blurred", "tone--marked",
    }  # fmt: skip

    def __init__(self, title: str = "", *, widget_id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=widget_id, classes=classes)
        self._lines: tuple[Line, ...] = ()
        self._styles_of: dict[str, Style] = {}
        self._drawn: dict[int, tuple[Line, str]] = {}
        self._make: Callable[[int], Sequence[Line]] | None = None
        self._title = ""
        self._waits = False
        self.name_panel(title)

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    def name_panel(self, title: str) -> None:
        """The title in the panel's rule; repainted only when it changes."""
        if title != self._title:
            self._title = title
            self.border_title = Content(clean(title, 200)) if title else None

    def show(self, lines: Sequence[Line]) -> bool:
        """Draws what differs; returns whether anything did."""
        fresh = tuple(lines)
        if fresh == self._lines:
            return False
        self._lines = fresh
        self.fit_content()
        self.repaint_changed()
        return True

    def show_with(self, make: Callable[[int], Sequence[Line]]) -> None:
        """Lines that depend on the width: made now, and again whenever the width changes."""
        self._make = make
        self.when_laid_out(self._remake)

    def _remake(self) -> None:
        if self._make is not None:
            self.show(self._make(self.text_width))

    def when_laid_out(self, action: Callable[[], object], checks: int = LAYOUT_CHECKS) -> None:
        """Now, or as soon as the panel has a size: the first layout does not always tell a panel of its size. A panel
        that stays hidden is not waited for."""
        if self.size.width:
            self._waits = False
            action()
        elif checks and not (self._waits and checks == LAYOUT_CHECKS):
            self._waits = True
            self.set_timer(LAYOUT_S, partial(self.when_laid_out, action, checks - 1))
        else:
            self._waits = self._waits and checks > 0

    @property
    def text_width(self) -> int:
        """Cells of a line, with room for the scrollbar where one may appear."""
        return max(1, self.size.width - (self.styles.overflow_y == "auto"))

    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    def line(self, index: int) -> tuple[Line, str]:
        """The line and the component class that lies under it ("" = none)."""
        return self._lines[index], ""

    def content_width(self) -> int:
        """Cells of the widest line that scrolling may reach."""
        return max(map(width_of, self._lines), default=0)

    def fit_content(self) -> None:
        size = Size(self.content_width(), self.count())
        if size != self.virtual_size:
            self.virtual_size = size

    def repaint_changed(self) -> None:
        """Repaints what is not drawn as it now reads: of the visible rows the part from the first differing cell on."""
        (left, top), width = self.scroll_offset, self.size.width
        count = self.count()
        for y in range(self.size.height):
            index = top + y
            wanted = self.line(index) if index < count else ((), "")
            drawn = self._drawn.get(y)
            if drawn != wanted:
                start, end = (
                    (0, left + width) if drawn is None or drawn[1] != wanted[1] else changed(drawn[0], wanted[0])
                )
                if drawn is not None and self._end < max(reach(drawn[0]), reach(wanted[0])):
                    start, end = min(start, self._end - 1), max(end, self._end)
                part = Region(start - left, y, end - start, 1).intersection(Region(0, y, width, 1))
                self.refresh(part)

    @override
    def render_line(self, y: int) -> Strip:
        left, top = self.scroll_offset
        index, width = top + y, self.size.width
        line, under = self.line(index) if index < self.count() else ((), "")
        self._drawn[y] = (line, under)
        base = self._style("tone--row") if not under else self._style(under)
        segments = [
            Segment(clean(text), base + self._style(f"tone--{tone}", part=tone in TONES) if tone else base)
            for text, tone in line
        ]
        strip, end = Strip(segments), self._end
        if strip.cell_length > end > left and reach(line) > end:
            more = Segment(CUT, base + self._style("tone--dim", part=True))
            return Strip([*strip.crop(left, end - 1), more]).extend_cell_length(width, base)
        return strip.extend_cell_length(left + width, base).crop(left, left + width)

    @property
    def _end(self) -> int:
        """Up to which cell a line is seen."""
        return int(self.scroll_offset.x) + self.scrollable_content_region.width

    def _style(self, name: str, *, part: bool = False) -> Style:
        style = self._styles_of.get(name)
        if style is None:
            style = self.get_component_rich_style(name, partial=part)
            self._styles_of[name] = style
        return style

    @override
    def notify_style_update(self) -> None:
        self._styles_of.clear()
        super().notify_style_update()

    def on_resize(self) -> None:
        self._drawn.clear()
        self._remake()

    def text(self) -> str:
        """Everything in the panel, for copying."""
        return "\n".join("".join(clean(text) for text, _ in self.line(i)[0]).rstrip() for i in range(self.count()))

    def scroll_side(self, step: int) -> None:
        self.scroll_relative(x=8 * step, animate=False)


class Scrolling(Lines, can_focus=True):
    """A panel that the movement keys scroll when it has the focus."""

    def move(self, step: int) -> None:
        self.scroll_relative(y=step, animate=False)

    def page(self, step: int) -> None:
        self.scroll_relative(y=step * max(1, self.size.height // 2), animate=False)

    def edge(self, step: int) -> None:
        self.scroll_to(y=0 if step < 0 else self.max_scroll_y, animate=False)


def tone_line(text: str, tone: Tone = "") -> Line:
    """One span."""
    return ((text, tone),)
