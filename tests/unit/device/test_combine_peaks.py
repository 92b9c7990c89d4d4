"""The peak of a kernel's shapes: a geometric mean, and a style that every shape has."""

import math

import pytest

from kernels.device.combine import peak_of
from kernels.device.report import PeakReport

WEIGHTS = {"small": 0.5, "large": 0.5}


def test_the_style_is_one_that_all_shapes_have() -> None:
    small = PeakReport(1000.0, 100.0, "prefetch", {"prefetch": 100.0, "chunks": 90.0, "plain": 80.0}, "fast")
    large = PeakReport(4000.0, 25.0, "wide", {"wide": 25.0, "chunks": 10.0, "plain": 20.0}, "fast")
    found = peak_of({"small": small, "large": large}, WEIGHTS)
    assert (found.ns, found.gbs) == (pytest.approx(2000.0), pytest.approx(50.0))
    assert found.styles == pytest.approx({"chunks": 30.0, "plain": 40.0})
    assert found.style == "plain"


def test_the_style_that_is_best_at_most_shapes_goes_first() -> None:
    one = PeakReport(1000.0, 90.0, "chunks", {"chunks": 90.0, "plain": 89.0}, "fast")
    other = PeakReport(1000.0, 90.0, "plain", {"chunks": 10.0, "plain": 90.0}, "fast")
    weights = dict.fromkeys(("a", "b", "c"), 1 / 3)
    assert peak_of({"a": one, "b": one, "c": other}, weights).style == "chunks"


def test_without_a_style_at_one_shape_there_is_none() -> None:
    one = PeakReport(1000.0, 90.0, "chunks", {"chunks": 90.0}, "fast")
    none = PeakReport(3000.0, math.nan, "none", {}, "fast")
    found = peak_of({"small": one, "large": none}, WEIGHTS)
    assert (found.ns, found.gbs, found.style, found.styles) == (3000.0, 0.0, "none", {})
