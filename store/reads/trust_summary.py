"""How far the verdicts of a campaign can be trusted, and what its device can see, as JSON."""

from dataclasses import asdict
from typing import Any

from sqlmodel import Session

from store import kernel_states
from store.device_views import DeviceView, PlaceboView
from store.reads.campaign_views import campaign_view
from store.reads.device_view import device
from store.reads.placebo_view import placebos_here
from store.reads.queue_view import queue


def trust(s: Session, campaign_id: int) -> dict[str, Any]:
    """Ready for `json.dumps`: placebo, bias, meter, device by kernel, queue. Gains are shares of the head's time.

    Raises: StoreError when there is no such campaign.
    """
    c = campaign_view(s, campaign_id)
    names = [row.kernel for row in kernel_states.of(s, campaign_id)]
    return {
        "placebo": {**_placebo(c.placebo), "this_device": _placebo(placebos_here(s, campaign_id))},
        "bias": None if c.placebo.bias is None else {**asdict(c.placebo.bias), "clean": c.placebo.bias.clean},
        "meter": {
            "tests": c.tests_run, "promotions": c.promotions,
            "expected_false_promotions": c.expected_false_promotions, "faster_but_dropped": c.faster_but_dropped,
        },
        "device": {name: _device(device(s, campaign_id, name)) for name in names},
        "queue": [asdict(item) for item in queue(s, campaign_id)],
    }  # fmt: skip


def _placebo(view: PlaceboView) -> dict[str, Any]:
    return {
        "faster": view.faster, "tests": view.tests, "upper_95": view.upper, "known": view.known,
        "alarm_at": view.alarm_at,
    }  # fmt: skip


def _device(view: DeviceView) -> dict[str, Any]:
    return {
        "fingerprint": view.fingerprint,
        "power": None if view.power is None else asdict(view.power),
        "calibration": view.calibration,
        "calibrated_elsewhere": view.calibrated_elsewhere,
        "modes": view.modes,
        "redos": view.redos,
        "static_estimate": None if view.planned is None else {**asdict(view.planned), "text": view.planned.text},
        "noise": [asdict(point) for point in view.noise],
    }
