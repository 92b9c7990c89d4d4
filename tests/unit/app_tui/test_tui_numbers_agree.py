"""A number says the same on every tab and in `status`: times, bounds, ticks, and sums beside their parts."""

from dataclasses import replace

import pytest

from app.screens import money_text
from app.screens.figures import cost_figure, score_figure
from app.screens.overview_text import head_row, remark_lines, trust_lines
from app.text import status_text
from app.views import plain
from store.money_views import CostPoint, MoneyView
from store.views import OverviewView, ScorePoint
from tests.unit.app_tui import fake_money
from tests.unit.app_tui.fake_source import FakeSource


def seen() -> OverviewView:
    view = FakeSource().overview()
    assert view is not None
    return view


@pytest.mark.parametrize("expected", [0.0063, 0.0252, 0.31])
def test_a_bound_is_never_said_to_be_below_itself(expected: float) -> None:
    view = replace(seen(), campaign=replace(seen().campaign, expected_false_promotions=expected))
    trust = "\n".join(plain(line) for line in trust_lines(view.campaign, 60))
    assert f"false promotions <= {expected:.2g} of" in trust
    assert f"expected false promotions <= {expected:.2g};" in status_text(view)


@pytest.mark.parametrize(("ns", "said"), [(1.5e9, "1.50 s"), (999.7e3, "1.00 ms"), (12.5, "12.5 ns")])
def test_a_time_is_the_same_text_on_the_screen_and_in_status(ns: float, said: str) -> None:
    view = seen()
    kernel = replace(view.kernels[0], head_ns=ns)
    assert said in plain(head_row(kernel, 140))
    assert f"  {said}  " in status_text(replace(view, kernels=(kernel,)))


@pytest.mark.parametrize("minutes", [1.05, 2.6, 4.1, 130.0])
def test_the_ticks_of_an_axis_of_time_are_three_different_times_in_proportion(minutes: float) -> None:
    score = replace(seen(), score=(ScorePoint(1.0, "", 2.0),))
    score = replace(score, engine=None, campaign=replace(score.campaign, elapsed_s=60 * minutes))
    spent = fake_money.view(["ffn"], False, "")
    points = (CostPoint(1.0, 0.0, 1.0, 2.0),)
    cost = replace(spent, total=replace(spent.total, device_s=60 * minutes), points=points)
    for figure in (score_figure(score), cost_figure(cost)):
        first, half, whole = (_seconds(text) for _, text in figure.x_ticks)
        assert first == 0.0
        assert whole == pytest.approx(60 * minutes, rel=0.02)
        assert half == pytest.approx(whole / 2, rel=0.02)


def test_the_axis_of_the_score_is_in_the_time_of_its_steps_with_the_stops_in_it() -> None:
    view = replace(seen(), score=(ScorePoint(600.0, "", 2.0),))
    assert view.engine is not None
    night = replace(view.engine, heartbeat_at=view.campaign.started_at + 8 * 3600)
    ticks = score_figure(replace(view, engine=night)).x_ticks
    assert _seconds(ticks[-1][1]) == pytest.approx(8 * 3600, rel=0.02)


@pytest.mark.parametrize(("mode", "told"), [("fast", True), ("", False)])
def test_a_peak_of_another_device_mode_is_told_as_such(mode: str, told: bool) -> None:
    view = seen()
    kernel = replace(view.kernels[0], peak_mode=mode)
    remarks = " ".join(plain(line) for line in remark_lines((kernel,), 200))
    for said in (remarks, status_text(replace(view, kernels=(kernel,)))):
        assert (f"x peak of {kernel.name} (fast)" in said) == told


def _seconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"s": 1.0, "min": 60.0, "h": 3600.0}[unit]


def _page(view: MoneyView, row: money_text.Priced) -> str:
    return "\n".join(plain(line) for line in money_text.share_page(view, row, 60))


def test_the_kinds_of_test_under_a_kernel_are_its_own_and_all_of_them_stand_in_the_sum() -> None:
    spent = fake_money.view(["ffn", "qkv"], True, "")
    spent = replace(spent, device_of={"ffn": {"acceptance": 200.0, "ledger": 100.0}, "qkv": {"race": 340.0}})
    ffn, qkv = (row for row in money_text.rows_of(spent) if row.group == "kernel")
    assert "3.33 min acceptance" in _page(spent, ffn) and "1.67 min ledger" in _page(spent, ffn)
    assert "race" not in _page(spent, ffn) and "acceptance" not in _page(spent, qkv)
    role = next(row for row in money_text.rows_of(spent) if row.group == "role")
    assert "kind of test" not in _page(spent, role)
    whole = " ".join(plain(line) for line in money_text.summary(spent, 200))
    assert all(kind in whole for kind in spent.device)
