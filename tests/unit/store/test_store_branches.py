"""A tree that is read branch by branch is the tree that a whole reading gives, as far as it is open."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import cast

from sqlalchemy import text
from sqlmodel import Session

from kernels.values.verdict import Outcome
from store import designs, reads
from store.reads import branch_views
from store.views import NodeView
from tests.unit.store.conftest import World


def grown(world: World) -> dict[str, int]:
    """Two promotions, one taken back, one with a fold; a refusal; something below the one that was taken back."""
    first, _ = world.promoted("one\n")
    second, promotion = world.promoted("two\n", parent=first)
    world.refused("three\n")
    below = world.variant("four\n", parent=second)
    world.variant("five\n", parent=below)
    world.write(lambda s: designs.demote(s, promotion, "slower than it seemed"))
    tainted, _ = world.promoted("six\n", parent=first)
    world.write(lambda s: designs.taint(s, tainted, "a fold"))
    return {"first": first, "second": second, "below": below}


def whole(world: World) -> list[NodeView]:
    nodes = world.read(lambda s: reads.tree(s, world.campaign, "ffn"))
    parents = {node.parent for node in nodes}
    return [replace(node, has_children=node.id in parents) for node in nodes]


def test_open_branches_read_as_the_whole_tree(world: World) -> None:
    grown(world)
    nodes = whole(world)
    part = world.read(lambda s: reads.branches(s, world.campaign, "ffn", [node.id for node in nodes]))
    assert list(part.nodes) == nodes and part.path == {node.id for node in nodes if node.on_head_path}
    assert part.outcomes == Counter(node.outcome for node in nodes) and part.left_out == 0


def test_what_is_closed_is_not_read(world: World) -> None:
    tree = grown(world)
    nodes = whole(world)
    part = world.read(lambda s: reads.branches(s, world.campaign, "ffn"))
    assert list(part.nodes) == [node for node in nodes if node.parent is None or node.parent in part.path]
    assert tree["below"] not in {node.id for node in part.nodes} and sum(part.outcomes.values()) == len(nodes)
    assert world.read(lambda s: reads.branches(s, world.campaign, "qkv")).nodes == ()


def test_words_bring_the_nodes_that_have_them_and_all_above(world: World, monkeypatch) -> None:
    tree = grown(world)
    nodes = {node.id: node for node in whole(world)}

    def found(words: str) -> set[int]:
        return {node.id for node in world.read(lambda s: reads.matching(s, world.campaign, "ffn", words)).nodes}

    refused = next(node for node in nodes.values() if node.refusal == "wrong_values")
    assert (
        found("wrong values") == found("WRONG_values revert") == set(world.read(lambda s: reads.lineage(s, refused.id)))
    )
    assert found("variant") == set(nodes) and found("nothing-has-this") == set()
    monkeypatch.setattr(branch_views, "MOST_FOUND", 1)
    part = world.read(lambda s: reads.matching(s, world.campaign, "ffn", "variant"))
    newest = max(number for number, node in nodes.items() if node.kind == "variant")
    assert {node.id for node in part.nodes} == set(world.read(lambda s: reads.lineage(s, newest)))
    assert part.left_out == sum(node.kind == "variant" for node in nodes.values()) - 1
    assert tree["second"] in nodes


def test_above_and_below_a_node(world: World) -> None:
    tree = grown(world)
    nodes = {node.id: node for node in whole(world)}
    above = world.read(lambda s: reads.lineage(s, tree["below"]))
    assert {tree["below"], tree["second"], tree["first"]} <= above and world.read(
        lambda s: reads.lineage(s, 999)
    ) == set()
    below = [
        node.end for node in nodes.values() if tree["second"] in world.read(lambda s, n=node.id: reads.lineage(s, n))
    ]
    assert [nodes[tree["second"]].end, *world.read(lambda s: reads.ends_below(s, tree["second"]))] == below
    assert len(below) == 3


def test_a_branch_is_read_again_when_something_of_the_tree_is_told_or_opened(world: World) -> None:
    world.store.remember()

    def part(*opened: int):
        return world.read(lambda s: reads.branches(s, world.campaign, "ffn", opened))

    before = part(world.idea)
    assert part(world.idea) is before and part() is not before
    node = world.variant("six\n")
    signs = {one.id: one.sign for one in part(world.idea).nodes}
    assert signs[node] == "." and node not in {one.id for one in before.nodes}
    world.write(lambda s: designs.finish_node(s, node, Outcome.REVERT))
    assert {one.id: one.sign for one in part(world.idea).nodes}[node] == "-"


def steps_of(world: World, job: Callable[[Session], object]) -> int:
    """Thousands of steps of SQLite's virtual machine."""
    steps: list[int] = []

    def counted(s: Session) -> None:
        raw = cast(sqlite3.Connection, s.connection().connection.dbapi_connection)
        raw.set_progress_handler(lambda: steps.append(1) and 0, 1000)
        job(s)
        raw.set_progress_handler(None, 0)

    world.read(counted)
    return len(steps)


def test_of_50_000_nodes_an_open_branch_costs_what_it_shows(world: World) -> None:
    world.write(
        lambda s: s.connection().execute(
            text(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) INSERT INTO node"
                " (id, campaign_id, kernel, kind, parent_id, depth, lever, lever_params, title, reason, prediction,"
                " agent, state, outcome, verdict, refusal, tainted, created_at) SELECT 1000 + i, :c, 'ffn', 'variant',"
                " CASE WHEN i <= 40 THEN :idea ELSE 1000 + i / 40 END, 1, 'lever ' || i, '{}', '', '', '', '', 'done',"
                " '', '', '', 0, i FROM n"
            ),
            {"c": world.campaign, "idea": world.idea},
        )
    )
    part = world.read(lambda s: reads.branches(s, world.campaign, "ffn", [1001]))
    assert 70 < len(part.nodes) < 100 and sum(part.outcomes.values()) == 50_001
    all_of_it = steps_of(world, lambda s: reads.tree(s, world.campaign, "ffn"))
    assert steps_of(world, lambda s: reads.branches(s, world.campaign, "ffn", [1001])) < all_of_it / 5
