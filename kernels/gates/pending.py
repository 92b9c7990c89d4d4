"""Gates whose knowledge is not there yet on this target: they keep their place in the order and say why they skip."""

from dataclasses import dataclass

from kernels.gates.base import Subject, skipped
from kernels.values.verdict import GateName, GateReport


@dataclass(frozen=True, slots=True)
class PendingGate:
    name: GateName
    why: str

    async def examine(self, subject: Subject) -> GateReport:
        return skipped(self.name, self.why)
