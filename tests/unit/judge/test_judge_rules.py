"""Rules to compare with, the registry, and the line for the screen."""

import math
import re

import pytest

from kernels.judge.fixed import LEDGER_SHORT
from kernels.judge.plain_rules import Margin, Mean, Paper, t_statistic
from kernels.judge.registry import RULES, get_rule
from kernels.judge.rule import Bounds, State
from kernels.judge.screen import bar, one_line


class TestPaper:
    def test_alternates(self) -> None:
        assert Paper().alternating
        assert not get_rule("paired").alternating

    def test_stops_early_above_four_and_below_minus_two_from_the_fifth_pair(self) -> None:
        up = [0.010, 0.011, 0.009, 0.010, 0.012]
        assert Paper().decide(up[:4]).state is State.MEASURE_MORE
        assert Paper().decide(up).state is State.FASTER
        assert Paper().decide([-v for v in up]).state is State.DROP

    def test_accepts_at_the_last_pair_only(self) -> None:
        x = [0.01, -0.005, 0.012, -0.004, 0.011, -0.006, 0.013, 0.002, 0.001, -0.002, 0.011]
        assert 1.64 <= t_statistic(x) < 4
        assert Paper().decide(x[:10]).state is State.MEASURE_MORE
        assert Paper().decide(x).state is State.FASTER

    def test_equal_readings_do_not_divide_by_zero(self) -> None:
        assert t_statistic([0.01] * 5) == math.inf
        assert t_statistic([0.0] * 5) == 0.0


def test_margin_and_mean_read_once_at_the_end() -> None:
    assert Margin(3, 0.01).decide([0.02, 0.02]).state is State.MEASURE_MORE
    assert Margin(3, 0.01).decide([0.02, 0.02, -1.0]).state is State.FASTER
    assert Margin(3, 0.01).decide([0.005, 0.005, 0.005]).state is State.UNCLEAR
    assert Mean(3).decide([0.02, 0.02, -1.0]).state is State.SLOWER


def test_fixed_never_stops_early() -> None:
    assert LEDGER_SHORT.decide([0.1] * 11).state is State.MEASURE_MORE
    assert LEDGER_SHORT.decide([0.1] * 12).state is State.FASTER
    assert LEDGER_SHORT.decide([0.1, -0.1] * 6).state is State.UNCLEAR


@pytest.mark.parametrize("name", RULES)
def test_every_rule_takes_at_most_its_budget(name: str) -> None:
    rule = get_rule(name)
    assert not rule.decide([]).stopped
    assert rule.decide([0.01, -0.012] * rule.budget).stopped
    assert rule.decide([0.01, -0.012] * rule.budget).pairs <= rule.budget
    with pytest.raises(ValueError, match="finite"):
        rule.decide([math.nan] * rule.budget)


def test_the_registry_says_what_it_knows() -> None:
    assert get_rule("mean", pairs=5).budget == 5
    with pytest.raises(ValueError, match="known rules: paired, paper"):
        get_rule("nonsense")
    with pytest.raises(ValueError, match="colour"):
        get_rule("paired", colour=3)


class TestScreen:
    def test_the_line_of_a_running_test(self) -> None:
        x = [0.021, 0.012, -0.006, 0.018, 0.013, -0.011, 0.016, 0.009, 0.02, -0.003]
        shape = (
            r"pair 10/24  score \+\d\.\d\d  \[-1\.85 \.{4}\|\.57[.*]{7} \+2\.15\]"
            r"  est \+\d\.\d % \([+-]\d\.\d \.\. \+\d\.\d\)  next look 12"
        )
        assert re.fullmatch(shape, one_line(x))

    def test_the_star_stands_on_its_side_of_the_edge(self) -> None:
        bounds = Bounds(2.15, -1.85, 0.5667)
        assert bar(-1.85, bounds) == "[-1.85 *...|.57....... +2.15]"
        assert bar(0.5, bounds) == "[-1.85 ...*|.57....... +2.15]"
        assert bar(0.5667, bounds) == "[-1.85 ....|.57*...... +2.15]"
        assert bar(9.0, bounds) == "[-1.85 ....|.57......* +2.15]"
        assert len(bar(0.0, Bounds(2.15, -1.85, 1.2333))) == len(bar(0.0, bounds)) == len(bar(0.0, Bounds(2.15, -1.85)))

    def test_the_end_is_named(self) -> None:
        assert one_line([0.01] * 6).endswith("FASTER")
        assert one_line([0.01, -0.02, 0.03, -0.04, 0.05, -0.055]).endswith("NO SIGN")
        assert one_line([0.01, -0.02], get_rule("mean")).endswith("next look 11")
        assert one_line([]).startswith("pair 0/24")
