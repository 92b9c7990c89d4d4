"""Why branches died, and sources in colour."""

from dataclasses import replace

import pytest

from app.screens.fate_text import branch_lines, death_lines, word
from app.screens.syntax import diff_lines, source_lines
from app.views import Line, plain
from store.views import End, NodeDetail
from tests.unit.app_tui import fake_values as values
from tests.unit.app_tui.fake_source import NOW, FakeSource
from tests.unit.app_tui.harness import running

DIFF = """--- parent/kernel.c
+++ candidate/kernel.c
@@ -1,4 +1,5 @@
 /* a comment over
-   two lines */
+   two other lines */
 int f(void) {
-    return 1;
+    return 0x2a;
 }"""


def _detail(outcome: str, **more: object) -> NodeDetail:
    node = next(node for node in values.tree("qkv", 60, NOW, "") if node.outcome == outcome)
    return replace(values.detail(node, NOW, ""), **more)


def said(lines: list[Line]) -> str:
    return " ".join(" ".join(plain(line) for line in lines).split())


def test_a_refused_node_names_gate_kind_and_reason() -> None:
    refused = replace(values.detail(_detail("REJECT").node, NOW, "").gates[3], state="refused", kind="wrong_values")
    died = said(death_lines(_detail("REJECT", gates=(replace(refused, reason="y[3] differs"),)), 80))
    assert died == "died at gate correct (wrong values): y[3] differs"


def test_a_judged_node_names_its_test_and_a_living_one_says_nothing() -> None:
    dead = _detail("REVERT")
    assert f"test {dead.tests[-1].id} after" in said(death_lines(dead, 80))
    assert dead.tests[-1].verdict in said(death_lines(dead, 80))
    assert death_lines(_detail("KEEP"), 80) == [] and death_lines(_detail(""), 80) == []


def test_a_fold_is_the_reason_whatever_the_verdict() -> None:
    kept = _detail("KEEP")
    assert "of a fold" in said(death_lines(replace(kept, node=replace(kept.node, tainted=True)), 80))


def test_a_branch_counts_what_became_of_it() -> None:
    ends = [End("KEEP", "FASTER", "", 0.02), End("REVERT", "SLOWER", "", -0.1), End("REJECT", "", "wrong_values", None)]
    assert said(branch_lines(ends, 90)) == "branch 3 nodes below: 1 kept (best +2.0 %), 1 SLOWER, 1 wrong values"
    assert said(branch_lines(ends[1:], 90)).endswith("nothing of this branch was kept")
    at_work = End("", "", "", None)
    assert said(branch_lines([ends[1], at_work], 90)).endswith("1 SLOWER, 1 at work; nothing kept yet")
    assert branch_lines([], 90) == [] and word(End("", "", "", None)) == ""


def test_a_difference_keeps_its_text_and_colours_its_tokens() -> None:
    lines = diff_lines(DIFF)
    assert [plain(line) for line in lines] == DIFF.split("\n")
    tones = {text.strip(): tone for line in lines for text, tone in line}
    assert tones["return"] == "keyword" and tones["0x2a"] == "literal" and tones["two lines */"] == "comment"
    assert [line[0] for line in lines if plain(line)[0] in "+-"][2:] == [
        ("-", "bad"), ("+", "good"), ("-", "bad"), ("+", "good"),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["kernel.c", "kernel.cl", "kernel.cu", "kernel.unheard_of", "kernel.py"])
@pytest.mark.parametrize("text", ["", "\n\n", "int x; /* open\n", "\x00\x1b[2J'\"\\", "\u05e9 \U0001f600" * 50])
def test_any_text_in_any_language_keeps_its_lines(name: str, text: str) -> None:
    from app.sanitise import clean_lines

    assert [plain(line) for line in source_lines(text, name)] == clean_lines(text)
    assert len(diff_lines(f"+++ candidate/{name}\n" + "\n".join("+" + line for line in clean_lines(text)))) == 1 + len(
        clean_lines(text)
    )


async def test_the_page_of_a_node_says_why_it_died_and_shows_its_difference() -> None:
    source = FakeSource()
    dead = next(node for node in source.trees["qkv"] if node.outcome == "REVERT")
    async with running(source, size=(160, 50)) as screen:
        await screen.press("2")
        await screen.until_shown("kernel qkv")
        await screen.press("colon", *f"node {dead.id}")
        await screen.until_shown("show this node")
        await screen.press("down", "enter")
        await screen.until_shown(f"node {dead.id}", "died", "difference to its parent", "sum = fma16")
