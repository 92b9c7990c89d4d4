"""Keys that only look: filter, order, pages, branches, freeze, follow, copy, zoom, palette."""

from pathlib import Path

from app.screens.trees import TreesPane
from tests.unit.app_tui.fake_source import FakeSource, verbs
from tests.unit.app_tui.harness import running


async def test_filter_sort_and_reverse_ask_the_source_for_filings() -> None:
    async with running() as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        await screen.press("slash", *"prefetch", "enter")
        await screen.until_shown("45 filings by time, descending, filter: prefetch")
        await screen.press("s", "S")
        await screen.until_shown("45 filings by kernel, filter: prefetch")
        await screen.press("escape")
        await screen.until_shown("450 filings by kernel")


async def test_an_empty_list_says_why_it_is_empty() -> None:
    async with running(FakeSource(filing_count=0), size=(80, 24)) as screen:
        await screen.press("7")
        await screen.until_shown("0 filings", "no filing yet: a head that is promoted becomes one")
        await screen.press("9", "slash", *"no such word", "enter")
        await screen.until_shown("0 events", "nothing has 'no such word'; esc shows all")
        await screen.press("escape")
        await screen.until_shown("80 events")


async def test_filings_are_paged() -> None:
    async with running() as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        await screen.press("G")
        await screen.until_shown(">     1 ")
        assert screen.source.reads["filings"] >= 2


async def test_trees_open_the_head_lineage_and_fold() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("2")
        await screen.until_shown("<head", "kernel attn_out")
        rows = screen.main.rows()
        assert rows is not None
        before = rows.count()
        await screen.press("h")
        await screen.until(lambda: rows.count() < before)
        await screen.press("l")
        await screen.until(lambda: rows.count() == before)


async def test_tree_filter_keeps_the_way_to_a_match_and_n_skips_it() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("2")
        await screen.until_shown("kernel qkv")
        await screen.press("slash", *"variant 16", "enter")
        await screen.until_shown("filter: variant 16", "variant 16")
        await screen.press("g", "n")
        await screen.until_shown("node 1016", "difference to its parent", "+ source")


async def test_a_closed_node_opens_at_once_and_its_children_come_when_they_are_read() -> None:
    source = FakeSource(node_count=400)
    parents = {node.parent for node in source.trees["qkv"]}
    closed = next(
        n for n in source.trees["qkv"] if n.parent is None and n.id in parents and not n.on_head_path
    )  # fmt: skip
    below = [node.id for node in source.trees["qkv"] if node.parent == closed.id]
    async with running(source, size=(160, 50)) as screen:
        await screen.press("2")
        await screen.until_shown("kernel qkv")
        pane = screen.main.query_one(TreesPane)
        assert pane._tree.find(closed.id) is not None and pane._tree.find(below[0]) is None
        pane.rows.move_to(pane._tree.find(closed.id) or 0)
        await screen.press("l")
        await screen.until(lambda: all(pane._tree.find(number) is not None for number in below))
        await screen.press("h")
        await screen.until(lambda: pane._tree.find(below[0]) is None)


async def test_a_node_from_the_palette_is_found_under_a_filter_too() -> None:
    source = FakeSource(node_count=400)
    parents = {node.id: node.parent for node in source.trees["ffn"]}
    deep = next(number for number, above in reversed(parents.items()) if parents.get(above or 0) is not None)
    async with running(source, size=(160, 50)) as screen:
        await screen.press("2")
        await screen.until_shown("kernel qkv")
        pane = screen.main.query_one(TreesPane)
        pane.set_filter("nothing has this")
        await screen.until(lambda: pane._tree.count() == 0)
        pane.reveal(deep)
        await screen.until(lambda: pane.selected == deep)
        assert pane._arranged.words == "" and pane._wanted is None


async def test_enter_opens_the_detail_and_escape_leaves_it_in_a_narrow_window() -> None:
    async with running(size=(80, 24)) as screen:
        await screen.press("3")
        await screen.until_shown("architect-ffn")
        await screen.press("enter")
        await screen.until_shown("-- last lines")
        await screen.press("escape")
        await screen.until(lambda: "-- last lines" not in screen.text())


async def test_freeze_keeps_the_view_and_counts_what_is_new() -> None:
    source = FakeSource()
    async with running(source) as screen:
        await screen.press("9")
        await screen.until_shown("80 events")
        await screen.press("space")
        await screen.until_shown("view frozen, 0 new")
        source.event_list = [*source.event_list, *FakeSource(event_count=83).event_list[80:]]
        source.touch()
        await screen.until_shown("view frozen, 3 new")
        assert "80 events" in screen.text()
        await screen.press("space")
        await screen.until_shown("83 events")
        assert "frozen" not in screen.text()


async def test_log_follows_until_the_cursor_goes_up() -> None:
    async with running() as screen:
        await screen.press("9")
        await screen.until_shown("80 events, following")
        await screen.press("k")
        await screen.until(lambda: "following" not in screen.text())
        await screen.press("f")
        await screen.until_shown("80 events, following")


async def test_copy_goes_to_the_clipboard_and_to_a_file(tmp_path: Path) -> None:
    async with running(state_dir=tmp_path) as screen:
        await screen.press("3")
        await screen.until_shown("architect-attn_out")
        await screen.press("y")
        assert screen.app.clipboard.startswith("architect-attn_out")
        assert (tmp_path / "copied.txt").read_text().startswith("architect-attn_out")
        await screen.press("Y")
        assert (tmp_path / "copied.txt").read_text().count("\n") >= 12


async def test_zoom_shows_one_panel_alone() -> None:
    async with running() as screen:
        await screen.press("tab", "z")
        await screen.until(lambda: "needs you" not in screen.text() and "score" in screen.text())
        await screen.press("escape")
        await screen.until_shown("needs you")


async def test_palette_finds_commands_agents_and_nodes() -> None:
    async with running(size=(100, 40)) as screen:
        await screen.press("colon", *"pause worker-04")
        await screen.until_shown("agent: start nothing new")
        await screen.press("down", "enter")
        await screen.until(lambda: ("pause", "worker-04") in verbs(screen.source))
        await screen.press("ctrl+p", *"node 1020")
        await screen.until_shown("show this node")
        await screen.press("down", "enter")
        await screen.until_shown("[2 Trees]", "node 1020")
        await screen.press("ctrl+p", *"variant 17 qkv")
        await screen.until_shown("node 1017 qkv")
        await screen.press("escape", "ctrl+p", *"filing 448")
        await screen.until_shown("show this filing")
        await screen.press("down", "enter")
        await screen.until_shown("filing 448  (esc closes)", "against the baseline")


async def test_enter_in_the_palette_runs_nothing_that_was_found_for_fewer_words() -> None:
    async with running(size=(100, 40)) as screen:
        await screen.press("colon", *"pause worker")
        await screen.until_shown("pause worker-00", "pause worker-06")
        await screen.press(*"-04", "enter")
        await screen.until(lambda: verbs(screen.source) == [("pause", "worker-04")])
