"""Whose children nodes are. A tree is two columns of numbers, sorted by parent: a list for each of many nodes would
take longer to make than the trees take to read. Pure."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import eq

from typing_extensions import override

from store.tree_nodes import TreeNodes
from store.views import NodeView


def links_of(nodes: Sequence[NodeView]) -> tuple[Sequence[int], Sequence[int]]:
    """Ids and, as long, the parents' ids; 0 = none."""
    if isinstance(nodes, TreeNodes):
        return nodes.links()
    return [node.id for node in nodes], [node.parent or 0 for node in nodes]


@dataclass(frozen=True, slots=True)
class Kids:
    """One kernel's nodes, by parent and, below one parent, by birth. Parent 0 is the kernel."""

    parents: "array[int]"
    nodes: "array[int]"

    @classmethod
    def of(cls, numbers: Sequence[int], parents: Sequence[int]) -> "Kids":
        """A node whose parent is not there, or is itself, hangs under the kernel."""
        known, above = {0, *numbers}, list(parents)
        if not known.issuperset(above) or any(map(eq, numbers, above)):
            above = [up if up in known and up != n else 0 for n, up in zip(numbers, above, strict=True)]
        order = sorted(range(len(numbers)), key=above.__getitem__)
        return cls(array("q", map(above.__getitem__, order)), array("q", map(numbers.__getitem__, order)))

    def below(self, parent: int) -> list[int]:
        start = bisect_left(self.parents, parent)
        return self.nodes[start : bisect_right(self.parents, parent, start)].tolist()


class Offspring(Mapping[int | str, list[int]]):
    """The children of every kernel and of every node that has some, in order of birth."""

    def __init__(self) -> None:
        self._kernels: dict[str, Kids] = {}

    def take(self, kernel: str, nodes: Sequence[NodeView]) -> None:
        self._kernels[kernel] = Kids.of(*links_of(nodes))

    def kernels(self) -> list[str]:
        return list(self._kernels)

    def of(self, key: int | str) -> list[int]:
        """Empty where there are none."""
        if isinstance(key, str):
            return self._kernels[key].below(0) if key in self._kernels else []
        return next((found for kids in self._kernels.values() if (found := kids.below(key))), [])

    @override
    def __getitem__(self, key: int | str) -> list[int]:
        found = self.of(key)
        if not found and key not in self._kernels:
            raise KeyError(key)
        return found

    @override
    def __iter__(self) -> Iterator[int | str]:
        yield from self._kernels
        for kids in self._kernels.values():
            yield from sorted({*kids.parents} - {0})

    @override
    def __len__(self) -> int:
        return sum(1 for _ in self)
