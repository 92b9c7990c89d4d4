"""A race of a kernel's variants at all of its shapes: a block reads the head and every variant at each of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kernels.device.combine import block_of, race_of
from kernels.device.contender import Contender
from kernels.device.heat import Heat
from kernels.device.redo import mode_changed
from kernels.device.report import RaceReport
from kernels.device.station import Station
from kernels.device.trials import UNKNOWN_NS, at, said
from kernels.values.kernel import KernelSpec
from kernels.values.reading import Block
from kernels.values.shapes import shares

Caught = dict[str, tuple[str, str]]


@dataclass(slots=True)
class Heats:
    """One race. heats: one a shape, in the order of the contract."""

    heats: tuple[Heat, ...]

    @property
    def stations(self) -> tuple[Station, ...]:
        return tuple(heat.station for heat in self.heats)

    @property
    def heads(self) -> tuple[Contender, ...]:
        return tuple(heat.head for heat in self.heats)

    def leave(self, gone: Contender) -> None:
        """What is unloaded is in the race no more; its calls stay in the sample."""
        for heat in self.heats:
            if heat.variants.get(gone.key) is gone:
                heat.leave(gone.key)

    def block(self, order: Sequence[str], head_ns: float) -> Block:
        """One atomic block. head_ns as in a pair. What dropped out at one shape is not read at the others.

        Raises: HeadFailed, DeviceUnhealthy, ValueError for `head_ns`, KeyError for a key that is not in the race.
        """
        if len(self.heats) == 1:
            return self.heats[0].block(order, head_ns)
        blocks: dict[str, Block] = {}
        for heat in self.heats:
            with at(heat.station.spec):
                left = [key for key in order if key not in self._caught()]
                blocks[heat.station.spec.shape] = self._block(heat, left)
        whole = {name: replace(block, dropped=self._caught()) for name, block in blocks.items()}
        block = block_of(whole, shares(self.heats[0].station.spec.shapes))
        probed = block.probe_before_gbs > 0
        changed = mode_changed(block.probe_before_gbs, block.probe_after_gbs) if probed else ""
        return replace(block, redo_reason=changed)

    def _block(self, heat: Heat, order: Sequence[str]) -> Block:
        """The processes end with it."""
        block = heat.block(order, heat.head.usual_ns or UNKNOWN_NS)
        ns = block.readings[heat.head.key].ns
        heat.head.usual_ns = ns if ns > 0 else heat.head.usual_ns
        for one in (heat.head, *heat.variants.values()):
            one.stop()
        return block

    def _caught(self) -> Caught:
        found: Caught = {}
        for heat in self.heats:
            for key, why in heat.evidence.caught.items():
                found.setdefault(key, _said(heat.station.spec, why))
        return found

    def end(self) -> RaceReport:
        """Verify the secret samples. Raises: HeadFailed, DeviceUnhealthy."""
        reports: dict[str, RaceReport] = {}
        for heat in self.heats:
            with at(heat.station.spec):
                report = heat.end()
            caught = {key: _said(heat.station.spec, why) for key, why in report.caught.items()}
            reports[heat.station.spec.shape] = replace(report, caught=caught)
        return race_of(reports) if len(reports) > 1 else next(iter(reports.values()))


def _said(spec: KernelSpec, why: tuple[str, str]) -> tuple[str, str]:
    return why[0], said(spec, why[1])
