"""Tab 4: why a verdict was given, how often such verdicts are wrong here, what it costs to be surer."""

import math
from dataclasses import replace

import pytest

from app import views
from app.explained import explained
from app.screens import device_text, judge_text, pair_text, trust_text
from app.screens.figures import no_entry, noise_figure, score_figure, trail_figure
from app.screens.judged import ORDERS
from app.screens.overview_text import device_lines, head_row, score_title, total_line, trust_lines
from app.views import Line
from app.widgets.lines import Lines
from kernels.profiling.agreement import agreement
from store import device_views as d
from store import views as v
from tests.unit.app_tui import fake_values
from tests.unit.app_tui.fake_source import NOW, FakeSource
from tests.unit.app_tui.harness import running

CAMPAIGN = fake_values.campaign(NOW, 60.0, "running", "")
DEVICE = fake_values.device("ffn", NOW)
SIZES = ((80, 24), (120, 40), (200, 50))


def said(lines: list[Line]) -> str:
    return "\n".join(views.plain(line) for line in lines)


def stored(ratios: list[float], kind: str = "acceptance", verdict: str = "FASTER", redo: int = -1) -> v.TestView:
    """A finished test as the store gives it; redo: index of a pair that was redone."""
    pairs = tuple(
        v.PairView(i, "candidate" if i % 3 == 0 else "head", 1000.0, 1000.0 * math.exp(-x), x, 33.0, "slow",
                   "the mode changed" if i == redo else "", NOW)
        for i, x in enumerate(ratios)
    )  # fmt: skip
    rule = "confirmation" if kind == "confirmation" else "paired"
    base = fake_values.tests(("ffn",), NOW, "", 0.0)[1]
    return replace(base, kind=kind, verdict=verdict, state="done", pairs=pairs, rule=rule, reason="", estimate=0.01)


def test_the_power_line_says_what_is_seen_and_what_it_costs() -> None:
    wide = views.plain(trust_text.power_line(DEVICE, NOW, 200))
    assert wide == (
        "ffn sees 1.1 % in 24 pairs (80 %), promotes from 1.2 %, 0.41 device min a test (1 s a pair); "
        "calibrated 2 h ago, 24 pairs, sd 1.6 %"
    )
    assert DEVICE.power is not None
    by_placebos = replace(DEVICE, power=replace(DEVICE.power, source="placebo pairs", pairs=12), calibration=None)
    assert views.plain(trust_text.power_line(by_placebos, NOW, 80)) == (
        "ffn sees 1.1 % in 24 pairs (80 %), 0.41 device min; by 12 A/A pairs, rough"
    )
    nothing = replace(DEVICE, power=None, calibration=None)
    assert views.plain(trust_text.power_line(nothing, NOW, 80)) == (
        "ffn ! not calibrated: ./run.sh judge calibrate gemma_decode/ffn"
    )


def test_the_strip_fits_every_width() -> None:
    few = replace(CAMPAIGN, placebo=replace(CAMPAIGN.placebo, tests=12))
    for width in (78, 118, 198):
        for campaign in (CAMPAIGN, few):
            lines = trust_text.trust_strip(campaign, DEVICE, d.PlaceboView(5, 120, 0.086), NOW, width)
            assert len(lines) == 3
            assert max(map(views.width_of, lines)) <= width, said(lines)


def test_the_placebo_line_knows_when_nothing_is_known_and_when_to_warn() -> None:
    known = views.plain(trust_text.trust_strip(CAMPAIGN, None, None, NOW, 80)[1])
    assert known == "placebos 2/44 FASTER <= 13.7 %; A/A bias +0.02 % (-0.11..+0.15), n 264"
    few = replace(CAMPAIGN, placebo=d.PlaceboView(0, 12, 0.22))
    assert views.plain(trust_text.trust_strip(few, None, None, NOW, 80)[1]) == (
        "! not yet known: 0/12 FASTER of 40; A/A bias: no pair yet"
    )
    bent = d.BiasView(300, 0.004, 0.003, 0.005, 6.1)
    bad = replace(CAMPAIGN, placebo=replace(CAMPAIGN.placebo, alarm_at=40, bias=bent))
    line = views.plain(trust_text.trust_strip(bad, None, None, NOW, 200)[1])
    assert line.startswith("! ALARM at 40 placebos: 2/44 FASTER")
    assert "! ALARM +0.40 % (+0.30..+0.50), 300 pairs, score +6.1" in line
    assert "! ALARM  too many of the first 40 placebos were FASTER" in said(trust_lines(bad, 60))
    assert "A/A bias" in said(trust_lines(CAMPAIGN, 60))


def test_the_meter_line() -> None:
    assert views.plain(trust_text.meter_line(CAMPAIGN, 80)) == (
        "expected false promotions <= 0.6 of 19, in 99 tests; 3 FASTER but dropped"
    )


def test_a_finished_test_says_which_row_fired_and_what_was_redone() -> None:
    x = [0.010, 0.011, 0.5, 0.012, 0.013, 0.014, 0.015]
    found = explained(stored(x, redo=2), 0.005)
    assert found.why is not None
    assert found.why.looks == ("look 6: score +2.15 at or above +2.15: FASTER, on to fresh pairs (row 1)",)
    assert found.why.redos == ("pair 3 redone, long on the head's side: the mode changed",)
    assert (found.why.ahead, found.why.warnings) == ("", ())
    text = said(judge_text.page(found, DEVICE.power, NOW, 100))
    assert "why: look 6: score +2.15 at or above +2.15: FASTER, on to fresh pairs (row 1)" in text
    # 11.5 (0.016 / 0.01)^2 = 29.44 pairs, at 1.02 s each
    assert "surer: 1 % takes about 30 pairs (80 %), 0.5 device min" in text


def test_a_verdict_that_the_rule_does_not_give_is_doubted() -> None:
    found = explained(stored([0.01, 0.011, 0.012, 0.013, 0.014, 0.015], verdict="SLOWER"), 0.005)
    assert found.why is not None
    assert found.why.warnings == ("the stored verdict is SLOWER, these pairs give FASTER",)
    short = explained(stored([0.01, 0.011]), 0.005)
    assert short.why is not None
    assert short.why.warnings == ("the stored verdict is FASTER, but by these pairs the rule would go on",)


def test_carry_over_warns_in_the_test_that_has_it() -> None:
    pairs = tuple(
        v.PairView(i, "candidate" if i % 2 else "head", (1010.0 if i % 2 else 1000.0) + i / 100,
                   (1010.0 if i % 2 else 1000.0) + i / 100, 0.0, 33.0, "slow", "", NOW)
        for i in range(24)
    )  # fmt: skip
    found = explained(replace(stored([], "placebo", "UNCLEAR"), pairs=pairs), 0.005)
    assert found.why is not None
    assert any("carry-over: readings after the candidate are +1.0 %" in w for w in found.why.warnings)


def test_a_running_test_says_what_the_next_look_does() -> None:
    running_now = replace(stored([0.01, -0.01, 0.012]), state="running", verdict="")
    found = explained(running_now, 0.005)
    assert found.why is not None
    assert found.why.ahead == "look 6: ends at +2.15 or more, at -1.85 or less, below +0.30"


def test_the_score_is_drawn_between_the_boundaries_of_every_look() -> None:
    test = fake_values.with_pairs(fake_values.tests(("ffn",), NOW, "", 0.0)[0], NOW)
    lower, upper, unclear, curve = trail_figure(test).curves
    assert (lower.points, upper.points) == (((6.0, -1.85), (24.0, -1.85)), ((6.0, 2.15), (24.0, 2.15)))
    assert [(n, round(y, 4)) for n, y in unclear.points] == [
        (6.0, 0.3), (8.0, 0.4333), (10.0, 0.5667), (12.0, 0.7), (16.0, 0.9667), (20.0, 1.2333),
    ]  # fmt: skip
    assert curve.points[-1] == (10.0, pytest.approx(1.97))


def test_noise_is_drawn_in_windows_beside_what_was_calibrated() -> None:
    calibrated, drawn = noise_figure(DEVICE, NOW).curves
    assert calibrated.points == ((0.0, pytest.approx(1.6)), (39.0, pytest.approx(1.6)))
    assert drawn.points[0][1] == pytest.approx(100 * DEVICE.noise[0].sd)
    many = replace(DEVICE, noise=DEVICE.noise * 3)
    assert len(noise_figure(many, NOW).curves[1].points) == 40
    assert device_text.spark([1.0, 2.0, 3.0], ascii_only=True) == "_=#"
    page = said(device_text.page(DEVICE, d.PlaceboView(5, 120, 0.086), NOW, 60))
    for words in ("calibrated 2 h ago", "9f8e7d6c5b4a", "lag-1 correlation +0.30", "suggested d of FLAT: 0.005",
                  "slow 33 GB/s in 400 pairs", "7 long on the head's side, 5 on the candidate's",
                  "5/120 FASTER, <= 8.6 %"):  # fmt: skip
        assert words in page.replace("\n", " "), words


def test_static_plans_say_what_they_can_be_trusted_for() -> None:
    good = agreement(range(1, 24), [1.31 * n for n in range(1, 24)])
    page = said(device_text.page(replace(DEVICE, planned=d.PlannedView(good, 3, 20, 19, 1.42)), None, NOW, 100))
    assert "static estimate: n 23, median ratio 1.31, rank correlation 1.00: trust it for order, not for time" in page
    assert "its gate goes up to 1.42 x the head's plan, by 20 plans; 3 more at the wall" in page
    page = said(device_text.page(replace(DEVICE, planned=d.PlannedView(None, 0, 4, 19, None)), None, NOW, 100))
    assert "static estimate: no planned candidate was measured yet" in page
    assert "its gate only records: not calibrated yet, 4 of 19 plans measured" in page


def test_a_pair_shows_its_evidence() -> None:
    test = fake_values.with_pairs(fake_values.tests(("ffn",), NOW, "", 0.0)[0], NOW)
    text = said(pair_text.pair_page(replace(test, seed="42"), test.pairs[2], 76))
    for words in ("redone, does not count: probe disagrees", "by the coin of seed 42", "64 calls, 3.20 ms .. 3.90 ms",
                  "33.1 GB/s before, 33.0 after", "FIFO             yes", "sandbox          bwrap+seccomp",
                  "clock, MHz       2599.998", "load             1.97"):  # fmt: skip
        assert words in text, words


def test_a_ledgers_row_says_its_speedup_and_is_sorted_by_it() -> None:
    ledger = replace(stored([0.5] * 24, "ledger", ""), id=7, estimate=None, speedup=(1.83, 1.6, 2.1))
    assert "1.83x (1.60..2.10)" in views.plain(judge_text.row(ledger, 120))
    assert "est 1.83x (1.60..2.10)" in said(judge_text.page(ledger, None, NOW, 80))
    slower, faster = (replace(ledger, id=i, speedup=None, estimate=x) for i, x in ((8, 0.4), (9, 0.5)))
    by_estimate = sorted((faster, ledger, slower), key=ORDERS["estimate"])
    assert [test.id for test in by_estimate] == [8, 7, 9]


def test_what_is_expected_of_a_test_goes_on_two_lines_where_one_has_no_room() -> None:
    test = fake_values.tests(("ffn",), NOW, "", 0.0)[0]
    for width, wanted in ((80, ["est +0.8 % (-0.1..+1.7)   next look 12"]),
                          (36, ["+0.8 % (-0.1..+1.7)   next look 12"]),
                          (32, ["est +0.8 % (-0.1..+1.7)", "next look 12"])):  # fmt: skip
        page = judge_text.page(test, None, NOW, width)
        for lines in (page, device_lines(view_of(test), width)):
            assert [told for line in lines if (told := views.plain(line)) in wanted] == wanted
        assert max(map(views.width_of, page)) <= width


def test_what_a_dead_engine_was_at_is_not_told_as_if_it_went_on() -> None:
    live = view_of(fake_values.tests(("ffn",), NOW, "", 0.0)[0])
    assert live.engine is not None
    dead = replace(live, engine=replace(live.engine, alive=False))
    assert [views.plain(device_lines(view, 60)[0]).startswith("! no engine is heard") for view in (live, dead)] == [
        False, True,
    ]  # fmt: skip


def view_of(test: v.TestView) -> v.OverviewView:
    view = FakeSource().overview()
    assert view is not None
    return replace(view, live=test)


def test_only_the_ledger_is_a_score() -> None:
    view = FakeSource().overview()
    assert view is not None
    assert score_title(view).startswith("score by ledger: 21.0x now")
    claimed = replace(CAMPAIGN, ledger_speedup=None, ledger_low=None, ledger_high=None, claimed_gain=1.8)
    assert no_entry(claimed) == "1.80x claimed, no ledger entry yet"
    assert score_figure(replace(view, campaign=claimed, score=())).empty == "1.80x claimed, no ledger entry yet"
    assert views.plain(total_line(claimed, 80)).startswith("geomean - by ledger   claimed 1.80x, no ledger entry yet")
    kernel = replace(view.kernels[0], ledger_speedup=None)
    assert "claimed, no entry" in views.plain(head_row(kernel, 100))


@pytest.mark.parametrize("size", SIZES)
async def test_every_part_is_reached_at_every_size(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(size=size) as screen:
        await screen.press("4")
        await screen.until_shown("ffn sees 1.1 % in 24 pairs", "A/A bias +0.02 %", "expected false promotions <= 0.6")
        await screen.until_shown("pairs of test 120", "prefetch T1 4096")
        if size[1] < 50:
            await screen.press("right")
        await screen.until_shown("device, kernel ffn", "calibrated 2 h ago", "noise: sd of a pair")
        if size[1] < 50:
            await screen.press("right")
        await screen.until_shown("queue: 1 in test, 3 on the way", "checking qkv c0ffee12", "ledger of qkv", "due now")
        await screen.press("escape", "enter", "j", "enter")
        await screen.until_shown("pair 9 of test 120", "bwrap+seccomp", "FIFO")
        await screen.press("escape")
        await screen.until(lambda: screen.panel("#judging-pairs").has_focus)
        await screen.press("escape")
        await screen.until(lambda: screen.panel("#judging-rows").has_focus)


async def test_why_is_on_the_first_page_of_a_finished_test() -> None:
    async with running(size=(80, 24)) as screen:
        await screen.press("4")
        await screen.until_shown("pairs of test 120")
        await screen.press("j")
        await screen.until_shown("pairs of test 119", "why: look 8:")
        assert isinstance(screen.panel("#judging-state"), Lines)


async def test_t_shows_the_curves_of_a_tab_as_tables_and_as_curves_again() -> None:
    async with running(size=(120, 40)) as screen:
        for key, panel, said in (
            ("1", "#score", "21.0x"),
            ("4", "#judging-curve", "pair 10"),
            ("8", "#money-curve", "x"),
        ):
            await screen.press(key)
            await screen.until(lambda p=panel: any("\u2801" <= mark <= "\u28ff" for mark in screen.panel(p).text()))
            await screen.press("t")
            await screen.until(lambda p=panel, s=said: s in screen.panel(p).text())
            assert not any("\u2801" <= mark <= "\u28ff" for mark in screen.panel(panel).text())
            await screen.press("t")
            await screen.until(lambda p=panel: any("\u2801" <= mark <= "\u28ff" for mark in screen.panel(p).text()))
        await screen.press("2", "t")
        await screen.until_shown("this tab has no curves")
