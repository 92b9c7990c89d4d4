"""y = W x turned by the position, in float64."""

from collections.abc import Mapping
from typing import Any

import numpy as np

PERIOD, HALF = 64, 128


def reference(a: Mapping[str, Any]) -> dict[str, Any]:
    u = a["M"].apply(a["x"])
    angle = 2 * np.pi * (a["pos"][:, None] % PERIOD) / PERIOD
    one, two = u[:, :HALF], u[:, HALF:]
    turned = [one * np.cos(angle) - two * np.sin(angle), two * np.cos(angle) + one * np.sin(angle)]
    return {"y": np.concatenate(turned, axis=1)}
