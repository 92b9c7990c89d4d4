"""Tests and races that are under way in the referee, by the names that the engine gave them."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from kernels.device.contender import Contender
from kernels.device.floor import Floor
from kernels.device.heat import Heat
from kernels.device.report import CheckReport, DeviceUnhealthy, RaceReport
from kernels.device.trial import Trial
from kernels.values.reading import Block, First, Pair

C = TypeVar("C", Trial, Heat)


class Contests:
    """fifo: whether readings run with real-time rights."""

    def __init__(self, floor: Floor, *, fifo: bool) -> None:
        self._floor = floor
        self._fifo = fifo
        self._trials: dict[str, Trial] = {}
        self._heats: dict[str, Heat] = {}

    def begin_test(self, name: str, kernel: str, head: str, candidate: str) -> None:
        floor = self._floor
        first, second = (floor.contender(kernel, key) for key in (head, candidate))
        self._trials[name] = Trial(floor.station(kernel), floor.gauge(kernel), first, second, self._fifo)

    def pair(self, name: str, first: First, head_ns: float) -> Pair:
        return self._trial(name).pair(first, head_ns)

    def end_test(self, name: str) -> CheckReport:
        trial = self._trial(name)
        del self._trials[name]
        self._floor.make_room(trial.station)
        return trial.end()

    def begin_race(self, name: str, kernel: str, head: str, variants: Sequence[str]) -> None:
        floor = self._floor
        of = {key: floor.contender(kernel, key) for key in variants}
        leader = floor.contender(kernel, head)
        self._heats[name] = Heat(floor.station(kernel), floor.gauge(kernel), leader, of, self._fifo)

    def block(self, name: str, order: Sequence[str], head_ns: float) -> Block:
        return self._heat(name).block(order, head_ns)

    def end_race(self, name: str) -> RaceReport:
        heat = self._heat(name)
        del self._heats[name]
        self._floor.make_room(heat.station)
        return heat.end()

    def leave(self, gone: Contender) -> None:
        """It is about to be closed. A test ends with either side, a race with its head; without one of its variants a
        race goes on."""
        self._trials = {n: trial for n, trial in self._trials.items() if gone not in (trial.head, trial.candidate)}
        self._heats = {name: heat for name, heat in self._heats.items() if heat.head is not gone}
        for heat in self._heats.values():
            if heat.variants.get(gone.key) is gone:
                heat.leave(gone.key)

    def _trial(self, name: str) -> Trial:
        return _found(self._trials, "test", name)

    def _heat(self, name: str) -> Heat:
        return _found(self._heats, "race", name)


def _found(under_way: Mapping[str, C], what: str, name: str) -> C:
    """Raises: DeviceUnhealthy."""
    if name not in under_way:
        raise DeviceUnhealthy(f"{what} {name} is unknown: it has ended, or the referee was started again since")
    return under_way[name]
