"""Where the entries of a list come from: asked for what is visible only."""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, Protocol, TypeVar

from app.views import Line

T = TypeVar("T")


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
