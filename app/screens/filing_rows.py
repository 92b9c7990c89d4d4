"""The pages of filings that were read, as rows of a list of any length."""

from collections.abc import Callable, Hashable

from app.screens import filing_text
from app.source import FilingPage, FilingQuery
from app.views import Line
from app.widgets.lines import tone_line
from store.views import FilingView

PAGES_KEPT = 8


class FilingRows:
    """The pages that were read, by offset; a `Supplier` that knows how many rows there are in all."""

    def __init__(self, query: FilingQuery, on_missing: Callable[[], None]) -> None:
        self.query = query
        self._on_missing = on_missing
        self.total = 0
        self.pages: dict[int, tuple[FilingView, ...]] = {}
        self.missing: int | None = None

    def take(self, page: FilingPage) -> None:
        """Keeps the pages read last."""
        self.total = page.total
        self.pages.pop(page.query.offset, None)
        self.pages[page.query.offset] = page.rows
        while len(self.pages) > PAGES_KEPT:
            self.pages.pop(next(iter(self.pages)))
        self.missing = None

    def at(self, index: int) -> FilingView | None:
        offset = index - index % self.query.limit
        rows = self.pages.get(offset)
        if rows is None:
            if self.missing != offset:
                self.missing = offset
                self._on_missing()
            return None
        return rows[index - offset] if index - offset < len(rows) else None

    def count(self) -> int:
        return self.total

    def key(self, index: int) -> Hashable:
        filing = self.at(index)
        return ("row", index) if filing is None else filing.id

    def find(self, key: Hashable) -> int | None:
        """Only in the pages at hand; elsewhere the cursor keeps its place."""
        if isinstance(key, tuple):
            return int(key[1])
        found = ((o, i) for o, rows in self.pages.items() for i, f in enumerate(rows) if f.id == key)
        return next((offset + index for offset, index in found), None)

    def row(self, index: int, width: int) -> Line:
        filing = self.at(index)
        return tone_line("...", "dim") if filing is None else filing_text.filing_row(filing, width)
