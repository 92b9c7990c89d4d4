"""What every role of one campaign shares. Made once by the composition root; roles get it and nothing else."""

import asyncio
import hashlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from kernels.device.building import build_under_lock
from kernels.device.executor import Executor
from kernels.device.report import DeviceUnhealthy
from kernels.levers.base import Context
from kernels.targets.base import Artefact, Target, TargetError
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec, Pack
from knowledge.skills.playbook import Playbook
from knowledge.skills.skill import Skill
from roles.accounts import held
from roles.brains.base import Brain, Proposal
from roles.brains.pool import Models
from roles.budget import Budget
from roles.grader import Grader
from roles.kernel_state import KernelState
from roles.latches import DEVICE, Latches
from roles.policy import Policy
from roles.ranking import Ranking
from store.engine import Store


@dataclass(frozen=True, slots=True)
class Serving:
    """What a worker is at. brief: None when it is no brief."""

    kernel: str
    task: "asyncio.Task[Any]"
    brief: int | None = None


@dataclass(slots=True)
class Campaign:
    """One run over a pack on a target. clock: seconds since the epoch, UTC. grader_told: changed files of the grader
    that the campaign is paused for. models: None when no role has one. ranking: of the strategist's model. suspects:
    why a promotion is to be audited next, by its id. refining: kernels without new designs. spoiled: attempts
    in a row that the infrastructure made INVALID. preferred: (kernel, lever)
    that a person asked for. workspace: where probes and rules of the user lie. moved: somebody met another toolchain;
    closed_for_toolchain: it paused the campaign, not the operator; turnover: the engine is to begin again with it.
    choose: the fingerprint with a compiler of this name or path.
    in_line: workers who wait for their kernel's turn. promoting: nodes that a person approved, until they are done.
    resting: agents that wait for something to do; asking: those that ask a model meanwhile."""

    id: int
    pack: Pack
    target: Target
    store: Store
    device: Executor
    brain: Brain
    policy: Policy
    budget: Budget
    seed: int
    folder: Path
    clock: Callable[[], float]
    latches: Latches = field(default_factory=Latches)
    grader: Grader | None = None
    grader_told: tuple[str, ...] = ()
    kernels: dict[str, KernelState] = field(default_factory=dict)
    agent_names: set[str] = field(default_factory=set)
    briefed: dict[int, Proposal] = field(default_factory=dict)
    serving: dict[str, Serving] = field(default_factory=dict)
    in_line: set[str] = field(default_factory=set)
    promoting: set[str] = field(default_factory=set)
    resting: set[str] = field(default_factory=set)
    asking: set[str] = field(default_factory=set)
    models: Models | None = None
    playbook: Playbook = field(default_factory=Playbook)
    ranking: Ranking = field(default_factory=Ranking)
    suspects: dict[int, str] = field(default_factory=dict)
    started_at: float = 0.0
    refining: set[str] = field(default_factory=set)
    preferred: set[tuple[str, str]] = field(default_factory=set)
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    stop_reason: str = ""
    now: asyncio.Event = field(default_factory=asyncio.Event)
    workspace: Path | None = None
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    closed_for_toolchain: bool = False
    turnover: bool = False
    choose: Callable[[str], Fingerprint] | None = None
    paused_at_start: bool = False
    finished_attempts: int = 0
    spoiled: int = 0
    device_s_before: float = 0.0
    suspended: bool = False
    progress: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def stop_now(self) -> bool:
        return self.now.is_set()

    @property
    def held(self) -> bool:
        """Whether the device is in its owner's hands."""
        return DEVICE in self.latches.closed

    @property
    def device_s(self) -> float:
        """Seconds for which the campaign has held the machine, those of its former engines (device_s_before) too."""
        return self.device_s_before + held(self.device.spent)

    def skills(self, kernel: str) -> tuple[Skill, ...]:
        """Those that speak for a kernel; none where they are switched off."""
        state = self.kernels[kernel]
        known = self.policy.skills
        return self.playbook.eligible(state.character, state.spec, self.target.name) if known else ()

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
        if now:
            self.now.set()
        self.stop.set()

    def suspend(self, reason: str) -> None:
        """End at once, without the final ledger, to be resumed."""
        self.suspended = True
        self.request_stop(reason, now=True)

    def request_turnover(self) -> None:
        """End as for a stop, but leave the campaign to be taken up under its new toolchain."""
        self.turnover = not self.stop_reason
        self.stop.set()

    async def wait_for_progress(self, seconds: float, agent: str = "") -> None:
        """Until something has changed, or this long. agent: who has nothing to do meanwhile."""
        with self.at_rest(agent):
            await _or_this_long(self.progress, seconds)

    async def wait_for_stop(self, seconds: float, agent: str = "") -> None:
        """Until the campaign is to end, or this long. agent: who has nothing to do meanwhile."""
        with self.at_rest(agent):
            await _or_this_long(self.stop, seconds)

    @contextmanager
    def at_rest(self, agent: str) -> Generator[None]:
        """While an agent waits for something to do."""
        self.resting.add(agent)
        try:
            yield
        finally:
            self.resting.discard(agent)

    def waits(self, agent: str) -> bool:
        """Whether an agent has nothing to do, or has to wait for its turn."""
        return agent in self.in_line or (agent in self.resting and agent not in self.asking)

    async def notify(self) -> None:
        """Wake whoever waits for something to have changed."""
        changed, self.progress = self.progress, asyncio.Event()
        changed.set()

    def build_folder(self, candidate: Candidate) -> Path:
        return self.folder / "builds" / candidate.id

    async def build(self, candidate: Candidate, spec: KernelSpec, *, sanitize: bool = False) -> Artefact:
        """Compile outside the gates what passed them before. Raises: CompileFailed, DeviceUnhealthy."""
        folder = self.build_folder(candidate)
        folder.mkdir(parents=True, exist_ok=True)
        job = partial(self.target.compile, candidate, spec, folder, sanitize=sanitize)
        try:
            return await build_under_lock(self.device, f"build {spec.name}", job)
        except TargetError as failure:
            raise DeviceUnhealthy(str(failure)) from failure


async def _or_this_long(event: asyncio.Event, seconds: float) -> None:
    """Until it is set, or so long. A cancel at any moment is a cancel, and leaves nothing behind."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return
