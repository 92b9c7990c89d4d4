"""Y = X W^T in float64."""

from collections.abc import Mapping
from typing import Any


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    return {"Y": a["B"].apply(a["X"])}
