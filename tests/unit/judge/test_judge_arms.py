"""Geometric means, intervals, permutation p, sizes of experiments: right values, by hand where that can be done."""

import itertools
import math

import pytest

from kernels.judge.arms import effect, expanded_level, figures, pooled_sd, reach
from kernels.judge.permutation import holm, least_p, permutation_p, ways
from kernels.judge.sample_size import fewest, needed, trajectories_for, visible_ratio


def test_the_mean_is_geometric_and_the_spread_is_a_factor() -> None:
    found = figures([math.log(2.0), math.log(8.0)], seed=1)
    assert found is not None
    assert found.geomean.value == pytest.approx(4.0)
    assert found.spread == pytest.approx(math.exp(math.sqrt(2) * math.log(2)))
    assert found.geomean.interval == pytest.approx([2.0, 8.0])


def test_one_trajectory_has_no_interval_and_none_has_no_figures() -> None:
    found = figures([math.log(3.0)], seed=1)
    assert found is not None
    assert (found.n, found.geomean.interval, found.spread) == (1, None, None)
    assert found.geomean.value == pytest.approx(3.0)
    assert figures([], seed=1) is None


def test_trajectories_that_are_all_alike_have_an_interval_of_no_width() -> None:
    found = figures([0.5] * 5, seed=1)
    assert found is not None
    assert found.geomean.interval == pytest.approx([math.exp(0.5)] * 2)
    assert found.spread == pytest.approx(1.0)


def test_intervals_come_again_with_their_seed() -> None:
    logs = [0.1, 0.4, 0.2, 0.9, 0.3]
    assert figures(logs, seed=7) == figures(logs, seed=7)


def test_an_effect_is_a_ratio_of_geometric_means() -> None:
    found = effect([0.0, 0.2], [0.5, 0.7], seed=1)
    assert found is not None
    assert found.value == pytest.approx(math.exp(0.5))
    assert found.low is not None
    assert found.low <= found.value
    assert effect([], [0.1], seed=1) is None


def test_what_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        figures([0.1, math.nan], seed=1)


def test_the_reach_of_few_trajectories() -> None:
    assert [reach(n) for n in (1, 2, 3, 5)] == [0.0, 0.5, 0.75, 0.9375]
    assert expanded_level(3) > expanded_level(5) > expanded_level(50) > 0.95


def test_pooled_sd_is_within_the_arms() -> None:
    assert pooled_sd([0.0, 0.2], [10.0, 10.2]) == pytest.approx(math.sqrt(0.02))
    assert pooled_sd([0.0], [1.0]) is None


@pytest.mark.parametrize(
    ("arms", "p"),
    [
        ([[1, 2, 3], [4, 5, 6]], 2 / 20),  # the two ends of 20 ways
        ([[1, 2, 4], [3, 5, 6]], 4 / 20),  # only {1,2,3} and {3,...}: each with its mirror
        ([[1, 2], [3, 4]], 2 / 6),
        ([[0.0, 0.5], [3, 4, 5]], 1 / 10),  # sizes differ: no mirror
        ([[5, 5], [5, 5]], 1.0),
        ([[0, 0, 0, 0], [1, 1, 1, 1]], 2 / 70),
    ],
)  # fmt: skip
def test_exact_p_of_small_arms(arms: list[list[float]], p: float) -> None:
    found = permutation_p(arms, seed=1)
    assert found is not None
    assert found.exact
    assert found.p == pytest.approx(p)


def test_p_is_the_share_of_all_ways_that_are_as_far_apart() -> None:
    a, b = [0.3, -0.2, 0.9, 0.1], [0.4, 1.2, 0.7]
    everything = a + b

    def distance(chosen: tuple[int, ...]) -> float:
        one = [everything[i] for i in chosen]
        other = [v for i, v in enumerate(everything) if i not in chosen]
        mean = sum(everything) / 7
        return sum(len(g) * (sum(g) / len(g) - mean) ** 2 for g in (one, other))

    seen = distance((0, 1, 2, 3))
    all_ways = list(itertools.combinations(range(7), 4))
    by_hand = sum(distance(way) >= seen - 1e-12 for way in all_ways) / len(all_ways)
    found = permutation_p([a, b], seed=1)
    assert found is not None
    assert found.p == pytest.approx(by_hand)


@pytest.mark.parametrize("start", [0.0, 0.1, 3.0])
@pytest.mark.parametrize("step", [0.1, 1e-3, 1e-5])
def test_ways_that_tie_count_wherever_they_lie(start: float, step: float) -> None:
    """Heads that several trajectories found have one figure. The two arms below are 2 apart in whole steps; the ways
    are counted in whole numbers."""
    arms = [[-1, 0, 2, 3], [-3, -1, 0, 0]]
    everything = arms[0] + arms[1]
    ways_found = [abs(2 * sum(way) - sum(everything)) for way in itertools.combinations(everything, 4)]
    seen = abs(sum(arms[0]) - sum(arms[1]))
    found = permutation_p([[start + step * value for value in arm] for arm in arms], seed=1)
    assert found is not None
    assert found.p == pytest.approx(sum(far >= seen for far in ways_found) / len(ways_found))


def test_arms_with_the_same_mean_cannot_be_told_apart() -> None:
    found = permutation_p([[3.1, 3.3, 3.3, 3.1], [3.3, 3.1, 3.1, 3.3]], seed=1)
    assert found is not None
    assert found.p == 1.0


def test_what_only_rounding_parts_is_alike() -> None:
    found = permutation_p([[0.7, 0.7, 0.7], [0.7 + 1e-16 * k for k in (3, 4, 5)]], seed=1)
    assert found is not None
    assert found.p == 1.0


def test_one_arm_alone_has_no_p() -> None:
    assert permutation_p([[1.0, 2.0], []], seed=1) is None
    assert permutation_p([[1.0, 2.0], [3.0]], seed=1) is None


@pytest.mark.parametrize(
    ("sizes", "count", "least"),
    [([3, 3], 20, 0.1), ([4, 4], 70, 2 / 70), ([2, 3], 10, 0.1), ([5, 5, 5], 756_756, 6 / 756_756)],
)  # fmt: skip
def test_ways_and_the_least_p(sizes: list[int], count: int, least: float) -> None:
    assert ways(sizes) == count
    assert least_p(sizes) == pytest.approx(least)


def test_holm_by_hand() -> None:
    assert holm({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06})
    assert holm({"a": 0.6, "b": 0.7}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}


def test_trajectories_by_the_formula() -> None:
    # 2 (1.96 + 0.8416)^2 = 15.698; sd equal to the distance: 15.7 + 0.96
    assert trajectories_for(math.log(1.1), 1.1) == 17
    assert trajectories_for(math.log(1.1), 1 / 1.1) == 17
    assert trajectories_for(0.0, 1.5) == fewest()
    with pytest.raises(ValueError, match="other than 1"):
        trajectories_for(0.1, 1.0)


def test_what_is_visible_agrees_with_what_is_needed() -> None:
    ratio = visible_ratio(0.05, 40)
    assert trajectories_for(0.05, ratio) == pytest.approx(40, abs=2)


def test_a_tiny_difference_is_planned_for_as_the_least_that_matters() -> None:
    assert needed(0.05, 1.0001) == trajectories_for(0.05, 1.03)
    assert needed(0.05, 1.2) == trajectories_for(0.05, 1.2)
    assert needed(None, 1.2) == fewest()


def test_more_comparisons_need_more_trajectories() -> None:
    """Of four against four p is at least 2 / 70: no correction for more than one arm leaves that below 5 %."""
    assert [fewest(m) for m in (1, 2, 5, 6, 7)] == [4, 5, 5, 5, 6]
    assert all(m * least_p([fewest(m)] * 2) < 0.05 <= m * least_p([fewest(m) - 1] * 2) for m in range(1, 30))
    # 2 (2.638 + 0.8416)^2 = 24.216, and 2.638^2 / 4 = 1.74
    assert trajectories_for(math.log(1.1), 1.1, comparisons=6) == 26
    assert needed(None, 1.2, comparisons=6) == 5
