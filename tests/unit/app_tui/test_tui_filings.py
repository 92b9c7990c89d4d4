"""The Filings tab: curves, any two compared, export; and over a real store with imported rows in it."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from app import cli
from app.options import UiOptions
from app.screens.filing_plots import curve_figure, curve_title
from app.screens.filing_text import filing_page, filing_row
from app.store_source import StoreSource
from app.tui import KernelwrightApp
from app.views import plain
from store.filed_views import FiledCurve, SeriesView
from store.views import FilingView, ImportedView
from tests.unit.app_tui.harness import running
from tests.unit.app_tui.test_tui_store import Home, home, source

__all__ = ["home", "source"]  # fixtures


async def test_the_breadcrumb_names_what_is_shown() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("7")
        await screen.until_shown("filings by time")
        await screen.press("d")
        await screen.until(lambda: screen.main.pane.crumbs()[0].startswith("filings "))
        compared = screen.main.pane.crumbs()
        await screen.press("t")
        kernels = {filing.kernel for filing in screen.source.filing_list}
        assert screen.main.pane.crumbs()[1] == "curves" and screen.main.pane.crumbs()[0] in kernels
        await screen.press("escape")
        assert screen.main.pane.crumbs() == compared
        await screen.press("escape")
        assert screen.main.pane.crumbs()[0].startswith("filing ")


async def test_curves_take_the_place_of_the_table_and_give_it_back() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        await screen.press("t")
        await screen.until_shown("ffn: ledger speedup against the baseline; now 23.5", "ffn: time over peak")
        assert "450 filings" not in screen.text() and any("\u2801" <= mark <= "\u28ff" for mark in screen.text())
        await screen.press("t")
        await screen.until_shown("450 filings")


async def test_two_marked_filings_are_compared_and_esc_goes_back() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("7")
        await screen.until_shown(">   450")
        await screen.press("m", "down", "m", "d")
        await screen.until_shown("filings 448 and 450", "+fast();", "acceptance FASTER, 8 pairs", "readings of filing")
        assert screen.source.reads["compare_filings"] == 1
        await screen.press("escape")
        await screen.until(lambda: "+fast();" not in screen.text())


async def test_without_marks_a_filing_is_compared_with_the_one_before_it() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("7")
        await screen.until_shown(">   450")
        await screen.press("d")
        await screen.until_shown("filings 449 and 450")
        await screen.press("escape", "m", "m", "m", "d")
        await screen.until_shown("two filings can be compared: mark two with m, 3 rows now")


async def test_export_writes_every_row_under_the_filter(tmp_path: Path) -> None:
    async with running(state_dir=tmp_path) as screen:
        await screen.press("7")
        await screen.until_shown("450 filings")
        await screen.press("slash", *"prefetch", "enter")
        await screen.until_shown("45 filings by time")
        await screen.press("e")
        await screen.until_shown("exported filings.csv and filings.json")
    rows = list(csv.DictReader((tmp_path / "filings.csv").open()))
    assert len(rows) == 45 and {row["lever"] for row in rows} == {"prefetch T1 4096"}
    assert [f["id"] for f in json.loads((tmp_path / "filings.json").read_text())["filings"]] == [
        int(row["id"]) for row in rows
    ]


async def test_where_there_is_nothing_to_switch_compare_or_export_it_is_said() -> None:
    async with running() as screen:
        await screen.press("2")
        await screen.until_shown("[2 Trees]")
        for key, said in (("t", "no curves"), ("d", "nothing to compare"), ("e", "nothing to export")):
            await screen.press(key)
            await screen.until_shown(said)


def test_the_curve_of_single_draws_is_the_best_so_far() -> None:
    curve = FiledCurve("published score", ((0.0, 2.0), (10.0, 6.0), (20.0, 5.0), (30.0, 7.0)), True)
    series = SeriesView(3, "", True, curve, curve)
    (drawn,) = curve_figure(series, curve).curves
    assert [y for x, y in drawn.points if x in (0.0, 10.0, 20.0, 30.0)] == [2.0, 2.0, 6.0, 6.0, 6.0, 6.0, 7.0]
    assert curve_title(series, curve) == "campaign 3: published score, best so far; now 7.00, best 7.00, 4 points"
    empty = FiledCurve("time over peak", (), False)
    assert curve_figure(series, empty).empty == "no filing with time over peak yet"


def test_an_imported_filing_says_what_it_is() -> None:
    said = ImportedView(31, "2026-09-10T17:23..17:28", "team_X", "official", "j", "s", {"ffn": 290230.0}, 6.8026, 6.8)
    filing = FilingView(7, "imported", "", None, "V258", 1789060980.0, None, None, None, None, "", "", False,
                        campaign=2, imported=said)  # fmt: skip
    row = plain(filing_row(filing, 120))
    assert "imported" in row and "[6.80]" in row and "V258 team_X official" in row and "6.80x" not in row
    unpublished = replace(filing, imported=replace(said, score=None))
    assert "(6.80)" in plain(filing_row(unpublished, 120))
    page = "\n".join(map(plain, filing_page(filing, 60)))
    assert "counts in no result" in page and "290,230 cycles" in page and "17:23..17:28" in page


@pytest.mark.parametrize(
    ("written", "wide", "narrow"),
    [
        ("2026-09-10T17:23", "2026-09-10 17:23", "09-10 17:23"),
        ("2026-09-10 (after 11:13)", "~2026-09-10 ", "~09-10 "),
        ("2026-09-10", "~2026-09-10 ", "~09-10 "),
        ("", "not said ", "not said "),
    ],
)
def test_the_list_of_imported_filings_tells_no_minute_that_nobody_knows(written: str, wide: str, narrow: str) -> None:
    said = ImportedView(31, written, "team_X", "official", "j", "s", {}, 6.8026, None)
    filing = FilingView(7, "imported", "", None, "V258", 1789060980.0, None, None, None, None, "", "", False,
                        campaign=2, imported=said)  # fmt: skip
    assert f" {wide}" in plain(filing_row(filing, 120)) and f" {narrow}" in plain(filing_row(filing, 50))
    page = "\n".join(map(plain, filing_page(filing, 90)))
    assert ("in order behind" in page) == (written != "2026-09-10T17:23")


def test_the_store_compares_two_filings_by_source_and_readings(home: Home, source: StoreSource) -> None:
    source.changed()
    both = source.compare_filings(1, 1)
    assert both is not None and both.no_diff == "both filed the same source"
    (reading,) = both.first_readings
    assert (reading.kind, reading.verdict, reading.pairs, reading.head_ns) == ("acceptance", "FASTER", 8, 2e6)
    assert source.compare_filings(1, 99) is None and source.filing_series(99, "gemv") is None
    series = source.filing_series(1, "gemv")
    assert series is not None and series.score.points == () and not series.imported


async def test_imported_rows_browse_beside_ones_own(home: Home, tmp_path: Path) -> None:
    rows = "".join(f"2026-09-{day:02d},team_{day},official,V{day},{1000 // day},{day}.0\n" for day in range(1, 9))
    file = tmp_path / "h.csv"
    file.write_text("timestamp_utc,team,kind,variant,a_cycles,geomean_speedup\n" + rows.replace("team_1,", "baseline,"))
    assert cli.run(["import", "history", str(file), "--home", str(home.path)]) == 0
    app = KernelwrightApp(lambda: StoreSource.opened(home.path), UiOptions(theme="dark", state_dir=tmp_path))
    async with app.run_test(size=(120, 40)) as pilot:

        async def shown(*words: str) -> str:
            for _ in range(200):
                await pilot.pause(0.02)
                strips = app.screen._compositor.render_strips()
                text = "\n".join("".join(segment.text for segment in strip) for strip in strips)
                if all(word in text for word in words):
                    return text
            raise AssertionError(text)

        await pilot.press("7")
        await shown("9 filings", "[8.00]", "V8 team")
        await pilot.press("down", "t")
        await shown("published score, best so far; now 8.00, best 8.00, 8 points")
        await pilot.press("t", "d")
        await shown("an imported filing has no source here")
