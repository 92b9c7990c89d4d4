"""A speedup that is not a finite number above 0 never ranks, and there is no geometric mean with one in it."""

import math

import pytest
from sqlalchemy import text

from kernels.judge import ledger as judged
from store import ledger, reads, scores
from store.errors import StoreError
from store.scores import Speedup

BAD = [0.0, -2.0, math.nan, math.inf]


@pytest.mark.parametrize("value", BAD)
def test_no_mean_over_it_and_the_reason_names_the_kernel(value: float) -> None:
    by_kernel = {"ffn": Speedup(value, value, value), "qkv": Speedup(2.0, 1.9, 2.1)}
    assert scores.pack_speedup(by_kernel, ["ffn", "qkv"]) is None
    assert "ffn has" in scores.refusal(by_kernel, ["ffn", "qkv"])
    assert scores.refusal(by_kernel, ["qkv"]) == ""
    assert scores.geometric_mean([2.0, value]) is None
    with pytest.raises(ValueError, match="finite and above 0"):
        judged.geometric_mean([judged.Speedup(2.0, 1.9, 2.1), judged.Speedup(value, value, value)])


@pytest.mark.parametrize("gain", [1.0, 2.0, math.nan, -math.inf])
def test_a_gain_that_no_times_can_give_is_no_claim(gain: float) -> None:
    assert scores.geometric_mean([scores.factor_of(gain), 2.0]) is None
    with pytest.raises(ValueError, match="finite and below 1"):
        judged.claimed_gain([0.1, gain])


@pytest.mark.parametrize("value", BAD)
def test_it_does_not_get_into_the_ledger(world, value: float) -> None:
    def rows(s) -> None:
        ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=world.baseline, against="baseline", against_id=world.baseline,
            speedup=value, low=1.0, high=2.0, pairs=12,
        )  # fmt: skip

    with pytest.raises(StoreError, match="finite and above 0"):
        world.write(rows)


def test_one_that_got_in_nevertheless_does_not_rank_and_the_views_say_why(world) -> None:
    node, _ = world.promoted("fast")
    world.finished_test(node)

    def rows(s) -> None:
        head = s.scalar(text("SELECT candidate_id FROM promotion"))
        ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=head, against="baseline", against_id=world.baseline,
            speedup=2.0, low=1.9, high=2.1, pairs=12,
        )  # fmt: skip
        s.connection().execute(text("UPDATE ledger SET speedup = 9e999, high = 9e999"))

    world.write(rows)
    view = world.read(lambda s: reads.overview(s, world.campaign))
    assert view.campaign.ledger_speedup is None
    assert "ffn has inf" in view.campaign.refused
    assert view.kernels[0].ledger_speedup is None
    assert view.score == ()
    assert "ffn has inf" in world.read(lambda s: reads.summary(s, world.campaign))["refused"]
