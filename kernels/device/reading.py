"""One reading: a warm-up call thrown away, then timed calls, each with its own clock reading by the referee.

The number of calls is set by the head's time, never by the candidate. The lower quartile counts, the minimum below
8 calls, and the round trip of an empty kernel is subtracted.
"""

import math
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from kernels.device.alter import altered
from kernels.device.bench import Stored
from kernels.device.calls import Caller
from kernels.device.clocks import disagreement
from kernels.device.epoch import Epoch
from kernels.device.evenness import mean_of
from kernels.device.expected import Done
from kernels.device.realtime import PAUSE_S, Breath, realtime
from kernels.values.reading import Reading

LENGTH_NS: Final = 40e6
FEWEST, MOST = 3, 64
QUARTILE_FROM: Final = 8
SLOW_WARM_UP: Final = 5.0
OWN_CLOCK: Final = (0.5, 1.02)  # share of the referee's time; outside it the disagreement is a finding
CLOCK_NS: Final = 50.0  # two readings of the clock at 24 ns each
FLOOR_MARGIN: Final = 1.6  # a reading this much faster than the best probe is no reading


def calls_for(head_ns: float, bounds: tuple[int, int] = (FEWEST, MOST)) -> int:
    """Timed calls of a reading, within the bounds of the target.

    Raises: ValueError when the head's time is not a positive finite number.
    """
    if not (math.isfinite(head_ns) and head_ns > 0):
        raise ValueError(f"the head's time must be finite and > 0, got {head_ns}")
    fewest, most = bounds
    return int(min(most, max(fewest, round(LENGTH_NS / head_ns))))


def quantile(times: Sequence[float]) -> float:
    """Lower quartile; the minimum when there are fewer than 8."""
    return float(np.quantile(times, 0.25)) if len(times) >= QUARTILE_FROM else min(times)


def floor_ns(nbytes: int, best_gbs: float) -> float:
    """No honest call is faster: the bytes at 1.6 x the best measured probe. 0 without a probe. GB/s = bytes/ns."""
    return nbytes / (FLOOR_MARGIN * best_gbs) if best_gbs > 0 else 0.0


def below_floor(ns: float, nbytes: int, best_gbs: float) -> str:
    """Why this is no believable reading, with the arithmetic; "" when it is one."""
    if ns <= CLOCK_NS:
        return f"{ns:.0f} ns is within the resolution of the clock ({CLOCK_NS:.0f} ns)"
    floor = floor_ns(nbytes, best_gbs)
    if ns >= floor:
        return ""
    return (
        f"{ns:.0f} ns for {nbytes} bytes is {nbytes / ns:.1f} GB/s; the best probe read {best_gbs:.1f} GB/s, and "
        f"{nbytes} / ({FLOOR_MARGIN} x {best_gbs:.1f}) = {floor:.0f} ns is the floor"
    )


@dataclass(frozen=True, slots=True)
class Planned:
    """One call of a reading: slot of the ring, and the inputs. Both sides of a pair get the same set.

    kept: it is of the secret sample, and gets weights that are changed for it. decoy: it gets inputs as of a check, and
    its time does not count.
    """

    slot: int
    values: Stored
    kept: bool = False
    decoy: bool = False


@dataclass(slots=True)
class Taken:
    """A finished reading; `kept` are the calls of the secret sample, with their outputs. findings: of its calls.
    mean_ns: of the calls that count, see `evenness`; armed_ns: median time to get ready for one, see `arming`; clocks:
    why the device's own clock contradicts ours, see `clocks`."""

    reading: Reading
    kept: list[Done] = field(default_factory=list)
    fifo: bool = False
    warm_up_ns: float = 0.0
    mean_ns: float = 0.0
    armed_ns: float = 0.0
    findings: frozenset[str] = frozenset()
    clocks: str = ""


def take(
    caller: Caller,
    epoch: Epoch,
    plan: Sequence[Planned],
    round_trip_ns: float,
    *,
    fifo: bool,
) -> Taken:
    """Run the plan; its first call is the warm-up.

    Raises: RunnerFailed, Misconduct.
    """
    done: list[Done] = []
    times: list[float] = []
    own: list[float] = []
    with realtime(caller.contender.runner, fifo) as held:
        breath = Breath()
        for i, planned in enumerate(plan):
            if held:
                breath.take()
            call = _call(caller, epoch, planned, f"timed call {i}")
            times.append(call.elapsed_ns - round_trip_ns)
            own.append(call.own_ns)
            if planned.kept:
                done.append(call)
    caller.finish()
    count = [i for i, planned in enumerate(plan) if i and not planned.decoy]
    timed = [times[i] for i in count]
    reading = Reading(quantile(timed), len(timed), min(timed), max(timed), quantile([own[i] for i in count]))
    if not OWN_CLOCK[0] < reading.own_ns / (reading.ns + round_trip_ns) < OWN_CLOCK[1]:
        caller.findings.add(f"the runner's own clock says {reading.own_ns:.0f} ns, the referee's {reading.ns:.0f} ns")
    clock = caller.contender.clock
    clocks = disagreement(reading.ns, reading.own_ns, round_trip_ns, clock) if clock else ""
    if times[0] > SLOW_WARM_UP * quantile(timed):
        caller.findings.add(f"the warm-up took more than {SLOW_WARM_UP:.0f} times as long as a timed call")
    armed_ns = statistics.median(caller.armed_ns)
    return Taken(reading, done, held, times[0], mean_of(timed), armed_ns, frozenset(caller.findings), clocks)


def _call(caller: Caller, epoch: Epoch, planned: Planned, label: str) -> Done:
    with altered(epoch, planned.slot, caller.rng, stays=planned.kept) as note:
        return note(caller.call(epoch, caller.place(planned.slot), planned.values, label))


def pause(fifo: bool, passed_s: float = 0.0) -> None:
    """Leave the machine to others after a real-time reading. passed_s: how long they have had it already."""
    if fifo:
        time.sleep(max(0.0, PAUSE_S - passed_s))
