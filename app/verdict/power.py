"""What to say before a test: what this device can see, and what the test may cost."""

from typing import Any

from app.views import about
from kernels.judge.acceptance import MOST_PAIRS
from kernels.judge.power import Power, device_minutes
from store import reads
from store.engine import Store


def before(store: Store, fingerprint: str, pack: str, kernel: str) -> dict[str, Any] | None:
    """Figures of the power line, by the stored calibration or by placebo pairs; None when there are neither.

    device_minutes_at_most: None before any pair of this kernel was timed.
    """
    found = store.read_sync(lambda s: reads.power(s, fingerprint, pack, kernel))
    if found is None:
        return None
    seconds = found.pair_seconds
    return {
        "source": found.source,
        "pairs": found.pairs,
        "visible_gain": found.visible_gain,
        "promotable_gain": found.promotable_gain,
        "pairs_for_1_percent": Power(found.pair_sd).pairs_for(0.01),
        "pair_seconds": seconds,
        "device_minutes": found.test_minutes,
        "device_minutes_at_most": None if seconds is None else device_minutes(MOST_PAIRS, seconds),
        "calibrated_at": found.at,
    }


def text(figures: dict[str, Any] | None, name: str) -> str:
    if figures is None:
        return f"power: not known, this device is not calibrated with {name}: ./run.sh judge calibrate {name}"
    most = figures["device_minutes_at_most"]
    cost = "" if most is None else f", {about(most)} device minutes"
    return (
        f"power: this device cannot see less than {about(100 * figures['visible_gain'])} % "
        f"({about(100 * figures['promotable_gain'])} % to be promoted), by {_source(figures)}; 1 % takes about "
        f"{figures['pairs_for_1_percent']:.0f} pairs; at most {MOST_PAIRS} pairs{cost}"
    )


def _source(figures: dict[str, Any]) -> str:
    if figures["source"] == "calibration":
        return f"calibration with {figures['pairs']} pairs"
    return f"{figures['pairs']} placebo pairs, it is not calibrated"
