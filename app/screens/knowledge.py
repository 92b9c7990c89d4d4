"""Tab Knowledge: what documentation says of the targets, each claim beside the passage that it rests on."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from app.feed_bridge import Source
from app.screens import knowledge_text as text
from app.screens.arranged import Arrangement
from app.screens.listed import ListedPane
from app.screens.pane import Apply, Request
from app.views import count
from app.widgets.supplier import Listed
from store.knowledge_views import ClaimView, PassageView, ReleaseView

ORDERS: Final[dict[str, Callable[[ClaimView], tuple[str | int, int]]]] = {
    "book": lambda claim: (claim.id, 0),
    "state": lambda claim: (text.STATES.index(claim.state), claim.id),
    "kind": lambda claim: (claim.kind, claim.id),
    "document": lambda claim: (claim.citations[0].doc if claim.citations else "", claim.id),
}
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
        dropped = "dropped" in self._arranged.words.lower().split()
        kept = self._arranged.of(one for one in self._claims.values() if dropped or one.state != "dropped")
        self.headline.show_with(lambda width: [*text.books_line(self._releases, width), text.claim_title(width)])
        self.headline.name_panel(
            f"{count(len(kept), 'claim')}{self._arranged.by}: {text.counts(kept)}{self._arranged.under}"
        )
        self.rows.supply(Listed(kept, lambda claim: claim.id, text.claim_row))

    def _show_detail(self, selected: int | None, passages: Sequence[PassageView]) -> None:
        claim = self._claims.get(selected) if selected is not None else None
        if claim is not None and selected == self._selected_id:
            self.detail.name_panel(f"claim {claim.id}")
            self.detail.show_with(partial(text.claim_page, claim, passages))
        elif not self._claims:
            self.detail.name_panel("")
            self.detail.show_with(lambda width: text.wrapped(NOTHING_YET, width))

    @override
    def rearranged(self) -> None:
        self._list()

    @override
    def copied(self) -> str:
        claim = self._claims.get(self._selected_id or 0)
        if claim is None:
            return ""
        return f"{claim.text} ({', '.join(f'{one.doc}#{one.section}' for one in claim.citations)})"


def _said(claim: ClaimView) -> str:
    places = " ".join(one.doc for one in claim.citations)
    return f"{claim.text} {claim.state} {claim.kind} {claim.target} {claim.book} {places}"
