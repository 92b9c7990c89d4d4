"""Tests and races that are under way in the referee, by the names that the engine gave them."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from kernels.device.contender import Contender
from kernels.device.floor import Floor
from kernels.device.heat import Heat
from kernels.device.heats import Heats
from kernels.device.report import CheckReport, DeviceUnhealthy, RaceReport
from kernels.device.trial import Trial
from kernels.device.trials import Trials
from kernels.values.reading import Block, First, Pair

C = TypeVar("C", Trials, Heats)


class Contests:
    """fifo: whether readings run with real-time rights."""

    def __init__(self, floor: Floor, *, fifo: bool) -> None:
        self._floor = floor
        self._fifo = fifo
        self._trials: dict[str, Trials] = {}
        self._heats: dict[str, Heats] = {}

    def begin_test(self, name: str, kernel: str, head: str, candidate: str) -> None:
        floor = self._floor
        heads, candidates = (floor.contenders(kernel, key) for key in (head, candidate))
        shapes = zip(floor.stations(kernel), floor.gauges(kernel), heads, candidates, strict=True)
        self._trials[name] = Trials(
            tuple(Trial(station, gauge, one, other, self._fifo) for station, gauge, one, other in shapes)
        )

    def pair(self, name: str, first: First, head_ns: float) -> Pair:
        return self._trial(name).pair(first, head_ns)

    def end_test(self, name: str) -> CheckReport:
        trial = self._trial(name)
        del self._trials[name]
        self._floor.make_room(trial.stations)
        return trial.end()

    def begin_race(self, name: str, kernel: str, head: str, variants: Sequence[str]) -> None:
        floor = self._floor
        of = {key: floor.contenders(kernel, key) for key in variants}
        shapes = zip(floor.stations(kernel), floor.gauges(kernel), floor.contenders(kernel, head), strict=True)
        self._heats[name] = Heats(
            tuple(
                Heat(*shape, {key: many[i] for key, many in of.items()}, self._fifo) for i, shape in enumerate(shapes)
            )
        )

    def block(self, name: str, order: Sequence[str], head_ns: float) -> Block:
        return self._heat(name).block(order, head_ns)

    def end_race(self, name: str) -> RaceReport:
        heat = self._heat(name)
        del self._heats[name]
        self._floor.make_room(heat.stations)
        return heat.end()

    def leave(self, gone: Contender) -> None:
        """It is about to be closed. A test ends with either side, a race with its head; without one of its variants a
        race goes on."""
        self._trials = {name: trials for name, trials in self._trials.items() if gone not in trials.contenders}
        self._heats = {name: heats for name, heats in self._heats.items() if gone not in heats.heads}
        for heats in self._heats.values():
            heats.leave(gone)

    def _trial(self, name: str) -> Trials:
        return _found(self._trials, "test", name)

    def _heat(self, name: str) -> Heats:
        return _found(self._heats, "race", name)


def _found(under_way: Mapping[str, C], what: str, name: str) -> C:
    """Raises: DeviceUnhealthy."""
    if name not in under_way:
        raise DeviceUnhealthy(f"{what} {name} is unknown: it has ended, or the referee was started again since")
    return under_way[name]
