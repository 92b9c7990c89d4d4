"""y = A^T (A x) in float64."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    ax = np.einsum("bij,bj->bi", a["A"], a["x"])
    return {"y": np.einsum("bij,bi->bj", a["A"], ax)}
