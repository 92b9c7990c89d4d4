"""Runs the gates in order; the first refusal ends. Reports are handed on as they come."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from kernels.gates.base import Clock, Gate, Subject
from kernels.values.verdict import GATE_ORDER, GateReport, GateState

OnReport = Callable[[GateReport], Awaitable[None]]


class GateSequence:
    """All gates of a target, in `GATE_ORDER`.

    Raises: ValueError when a gate is missing, doubled or out of order, so that no second door can be built by wiring.
    """

    def __init__(self, gates: Sequence[Gate], clock: Clock) -> None:
        if tuple(g.name for g in gates) != GATE_ORDER:
            raise ValueError(f"gates must be exactly {GATE_ORDER}, got {tuple(g.name for g in gates)}")
        self._gates = gates
        self._clock = clock

    async def run(self, subject: Subject, on_report: OnReport, *, until: str = "") -> GateReport | None:
        """The refusal, or None when every gate passed or was skipped. `until` names the last gate to run."""
        for gate in self._gates:
            started = self._clock()
            report = replace(await gate.examine(subject), seconds=self._clock() - started)
            await on_report(report)
            if report.state is GateState.REFUSED:
                return report
            if gate.name == until:
                break
        return None
