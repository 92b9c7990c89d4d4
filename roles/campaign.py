"""What every role of one campaign shares. Made once by the composition root; roles get it and nothing else."""

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from kernels.device.building import build_under_lock
from kernels.device.executor import Executor
from kernels.device.report import DeviceUnhealthy
from kernels.levers.base import Context
from kernels.targets.base import Artefact, Target, TargetError
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.kernel import KernelSpec, Pack
from kernels.values.prediction import NOTHING, Prediction
from kernels.values.reading import Estimate
from kernels.values.verdict import Outcome, Verdict
from knowledge.baselines.character import character_of
from knowledge.baselines.values import Character
from knowledge.memory import Retention
from knowledge.skills.playbook import Playbook
from knowledge.skills.skill import Skill
from roles.accounts import held
from roles.brains.base import Brain, Proposal
from roles.brains.pool import Models
from roles.budget import Budget
from roles.failure import HeadWithdrawn
from roles.grader import Grader
from roles.latches import Latches
from roles.ranking import Ranking
from store.engine import Store


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings that roles need, apart from where they came from. race_variants: in a race at most, 0 = no races.
    rules, skills, priors, sheet: which knowledge of targets and strategies is used, see `app/settings.py`. shared: what
    was learned on one kernel is told on others; siblings: anything of theirs is. leaderboard: models are told what was
    tried.
    kernel_workers: briefs of one kernel that are open at once. in_flight_s: of the device, that open briefs may take;
    0 = no limit. strategy_s to reading_s: how often the models of
    strategist, architect, owner and auditor are asked."""

    workers: int = 3
    rule: str = "paired"
    min_gain: float = 0.005
    flat_within: float = 0.005
    placebo_every: int = 15
    plateau_draft: int = 12
    plateau_stop: int = 0
    ledger_every: int = 4
    memory: Retention = field(default_factory=Retention)
    rules: bool = True
    skills: bool = True
    priors: bool = True
    sheet: bool = True
    race_variants: int = 16
    watchdog_s: float = 60.0
    audit_s: float = 120.0
    audit_sweep_s: float = 3.0
    kernel_workers: int = 1
    in_flight_s: float = 1800.0
    strategy_s: float = 10_800.0
    design_s: float = 1800.0
    review_s: float = 900.0
    reading_s: float = 3600.0
    recheck_facts_s: float = 60.0
    static_gate: Literal["band", "gain", "record"] = "band"
    trace_gate: bool = True
    shared: bool = True
    siblings: bool = True
    leaderboard: bool = True
    isolated: bool = False
    at_limit: Literal["offline", "stop"] = "offline"
    approve: bool = False
    refine_at: float = 0.0

    @property
    def lessons_of_others(self) -> bool:
        """Whether wins and traps of other kernels are told."""
        return self.memory.on and self.shared and self.siblings


@dataclass(slots=True)
class Head:
    """The best accepted candidate of one kernel, as it runs now. ns: its time in the last test that measured it."""

    candidate: Candidate
    node_id: int
    ns: float
    machine_code: str
    promotion_id: int | None = None

    @property
    def key(self) -> str:
        return self.candidate.id


@dataclass(slots=True)
class KernelState:
    """Run-time state of one kernel. `lock` makes its attempts one at a time: a head never moves under a test.

    idea_node: the root of the baseline's Design Tree. proposals: what the architect has ready under the present head.
    finished: attempts that the owner has not reviewed yet. chain: heads since the last ledger entry, oldest first.
    withdrawn: why a head is about to move back, "" when none is; nothing is promoted meanwhile.
    """

    spec: KernelSpec
    baseline: Head
    head: Head
    idea_node: int
    peak_ns: float | None = None
    plateau: int = 0
    promotions_since_ledger: int = 0
    claimed_since_ledger: float = 1.0
    ledger_head: Head | None = None
    chain: list[Head] = field(default_factory=list)
    exhausted: bool = False
    withdrawn: str = ""
    finished_since_exhausted: bool = False
    proposals: list[Proposal] = field(default_factory=list)
    finished: "asyncio.Queue[tuple[Attempt, Result]]" = field(default_factory=asyncio.Queue)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def character(self) -> Character:
        """Its type and loops by the baseline's syntax. Kept by content; the first time it takes some 0.1 s."""
        return character_of(self.baseline.candidate, self.spec)

    def refuse_withdrawn(self) -> None:
        """Called before every pair. Raises: HeadWithdrawn."""
        if self.withdrawn:
            raise HeadWithdrawn(self.withdrawn)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One candidate to be judged, and who wants it and why. one_lever: a one-lever change of the head. base: id of the
    candidate that it was made from, "" when nobody knows. knobs: those that its lever leaves open; it is raced against
    other values of them, and the winner is judged in its place."""

    kernel: str
    candidate: Candidate
    lever: str
    family: str
    kind: str  # design, variant
    params: Mapping[str, str | int | float] = field(default_factory=dict)
    reason: str = ""
    prediction: Prediction = NOTHING
    agent: str = ""
    brief_id: int | None = None
    parent_node: int | None = None
    one_lever: bool = False
    base: str = ""
    knobs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What became of an attempt. kind: the reason in one word; gain: a share of the head's time, when measured."""

    node_id: int
    outcome: Outcome
    verdict: Verdict | None
    kind: str
    reason: str
    estimate: Estimate | None = None

    @property
    def gain(self) -> float | None:
        return self.estimate.gain if self.estimate else None


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
    in_line: workers who wait for their kernel's turn."""

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

    async def wait_for_progress(self, seconds: float) -> None:
        """Until something has changed, or this long."""
        await _or_this_long(self.progress, seconds)

    async def wait_for_stop(self, seconds: float) -> None:
        """Until the campaign is to end, or this long."""
        await _or_this_long(self.stop, seconds)

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
