"""Planned against real: values counted by hand, and the table of the contest."""

import math

import pytest

from kernels.profiling.agreement import NEEDED, agreement, same_sign, spearman, tolerance


def test_ratio_rank_and_error_of_a_few_points() -> None:
    found = agreement([10, 20, 30, 40], [20, 40, 90, 60])
    assert found is not None
    assert (found.n, found.ratio, found.ratio_low, found.ratio_high) == (4, 2.0, 1.5, 3.0)
    assert found.rank == pytest.approx(0.8)
    assert found.error == pytest.approx((0 + 1 / 3) / 2)
    assert found.error_p90 == pytest.approx(1 / 3)


def test_ties_share_their_rank() -> None:
    assert spearman([1, 1, 2], [3, 5, 9]) == pytest.approx(math.sqrt(3) / 2)


def test_constant_times_have_no_rank_correlation() -> None:
    assert spearman([1, 1, 1], [1, 2, 3]) is None


def test_nothing_agrees_with_nothing() -> None:
    assert agreement([], []) is None


@pytest.mark.parametrize("real", [[1.0], [1.0, 0.0], [1.0, math.inf]])
def test_only_positive_times_of_both_can_be_compared(real: list[float]) -> None:
    with pytest.raises(ValueError, match="positive"):
        agreement([1.0, 2.0], real)


@pytest.mark.parametrize(
    ("planned", "real", "says"),
    [
        (range(1, 10), [1.31 * n for n in range(1, 10)], "trust it for order, not for time"),
        (range(1, 10), [1.02 * n for n in range(1, 10)], "trust it for order and time"),
        ([100, 100.1] * 5, [100, 99, 101, 100.5, 99, 100, 101, 99.5, 100, 100], "trust it for time, not for order"),
        (range(1, 10), range(9, 0, -1), "trust it neither for order nor for time"),
        ([1, 2, 3], [1, 2, 3], "too few to trust it, 8 needed"),
    ],
)
def test_what_it_can_be_trusted_for(planned: list[float], real: list[float], says: str) -> None:
    found = agreement(list(planned), list(real))
    assert found is not None
    assert found.text.endswith(f": {says}")


def test_the_text_has_the_figures() -> None:
    found = agreement(list(range(1, 24)), [1.31 * n for n in range(1, 24)])
    assert found is not None
    assert found.text == "n 23, median ratio 1.31, rank correlation 1.00: trust it for order, not for time"


def test_nineteen_errors_make_a_tolerance_of_the_worst() -> None:
    errors = [0.1] * (NEEDED - 1)
    assert tolerance([*errors]) is None
    assert tolerance([*errors, -math.log(1.5)]) == pytest.approx(1.5)
    twice = [*errors, *errors, -math.log(1.5), -math.log(1.2), 0.1]  # 39: the second of them
    assert tolerance(twice) == pytest.approx(1.2)


def test_signs_of_differences() -> None:
    planned, real = [-10, 5, 0, 3, -2], [-1, 2, 4, -3, 0]
    assert same_sign(planned, real) == (2, 3)
    assert same_sign(planned, real, least=5) == (2, 2)
