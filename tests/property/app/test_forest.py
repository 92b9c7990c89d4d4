"""Who hangs below whom, whatever the links say."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.screens.forest import Forest
from app.screens.tree_rows import TreeRows
from store.views import TreePart
from tests.unit.app_tui import fake_values

NODE = fake_values.tree("ffn", 1, 0.0, "")[0]


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(0, 45)), unique_by=lambda link: link[0]))
def test_children_stand_below_their_parent_in_order_of_birth(links: list[tuple[int, int]]) -> None:
    links = sorted(links)
    nodes = tuple(replace(NODE, id=number, parent=min(above, number) or None) for number, above in links)
    forest = Forest.plant({"ffn": TreePart(nodes, {"": len(nodes)}, frozenset())})
    known = {node.id for node in nodes}
    for node in nodes:
        hangs = node.parent if node.parent in known and node.parent != node.id else "ffn"
        assert node.id in forest.kids(hangs)
    assert sorted(kid for kids in forest.children.values() for kid in kids) == sorted(known)
    assert all(kids == sorted(kids) for kids in forest.children.values())
    assert TreeRows(forest, {"ffn", *known}).count() == 1 + len(nodes)
