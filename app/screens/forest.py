"""Design Trees of all kernels as they were read, and who hangs below whom. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from typing_extensions import override

from app.screens.fate_text import End, end_of
from app.screens.offspring import Offspring, links_of
from store.tree_nodes import TreeNodes
from store.views import NodeView


class Nodes(Mapping[int, NodeView]):
    """Nodes of several trees by id; a view is made when it is looked at, where the tree can do that."""

    def __init__(self) -> None:
        self._trees: list[tuple[Sequence[NodeView], Callable[[int], int | None]]] = []

    def take(self, nodes: Sequence[NodeView]) -> None:
        if isinstance(nodes, TreeNodes):
            self._trees.append((nodes, nodes.place))
        else:
            self._trees.append((nodes, {node.id: index for index, node in enumerate(nodes)}.get))

    def _found(self, number: int) -> tuple[Sequence[NodeView], int]:
        """The tree with this node, and where it stands there. Raises: KeyError."""
        for nodes, place in self._trees:
            if (at := place(number)) is not None:
                return nodes, at
        raise KeyError(number)

    @override
    def __getitem__(self, number: int) -> NodeView:
        nodes, at = self._found(number)
        return nodes[at]

    def end(self, number: int) -> End:
        nodes, at = self._found(number)
        return End(*nodes.end(at)) if isinstance(nodes, TreeNodes) else end_of(nodes[at])

    @override
    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and any(place(number) is not None for _, place in self._trees)

    @override
    def __iter__(self) -> Iterator[int]:
        return (number for nodes, _ in self._trees for number in links_of(nodes)[0])

    @override
    def __len__(self) -> int:
        return sum(len(nodes) for nodes, _ in self._trees)


@dataclass(slots=True)
class Forest:
    """Nodes of all kernels by id, and their children in order of birth. outcomes: how many nodes of each kernel ended
    how; path: the lineages of the heads."""

    nodes: Nodes = field(default_factory=Nodes)
    children: Offspring = field(default_factory=Offspring)
    sizes: dict[str, int] = field(default_factory=dict)
    outcomes: dict[str, Mapping[str, int]] = field(default_factory=dict)
    path: set[int] = field(default_factory=set)

    @classmethod
    def plant(cls, trees: Mapping[str, Sequence[NodeView]]) -> "Forest":
        """Kernels are the roots; a node whose parent is not there hangs under its kernel."""
        forest = cls()
        for kernel, nodes in trees.items():
            forest.children.take(kernel, nodes)
            forest.sizes[kernel] = len(nodes)
            forest.outcomes[kernel] = _outcomes(nodes)
            forest.nodes.take(nodes)
            forest.path |= _path(nodes)
        return forest

    def head_path(self) -> set[int | str]:
        """What is open at first: the kernels and the lineage of each head."""
        return {*self.kernels(), *self.path}

    def kernels(self) -> list[str]:
        return self.children.kernels()

    def ends_below(self, key: int | str) -> list[End]:
        """How everything under a node or kernel ended, itself not counted."""
        found: list[End] = []
        stack = self.children.of(key)
        while stack:
            number = stack.pop()
            found.append(self.nodes.end(number))
            stack += self.children.of(number)
        return found

    def matching(self, words: str) -> set[int]:
        """Nodes whose lever, title, verdict, outcome, refusal or agent contain all words."""
        wanted = words.lower().split()
        return {node.id for node in self.nodes.values() if all(word in _haystack(node) for word in wanted)}

    def with_ancestors(self, found: Iterable[int]) -> set[int | str]:
        kept: set[int | str] = set()
        for start in found:
            at: int | None = start
            while at is not None and at not in kept:
                kept.add(at)
                node = self.nodes[at]
                kept.add(node.kernel)
                at = node.parent if node.parent in self.nodes else None
        return kept


class Planted:
    """The last forest, kept while its trees are the very ones that were read before."""

    def __init__(self) -> None:
        self._trees: Mapping[str, Sequence[NodeView]] = {}
        self._forest = Forest()

    def of(self, trees: Mapping[str, Sequence[NodeView]]) -> Forest:
        same = list(trees) == list(self._trees) and all(trees[kernel] is self._trees[kernel] for kernel in trees)
        if not same:
            self._trees, self._forest = trees, Forest.plant(trees)
        return self._forest


def _path(nodes: Sequence[NodeView]) -> set[int]:
    """The head's lineage."""
    return set(nodes.path) if isinstance(nodes, TreeNodes) else {node.id for node in nodes if node.on_head_path}


def _outcomes(nodes: Sequence[NodeView]) -> Mapping[str, int]:
    return nodes.outcomes() if isinstance(nodes, TreeNodes) else Counter(node.outcome for node in nodes)


def _haystack(node: NodeView) -> str:
    ended = f"{node.verdict} {node.outcome} {node.refusal.replace('_', ' ')}"
    return f"{node.kernel} {node.kind} {node.lever} {node.title} {ended} {node.agent}".lower()
