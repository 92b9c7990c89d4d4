"""Many heads at once say what each says by itself; rows told apart by one number are those told apart as rows."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kernels.levers.nests.headers import header_of
from kernels.levers.nests.integers import integers_of
from kernels.levers.nests.rows import distinct
from kernels.levers.nests.trips import headers_of
from kernels.levers.syntax import walk
from kernels.levers.unit import unit_of

HEADS = (
    "int j = 0; j < i; j++", "int j = i; j < n; j += 3", "int j = n; j >= i; j -= 2", "int j = i + 1; j <= n / 2; j++",
    "int j = 0; i > j; j++", "int j = 0; j * j < i; j++", "int j = n - 1; j > i % 4; --j",
)  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
def test_columns_of_heads_are_those_of_each(head: str) -> None:
    source = f"void f(float *x, int n) {{ for (int i = 0; i < n; i++) for ({head}) x[j] = 0; }}"
    unit = unit_of(source)
    loop = [n for n in walk(unit.root) if n.type == "for_statement"][1]
    rows = list(product(range(0, 40, 3), (0, 1, 17, 40)))
    i, n = (np.array(column) for column in zip(*rows, strict=True))
    first, step, trips = headers_of(loop, integers_of(source), {"i": i, "n": n}, len(rows))
    for row, (one, size) in enumerate(rows):
        alone = header_of(loop, integers_of(source), {"i": one, "n": size})
        assert (first[row], step, trips[row]) == (alone.first, alone.step, alone.trip), (one, size)


@settings(deadline=None)
@given(arrays(np.int64, st.tuples(st.integers(0, 30), st.integers(1, 3)), elements=st.integers(-4, 4)), st.booleans())
def test_rows_are_told_apart(table: np.ndarray, wide: bool) -> None:
    scaled = table * (1 << 60) if wide else table
    rows, which = distinct([scaled[:, k] for k in range(scaled.shape[1])])
    wanted, back = np.unique(scaled, axis=0, return_inverse=True)
    assert np.array_equal(rows, wanted) and np.array_equal(which, back.ravel())
