"""Runs one acceptance test with its confirmation on the device, and writes every pair down as it comes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kernels.gates.base import Subject
from kernels.judge import collect, registry
from kernels.judge.acceptance import CONFIRMATION
from kernels.judge.estimate import estimate
from kernels.sandbox.runner import RunnerFailed
from kernels.values.reading import Estimate, First, Pair
from kernels.values.verdict import Verdict
from roles.campaign import Campaign, KernelState
from store import ledger

if TYPE_CHECKING:
    from roles.pipeline import Attempt


@dataclass(frozen=True, slots=True)
class TestResult:
    """verdict and estimate of the acceptance test; gain by the fresh pairs of the confirmation when there was one."""

    test_id: int
    verdict: Verdict
    confirmed: bool
    kind: str
    reason: str
    gain: float | None = None
    low: float | None = None
    high: float | None = None
    candidate_ns: float = 0.0

    @property
    def estimate(self) -> float:
        return self.gain if self.gain is not None else 0.0
