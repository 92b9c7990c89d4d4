"""Gate `batch`: three pairs with the head in one batch; clearly slower candidates leave."""

import statistics
from collections.abc import Sequence
from typing import Protocol

from kernels.device.report import CheckReport
from kernels.gates.base import Subject, passed, refused, skipped
from kernels.sandbox.runner import RunnerFailed
from kernels.values.reading import First, Pair
from kernels.values.verdict import GateName, GateReport

PAIRS = 3
LEAVES_BELOW = -0.03


class PairDevice(Protocol):
    async def begin_test(self, kernel: str, head: str, candidate: str) -> str: ...

    async def pair(self, test: str, first: First, head_ns: float) -> Pair: ...

    async def end_test(self, test: str) -> CheckReport: ...


def leaves(log_ratios: Sequence[float]) -> bool:
    """All pairs negative and the median below -3 %."""
    return max(log_ratios) < 0 and statistics.median(log_ratios) < LEAVES_BELOW


class BatchGate:
    name: GateName = "batch"

    def __init__(self, device: PairDevice) -> None:
        self._device = device

    async def examine(self, subject: Subject) -> GateReport:
        if subject.one_lever:
            return skipped("batch", "a one-lever change of the head goes straight to the acceptance test")
        try:
            pairs, report = await self._measure(subject)
        except RunnerFailed as failure:
            return refused("batch", failure.kind, failure.detail)
        if not report.ok:
            return refused("batch", report.kind, report.reason, *report.findings)
        ratios = [pair.log_ratio for pair in pairs if pair.valid]
        if not ratios:
            return skipped("batch", "no valid pair: the device gave no usable reading")
        if leaves(ratios):
            return refused("batch", "slower", f"slower than the head in all {len(ratios)} pairs", log_ratios=ratios)
        return passed("batch", *report.findings, log_ratios=ratios)

    async def _measure(self, subject: Subject) -> tuple[list[Pair], CheckReport]:
        test = await self._device.begin_test(subject.spec.name, subject.head_key, subject.key)
        orders: tuple[First, ...] = ("head", "candidate", "head")
        pairs = [await self._device.pair(test, order, subject.head_ns) for order in orders[:PAIRS]]
        return pairs, await self._device.end_test(test)
