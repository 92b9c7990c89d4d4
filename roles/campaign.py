"""What every role of one campaign shares. Made once by the composition root; roles get it and nothing else."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from kernels.device.client import Device
from kernels.levers.base import Context
from kernels.targets.base import Target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec, Pack
from roles.brains.base import Brain
from roles.budget import Budget
from roles.latches import Latches
from store.engine import Store


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings that roles need, apart from where they came from."""

    workers: int = 3
    rule: str = "paired"
    min_gain: float = 0.005
    flat_within: float = 0.005
    placebo_every: int = 15
    plateau_draft: int = 12
    plateau_stop: int = 0
    ledger_every: int = 4
    memory_limit: int = 16
    watchdog_s: float = 60.0
    strategist_s: float = 10800.0


@dataclass(slots=True)
class Head:
    """The best accepted candidate of one kernel, as it runs now. ns: its time in the last test that measured it."""

    candidate: Candidate
    node_id: int
    ns: float
    machine_code: str

    @property
    def key(self) -> str:
        return self.candidate.id


@dataclass(slots=True)
class KernelState:
    """Run-time state of one kernel. `lock` makes its attempts one at a time: a head never moves under a test."""

    spec: KernelSpec
    baseline: Head
    head: Head
    peak_ns: float | None = None
    plateau: int = 0
    promotions_since_ledger: int = 0
    ledger_head: Head | None = None
    exhausted: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Campaign:
    """One run over a pack on a target. clock: seconds since the epoch, UTC."""

    id: int
    pack: Pack
    target: Target
    store: Store
    device: Device
    brain: Brain
    policy: Policy
    budget: Budget
    seed: int
    folder: Path
    clock: Callable[[], float]
    latches: Latches = field(default_factory=Latches)
    kernels: dict[str, KernelState] = field(default_factory=dict)
    agent_names: set[str] = field(default_factory=set)
    started_at: float = 0.0
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    stop_reason: str = ""
    stop_now: bool = False
    finished_attempts: int = 0
    progress: asyncio.Condition = field(default_factory=asyncio.Condition)

    def context(self, kernel: str) -> Context:
        return Context(self.kernels[kernel].spec, self.target.machine)

    def rng(self, *what: str | int) -> np.random.Generator:
        """A generator for one decision, from the campaign's seed and what is decided; recorded by both."""
        return np.random.Generator(np.random.PCG64(self.seed_of(*what)))

    def seed_of(self, *what: str | int) -> int:
        """63 bits from the campaign's seed and the name of the decision."""
        text = ":".join(str(part) for part in (self.seed, *what))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1

    def request_stop(self, reason: str, *, now: bool = False) -> None:
        if not self.stop_reason:
            self.stop_reason = reason
        self.stop_now = self.stop_now or now
        self.stop.set()

    async def notify(self) -> None:
        """Wake whoever waits for something to have changed."""
        async with self.progress:
            self.progress.notify_all()

    def build_folder(self, candidate: Candidate) -> Path:
        return self.folder / "builds" / candidate.id
