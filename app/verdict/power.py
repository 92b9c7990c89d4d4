"""What to say before a test: what this device can see, and what the test may cost."""

from typing import Any

from kernels.judge.acceptance import ACCEPTANCE, CONFIRMATION
from kernels.judge.power import Power, device_minutes
from store import calibrations
from store.engine import Store

MOST_PAIRS = ACCEPTANCE.budget + CONFIRMATION.budget


def before(store: Store, fingerprint: str, pack: str, kernel: str) -> dict[str, Any] | None:
    """Figures of the power line, by the stored calibration; None when there is none."""
    found = store.read_sync(lambda s: calibrations.latest(s, fingerprint, pack, kernel))
    if found is None:
        return None
    power, seconds = Power(found["pair_sd"]), found["pair_seconds"]
    return {
        "visible_gain": power.visible_gain,
        "promotable_gain": power.promotable_gain,
        "pairs_for_1_percent": power.pairs_for(0.01),
        "pair_seconds": seconds,
        "device_minutes_at_most": device_minutes(MOST_PAIRS, seconds),
        "calibrated_at": found["at"],
    }


def text(figures: dict[str, Any] | None, name: str) -> str:
    if figures is None:
        return f"power: not known, this device is not calibrated with {name}: ./run.sh judge calibrate {name}"
    return (
        f"power: this device cannot see less than {100 * figures['visible_gain']:.2g} % "
        f"({100 * figures['promotable_gain']:.2g} % to be promoted); 1 % takes about "
        f"{figures['pairs_for_1_percent']:.0f} pairs; at most {MOST_PAIRS} pairs, "
        f"{figures['device_minutes_at_most']:.2g} device minutes"
    )
