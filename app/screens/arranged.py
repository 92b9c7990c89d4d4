"""Which rows of a tab are shown and in which order: words of a filter, an order by name, a direction. Pure."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Generic, TypeVar

T = TypeVar("T")
Key = Callable[[T], Any]
NO_ORDER: Final[Mapping[str, Key[Any]]] = {}


class Arrangement(Generic[T]):
    """said: the text of a row that the filter's words are looked for in, in any case and order. orders: sort keys by
    name; the first is the order at first. An order that only has a name is kept by whoever has the rows."""

    def __init__(
        self, said: Callable[[T], str] = str, orders: Mapping[str, Key[T]] = NO_ORDER, *, down: bool = False
    ) -> None:
        self._said, self._orders = said, dict(orders)
        self._names = tuple(orders)
        self.words, self.order, self.down = "", self._names[0] if self._names else "", down

    def matches(self, value: T) -> bool:
        said = self._said(value).lower()
        return all(word in said for word in self.words.lower().split())

    def of(self, values: Iterable[T]) -> list[T]:
        """The rows that match, in order."""
        kept = [value for value in values if self.matches(value)] if self.words else list(values)
        return sorted(kept, key=self._orders[self.order], reverse=self.down) if self.order else kept

    def next_order(self) -> str:
        """The order after this one; what to say, "" when there is only one."""
        if len(self._names) < 2:
            return ""
        self.order = self._names[(self._names.index(self.order) + 1) % len(self._names)]
        return f"sorted by {self.order}, {self.direction}"

    def reverse(self) -> str:
        if not self._names:
            return ""
        self.down = not self.down
        return self.direction

    @property
    def direction(self) -> str:
        return "descending" if self.down else "ascending"

    @property
    def title(self) -> str:
        """For a panel's title: ` by state, descending, filter: ffn`."""
        return self.by + self.under

    def why_none(self, said: str) -> str:
        """What stands where no row is: that none matches, else what is said."""
        return f"nothing has {self.words!r}; esc shows all" if self.words else said

    @property
    def by(self) -> str:
        return f" by {self.order}{', descending' if self.down else ''}" if self.order else ""

    @property
    def under(self) -> str:
        return f", filter: {self.words}" if self.words else ""
