"""The nodes of one kernel's trees as they were read: a view of one is made when somebody looks at it, since a screen
looks at a few of many."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, overload

from typing_extensions import override

from store.views import NodeView

COLUMNS: Final = (
    "id", "parent_id", "kernel", "kind", "lever", "title", "state", "outcome", "verdict", "agent", "gain",
    "candidate_id", "tainted", "taint", "created_at", "refusal",
)  # fmt: skip
"""Of a row, in this order."""
OUTCOME: Final = COLUMNS.index("outcome")
END: Final = tuple(COLUMNS.index(name) for name in ("outcome", "verdict", "refusal", "gain"))


class TreeNodes(Sequence[NodeView]):
    """In order of creation. head: its node, None before there is one; path: it and all above it; demoted: nodes whose
    promotion was taken back; races: the race that picked a node's candidate, by node."""

    def __init__(
        self, rows: Sequence[tuple[Any, ...]], *, head: int | None, path: frozenset[int],
        demoted: frozenset[int], races: Mapping[int, int],
    ) -> None:  # fmt: skip
        self._rows, self._head, self._races = rows, head, races
        self._demoted, self.path = demoted, path
        self._made: dict[int, NodeView] = {}

    def links(self) -> list[tuple[int, int | None]]:
        """(id, parent) of every node."""
        return [row[:2] for row in self._rows]

    def outcomes(self) -> Mapping[str, int]:
        """How many nodes ended how; "" = at work, or nothing to judge."""
        return Counter(row[OUTCOME] for row in self._rows)

    def end(self, index: int) -> tuple[str, str, str, float | None]:
        """Outcome, verdict, refusal and gain, without making the view."""
        outcome, verdict, refusal, gain = (self._rows[index][at] for at in END)
        return str(outcome), str(verdict), str(refusal), None if gain is None else float(gain)

    @override
    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> NodeView: ...

    @overload
    def __getitem__(self, index: slice) -> list[NodeView]: ...

    @override
    def __getitem__(self, index: int | slice) -> NodeView | list[NodeView]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        row = self._rows[index]
        found = self._made.get(row[0])
        if found is None:
            found = self._made[row[0]] = self._view(row)
        return found

    def _view(self, row: tuple[Any, ...]) -> NodeView:
        (number, parent, kernel, kind, lever, title, state, outcome, verdict, agent, gain, candidate, tainted, taint,
         created_at, refusal) = row  # fmt: skip
        return NodeView(
            id=number, parent=parent, kernel=kernel, kind=kind, lever=lever, title=title, outcome=outcome,
            verdict=verdict, sign=sign_of(state, outcome, verdict, bool(tainted), number in self._demoted),
            agent=agent, gain=gain, candidate_id=candidate or "", is_head=number == self._head,
            on_head_path=number in self.path, tainted=bool(tainted), created_at=created_at, taint=taint,
            race=self._races.get(number), refusal=refusal,
        )  # fmt: skip


def sign_of(state: str, outcome: str, verdict: str, tainted: bool, demoted: bool) -> str:
    """The mark of `NodeView.sign`."""
    if state in ("queued", "gates", "testing"):
        return "."
    if verdict == "SLOWER" or tainted:
        return "!"
    kept = "-" if demoted else "+"
    by_outcome = {"KEEP": kept, "REJECT": "-", "REVERT": "-", "ACCEPT": "~", "INVALID": "-"}
    return by_outcome.get(outcome, "-" if state == "interrupted" else "~")
