"""Tab Knowledge: what documentation says of the targets, each claim beside the passage that it rests on.

Below the claims stand what was found of kernels' baselines, and the strategy skills.
"""

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from app.screens import knowledge_text as text
from app.screens import strategy_text as strategy
from app.screens.arranged import Arrangement
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Request
from app.source import Source
from app.views import Line, count, plain, wrapped
from app.widgets.supplier import Listed
from store.knowledge_views import ClaimView, PassageView, ReleaseView
from store.toolchain_views import ToolchainChangeView

ORDERS: Final[dict[str, Callable[[ClaimView], tuple[str | int, int]]]] = {
    "book": lambda claim: (claim.id, 0),
    "state": lambda claim: (text.STATES.index(claim.state), claim.id),
    "kind": lambda claim: (claim.kind, claim.id),
    "document": lambda claim: (claim.citations[0].doc if claim.citations else "", claim.id),
}
COPIED_WIDTH: Final = 120
NOTHING_YET: Final = "no book yet: ./run.sh onboard --book DIR --target T"


class KnowledgePane(ListedPane):
    """Dropped claims are hidden unless the filter says "dropped"."""

    TITLE = "Knowledge"
    NOUN = "claim"
    PACE_S = 5.0  # books change rarely, and all claims are read at once

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        self._arranged = Arrangement[ClaimView](_said, ORDERS)
        super().__init__(widget_id, clock, list_title="claims", arrangement=self._arranged)
        self._claims: dict[int, ClaimView] = {}
        self._releases: tuple[ReleaseView, ...] = ()
        self._strategies: dict[str, strategy.Strategy] = {}
        self._changes: tuple[ToolchainChangeView, ...] = ()

    @override
    def request(self) -> Request:
        selected = self._selected_id

        def read(source: Source) -> Apply:
            passages = source.passages(selected) if selected is not None else ()
            strategies = (*source.baselines(), *source.skills())
            claims, releases = tuple(source.book_claims()), tuple(source.book_releases())
            self._changes = tuple(source.toolchain_changes())
            return partial(self._show, claims, releases, strategies, selected, passages)

        return read

    @override
    def detail_request(self) -> Request:
        selected = self._selected_id

        def read(source: Source) -> Apply:
            return partial(self._show_detail, selected, source.passages(selected) if selected is not None else ())

        return read

    @property
    def _selected_id(self) -> int | None:
        return self.selected if isinstance(self.selected, int) else None

    @property
    def _other(self) -> strategy.Strategy | None:
        """The selected baseline or skill."""
        return next((one for key, one in self._strategies.items() if key == self.selected), None)

    def _show(
        self, claims: Sequence[ClaimView], releases: tuple[ReleaseView, ...], strategies: Sequence[strategy.Strategy],
        selected: int | None, passages: Sequence[PassageView],
    ) -> None:  # fmt: skip
        self._claims, self._releases = {claim.id: claim for claim in claims}, releases
        self._strategies = {strategy.key_of(one): one for one in strategies}
        self._list()
        self._show_detail(selected, passages)
        if selected is None and self._claims:
            self.want(detail=True)

    def _list(self) -> None:
        dropped = "dropped" in self._arranged.words.lower().split()
        kept = self._arranged.of(one for one in self._claims.values() if dropped or one.state != "dropped")
        words = self._arranged.words.lower().split()
        others = [one for one in self._strategies.values() if all(w in strategy.said(one).lower() for w in words)]
        self.headline.show_with(self._heading)
        if self._changes:
            self.headline.styles.height = 3
        more = strategy.counts(others)
        self.headline.name_panel(
            f"{count(len(kept), 'claim')}{self._arranged.by}: {text.counts(kept)}"
            f"{f'; {more}' if more else ''}{self._arranged.under}"
        )
        self.rows.supply(Listed([*kept, *others], _key, _row))

    def _heading(self, width: int) -> list[Line]:
        books = text.books_line(self._releases, width) if self._releases else wrapped(NOTHING_YET, width)
        return [*text.changes_line(self._changes), *books, text.claim_title(width)]

    def _show_detail(self, selected: int | None, passages: Sequence[PassageView]) -> None:
        claim = self._claims.get(selected) if selected is not None else None
        if claim is not None and selected == self._selected_id:
            self.detail.name_panel(f"claim {claim.id}")
            self.detail.show_with(partial(text.claim_page, claim, passages))
        elif (other := self._other) is not None:
            self.detail.name_panel(strategy.key_of(other))
            self.detail.show_with(partial(strategy.page, other))
        elif not self._claims:
            self.detail.name_panel("")
            self.detail.show_with(lambda width: wrapped(NOTHING_YET, width))

    @override
    def crumbs(self) -> tuple[str, ...]:
        found = super().crumbs()
        return (strategy.key_of(other), *found[1:]) if (other := self._other) is not None else found

    @override
    def rearranged(self) -> None:
        self._list()

    @override
    def copied(self) -> str:
        claim = self._claims.get(self._selected_id or 0)
        other = self._other
        if claim is None:
            return "" if other is None else "\n".join(plain(line) for line in strategy.page(other, COPIED_WIDTH))
        return f"{claim.text} ({', '.join(f'{one.doc}#{one.section}' for one in claim.citations)})"


def _key(one: ClaimView | strategy.Strategy) -> Hashable:
    return one.id if isinstance(one, ClaimView) else strategy.key_of(one)


def _row(one: ClaimView | strategy.Strategy, width: int) -> Line:
    return text.claim_row(one, width) if isinstance(one, ClaimView) else strategy.row(one, width)


def _said(claim: ClaimView) -> str:
    places = " ".join(one.doc for one in claim.citations)
    return f"{claim.text} {claim.state} {claim.kind} {claim.target} {claim.book} {places}"
