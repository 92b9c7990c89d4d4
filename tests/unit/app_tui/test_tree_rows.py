"""Design Trees as rows: what opens and closes, what is not read yet, what a filter keeps."""

from dataclasses import replace

from app import views
from app.screens.forest import Forest
from app.screens.tree_rows import TreeRows
from tests.unit.app_tui import fake_trees, fake_values
from tests.unit.app_tui.fake_source import NOW


def _forest(count: int = 60) -> Forest:
    return Forest.plant({k: fake_trees.part(fake_values.tree(k, count, NOW, "")) for k in ("qkv", "ffn")})


def test_tree_rows_open_and_close_in_place() -> None:
    forest = _forest()
    rows = TreeRows(forest, forest.head_path())
    before = [rows.key(i) for i in range(rows.count())]
    assert before[0] == "qkv" and 1016 in before
    assert rows.toggle(0, opening=False) and rows.key(1) == "ffn"
    assert rows.toggle(0, opening=True)
    assert [rows.key(i) for i in range(rows.count())] == before
    assert all(rows.find(key) == index for index, key in enumerate(before))


def test_tree_rows_by_toggles_equal_rows_made_at_once() -> None:
    forest = _forest(200)
    every = {*forest.nodes, *forest.kernels()}
    grown = TreeRows(forest, set(forest.kernels()))
    index = 0
    while index < grown.count():
        grown.toggle(index, opening=True)
        index += 1
    made = TreeRows(forest, set(every))
    assert [grown.key(i) for i in range(grown.count())] == [made.key(i) for i in range(made.count())]
    assert made.count() == 402


def test_fifty_thousand_nodes_make_few_rows_until_they_are_opened() -> None:
    forest = _forest(25_000)
    assert TreeRows(forest, forest.head_path()).count() < 8000
    assert TreeRows(forest, {*forest.nodes, *forest.kernels()}).count() == 50_002


def test_broken_parents_hang_under_their_kernel() -> None:
    nodes = fake_values.tree("qkv", 3, NOW, "")
    odd = (replace(nodes[0], parent=nodes[0].id), replace(nodes[1], parent=99), nodes[2])
    forest = Forest.plant({"qkv": fake_trees.part(odd)})
    assert TreeRows(forest, {"qkv", *forest.nodes}).count() == 4


def test_a_branch_that_was_not_read_yet_says_that_it_opens() -> None:
    nodes = fake_values.tree("qkv", 60, NOW, "")
    forest = Forest.plant({"qkv": fake_trees.branches(nodes, ())})
    rows = TreeRows(forest, forest.head_path())
    assert len(forest.nodes) < forest.size("qkv") == 60
    below = {node.parent for node in nodes}
    closed = next(n.id for n in nodes if n.id in forest.nodes and n.id in below and not forest.kids(n.id))
    index = rows.find(closed)
    assert index is not None and views.plain(rows.row(index, 80)).lstrip("│├└─ ").startswith(">")
    before = rows.count()
    assert forest.unread(closed) and rows.toggle(index, opening=True) and rows.count() == before
    forest = Forest.plant({"qkv": fake_trees.branches(nodes, [closed])})
    assert TreeRows(forest, rows.opened).count() == before + len(forest.kids(closed)) > before


def test_filter_keeps_ancestors() -> None:
    forest = _forest()
    found = forest.matching("variant 16")
    kept = forest.with_ancestors(found)
    rows = TreeRows(forest, set(kept), kept)
    assert {rows.key(i) for i in range(rows.count())} == kept
    assert {1016, 1009, 1004, 1001, 1000, "qkv"} <= kept
