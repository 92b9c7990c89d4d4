"""Around an experiment: what it will take by history, the leaderboard, recorded candidates judged again."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app import board
from app.experiment import again, forecast
from app.experiment.forecast import rates_of
from app.experiment.plan import Budget
from kernels.values.candidate import Candidate
from store import designs
from store.engine import Session, Store
from store.reads import board_view
from store.reads.again_view import recorded
from store.reads.past_view import Past
from tests.unit.app_experiment.filled import campaign, ground_of, pairs_of, promote


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One for all: each test looks at campaigns of its own in it."""
    with Store.open(tmp_path_factory.mktemp("home")) as opened:
        yield opened


def past(positions: int, elapsed_s: float, device_s: float) -> Past:
    return Past(1, "offline", positions, elapsed_s, device_s, 0.0)


def test_rates_are_medians_of_campaigns_with_enough_positions() -> None:
    found = rates_of([past(10, 100.0, 50.0), past(10, 300.0, 60.0), past(10, 200.0, 90.0), past(3, 9e9, 9e9)])
    assert found is not None
    assert (found.wall_s, found.device_s, found.usd, found.of) == (20.0, 6.0, 0.0, 3)
    assert rates_of([past(3, 1.0, 1.0)]) is None


def test_a_plan_says_hours_by_history_or_that_there_is_none(tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    with Store.open(tmp_path / "home") as store:
        found = forecast.forecast(on, store)
        assert (found.trajectories, found.wall_h) == (6, None)
        assert "says yet" in forecast.text(found, on.plan)
        store.write_sync(lambda s: campaign(s, "a", more=6))
        found = forecast.forecast(on, store)
    assert found.wall_h == pytest.approx(6 * 40 / 3600)
    assert found.device_h == pytest.approx(6 * 30 / 3600)
    assert "6 trajectories of 8 positions: about 4.0 min, 3.0 min of device time, $0" in forecast.text(found, on.plan)


def test_a_plan_says_the_device_hours_that_its_budget_says(tmp_path: Path) -> None:
    on = ground_of(tmp_path)
    on = replace(on, plan=replace(on.plan, budget=Budget("device_seconds", 60.0)))
    with Store.open(tmp_path / "home") as store:
        found = forecast.forecast(on, store)
    assert (found.wall_h, found.device_h) == (None, pytest.approx(0.1))
    said = forecast.text(found, on.plan)
    assert said.startswith("6 trajectories of 60 device seconds: 6.0 min of device time, $0; how long that takes no")


def test_only_what_measured_the_same_is_ranked_together(store: Store) -> None:
    def rows(s: Session) -> list[int]:
        return [
            campaign(s, "slow", more=1, speedup=2.0), campaign(s, "fast", more=1, speedup=4.0),
            campaign(s, "near", more=1, speedup=3.9), campaign(s, "elsewhere", more=1, digest="new", speedup=9.0),
            campaign(s, "without", more=1),
        ]  # fmt: skip

    slow, fast, near, elsewhere, without = store.write_sync(rows)
    mine = {slow, fast, near, elsewhere, without}
    first, second = board.ranked([row for row in store.read_sync(board_view.board) if row.campaign in mine])
    assert [(r["campaign"], r["rank"]) for r in first["rows"]] == [
        (fast, 1), (near, 1), (slow, 3), (without, None)
    ]  # fmt: skip
    assert [(r["campaign"], r["rank"]) for r in second["rows"]] == [(elsewhere, 1)]
    text = board.text([first, second])
    assert "4.00x (3.81..4.20)" in text
    assert "8 candidates" in text


def test_rows_differ_in_what_they_measured_by_device_toolchain_and_mode(store: Store) -> None:
    number = store.write_sync(lambda s: campaign(s, "a", more=1, speedup=2.0))
    (row,) = [row for row in store.read_sync(board_view.board) if row.campaign == number]
    others = [replace(row, mode="slow"), replace(row, fingerprint="other"), replace(row, kernels=("axpy",))]
    assert len(board.ranked([row, *others])) == 4
    assert len(board.ranked([row, replace(row, brain="anthropic:m", minutes=9.0)])) == 1
    both = [replace(row, kernels=("axpy", "gemv")), replace(row, kernels=("gemv", "axpy"))]
    assert len(board.ranked(both)) == 1, "in whichever order they were named"


def test_rows_of_several_homes_are_ranked_together_and_told_apart(store: Store) -> None:
    number = store.write_sync(lambda s: campaign(s, "a", more=1, speedup=2.0))
    (row,) = [row for row in store.read_sync(board_view.board) if row.campaign == number]
    (group,) = board.ranked([replace(row, home="/first"), replace(row, home="/second", speedup=3.0, low=2.9, high=3.1)])
    assert [(one["home"], one["rank"]) for one in group["rows"]] == [("/second", 1), ("/first", 2)]
    lines = board.text([group]).splitlines()
    named = [line.split()[1] for line in lines if line.startswith(("1 ", "2 "))]
    assert named == [f"1.{number}", f"2.{number}"]
    assert "home 2: /first" in lines


def test_recorded_candidates_carry_pairs_confirmation_and_ledger(store: Store) -> None:
    def rows(s: Session) -> int:
        number = campaign(s, "a", more=0, speedup=1.3)
        idea = designs.lineage(s, designs.attempts(s, number, "gemv")[0].node_id)[0]
        node = designs.add_node(
            s, number, "gemv", "variant", parent=idea, candidate_id=designs.head(s, number, "gemv"), lever="again"
        )
        pairs_of(s, number, node, (-0.1,) * 6)
        return number

    number = store.write_sync(rows)
    kept, slower = store.read_sync(lambda s: recorded(s, [number]))
    assert (len(kept.x), len(kept.fresh), kept.promoted) == (8, 8, True)
    assert kept.ledger == pytest.approx((0.2624, 0.2136, 0.3112), abs=1e-3)
    assert (slower.promoted, slower.fresh) == (False, ())
    assert store.read_sync(lambda s: recorded(s, [number + 1])) == ()


def test_a_confirmation_is_of_the_last_test_before_it_alone(store: Store) -> None:
    """One that was tested in vain, and later beside another head again, and confirmed there."""

    def rows(s: Session) -> int:
        number = campaign(s, "a", more=0)
        idea = designs.lineage(s, designs.attempts(s, number, "gemv")[0].node_id)[0]
        twice = designs.add_candidate(s, Candidate("gemv", {"kernel.c": "tested twice\n"}))
        for x, confirmed in ((-0.02,) * 6, False), ((0.05,) * 7, True):
            node = designs.add_node(s, number, "gemv", "variant", parent=idea, candidate_id=twice, lever="again")
            pairs_of(s, number, node, x)
            if confirmed:
                pairs_of(s, number, node, (0.04,) * 8, kind="confirmation")
        return number

    number = store.write_sync(rows)
    _, in_vain, kept = store.read_sync(lambda s: recorded(s, [number]))
    assert (len(in_vain.x), len(in_vain.fresh)) == (6, 0)
    assert (len(kept.x), len(kept.fresh)) == (7, 8)


def test_the_replay_counts_against_the_ledger(store: Store) -> None:
    def rows(s: Session) -> int:
        number = campaign(s, "a", more=0, speedup=0.9)
        idea = designs.lineage(s, designs.attempts(s, number, "gemv")[0].node_id)[0]
        promote(s, number, idea, "second", x=(0.02,) * 8)
        return number

    found = again.replayed(store, [store.write_sync(rows)])
    rules = {r["rule"]: r for r in found["rules"]}
    assert (found["candidates"], found["truth"]) == (2, {"not faster": 1, "faster": 1})
    assert (rules["as recorded"]["promoted"], rules["as recorded"]["false"]) == (2, 1)
    assert (rules["3 % bar"]["promoted"], rules["3 % bar"]["false"], rules["3 % bar"]["missed"]) == (1, 1, 1)
    assert rules["static estimate"]["undecided"] == 2
    assert "2 tested candidates judged again" in again.text(found)
