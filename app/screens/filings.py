"""Tab Filings: every promotion, submission and imported filing, sorted, filtered and paged by the store; any two of
them compared, curves over time, all of them as a file."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial

from textual.app import ComposeResult
from textual.containers import Vertical
from typing_extensions import override

from app.filings_out import to_csv, to_json
from app.messages import Target
from app.screens import filing_text
from app.screens.arranged import Arrangement
from app.screens.compare_text import compare_page
from app.screens.filing_plots import curve_figure, curve_title
from app.screens.filing_rows import FilingRows
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Files, Request
from app.screens.syntax import diff_lines
from app.source import FILING_SORTS, FilingPage, FilingQuery, Source
from app.views import Line, count
from app.widgets.lines import tone_line
from app.widgets.plot import Plot
from store.filed_views import ComparedView, SeriesView
from store.views import FilingView

PLOTS = "-plots"
SORTS = {filing_text.ORDER_NAMES[name]: name for name in FILING_SORTS}


def _by_store(filing: FilingView) -> int:
    """The store sorts; this order is that of the rows as they come."""
    return filing.id


class FilingsPane(ListedPane):
    TITLE = "Filings"

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        self._arranged = Arrangement[FilingView](orders=dict.fromkeys(SORTS, _by_store), down=True)
        super().__init__(widget_id, clock, list_title="filings", arrangement=self._arranged)
        self._filings = FilingRows(FilingQuery(), self._want_page)
        self._compared: tuple[int, int] | None = None
        self.score = Plot("score over time", widget_id="filings-score", classes="panel")
        self.over_peak = Plot("over peak", widget_id="filings-over-peak", classes="panel")
        self.rows.supply(self._filings)

    @override
    def compose(self) -> ComposeResult:
        yield from super().compose()
        with Vertical(id="filings-plots"):
            yield self.score
            yield self.over_peak

    def _want_page(self) -> None:
        self.want(detail=True)

    @property
    def selected_filing(self) -> FilingView | None:
        return self._filings.at(self.rows.cursor) if self.rows.size_of_list else None

    @override
    def request(self) -> Request:
        return self._ask(self._offset_at_cursor())

    @override
    def detail_request(self) -> Request | None:
        wanted = self._compared is not None or self._series_wanted() is not None
        return self._ask(self._filings.missing) if wanted or self._filings.missing is not None else None

    def _ask(self, offset: int | None) -> Request:
        """offset: of the page to read, None = the pages at hand will do."""
        query = None if offset is None else replace(self._filings.query, offset=offset)
        compared, curves = self._compared, self._series_wanted()

        def read(source: Source) -> Apply:
            page = None if query is None else source.filings(query)
            both = None if compared is None else source.compare_filings(*compared)
            code = [] if both is None else diff_lines(both.diff)
            series = None if curves is None else source.filing_series(*curves)
            return partial(self._take, page, both, code, series)

        return read

    def _offset_at_cursor(self) -> int:
        return self.rows.cursor - self.rows.cursor % self._filings.query.limit

    def _series_wanted(self) -> tuple[int, str] | None:
        """Campaign and kernel of the curves; None while they are not shown."""
        filing = self.selected_filing
        return (filing.campaign, filing.kernel) if filing is not None and self.has_class(PLOTS) else None

    def _take(
        self, page: FilingPage | None, both: ComparedView | None, code: list[Line], series: SeriesView | None
    ) -> None:
        if page is not None:
            self._take_page(page)
        if series is not None:
            self._show_series(series)
        if both is not None and self._compared == (both.first.id, both.second.id):
            self.detail.name_panel(f"filings {both.first.id} and {both.second.id}")
            self.detail.show_with(partial(compare_page, both, code))
        elif self._compared is None:
            self._show_detail()

    def _show_series(self, series: SeriesView) -> None:
        for plot, curve in ((self.score, series.score), (self.over_peak, series.over_peak)):
            plot.name_panel(curve_title(series, curve))
            plot.show_figure(curve_figure(series, curve))

    def _take_page(self, page: FilingPage) -> None:
        if replace(page.query, offset=0) != replace(self._filings.query, offset=0):
            return
        self._filings.take(page)
        self.rows.explain(self._arranged.why_none("no filing yet: a head that is promoted becomes one"))
        self.headline.name_panel(f"{count(page.total, 'filing')}{self._arranged.title}")
        self.headline.show_with(lambda width: [filing_text.filing_title(width)])
        self.rows.supply(self._filings)

    def _show_detail(self) -> None:
        filing = self.selected_filing
        self.detail.name_panel("filing" if filing is None else f"filing {filing.id}")
        if filing is None:
            self.detail.show([tone_line("nothing filed yet: a filing is a promoted head with its score", "dim")])
        else:
            self.detail.show_with(partial(filing_text.filing_page, filing))

    @override
    def moved(self) -> None:
        if self._compared is None:
            self._show_detail()
        if self._series_wanted() is not None:
            self.want(detail=True)

    @override
    def plots(self) -> str:
        """The curves in place of the list, or the list again."""
        self.toggle_class(PLOTS)
        if not self.has_class(PLOTS):
            self.shown()
            return "table"
        self.screen.set_focus(self.score, scroll_visible=False)
        self.want(detail=True)
        return "curves of the selected filing's kernel; t: table"

    @override
    def compare(self) -> str:
        """The two marked rows, else the selected one with the row below it, which is the one before it in time."""
        marked = sorted(key for key in self.rows.marks if isinstance(key, int))
        if len(marked) == 1 and self.selected_filing is not None:
            marked = sorted({*marked, self.selected_filing.id})
        if not marked:
            below = self._filings.at(self.rows.cursor + 1) if self.rows.cursor + 1 < self.rows.size_of_list else None
            marked = sorted(one.id for one in (self.selected_filing, below) if one is not None)
        if len(marked) != 2:
            return f"! two filings can be compared: mark two with m, {count(len(marked), 'row')} now"
        self._compared = (marked[0], marked[1])
        self.remove_class(PLOTS)
        self.open_row()
        self.want(detail=True)
        return f"filings {marked[0]} and {marked[1]}; esc: back"

    @override
    def go_back(self) -> bool:
        if self.has_class(PLOTS):
            self.plots()
            return True
        if self._compared is not None:
            self._compared = None
            self._show_detail()
            return super().go_back() or True
        return super().go_back()

    @override
    def export_request(self) -> Callable[[Source], Files]:
        """Every row under the filter, in the order that is shown."""
        query = replace(self._filings.query, offset=0, limit=-1)

        def read(source: Source) -> Files:
            rows = source.filings(query).rows
            return {"filings.csv": to_csv(rows), "filings.json": to_json(rows)}

        return read

    @override
    def rearranged(self) -> None:
        """From the first row on."""
        query = FilingQuery(SORTS[self._arranged.order], self._arranged.down, self._arranged.words)
        self._filings = FilingRows(query, self._want_page)
        self.rows.supply(self._filings)
        self.want()

    @override
    def target_of(self, key: Hashable) -> Target | None:
        """A filing that was marked on a page that is not at hand any more acts on nothing."""
        index = self._filings.find(key)
        filing = None if index is None else self._filings.at(index)
        return (
            None if filing is None or not filing.kernel else Target("kernel", filing.kernel, f"kernel {filing.kernel}")
        )

    @override
    def crumbs(self) -> tuple[str, ...]:
        """The curves are those of the kernel; a comparison under them comes back with the table."""
        filing = self.selected_filing
        if self.has_class(PLOTS):
            return ("curves",) if filing is None else (filing.kernel or f"campaign {filing.campaign}", "curves")
        if self._compared is not None:
            return (f"filings {self._compared[0]} and {self._compared[1]}",)
        where = () if filing is None else (f"filing {filing.id}",)
        return (*where, *super().crumbs()[1:])

    @override
    def copied(self) -> str:
        return self.detail.text() if self.rows.size_of_list else ""
