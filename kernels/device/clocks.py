"""The referee's clock against the device's own, where the runner reports one: a reading counts when they agree.

The device's time is that of its events, without what it takes to ask and to be told; the referee's has both in it.
Neither may be far from the other: where the device claims less than half of what the referee saw, its events do not
cover the work, or somebody else had the machine; where it claims more, it has another clock, or tells no truth.
"""

from typing import Final

LONGER: Final = 1.02  # rates of two clocks, and rounding
SHORTER: Final = 0.5
TRIPS: Final = 3.0  # round trips that a call may take around its events


def disagreement(ns: float, device_ns: float, round_trip_ns: float, clock: str) -> str:
    """Why the two contradict each other; "" when they agree. ns: the reading by the referee, round trip subtracted."""
    whole = ns + round_trip_ns
    if device_ns > LONGER * whole:
        return f"by {clock} a call takes {device_ns:.0f} ns, by the referee's clock no more than {whole:.0f} ns"
    least = SHORTER * (whole - TRIPS * round_trip_ns)
    if device_ns < least:
        return (
            f"by {clock} a call takes {device_ns:.0f} ns, by the referee's clock {whole:.0f} ns, "
            f"of which the round trip of {round_trip_ns:.0f} ns explains too little"
        )
    return ""
