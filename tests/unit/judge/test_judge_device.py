"""What 24 head-head pairs say of a device, and carry-over."""

import math

import numpy as np
import pytest

from kernels.judge.calibrate import calibrate, modes
from kernels.judge.carry_over import carry_over
from kernels.judge.collect import coin_of
from kernels.judge.power import robust_sd
from kernels.values.reading import First, Pair, Reading


def pairs_of(
    count: int, cv: float, *, shared: float = 0.0, second: float = 0.0, trend: float = 0.0,
    after_candidate: float = 0.0, gain: float = 0.0, seed: int = 1, probes: tuple[float, ...] = (33.0,),
) -> list[Pair]:  # fmt: skip
    """shared: sd of a level common to both readings of a pair; second, after_candidate: added to those readings."""
    rng, coin = np.random.default_rng([seed, 1]), coin_of(seed)
    found = []
    for index in range(count):
        first: First = "head" if coin.integers(2) else "candidate"
        level = rng.normal(0, shared)
        early = level + rng.normal(0, cv) + trend * 2 * index
        late = level + rng.normal(0, cv) + trend * (2 * index + 1) + second
        late += after_candidate if first == "candidate" else 0.0
        head, candidate = (early, late) if first == "head" else (late, early)
        one, two = (Reading(1e6 * math.exp(v), 8, 0, 0) for v in (head, candidate + math.log1p(-gain)))
        probe = probes[index % len(probes)]
        found.append(Pair(one, two, first, probe, probe))
    return found


class TestCalibration:
    def test_an_uncorrelated_device(self) -> None:
        found = calibrate(pairs_of(1000, 0.007))
        assert found.cv == pytest.approx(0.007, rel=0.15)
        assert found.pair_sd == pytest.approx(0.0099, rel=0.2)
        assert found.visible_gain == pytest.approx(0.69 * found.pair_sd)
        assert abs(found.within_pair.r) < 0.2
        assert found.suggested_d == 0.005
        assert found.order_p > 0.01
        assert any("pairing only balances order" in line for line in found.lines)

    def test_correlated_pairs_see_further_than_the_cv(self) -> None:
        found = calibrate(pairs_of(240, 0.001, shared=0.01))
        assert found.within_pair.r > 0.8
        assert found.pair_sd < 0.3 * found.cv
        assert found.suggested_d == 0.002
        assert any("pairing pays" in line for line in found.lines)

    def test_order_effect_and_trend(self) -> None:
        found = calibrate(pairs_of(24, 0.002, second=0.01, trend=0.001))
        assert found.order_effect == pytest.approx(0.011, abs=0.003)
        assert found.order_p < 0.001
        assert found.trend_low < 0.001 < found.trend_high
        assert found.trend_low > 0

    def test_modes_are_split_where_the_probe_jumps(self) -> None:
        found = calibrate(pairs_of(24, 0.002, probes=(33.0, 34.0, 55.0)))
        assert [(round(gbs), n) for gbs, n in found.modes] == [(34, 16), (55, 8)]
        assert modes([0.0, 0.0]) == ()

    def test_a_constant_device_does_not_fail(self) -> None:
        found = calibrate(pairs_of(24, 0.0))
        assert (found.cv, found.order_p, found.suggested_d) == (0.0, 1.0, 0.002)
        assert math.isnan(found.lag1.r)

    def test_too_few_pairs_are_refused(self) -> None:
        with pytest.raises(ValueError, match="at least 4 pairs"):
            calibrate(pairs_of(3, 0.01))


class TestCarryOver:
    def test_seen_between_readings_of_one_kernel(self) -> None:
        found = carry_over(pairs_of(200, 0.007, after_candidate=0.007), same_kernel=True)
        assert found.p < 0.001
        assert "carry-over" in found.warning
        assert found.shift == pytest.approx(0.007, abs=0.003)

    def test_neither_a_gain_nor_an_order_effect_is_taken_for_it(self) -> None:
        assert not carry_over(pairs_of(400, 0.007, gain=0.3, second=0.02)).warning

    def test_seen_beside_a_gain(self) -> None:
        assert carry_over(pairs_of(400, 0.007, gain=0.3, after_candidate=0.007)).warning

    def test_false_warnings_are_rare(self) -> None:
        assert sum(bool(carry_over(pairs_of(24, 0.007, shared=0.02, seed=s)).warning) for s in range(150)) <= 2

    def test_one_order_only_says_nothing(self) -> None:
        head_first = [p for p in pairs_of(24, 0.01) if p.first == "head"]
        assert carry_over(head_first).p == 1.0


def test_the_robust_sd_shrugs_at_an_outlier() -> None:
    values = np.append(np.random.default_rng(1).normal(0, 1, 200), 1e6)
    assert robust_sd(values) == pytest.approx(1.0, rel=0.2)
    assert robust_sd(np.array([1.0])) == 0.0
