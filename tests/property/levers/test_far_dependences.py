"""Loops whose turns meet far from each other are not joined, and places that begin anew are not stepped along."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.levers.fuse import neighbours
from kernels.levers.loops import counted_loops
from kernels.levers.nests.strides import accesses
from kernels.levers.unit import unit_of

PLACES = ("x[(j + FAR) % N]", "x[(FAR + j) % N]", "x[j + FAR]", "x[j + FAR / 1]", "*(x + j + FAR)")


def source(n: int, far: int, place: str) -> str:
    return f"""#define N {n}
#define FAR {far}
void f(double *x, double *y, double s) {{
    for (int i = 0; i < N; i++) x[i] = s;
    for (int j = 0; j < N; j++) y[j] = {place};
}}"""


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=40, deadline=None)
@given(n=st.integers(8, 100_000), share=st.floats(0, 1))
def test_loops_are_joined_only_where_no_turn_needs_a_later_one(place: str, n: int, share: float) -> None:
    far = int(share * n)
    later = any(0 <= read < n and read > j for j, read in _reads(n, far, place))
    assert bool(neighbours(source(n, far, place))) is not later


@settings(max_examples=40, deadline=None)
@given(n=st.integers(16, 100_000), share=st.floats(0, 1))
def test_a_place_that_begins_anew_does_not_move_evenly(n: int, share: float) -> None:
    far = int(share * n)
    unit = unit_of(source(n, far, PLACES[0]))
    _, loop = counted_loops(unit.functions["f"])
    (read,) = [access for access in accesses(unit, loop) if access.root == "x"]
    assert (read.stride == 1) is (far % n == 0)


def _reads(n: int, far: int, place: str) -> list[tuple[int, int]]:
    """At some turns, the element: shifts are alike in all turns but for where they begin anew."""
    return [(j, (j + far) % n if "%" in place else j + far) for j in {0, 1, n // 2, n - 1, max(n - far - 1, 0)}]
