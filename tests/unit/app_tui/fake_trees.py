"""What a source reads of a tree that is at hand as a whole."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from store.views import End, NodeView, TreePart


def part(tree: Sequence[NodeView], nodes: Iterable[NodeView] | None = None) -> TreePart:
    parents = {node.parent for node in tree}
    shown = tuple(replace(node, has_children=node.id in parents) for node in (tree if nodes is None else nodes))
    outcomes = Counter(node.outcome for node in tree)
    return TreePart(shown, outcomes, frozenset(node.id for node in tree if node.on_head_path))


def branches(tree: Sequence[NodeView], opened: Collection[int]) -> TreePart:
    above = {None, *opened, *(node.id for node in tree if node.on_head_path)}
    return part(tree, (node for node in tree if node.parent in above))


def matching(tree: Sequence[NodeView], words: str) -> TreePart:
    said = {
        node.id: f"{node.kernel} {node.kind} {node.lever} {node.title} {node.agent} {node.outcome}" for node in tree
    }
    found = [node for node in tree if all(word in said[node.id].lower() for word in words.lower().split())]
    kept = {number for node in found for number in lineage(tree, node.id)}
    return part(tree, (node for node in tree if node.id in kept))


def lineage(tree: Sequence[NodeView], number: int) -> list[int]:
    parents = {node.id: node.parent for node in tree}
    found: list[int] = []
    at: int | None = number
    while at is not None and at in parents:
        found.append(at)
        at = parents[at]
    return found


def ends_below(tree: Sequence[NodeView], number: int) -> list[End]:
    return [node.end for node in tree if node.id != number and number in lineage(tree, node.id)]


def _said(node: NodeView) -> str:
    return f"{node.kernel} {node.kind} {node.lever} {node.title} {node.agent} {node.verdict} {node.outcome}".lower()
