"""The plots of a report: they end where the result says, and their axes are in the time that their steps are in."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.report import charts
from app.report.gather import Report, gather
from app.views import clock, digits
from store.engine import Store
from tests.unit.app_report.campaigns_to_report import fill


@pytest.fixture
def report(tmp_path: Path) -> Report:
    home = tmp_path / "home"
    made = fill(home)
    with Store.open(home) as store:
        return store.read_sync(lambda s: gather(s, made.campaign, 0.0))


def test_times_peak_ends_at_the_number_of_the_result(report: Report) -> None:
    """The step's own reading was in another device mode than the ledger's of the same head."""
    entry = report.speaking["a"]
    view = replace(report.kernels[0], head_id=entry.head, baseline_ns=9000.0, peak_ns=500.0, times_peak=2.15)
    sound = [replace(step, times_peak=1.07) for step in report.steps if not (step.lost or step.tainted)]
    drawn = charts.times_peak(replace(report, kernels=(view,), steps=tuple(sound)))
    assert sound and [line.last for line in drawn.lines] == [digits(2.15)]
    later = replace(report, kernels=(replace(view, head_id="a later head"),), steps=tuple(sound))
    assert [line.last for line in charts.times_peak(later).lines] == ["1.07"], "what is not measured yet is not told"


def test_an_axis_is_in_the_time_of_its_steps_with_the_stops_in_it(report: Report) -> None:
    began = report.campaign.started_at
    going = replace(report.campaign, state="running", elapsed_s=60.0)
    night = replace(report, campaign=going, made_at=began + 8 * 3600)
    drawn = charts.score(night)
    assert drawn.x_ticks[-1].label == clock(8 * 3600), "a minute at work, eight hours since its beginning"
    assert "since its beginning" in drawn.unit
