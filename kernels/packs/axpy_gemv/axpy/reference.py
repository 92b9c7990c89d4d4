"""out = a x + y in float64."""

from collections.abc import Mapping
from typing import Any


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    return {"out": a["a"][:, None] * a["x"] + a["y"]}
