"""A pair of many shapes is one number to the judge: its rule keeps its guarantee, whatever the shapes do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.device.combine import pair_of
from kernels.judge.acceptance import ACCEPTANCE
from kernels.judge.rule import State
from kernels.judge.simulate import run_paired
from kernels.values.reading import Pair, Reading
from kernels.values.shapes import Shape, shares

times = st.floats(1.0, 1e9)
shapes = st.lists(st.tuples(st.floats(0.01, 100.0), times, times), min_size=1, max_size=6)


def reading(ns: float) -> Reading:
    return Reading(ns, 8, ns, ns)


def pairs_of(drawn: list[tuple[float, float, float]], *, swapped: bool) -> Pair:
    named = [Shape(f"s{i}", weight, {"M": i + 1}) for i, (weight, _, _) in enumerate(drawn)]
    sides = [
        (reading(other), reading(head)) if swapped else (reading(head), reading(other)) for _, head, other in drawn
    ]
    return pair_of(
        {shape.name: Pair(*side, "head", mode="m") for shape, side in zip(named, sides, strict=True)}, shares(named)
    )


@given(shapes)
def test_its_log_ratio_is_the_weighted_mean_of_those_at_the_shapes(drawn: list[tuple[float, float, float]]) -> None:
    pair = pairs_of(drawn, swapped=False)
    weights = np.array([weight for weight, _, _ in drawn])
    mean = float(weights @ np.array(list(pair.shape_ratios.values())) / weights.sum())
    assert pair.log_ratio == pytest.approx(mean, abs=1e-9)
    low, high = min(pair.shape_ratios.values()), max(pair.shape_ratios.values())
    assert low - 1e-9 <= pair.log_ratio <= high + 1e-9


@given(shapes)
def test_swapping_head_and_candidate_at_every_shape_turns_its_sign(drawn: list[tuple[float, float, float]]) -> None:
    one, other = pairs_of(drawn, swapped=False), pairs_of(drawn, swapped=True)
    assert one.log_ratio == pytest.approx(-other.log_ratio, abs=1e-9)


def test_the_rule_keeps_its_error_over_shapes_of_any_noise() -> None:
    """Nothing is faster, and the first reading is 3 % dearer: five shapes with their own sizes of noise, one of which
    drifts, heavy tails at another, order by one coin a pair. Limit .05, and 3 standard errors of the simulation."""
    rng, series, count = np.random.default_rng(11), 20000, 24
    weights = np.array([3.0, 2.0, 1.0, 1.0, 2.0]) / 9
    noise = rng.normal(0, [0.004, 0.01, 0.03, 0.08, 0.02], (series, count, 5))
    noise[:, :, 3] += 0.3 * (rng.random((series, count)) < 0.1) * rng.choice([-1, 1], (series, count))
    slope = np.linspace(0, 0.5, count)[None, :, None] * np.array([0, 0, 1, 0, 0])
    coin = rng.choice([-1.0, 1.0], (series, count))
    x = coin * ((noise + 0.03 + slope) @ weights)
    stops = run_paired(x, ACCEPTANCE)
    most = 0.05 + 3 * (0.05 * 0.95 / series) ** 0.5
    assert stops.rate(State.FASTER) <= most
    assert stops.rate(State.SLOWER) <= most
