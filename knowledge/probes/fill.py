"""What the area of a probe holds before its first call."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from knowledge.probes.definition import Fill

LINE: Final = 64
SEED: Final = 20260901


def fill(area: NDArray[np.uint8], kind: Fill) -> None:
    """Writes every byte, so that every page is there.

    chase: the first 8 bytes of each 64-byte line hold the offset of the next one, in one random cycle over all lines.
    floats: f32 between 0.5 and 1.5. The seed is fixed: nothing here is secret, and readings are to be comparable.
    """
    rng = np.random.default_rng(SEED)
    match kind:
        case "zero":
            area[:] = 0
        case "random":
            area[:] = rng.integers(0, 256, len(area), dtype=np.uint8)
        case "floats":
            area[: len(area) // 4 * 4].view(np.float32)[:] = rng.random(len(area) // 4, dtype=np.float32) + 0.5
        case "chase":
            area[:] = 0
            area.view(np.uint64)[:: LINE // 8] = cycle(len(area) // LINE, rng) * LINE


def cycle(length: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """next[i] of one cycle through all of 0 .. length - 1."""
    order = rng.permutation(length)
    following = np.empty(length, dtype=np.uint64)
    following[order] = np.roll(order, -1)
    return following
