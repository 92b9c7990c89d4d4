"""Nodes that are made when they are looked at are those that a whole reading gives."""

from dataclasses import replace

from app.screens.forest import Forest, Planted
from app.screens.tree_rows import TreeRows
from kernels.values.verdict import Outcome
from store import designs, reads
from tests.unit.store.conftest import World


def test_lazy_nodes_read_as_the_whole_tree(world: World) -> None:
    first, _ = world.promoted("one\n")
    second, promotion = world.promoted("two\n", parent=first)
    world.refused("three\n")
    world.variant("four\n")
    world.write(lambda s: designs.demote(s, promotion, "slower than it seemed"))
    tainted, _ = world.promoted("five\n", parent=first)
    world.write(lambda s: designs.taint(s, tainted, "a fold"))
    whole = world.read(lambda s: reads.tree(s, world.campaign, "ffn"))
    lazy = world.read(lambda s: reads.tree_nodes(s, world.campaign, "ffn"))
    shown = [replace(node, candidate_id="", created_at=0.0, taint="", race=None) for node in whole]
    assert list(lazy) == shown and len(lazy) == len(whole) and lazy[-1] == shown[-1] and lazy[1:3] == shown[1:3]
    assert [lazy.place(node.id) for node in whole] == [*range(len(whole))] and lazy.place(whole[-1].id + 1) is None
    assert {node.id: node.sign for node in lazy}[second] == "-"
    assert lazy.path == {node.id for node in whole if node.on_head_path} and lazy[0] is lazy[0]
    mine, theirs = Forest.plant({"ffn": lazy}), Forest.plant({"ffn": whole})
    assert mine.children == theirs.children and mine.head_path() == theirs.head_path()
    assert mine.outcomes == theirs.outcomes and sum(mine.outcomes["ffn"].values()) == len(whole)
    every = {"ffn", *mine.nodes}
    rows = [TreeRows(forest, set(every)) for forest in (mine, theirs)]
    assert [rows[0].row(i, 90) for i in range(rows[0].count())] == [rows[1].row(i, 90) for i in range(rows[1].count())]


def test_a_tree_is_read_again_when_something_of_it_is_told(world: World) -> None:
    world.store.remember()
    planted = Planted()

    def forest() -> Forest:
        return planted.of({"ffn": world.read(lambda s: reads.tree_nodes(s, world.campaign, "ffn"))})

    before = forest()
    assert forest() is before
    node = world.variant("six\n")
    grown = forest()
    assert grown is not before and grown.nodes[node].sign == "." and node not in before.nodes
    world.write(lambda s: designs.finish_node(s, node, Outcome.REVERT))
    assert forest().nodes[node].sign == "-"
