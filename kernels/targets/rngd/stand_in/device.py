"""The simulated device: cycles of a launch from the basic blocks that it ran, with the noise that RNGD showed.

    planned  = START + BLOCK x blocks of the slower cluster        cycles of the compiler's model
    cycles   = RATIO x planned x (1 + residual of the binary)      cycles of the profiler, before noise

Noise is drawn from the relative deviations of 517 readings of the public RNGD kernel contest from their series' means
(`noise.json`, scaled by sqrt(n / (n - 1))). The first launch of a process takes 3,500 to 5,200 cycles more, and 26,000
to 49,000 more after a second of idling. Launch skew between clusters is 0 to 15,000 cycles, as sync waits were.
"""

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

START: Final = 1003
BLOCK: Final = 2.0
RATIO: Final = 2.2
RESIDUAL: Final = 0.02
FIRST: Final = (3500, 5200)
IDLE: Final = (26000, 49000)
IDLE_S: Final = 1.0
SKEW: Final = (0, 15000)
SHORTEST_SKEWED: Final = 100_000
"""Planned cycles from which skews are as seen; for shorter kernels they shrink with them."""
NOISE: Final = Path(__file__).with_name("noise.json")
OTHERS: Final = "attn_out"


@dataclass(frozen=True, slots=True)
class Launch:
    """cycles: of the slower cluster, skew left out. skew: by which cluster 1 began later."""

    cycles: int
    skew: int


def planned(blocks: tuple[int, int]) -> int:
    """Makespan in model cycles."""
    return START + round(BLOCK * max(blocks))


def residual(binary_sha256: str) -> float:
    """What the schedule does not know of this binary: fixed for it, a draw of N(0, `RESIDUAL`)."""
    return random.Random(binary_sha256).gauss(0.0, RESIDUAL)


def launches(
    rng: random.Random, kernel: str, binary_sha256: str, blocks: tuple[int, int], count: int, idle_s: float
) -> list[Launch]:
    """One process. idle_s: since the device was last used."""
    deviations = noise_of(kernel)
    plan = planned(blocks)
    clean = RATIO * plan * (1 + residual(binary_sha256))
    scale = min(1.0, plan / SHORTEST_SKEWED)
    found: list[Launch] = []
    for number in range(count):
        cycles = clean * (1 + rng.choice(deviations))
        if number == 0:
            cycles += rng.uniform(*(IDLE if idle_s >= IDLE_S else FIRST))
        found.append(Launch(round(cycles), round(scale * rng.uniform(*SKEW))))
    return found


def noise_of(kernel: str) -> list[float]:
    """Relative deviations of a kernel of the contest; those of `OTHERS` for any other one."""
    known = json.loads(NOISE.read_text(encoding="utf-8"))
    return [float(one) for one in known.get(kernel, known[OTHERS])]
