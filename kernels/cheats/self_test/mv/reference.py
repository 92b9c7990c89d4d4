"""y = W x + b in float64."""

from collections.abc import Mapping
from typing import Any


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    return {"y": a["M"].apply(a["x"]) + a["b"]}
