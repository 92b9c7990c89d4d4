"""The nodes of one kernel's trees as they were read, column by column: a view of one is made when somebody looks at it,
since a screen looks at a few of many."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, overload

from typing_extensions import override

from store.views import NodeView

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "kind": ("idea", "design", "variant"),
    "state": ("queued", "gates", "testing", "done", "interrupted"),
    "outcome": ("", "REJECT", "REVERT", "ACCEPT", "KEEP", "INVALID"),
    "verdict": ("", "FASTER", "SLOWER", "FLAT", "UNCLEAR", "INVALID"),
}
"""Columns that are read as the place of their word here: small numbers need no memory of their own."""
SHARED: Final = ("lever", "agent", "refusal")
"""Columns of which many rows say the same: each text is kept once."""
NUMBERS: Final = ("id", "parent_id")
"""Columns kept as bare numbers. No parent is 0."""
COLUMNS: Final = (*NUMBERS, *WORDS, *SHARED, "title", "gain", "tainted")


def selected(column: str) -> str:
    """What is read of it."""
    if column == "parent_id":
        return "coalesce(parent_id, 0)"
    if column not in WORDS:
        return column
    cases = " ".join(f"WHEN '{word}' THEN {place}" for place, word in enumerate(WORDS[column]))
    return f"CASE {column} {cases} ELSE {column} END"


class TreeNodes(Sequence[NodeView]):
    """In order of creation, with what a row of a tree shows: candidate, race, time and reason of a taint stand in the
    node's detail only.

    pages: rows of `COLUMNS`, by rising id; head: its node, None before there is one; path: it and all above it;
    demoted: nodes whose promotion was taken back.
    """

    def __init__(
        self, pages: Iterable[Sequence[tuple[Any, ...]]], *, kernel: str, head: int | None, path: frozenset[int],
        demoted: frozenset[int],
    ) -> None:  # fmt: skip
        self._kernel, self._head = kernel, head
        self._demoted, self.path = demoted, path
        self._made: dict[int, NodeView] = {}
        self._ids, self._parents = array("q"), array("q")
        self._columns: dict[str, Any] = {name: [] for name in COLUMNS}
        self._columns |= {"id": self._ids, "parent_id": self._parents}
        texts: dict[str, str] = {}
        for page in pages:
            for name, column in zip(COLUMNS, zip(*page, strict=True), strict=False):
                self._columns[name].extend(map(texts.setdefault, column, column) if name in SHARED else column)

    def links(self) -> tuple[Sequence[int], Sequence[int]]:
        """Ids and, as long, the parents' ids; 0 = none."""
        return self._ids, self._parents

    def place(self, number: int) -> int | None:
        """Where the node with this id stands."""
        at = bisect_left(self._ids, number)
        return at if at < len(self) and self._ids[at] == number else None

    def outcomes(self) -> Mapping[str, int]:
        """How many nodes ended how; "" = at work, or nothing to judge."""
        return {_word("outcome", place): number for place, number in Counter(self._of("outcome")).items()}

    def end(self, index: int) -> tuple[str, str, str, float | None]:
        """Outcome, verdict, refusal and gain, without making the view."""
        outcome, verdict = (_word(name, self._of(name)[index]) for name in ("outcome", "verdict"))
        gain = self._of("gain")[index]
        return outcome, verdict, str(self._of("refusal")[index]), None if gain is None else float(gain)

    def _of(self, name: str) -> Any:
        return self._columns[name]

    @override
    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, index: int) -> NodeView: ...

    @overload
    def __getitem__(self, index: slice) -> list[NodeView]: ...

    @override
    def __getitem__(self, index: int | slice) -> NodeView | list[NodeView]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        number = self._ids[index]
        found = self._made.get(number)
        if found is None:
            found = self._made[number] = self._view(number, {name: self._of(name)[index] for name in COLUMNS})
        return found

    def _view(self, number: int, row: Mapping[str, Any]) -> NodeView:
        kind, state, outcome, verdict = (_word(name, row[name]) for name in WORDS)
        tainted = bool(row["tainted"])
        return NodeView(
            id=number, parent=row["parent_id"] or None, kernel=self._kernel, kind=kind, lever=row["lever"],
            title=row["title"], outcome=outcome, verdict=verdict,
            sign=sign_of(state, outcome, verdict, tainted, number in self._demoted), agent=row["agent"],
            gain=row["gain"], candidate_id="", is_head=number == self._head, on_head_path=number in self.path,
            tainted=tainted, created_at=0.0, refusal=row["refusal"],
        )  # fmt: skip


def _word(column: str, place: int | str) -> str:
    return place if isinstance(place, str) else WORDS[column][place]


def sign_of(state: str, outcome: str, verdict: str, tainted: bool, demoted: bool) -> str:
    """The mark of `NodeView.sign`."""
    if state in ("queued", "gates", "testing"):
        return "."
    if verdict == "SLOWER" or tainted:
        return "!"
    kept = "-" if demoted else "+"
    by_outcome = {"KEEP": kept, "REJECT": "-", "REVERT": "-", "ACCEPT": "~", "INVALID": "-"}
    return by_outcome.get(outcome, "-" if state == "interrupted" else "~")
