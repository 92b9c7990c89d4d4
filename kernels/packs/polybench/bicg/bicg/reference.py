"""q = A p and s = A^T r in float64."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    return {"q": np.einsum("bij,bj->bi", a["A"], a["p"]), "s": np.einsum("bij,bi->bj", a["A"], a["r"])}
