"""Idea cards (the roots of Design Trees) and the rules of a lineage."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

NodeKind = Literal["idea", "design", "variant"]
DEFAULT_DEPTH: Final = 8
_CHILDREN: Final[Mapping[NodeKind, frozenset[NodeKind]]] = {
    "idea": frozenset({"design"}),
    "design": frozenset({"design", "variant"}),
    "variant": frozenset({"design", "variant"}),
}


@dataclass(frozen=True, slots=True)
class IdeaCard:
    """The root of a tree: what the design family is and why it should win.

    expected_gain: share of the kernel's time. lever: the lever that makes the first design, if any.
    """

    title: str
    mechanism: str
    expected_gain: float
    lever: str = ""

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise ValueError("an idea card needs a title")
        if not math.isfinite(self.expected_gain) or self.expected_gain >= 1.0:
            raise ValueError(f"expected gain is a share of the time, below 1; got {self.expected_gain}")


@dataclass(frozen=True, slots=True)
class Lineage:
    """Kinds from the root to a node. `limit` is how deep a lineage may grow; None = shown, never limited."""

    kinds: tuple[NodeKind, ...]
    limit: int | None = None

    @property
    def depth(self) -> int:
        return len(self.kinds)

    def refusal(self, child: NodeKind) -> str:
        """Why `child` may not stand below this lineage; "" when it may. A design may have a measured variant above."""
        if not self.kinds:
            return "" if child == "idea" else f"a lineage starts with an idea card, not with a {child}"
        parent = self.kinds[-1]
        if child not in _CHILDREN[parent]:
            return f"a {child} cannot stand below a {parent}"
        if self.limit is not None and self.depth >= self.limit:
            return f"the lineage is {self.depth} nodes deep, the limit is {self.limit}"
        return ""

    def extended(self, child: NodeKind) -> "Lineage":
        """Raises: ValueError with the reason of `refusal`."""
        reason = self.refusal(child)
        if reason:
            raise ValueError(reason)
        return Lineage((*self.kinds, child), self.limit)


def lineage_of(node: str, parents: Mapping[str, str | None], kinds: Mapping[str, NodeKind]) -> Sequence[NodeKind]:
    """Kinds from the root down to `node`.

    Raises: ValueError when the parents form a ring; KeyError for an unknown node.
    """
    found: list[NodeKind] = []
    seen: set[str] = set()
    current: str | None = node
    while current is not None:
        if current in seen:
            raise ValueError(f"the lineage of {node} runs in a ring through {current}")
        seen.add(current)
        found.append(kinds[current])
        current = parents[current]
    return tuple(reversed(found))
