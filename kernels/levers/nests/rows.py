"""Different rows of a table of whole numbers, found by one number a row: a sort of rows takes ten times as long."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from kernels.levers.nests.headers import Column

_LARGEST: Final = 1 << 62


def distinct(columns: Sequence[Column]) -> tuple[Any, Any]:
    """The different rows of columns of one length (rows x columns), in order, and which of them each row is."""
    table = np.stack(columns, axis=1)
    keys = _keys(columns)
    if keys is None:
        rows, which = np.unique(table, axis=0, return_inverse=True)
        return rows, which.ravel()
    if bool((keys[1:] >= keys[:-1]).all()):
        new = np.concatenate(([True], keys[1:] > keys[:-1])) if len(keys) else np.zeros(0, bool)
        return table[new], np.cumsum(new) - 1
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return table[first], which.ravel()


def _keys(columns: Sequence[Column]) -> Column | None:
    """One number a row, ordered as the rows are; None where they would be too large."""
    if not columns or not len(columns[0]):
        return None
    lowest = [int(column.min()) for column in columns]
    sizes = [int(column.max()) - low + 1 for column, low in zip(columns, lowest, strict=True)]
    if math.prod(sizes) >= _LARGEST:
        return None
    keys = np.zeros(len(columns[0]), np.int64)
    for column, low, size in zip(columns, lowest, sizes, strict=True):
        keys = keys * size + (column - low)
    return keys
