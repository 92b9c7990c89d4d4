"""Curves in characters, by plotext 6 (pinned): drawn when the data or the size change, at about 1 ms a drawing.

The library is imported in a thread after the first frame (`load_plotext`); until then the panel says so.
"""

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from typing_extensions import override

from app.views import Line, Span, Tone, wrap
from app.widgets.lines import Lines

if TYPE_CHECKING:
    from types import ModuleType

BRAILLE: Final = "braille"
SMALLEST: Final = (16, 4)
GAP: Final = 4
_STAR: Final = "*"
_FRAME: Final = frozenset("┌┐└┘─│┤┬┴├┼")
_ASCII_FRAME: Final = str.maketrans({"┌": "+", "┐": "+", "└": "+", "┘": "+", "─": "-", "│": "|", "┤": "+", "┬": "+"})
_module: list["ModuleType"] = []


@dataclass(frozen=True, slots=True)
class Curve:
    """Points (x, y) joined by lines; marker: plotext's name, or one character."""

    points: tuple[tuple[float, float], ...]
    marker: str = BRAILLE


@dataclass(frozen=True, slots=True)
class Figure:
    """What to draw; ticks are (position, label). lower, upper: the y range. told: (where, value) of the points that
    matter, as text."""

    curves: tuple[Curve, ...]
    x_ticks: tuple[tuple[float, str], ...] = ()
    y_ticks: tuple[tuple[float, str], ...] = ()
    lower: float | None = None
    upper: float | None = None
    empty: str = "nothing measured yet"
    told: tuple[tuple[str, str], ...] = ()


def load_plotext() -> None:
    """Imports the library; called in a thread."""
    if not _module:
        module = importlib.import_module("plotext")
        module.terminal.limit(False, False)
        _module.append(module)


def draw(figure: Figure, width: int, height: int, *, ascii_only: bool = False) -> list[str]:
    """The figure as `height` lines of `width` characters; a message where it is too small or there is no point."""
    if not any(curve.points for curve in figure.curves):
        return wrap(figure.empty, width)
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return ["too small for a curve"]
    if not _module:
        return ["..."]
    text = _draw(_module[0].figure, figure, width, height, ascii_only=ascii_only)
    return [line.rstrip() for line in (text.translate(_ASCII_FRAME) if ascii_only else text).split("\n")][:height]


def table(figure: Figure, width: int, height: int) -> list[str]:
    """Its points as text, down and then to the right; where there are too many the oldest are left out, and that is
    said."""
    if not figure.told:
        return wrap(figure.empty, width)
    left, right = (max(len(one[side]) for one in figure.told) for side in (0, 1))
    rows = [f"{where:>{left}}  {value:<{right}}" for where, value in figure.told]
    room = max(1, (width + GAP) // (left + 2 + right + GAP)) * max(1, height)
    if len(rows) > room:
        rows = [f"{len(rows) - room + 1} before"[: left + 2 + right].ljust(left + 2 + right), *rows[1 - room :]]
    return [(" " * GAP).join(rows[at::height]).rstrip() for at in range(min(height, len(rows)))]


def _draw(target: "ModuleType", figure: Figure, width: int, height: int, *, ascii_only: bool) -> str:
    target.clear()
    target.plot_size(width, height)
    target.axes(False, axis="x", side="upper")
    target.axes(False, axis="y", side="right")
    for curve in figure.curves:
        marker = _STAR if ascii_only and curve.marker == BRAILLE else curve.marker
        signal = target.signal([x for x, _ in curve.points], [y for _, y in curve.points], marker=marker)
        target.draw(signal.lines(len(curve.points) > 1))
    if figure.lower is not None and figure.upper is not None:
        target.ruler("y").lim(figure.lower, figure.upper)
    for axis, ticks in (("x", figure.x_ticks), ("y", figure.y_ticks)):
        if ticks:
            target.ruler(axis).ticks([at for at, _ in ticks], [label for _, label in ticks])
    return str(target.build().string(colorless=True))


class Plot(Lines, can_focus=True):
    """A panel with one figure. Curves in braille are accented, the frame is dim, other markers warn."""

    def __init__(self, title: str = "", *, widget_id: str | None = None, classes: str | None = None) -> None:
        super().__init__(title, widget_id=widget_id, classes=classes)
        self._figure = Figure(())
        self._drawn_as: tuple[Figure, int, int, bool, bool] | None = None
        self.tabled = False

    def show_figure(self, figure: Figure) -> None:
        self._figure = figure
        self.when_laid_out(self.redraw)

    def redraw(self) -> None:
        """Draws again if figure, size or library changed."""
        width, height = self.size
        ready = bool(_module)
        wanted = (self._figure, width, height, ready, self.tabled)
        if wanted == self._drawn_as or width == 0:
            return
        self._drawn_as = wanted
        if self.tabled:
            self.show([((row, ""),) for row in table(self._figure, width, height)])
            return
        ascii_only = self.app.has_class("-ascii")
        self.show([_tones(line) for line in draw(self._figure, width, height, ascii_only=ascii_only)])

    def show_table(self, *, tabled: bool) -> None:
        """The points as text in place of the curve, or the curve again."""
        self.tabled = tabled
        self.redraw()

    @override
    def on_resize(self) -> None:
        self.redraw()


def _tones(text: str) -> Line:
    """Runs of characters of one tone."""
    spans: list[Span] = []
    for character in text:
        tone = _tone(character)
        if spans and spans[-1][1] == tone:
            spans[-1] = (spans[-1][0] + character, tone)
        else:
            spans.append((character, tone))
    return tuple(spans)


def _tone(character: str) -> Tone:
    if "\u2801" <= character <= "\u28ff" or character == _STAR:
        return "accent"
    if character in _FRAME:
        return "dim"
    return "warn" if character in "=~" else ""
