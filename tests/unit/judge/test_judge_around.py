"""Power, meter, placebos, ledger."""

import math

import numpy as np
import pytest

from kernels.judge import ledger, placebo
from kernels.judge.ledger import Bisection, Speedup
from kernels.judge.meter import Meter
from kernels.judge.placebo import Placebos
from kernels.judge.power import Power, device_minutes, pair_sd_of
from kernels.values.reading import Estimate


class TestPower:
    def test_smallest_gains_and_pairs(self) -> None:
        power = Power(pair_sd_of(0.007))
        assert power.pair_sd == pytest.approx(0.0099, abs=1e-5)
        assert power.visible_gain == pytest.approx(0.69 * power.pair_sd)
        assert power.promotable_gain == pytest.approx(0.76 * power.pair_sd)
        assert power.pairs_for(power.pair_sd) == pytest.approx(11.5)

    def test_correlated_pairs_see_more_than_the_cv_suggests(self) -> None:
        assert pair_sd_of(0.03, 0.9) == pytest.approx(pair_sd_of(0.03) * math.sqrt(0.1))

    def test_it_says_so_first(self) -> None:
        text = Power(0.026).text(0.01, pair_seconds=0.2)
        assert text.startswith("this device cannot see less than 1.8 %; 1 % takes about 78 pairs, 0.3 device minutes")
        assert device_minutes(78, 0.2) == pytest.approx(0.26)

    def test_what_cannot_be_is_refused(self) -> None:
        with pytest.raises(ValueError, match="sd of a pair"):
            Power(math.nan)
        with pytest.raises(ValueError, match="above 0"):
            Power(0.01).pairs_for(0.0)


def test_the_meter_shows_the_expected_and_the_dropped() -> None:
    meter = Meter(tests=200, promotions=20, dropped=4)
    assert meter.expected_false == pytest.approx(1.26)
    assert "1.26 false promotions" in meter.text
    assert "4 FASTER but dropped" in meter.text


class TestPlacebos:
    @pytest.mark.parametrize(
        ("faster", "tests", "upper"), [(0, 20, 0.1391), (0, 40, 0.0722), (2, 40, 0.1492), (16, 200, 0.1194), (5, 5, 1)]
    )
    def test_the_upper_bound_is_clopper_pearsons(self, faster: int, tests: int, upper: float) -> None:
        assert Placebos(faster, tests).upper == pytest.approx(upper, abs=2e-3)

    def test_fewer_than_forty_prove_nothing(self) -> None:
        assert "not yet known" in Placebos(0, 39).text
        assert Placebos(1, 40).text.startswith("1/40 FASTER, at most 11.")
        assert Placebos(0, 0).upper is None

    @pytest.mark.parametrize(("tests", "limit"), [(20, 4), (40, 5), (60, 7), (100, 10), (200, 16)])
    def test_the_alarm_is_looked_at_at_its_numbers_only(self, tests: int, limit: int) -> None:
        assert placebo.alarm_at(limit, tests)
        assert not placebo.alarm_at(limit - 1, tests)
        assert not placebo.alarm_at(tests, tests + 1)

    def test_the_alarm_of_a_sequence(self) -> None:
        assert placebo.alarm([True] * 4 + [False] * 15) is None
        assert placebo.alarm([True] * 4 + [False] * 16) == 20
        assert placebo.alarm([False] * 20 + [True] * 5 + [False] * 15) == 40
        assert placebo.alarm([False] * 40 + [True] * 5 + [False] * 15) is None

    def test_pooled_pairs_are_a_bias_meter(self) -> None:
        rng = np.random.default_rng(3)
        fair = placebo.pooled_bias(rng.normal(0.0, 0.01, 300).tolist())
        bent = placebo.pooled_bias(rng.normal(0.004, 0.01, 300).tolist())
        assert fair is not None
        assert bent is not None
        assert fair.clean
        assert not bent.clean
        assert bent.low < 0.004 < bent.high
        assert placebo.pooled_bias([]) is None

    def test_one_test_in_fifteen(self) -> None:
        assert [n for n in range(46) if placebo.is_placebo_turn(n)] == [15, 30, 45]
        assert not placebo.is_placebo_turn(15, 0)

    def test_impossible_counts_are_refused(self) -> None:
        with pytest.raises(ValueError, match="cannot be"):
            Placebos(3, 2)


class TestLedger:
    def test_speedup_of_pairs(self) -> None:
        x = np.log(10) + np.random.default_rng(1).normal(0, 0.01, 24)
        found = ledger.speedup_of(x.tolist())
        assert found.low < 10 < found.high
        assert found.speedup == pytest.approx(10, rel=0.01)

    def test_geometric_mean_with_its_interval(self) -> None:
        one = Speedup(4.0, 4.0 / 1.1, 4.0 * 1.1)
        four = ledger.geometric_mean([one] * 4)
        assert four is not None
        assert four.speedup == pytest.approx(4.0)
        assert four.high == pytest.approx(4.0 * 1.1**0.5)
        two = ledger.geometric_mean([Speedup(2, 2, 2), Speedup(8, 8, 8)])
        assert two is not None
        assert (two.low, two.speedup, two.high) == pytest.approx((4.0, 4.0, 4.0))
        assert ledger.geometric_mean([]) is None

    def test_kernels_without_an_entry_count_as_one(self) -> None:
        whole = ledger.pack_speedup({"ffn": Speedup(8, 8, 8)}, ["qkv", "attn", "ffn"])
        assert whole is not None
        assert whole.speedup == pytest.approx(2.0)
        assert ledger.pack_speedup({}, ["qkv"]) is None

    def test_claimed_gain_is_the_product_of_accepted_estimates(self) -> None:
        assert ledger.claimed_gain([0.5, Estimate(0.2, 0.1, 0.3)]) == pytest.approx(2.5)
        assert ledger.claimed_gain([]) == 1.0

    @pytest.mark.parametrize(
        ("promotions", "hours", "pairs"), [(3, 1.0, None), (4, 0.1, 12), (0, 99.0, None), (1, 24.0, 12)]
    )
    def test_short_entries_fall_due(self, promotions: int, hours: float, pairs: int | None) -> None:
        due = ledger.short_due(promotions, hours)
        assert (due.pairs if due else None) == pairs

    def test_full_entries_fall_due(self) -> None:
        due = ledger.full_due(submitting=False, ending=True, head_is_baseline=False)
        assert due is not None
        assert (due.pairs, due.against) == (24, "baseline")
        assert ledger.full_due(submitting=True, ending=False, head_is_baseline=False)
        assert ledger.full_due(submitting=True, ending=True, head_is_baseline=True) is None
        assert ledger.full_due(submitting=False, ending=False, head_is_baseline=False) is None

    @pytest.mark.parametrize("culprit", [1, 2, 3, 4, 5])
    def test_bisection_finds_the_promotion_that_fails(self, culprit: int) -> None:
        search = Bisection.over(5)
        steps = 0
        while search.culprit is None:
            search = search.after(-3.0 if search.probe >= culprit else 1.0)
            steps += 1
        assert (search.culprit, steps <= 3) == (culprit, True)

    def test_when_to_bisect(self) -> None:
        assert ledger.must_bisect(-1.85)
        assert not ledger.must_bisect(-1.84)
        with pytest.raises(ValueError, match="nothing to bisect"):
            Bisection.over(0)
