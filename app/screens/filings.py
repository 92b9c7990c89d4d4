"""Tab 5: every promotion and submission, sorted, filtered and paged by the store."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial

from typing_extensions import override

from app.feed_bridge import FILING_SORTS, FilingPage, FilingQuery, Source
from app.messages import Target
from app.screens import filing_text
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Request
from app.views import Line, count
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


class FilingsPane(ListedPane):
    TITLE = "Filings"

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        super().__init__(widget_id, clock, list_title="filings")
        self._filings = FilingRows(FilingQuery(), self._want_page)
        self.rows.supply(self._filings)

    def _want_page(self) -> None:
        self.want(detail=True)

    @property
    def query_now(self) -> FilingQuery:
        return self._filings.query

    @override
    def request(self) -> Request:
        return self._ask(self._offset_at_cursor())

    @override
    def detail_request(self) -> Request | None:
        missing = self._filings.missing
        return None if missing is None else self._ask(missing)

    def _ask(self, offset: int) -> Request:
        query = replace(self._filings.query, offset=offset)

        def read(source: Source) -> Apply:
            return partial(self._take, source.filings(query))

        return read

    def _offset_at_cursor(self) -> int:
        return self.rows.cursor - self.rows.cursor % self._filings.query.limit

    def _take(self, page: FilingPage) -> None:
        if replace(page.query, offset=0) != replace(self._filings.query, offset=0):
            return
        self._filings.take(page)
        query = self._filings.query
        order = f"by {filing_text.ORDER_NAMES[query.sort]}, {'descending' if query.descending else 'ascending'}"
        filtered = f", filter: {query.text}" if query.text else ""
        self.headline.name_panel(f"{count(page.total, 'filing')} {order}{filtered}")
        self.headline.show_with(lambda width: [filing_text.filing_title(width)])
        self.rows.supply(self._filings)
        self._show_detail()

    def _show_detail(self) -> None:
        filing = self._filings.at(self.rows.cursor) if self.rows.count() else None
        self.detail.name_panel("filing" if filing is None else f"filing {filing.id}")
        if filing is None:
            self.detail.show([tone_line("nothing filed yet: a filing is a promoted head with its score", "dim")])
        else:
            self.detail.show_with(partial(filing_text.filing_page, filing))

    @override
    def moved(self) -> None:
        self._show_detail()

    def _again(self, query: FilingQuery) -> None:
        """A new order or filter: from the first row on."""
        self._filings = FilingRows(query, self._want_page)
        self.rows.supply(self._filings)
        self.want()

    @property
    @override
    def can_filter(self) -> bool:
        return True

    @override
    def set_filter(self, text: str) -> None:
        if text.strip() != self.query_now.text:
            self._again(replace(self.query_now, text=text.strip()))

    @override
    def sort(self) -> str:
        following = FILING_SORTS[(FILING_SORTS.index(self.query_now.sort) + 1) % len(FILING_SORTS)]
        self._again(replace(self.query_now, sort=following))
        return f"sorted by {filing_text.ORDER_NAMES[following]}"

    @override
    def reverse(self) -> str:
        self._again(replace(self.query_now, descending=not self.query_now.descending))
        return "descending" if self.query_now.descending else "ascending"

    @override
    def target(self) -> Target | None:
        filing = self._filings.at(self.rows.cursor) if self.rows.count() else None
        return None if filing is None else Target("kernel", filing.kernel, f"kernel {filing.kernel}")

    @override
    def copied(self) -> str:
        return self.detail.text() if self.rows.count() else ""
