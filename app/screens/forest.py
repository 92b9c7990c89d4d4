"""Design Trees of all kernels as far as they were read, and who hangs below whom. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from store.views import NodeView, TreePart


@dataclass(slots=True)
class Forest:
    """Nodes of all kernels by id, and their children in order of birth. outcomes: how many nodes of each whole tree
    ended how; path: the lineages of the heads; left_out: nodes with the filter's words that are not among these."""

    nodes: dict[int, NodeView] = field(default_factory=dict)
    children: dict[int | str, list[int]] = field(default_factory=dict)
    outcomes: dict[str, Mapping[str, int]] = field(default_factory=dict)
    path: set[int] = field(default_factory=set)
    left_out: int = 0

    @classmethod
    def plant(cls, parts: Mapping[str, TreePart]) -> "Forest":
        """Kernels are the roots; a node whose parent is not there, or is itself, hangs under its kernel."""
        forest = cls()
        for kernel, part in parts.items():
            forest.children[kernel] = []
            forest.outcomes[kernel] = part.outcomes
            forest.nodes.update((node.id, node) for node in part.nodes)
            forest.path |= part.path
            forest.left_out += part.left_out
        for node in forest.nodes.values():
            forest.children.setdefault(forest.above(node) or node.kernel, []).append(node.id)
        return forest

    def above(self, node: NodeView) -> int | None:
        """Its parent, when that was read."""
        return node.parent if node.parent in self.nodes and node.parent != node.id else None

    def kids(self, key: int | str) -> list[int]:
        return self.children.get(key, [])

    def unread(self, key: int | str) -> bool:
        """Whether there is something below of which nothing was read yet."""
        return not self.kids(key) and isinstance(key, int) and self.nodes[key].has_children

    def kernels(self) -> list[str]:
        return list(self.outcomes)

    def size(self, kernel: str) -> int:
        """Nodes of the whole tree, read or not."""
        return sum(self.outcomes.get(kernel, {}).values())

    def head_path(self) -> set[int | str]:
        """What is open at first: the kernels and the lineage of each head."""
        return {*self.kernels(), *self.path}

    def matching(self, words: str) -> set[int]:
        """Nodes whose kind, lever, title, verdict, outcome, refusal or agent contain all words."""
        wanted = words.lower().split()
        return {node.id for node in self.nodes.values() if all(word in _haystack(node) for word in wanted)}

    def with_ancestors(self, found: Iterable[int]) -> set[int | str]:
        kept: set[int | str] = set()
        for start in found:
            at: int | None = start
            while at is not None and at not in kept:
                kept.add(at)
                kept.add(self.nodes[at].kernel)
                at = self.above(self.nodes[at])
        return kept


def _haystack(node: NodeView) -> str:
    ended = f"{node.verdict} {node.outcome} {node.refusal} {node.refusal.replace('_', ' ')}"
    return f"{node.kernel} {node.kind} {node.lever} {node.title} {ended} {node.agent}".lower()
