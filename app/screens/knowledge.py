"""Tab 8: what documentation says of the targets, each claim beside the passage that it rests on."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from app.feed_bridge import Source
from app.screens import knowledge_text as text
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Request
from app.views import count
from app.widgets.rows import Listed
from store.knowledge_views import ClaimView, PassageView, ReleaseView

ORDERS: Final = ("book", "state", "kind", "document")
KEYS: Final[dict[str, Callable[[ClaimView], tuple[str | int, int]]]] = {
    "book": lambda claim: (claim.id, 0),
    "state": lambda claim: (text.STATES.index(claim.state), claim.id),
    "kind": lambda claim: (claim.kind, claim.id),
    "document": lambda claim: (claim.citations[0].doc if claim.citations else "", claim.id),
}
NOTHING_YET: Final = "no book yet: ./run.sh onboard --book DIR --target T"


class KnowledgePane(ListedPane):
    """Dropped claims are hidden unless the filter says "dropped"."""

    TITLE = "Knowledge"
    PACE_S = 5.0  # books change rarely, and all claims are read at once

    def __init__(self, widget_id: str, clock: Callable[[], float]) -> None:
        super().__init__(widget_id, clock, list_title="claims")
        self._claims: dict[int, ClaimView] = {}
        self._releases: tuple[ReleaseView, ...] = ()
        self._words, self._order, self._down = "", 0, False

    @override
    def request(self) -> Request:
        selected = self._selected_id

        def read(source: Source) -> Apply:
            passages = source.passages(selected) if selected is not None else ()
            return partial(self._show, tuple(source.book_claims()), tuple(source.book_releases()), selected, passages)

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

    def _show(
        self, claims: Sequence[ClaimView], releases: tuple[ReleaseView, ...], selected: int | None,
        passages: Sequence[PassageView],
    ) -> None:  # fmt: skip
        self._claims, self._releases = {claim.id: claim for claim in claims}, releases
        self._list()
        self._show_detail(selected, passages)
        if selected is None and self._claims:
            self.want(detail=True)

    def _list(self) -> None:
        order = ORDERS[self._order]
        kept = sorted(filter(self._matches, self._claims.values()), key=KEYS[order], reverse=self._down)
        self.headline.show_with(lambda width: [*text.books_line(self._releases, width), text.claim_title(width)])
        filtered = f", filter: {self._words}" if self._words else ""
        self.headline.name_panel(f"{count(len(kept), 'claim')} by {order}: {text.counts(kept)}{filtered}")
        self.rows.supply(Listed(kept, lambda claim: claim.id, text.claim_row))

    def _show_detail(self, selected: int | None, passages: Sequence[PassageView]) -> None:
        claim = self._claims.get(selected) if selected is not None else None
        if claim is not None and selected == self._selected_id:
            self.detail.name_panel(f"claim {claim.id}")
            self.detail.show_with(partial(text.claim_page, claim, passages))
        elif not self._claims:
            self.detail.name_panel("")
            self.detail.show_with(lambda width: text.wrapped(NOTHING_YET, width))

    def _matches(self, claim: ClaimView) -> bool:
        words = self._words.lower().split()
        places = " ".join(one.doc for one in claim.citations)
        said = f"{claim.text} {claim.state} {claim.kind} {claim.target} {claim.book} {places}".lower()
        return (claim.state != "dropped" or "dropped" in words) and all(word in said for word in words)

    @property
    @override
    def can_filter(self) -> bool:
        return True

    @override
    def set_filter(self, text: str) -> None:
        self._words = text
        self._list()

    @override
    def sort(self) -> str:
        self._order = (self._order + 1) % len(ORDERS)
        self._list()
        return f"sorted by {ORDERS[self._order]}"

    @override
    def reverse(self) -> str:
        self._down = not self._down
        self._list()
        return "descending" if self._down else "ascending"

    @override
    def copied(self) -> str:
        claim = self._claims.get(self._selected_id or 0)
        if claim is None:
            return ""
        return f"{claim.text} ({', '.join(f'{one.doc}#{one.section}' for one in claim.citations)})"
