"""A grid of cards with a cursor: everybody at once, drawn by one widget. The grid fits itself to entries and room."""

import math
from collections.abc import Sequence
from typing import Final, Protocol

from typing_extensions import override

from app.sanitise import cells, cut
from app.views import Line, Span, Tone, fit
from app.widgets.chooser import Chooser
from app.widgets.supplier import Supplier

MOST_COLUMNS: Final = 6
LOWEST, HIGHEST = 6, 12
"""Lines of a card."""


class Cards(Supplier, Protocol):
    """Entries that are also cards of so many lines."""

    def card(self, index: int, width: int, height: int) -> Sequence[Line]: ...


class Board(Chooser, can_focus=True):
    """The first line of a card is its title, which carries cursor and mark."""

    def __init__(self, title: str = "", *, widget_id: str, classes: str | None = None) -> None:
        super().__init__(title, widget_id=widget_id, classes=classes)
        self._cards: Cards | None = None
        self._made: dict[tuple[int, int, int], Sequence[Line]] = {}

    def deal(self, cards: Cards) -> None:
        self._cards = cards
        self._made = {}
        self.supply(cards)

    @property
    def columns(self) -> int:
        return max(1, min(MOST_COLUMNS, math.ceil(math.sqrt(self.size_of_list))))

    @property
    def _deep(self) -> int:
        return math.ceil(self.size_of_list / self.columns)

    @property
    def _tall(self) -> int:
        """Of a card."""
        return max(LOWEST, min(HIGHEST, self.size.height // max(1, self._deep)))

    @property
    def _wide(self) -> int:
        """Cells of a card, with the gap after it."""
        return max(8, self.scrollable_content_region.width // self.columns)

    @override
    def count(self) -> int:
        return self._deep * self._tall

    @override
    def content_width(self) -> int:
        return 0

    @override
    def span_of(self, index: int) -> tuple[int, int]:
        return index // self.columns * self._tall, self._tall

    @override
    def index_at(self, x: int, y: int) -> int:
        return y // self._tall * self.columns + min(x // self._wide, self.columns - 1)

    @override
    def move(self, step: int) -> None:
        """Down and up by a row of cards, as far as there is one below or above."""
        index = self.cursor + step * self.columns
        if 0 <= index < self.size_of_list:
            self.move_to(index)
        elif step > 0 and self.cursor // self.columns < self._deep - 1:
            self.edge(1)

    @override
    def aside(self, step: int) -> bool:
        self.move_to(self.cursor + step)
        return True

    @override
    def page(self, step: int) -> None:
        self.move_to(self.cursor + step * self.columns * max(1, self.size.height // (2 * self._tall)))

    @override
    def line(self, index: int) -> tuple[Line, str]:
        """One line through a row of cards."""
        first, part = index // self._tall * self.columns, index % self._tall
        spans: list[Span] = []
        for at in range(first, min(first + self.columns, self.size_of_list)):
            spans += self._head(at) if part == 0 else self._filled(self._card(at)[part])
        return tuple(spans), ""

    def _card(self, index: int) -> Sequence[Line]:
        wanted = (index, self._wide - 1, self._tall)
        if wanted not in self._made:
            lines = [] if self._cards is None else list(self._cards.card(*wanted))[: self._tall]
            self._made[wanted] = [*lines, *([()] * (self._tall - len(lines)))]
        return self._made[wanted]

    def _head(self, index: int) -> list[Span]:
        lead = self.lead(index)
        if index != self.cursor and lead != "*":
            return [(lead, ""), *self._filled(self._card(index)[0], 1)]
        here: Tone = "cursor" if self.has_focus else "cursor-blurred"
        text = "".join(said for said, _ in self._card(index)[0])
        return [(fit(f"{lead}{text}", self._wide - 1), here if index == self.cursor else "marked"), (" ", "")]

    def _filled(self, line: Line, used: int = 0) -> list[Span]:
        """Exactly as wide as a card."""
        room, spans = self._wide - 1 - used, list[Span]()
        for text, tone in line:
            kept = cut(text, room)
            room -= cells(kept)
            spans.append((kept, tone))
        return [*spans, (" " * (room + 1), "")]

    @override
    def on_resize(self) -> None:
        self.fit_content()
        self._drawn.clear()
        super().on_resize()
