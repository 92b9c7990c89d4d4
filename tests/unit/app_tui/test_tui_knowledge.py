"""Tab 8: claims with their passages, states and counts."""

from dataclasses import replace

from app.screens import knowledge_text, strategy_text
from app.views import plain, width_of
from store.knowledge_views import AnalysisView
from tests.unit.app_tui import fake_claims, fake_strategies
from tests.unit.app_tui.fake_source import FakeSource
from tests.unit.app_tui.harness import running

STALE = fake_claims.claims()[6]


def page(number: int, width: int = 60) -> str:
    claim = fake_claims.claims()[number - 1]
    lines = knowledge_text.claim_page(claim, fake_claims.passages(number), width)
    return "\n".join(plain(line) for line in lines)


def test_a_page_shows_the_claim_what_was_checked_and_its_passage() -> None:
    said = page(1, 90)
    assert "script check passed; auditor-1 (order of words): supported; auditor-2" in said
    assert "lexical only" in said
    assert "What stands before it.\n> Bank 1 must not be read by more than 1 engines.\nWhat follows." in said
    assert "-- banks/1.md#limits (v2)" in said


def test_a_stale_claim_shows_what_stands_there_now() -> None:
    said = page(7, 90)
    assert "! stale" in said
    assert "changed since the release before numbers: 7 became 99" in said
    assert "now:\n> Bank 7 must not be read by more than 99 engines." in said


def test_a_row_says_its_state_with_a_sign() -> None:
    assert plain(knowledge_text.claim_row(STALE, 70)).startswith("! stale ")
    assert "banks/2.md" in plain(knowledge_text.claim_row(STALE, 140))


def baseline(operations: float) -> AnalysisView:
    (one,) = fake_strategies.baselines()
    loops = [{**one.record["loops"][0], "operations": operations}]
    return replace(one, record={**one.record, "operations": operations, "loops": loops, "intensity": 120.0})


def test_a_baselines_loops_are_a_table_where_it_fits_and_sentences_elsewhere() -> None:
    wide, narrow = (strategy_text.page(baseline(2097152.0), width) for width in (120, 49))
    said = "\n".join(plain(line) for line in wide)
    assert "f   reduction  row 8 x column ~4  2,097,152   32" in said
    assert "2,097,152 operations, 96 bytes a call" in said and "120 operations a byte" in said
    assert max(width_of(line) for line in narrow) <= 49
    told = " ".join(plain(line).strip() for line in narrow)
    assert "f: reduction, row 8 x column ~4; 2,097,152 operations, 32 of them in a row; reads a; writes b;" in told
    assert "needs triangular" in told and told.count("f: reduction") == 1


async def test_claim_and_passage_stand_side_by_side() -> None:
    async with running(size=(200, 50)) as screen:
        await screen.press("6")
        await screen.until_shown("40 claims by book: 38 supported, 2 stale", "> Bank 1 must not", "What follows.")
        await screen.press("j")
        await screen.until_shown("claim 2", "> Bank 2 must not")
        assert "chip-book v2 for chip: 7 files = 6 read + 1 not read" in screen.text()


def test_a_change_of_the_toolchain_is_told_with_its_counts() -> None:
    (line,) = knowledge_text.changes_line(FakeSource(other_toolchain=True).toolchain_changes())
    said = plain(line)
    assert said.startswith("toolchain changed, re-check under way: 79 rules: 70 re-verified, 5 rewritten, 3 retired")
    assert "waiting: 40 claim; facts measured anew: 4; cc 1 is cc 2 now" in said
    assert knowledge_text.changes_line(()) == []


async def test_it_stands_above_the_claims() -> None:
    async with running(source=FakeSource(other_toolchain=True), size=(200, 50)) as screen:
        await screen.press("6")
        await screen.until_shown("40 claims by book", "toolchain changed, re-check under way: 79 rules: 70 re-verified")


async def test_filter_order_and_dropped_claims() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("6")
        await screen.until_shown("40 claims by book")
        await screen.press("slash", *"stale", "enter")
        await screen.until_shown("2 claims by book: 2 stale, filter: stale")
        await screen.press("escape", "s")
        await screen.until_shown("by state")
        await screen.press("slash", *"dropped", "enter")
        await screen.until_shown("1 claim by state: 1 dropped")


async def test_without_a_book_it_says_what_to_do() -> None:
    source = FakeSource()
    source.book_claims = lambda: ()
    source.book_releases = lambda: ()
    async with running(source) as screen:
        await screen.press("6")
        await screen.until_shown("0 claims by book: none")
        await screen.press("enter")
        await screen.until_shown("no book yet: ./run.sh onboard --book")
