"""Gains of whole readings, and gains of their fastest calls only."""

import math

import pytest

from kernels.device.evenness import gains, mean_of, uneven

HEAD = (100.0, 105.0)


def test_an_even_gain_is_one_however_large() -> None:
    pairs = [gains(HEAD, (100.0 / k, 112.0 / k)) for k in (1.05, 1.3, 40.0)]
    assert all(uneven([pair, pair, pair]) == "" for pair in pairs if pair is not None)


def test_a_gain_of_the_fastest_calls_is_none() -> None:
    pair = gains(HEAD, (50.0, 104.0))
    assert pair is not None
    assert uneven([pair] * 2) == ""
    assert "1/2.00 of the head's time, by the mean of its calls 1/1.01" in uneven([pair] * 3)


def test_six_pairs_show_less_than_three() -> None:
    pair = gains(HEAD, (90.0, 106.0))
    assert pair is not None
    assert uneven([pair] * 5) == ""
    assert "most calls pay" in uneven([pair] * 6)


def test_without_a_gain_nothing_is_uneven() -> None:
    pair = gains(HEAD, (100.0, 300.0))
    assert pair is not None
    assert uneven([pair] * 9) == ""


@pytest.mark.parametrize("ns", [math.nan, math.inf, 0.0, -1.0])
def test_what_is_no_time_is_no_gain(ns: float) -> None:
    assert gains(HEAD, (ns, 100.0)) is None
    assert gains((100.0, ns), (100.0, 100.0)) is None


def test_the_slowest_tenth_is_left_out() -> None:
    assert mean_of([1.0, 2.0, 9.0]) == 4.0
    assert mean_of([*range(1, 10), 1000.0]) == 5.0
