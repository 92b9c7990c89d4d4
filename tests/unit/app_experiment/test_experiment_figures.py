"""What an experiment says of its trajectories: means, effects, exact p, what is idle, what it takes to see more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.experiment import figures, told
from app.experiment.spending import ENDS
from roles.budget import Budget, Spent, over
from store.engine import Store
from store.reads import experiment_view
from tests.unit.app_experiment.filled import fill, ground_of


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One for all: each test has an experiment of its own in it."""
    with Store.open(tmp_path_factory.mktemp("home")) as opened:
        yield opened


def test_means_effects_and_the_exact_p(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    filled = fill(store, on)
    filled.measure([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    found = figures.of(on, store, filled.number)
    control, other, idle = found["arms"]
    assert (control["geomean"], other["geomean"]) == (pytest.approx(2.0), pytest.approx(16.0))
    assert control["interval"] == pytest.approx([1.0, 4.0])
    assert (control["spread"], control["n"]) == (pytest.approx(2.0), 3)
    assert other["against_control"]["ratio"] == pytest.approx(8.0)
    assert other["against_control"]["permutation_p"] == pytest.approx(0.1)
    assert found["permutation_p"] == pytest.approx(0.1)
    assert other["verdict"] == "under-powered: needs about 4 trajectories an arm"
    assert [t["speedup"] for t in control["trajectories"]] == pytest.approx([1.0, 2.0, 4.0])
    assert (idle["n"], idle["geomean"], idle["against_control"]) == (0, None, None)
    assert "only models read it" in idle["cannot_change"]


def test_what_it_took_to_nine_tenths_of_the_best(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    filled = fill(store, on)
    filled.measure([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    found = figures.of(on, store, filled.number)["to_target"]
    assert found["target"] == pytest.approx(0.9 * 32.0)
    never = {"median": None, "low": None, "high": None}
    assert found["arms"]["control"] == {"positions": never, "device_seconds": never}
    assert found["arms"]["other"]["positions"] == {"median": None, "low": 2.0, "high": None}
    assert "control never positions, never device s" in told.text(figures.of(on, store, filled.number), plots=False)


def test_five_against_five_can_tell(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path, n=5)
    filled = fill(store, on)
    filled.measure([2.0, 2.01, 2.02, 2.03, 2.04, 3.0, 3.01, 3.02, 3.03, 3.04])
    found = figures.of(on, store, filled.number)
    assert found["arms"][1]["against_control"]["permutation_p"] == pytest.approx(2 / 252)
    assert found["arms"][1]["verdict"] == "differs from control"
    assert "x/ 1.008" in told.text(found, plots=False)


def test_no_difference_is_said_only_where_it_would_have_been_seen(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path, n=5)
    filled = fill(store, on)
    filled.measure([2.0, 2.001, 2.002, 2.003, 2.004] * 2)
    (_, other, _) = figures.of(on, store, filled.number)["arms"]
    assert other["verdict"] == "no difference of 3% or more seen"


def test_one_trajectory_has_no_interval_of_which_something_could_be_said(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path, n=1)
    filled = fill(store, on)
    filled.measure([2.0, 3.0])
    text = told.text(figures.of(on, store, filled.number), plots=False)
    assert "one trajectory has neither interval nor p" in text
    assert "covers at most" not in text
    assert "under-powered: needs about 4 trajectories an arm" in text


def test_a_difference_that_is_seen_is_never_called_none(store: Store, tmp_path: Path) -> None:
    """Four against four of which two overlap: 4 of 70 ways are as far apart, however far that is."""
    on = ground_of(tmp_path, n=4)
    filled = fill(store, on)
    filled.measure([1.0, 1.0, 1.0, 1.82, 1.73, 2.7, 2.7, 2.7])
    (_, other, _) = figures.of(on, store, filled.number)["arms"]
    assert other["against_control"]["ratio"] > 2.0
    assert other["against_control"]["holm_p"] == pytest.approx(4 / 70)
    assert other["verdict"] == "cannot be told from control: what is seen may be chance"


def test_what_it_takes_is_said_for_all_arms_that_are_compared(store: Store, tmp_path: Path) -> None:
    """Of four trajectories p is at least 2 / 70, and 4 / 70 where two arms are compared."""
    more = '[[arm]]\nname = "third"\nrule = "margin"\n'
    on = ground_of(tmp_path, n=4, more=more)
    filled = fill(store, on, arms=("control", "other", "third"))
    filled.measure([1.0, 1.01, 1.02, 1.03, 2.0, 2.01, 2.02, 2.03, 1.5, 1.51, 1.52, 1.53])
    found = figures.of(on, store, filled.number)
    _, other, _, third = found["arms"]
    assert {one["verdict"] for one in (other, third)} == {"under-powered: needs about 5 trajectories an arm"}
    said = told.text(found, plots=False)
    assert "p cannot be below 0.029, and by Holm's correction for 2 arms not below 0.057" in said


def test_an_incumbent_is_carried_forward_and_that_is_said(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    filled = fill(store, on, early=1)
    filled.measure([1.5] * 6)
    found = figures.of(on, store, filled.number)
    early = found["arms"][0]["trajectories"][1]
    assert (early["positions"], early["carried_forward"], early["stopped_because"]) == (2, True, "stopped by operator")
    assert [t["carried_forward"] for t in found["arms"][1]["trajectories"]] == [False] * 3
    assert found["remarks"] == [
        "stopped before the budget, last incumbent carried forward: control 2 at 2 (stopped by operator)"
    ]
    assert [tuple(point) for point in found["arms"][0]["curve"]] == [(0.0, 1.0), (2.0, pytest.approx(1.5))]


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("positions", over(Budget(candidates=8), Spent(0.0, 8), 0.0)),
        ("minutes", over(Budget(minutes=5), Spent(300.0, 0), 20.0)),
        ("device_seconds", over(Budget(device_s=9), Spent(0.0, 0, 9.0), 0.0)),
    ],
)
def test_a_spent_budget_is_no_early_stop(kind: str, why: str) -> None:
    assert why.startswith(ENDS[kind])


def test_a_head_that_failed_in_the_final_block_counts_as_its_start(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    filled = fill(store, on)
    filled.measure([4.0] * 6, {2: "wrong_values: y differs"})
    found = figures.of(on, store, filled.number)
    assert [t["speedup"] for t in found["arms"][0]["trajectories"]] == pytest.approx([4.0, 4.0, 1.0])
    assert "control 3 gemv: wrong_values: y differs" in found["remarks"][0]


def test_before_the_final_block_there_is_no_figure(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    found = figures.of(on, store, fill(store, on).number)
    assert (found["state"], found["permutation_p"], found["arms"][0]["geomean"]) == ("running", None, None)
    assert "not done yet" in told.text(found)


def test_positions_of_a_promotion_and_what_a_campaign_spent(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    filled = fill(store, on)
    view, *_ = store.read_sync(lambda s: experiment_view.trajectories(s, filled.number))
    assert (view.positions, view.device_s, view.elapsed_s, view.state) == (8, 30.0, 40.0, "finished")
    (claim,) = view.claims
    assert (claim.kernel, claim.positions, claim.factor) == ("gemv", 2, pytest.approx(4 / 3))


def test_the_text_has_every_arm_with_n_and_interval(store: Store, tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    filled = fill(store, on)
    filled.measure([1.1, 1.2, 1.3, 1.15, 1.25, 1.35])
    text = told.text(figures.of(on, store, filled.number))
    assert "control" in text
    assert "1.20x (1.10..1.30)" in text
    assert "idle: not run, it cannot matter here: it does what control does: leaderboard: only models read it" in text
    assert "an interval of 3 trajectories covers at most 75%" in text
    assert "with so few trajectories p cannot be below 0.1" in text
    assert "refused trace 3" in text
    assert "a control, b other; steps: promotions' own claims" in text
    assert "6 tested candidates judged again" in text
