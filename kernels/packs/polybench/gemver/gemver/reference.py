"""A + u1 v1^T + u2 v2^T, x + beta A^T y + z and alpha A x in float64."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    matrix = a["A"] + np.einsum("bi,bj->bij", a["u1"], a["v1"]) + np.einsum("bi,bj->bij", a["u2"], a["v2"])
    x = a["x"] + a["beta"][:, None] * np.einsum("bji,bj->bi", matrix, a["y"]) + a["z"]
    return {"A": matrix, "x": x, "w": a["alpha"][:, None] * np.einsum("bij,bj->bi", matrix, x)}
