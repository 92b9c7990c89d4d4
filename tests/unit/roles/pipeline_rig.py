"""A campaign on a real store with a scripted device: the path of a candidate without a compiler or a clock."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from kernels.device.client import Device
from kernels.device.executor import DeviceUse
from kernels.device.report import CheckReport, PeakReport, RaceReport
from kernels.gates.base import Subject, passed, refused, skipped
from kernels.gates.sequence import GateSequence
from kernels.packs.loader import baseline, load_pack
from kernels.targets.base import Artefact, Target
from kernels.values.candidate import Candidate
from kernels.values.fingerprint import Fingerprint
from kernels.values.machine import Machine
from kernels.values.reading import Block, First, Pair, Reading
from kernels.values.verdict import GATE_ORDER, GateName, GateReport
from roles.attempt import Attempt
from roles.brains.offline.policy import OfflineBrain
from roles.budget import Budget
from roles.campaign import Campaign
from roles.kernel_state import Head, KernelState
from roles.ledger_keeper import LedgerKeeper
from roles.pipeline import Pipeline
from roles.policy import Policy
from roles.promoter import Promoter
from roles.testing import Tester
from store import campaigns, designs, kernel_states
from store.engine import Session, Store

PACK = load_pack("axpy_gemv")
SPEC = PACK.kernel("gemv")
BASE = baseline(SPEC)
CODE = "machine code of "


def reading(ns: float) -> Reading:
    return Reading(ns, 8, ns, ns)


@dataclass
class ScriptedDevice:
    """ratio: head / candidate of each pair by candidate; series: of its next pairs, before the ratio holds. on_pair:
    called before each; may raise. on_block: the same for a block of a race, with its number; hold: a block begins when
    it can be had. caught: what the end of a race says."""

    ratio: dict[str, float] = field(default_factory=dict)
    series: dict[str, list[float]] = field(default_factory=dict)
    on_pair: Callable[[str], None] = lambda _: None
    check_says: CheckReport = field(default_factory=lambda: CheckReport(True))
    loaded: set[str] = field(default_factory=set)
    restarted: list[str] = field(default_factory=list)
    on_block: Callable[[int], None] = lambda _: None
    hold: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1000))
    caught: dict[str, tuple[str, str]] = field(default_factory=dict)
    void: set[int] = field(default_factory=set)
    blocks: list[tuple[str, ...]] = field(default_factory=list)
    pairs: int = 0
    holder: str = ""
    queue: tuple[str, ...] = ()
    last_hold_s: float = 0.01
    spent: dict[str, float] = field(default_factory=dict)
    tests: dict[str, tuple[str, str]] = field(default_factory=dict)

    def uses(self) -> tuple[DeviceUse, ...]:
        return (DeviceUse("local", self.pairs, 0.0, 0.0),)

    async def load(self, kernel: str, key: str, artefact: Path) -> None:
        self.loaded.add(key)

    async def unload(self, key: str) -> None:
        self.loaded.discard(key)

    async def restart(self, key: str) -> None:
        self.restarted.append(key)

    async def check(self, kernel: str, key: str, *, promotion: bool = False, audit: object = None) -> CheckReport:
        return self.check_says

    async def begin_test(self, kernel: str, head: str, candidate: str) -> str:
        name = f"test-{len(self.tests)}"
        self.tests[name] = (head, candidate)
        return name

    async def pair(self, test: str, first: First, head_ns: float) -> Pair:
        _, candidate = self.tests[test]
        self.on_pair(candidate)
        self.pairs += 1
        wiggle = 1.0 + 1e-4 * (self.pairs % 7)
        ratio = self.series[candidate].pop(0) if bool(self.series.get(candidate)) else self.ratio.get(candidate, 1.0)
        return Pair(reading(1e6 * wiggle), reading(1e6 / ratio), first, mode="still")

    async def end_test(self, test: str) -> CheckReport:
        return CheckReport(True)

    async def begin_race(self, kernel: str, head: str, variants: Sequence[str]) -> str:
        self.loaded |= set(variants)
        return "race"

    async def block(self, race: str, order: Sequence[str], head_ns: float) -> Block:
        await self.hold.acquire()
        self.blocks.append(tuple(order))
        self.on_block(len(self.blocks))
        void = "the mode changed" if len(self.blocks) in self.void else ""
        return Block({key: reading(1e6 / self.ratio.get(key, 1.0)) for key in order}, mode="still", redo_reason=void)

    async def end_race(self, race: str) -> RaceReport:
        return RaceReport(self.caught, len(self.blocks), 40)

    async def peak(self, kernel: str) -> PeakReport:
        return PeakReport(5e5, 30.0, "one_stream", {"one_stream": 30.0}, "still")

    @asynccontextmanager
    async def host(self, holder: str) -> AsyncGenerator[None]:
        yield


class ScriptedTarget:
    """Builds nothing; the machine code is the source without its comments."""

    name = "cpu-c"
    fingerprint = Fingerprint("cc", "1", "0", (), "cpu", 1)
    machine = Machine("cpu", "x86_64", frozenset(), 1)

    def compile(self, candidate: Candidate, spec: object, folder: Path, **_: object) -> Artefact:
        return artefact_of(candidate)


def artefact_of(candidate: Candidate) -> Artefact:
    return Artefact(Path("/nowhere.so"), CODE + candidate.source.partition("/*")[0].strip()[-40:], 0.1)


@dataclass
class ScriptedGate:
    name: GateName
    refuse: dict[str, str] = field(default_factory=dict)

    async def examine(self, subject: Subject) -> GateReport:
        if self.name == "compile":
            subject.artefact = artefact_of(subject.candidate)
        if self.name == "correct":
            subject.loaded = True
        if subject.key in self.refuse:
            return refused(self.name, self.refuse[subject.key], "scripted")
        return skipped(self.name, "not here") if self.name == "trace" else passed(self.name)


@dataclass
class Rig:
    campaign: Campaign
    device: ScriptedDevice
    pipeline: Pipeline
    state: KernelState

    async def judge(self, candidate: Candidate, **changes: Any) -> Any:
        made = Attempt("gemv", candidate, "lever", "structure", "variant", agent="worker-01", one_lever=True,
                       parent_node=self.state.idea_node)  # fmt: skip
        return await self.pipeline.run("gemv", lambda: replace(made, **changes))

    def read(self, job: Callable[[Session], Any]) -> Any:
        return self.campaign.store.read_sync(job)


OPENED: list[Store] = []
"""Of rigs; `tests/conftest.py` closes them after each test."""


def variant(text: str) -> Candidate:
    return replace(BASE, files={"kernel.c": f"{BASE.source}\n{text}\n"})


async def make_rig(home: Path, refuse: dict[GateName, dict[str, str]] | None = None) -> Rig:
    store, device = Store.open(home), ScriptedDevice()
    OPENED.append(store)
    number = await store.write(
        lambda s: campaigns.create(
            s, pack="axpy_gemv", pack_digest="d", target="cpu-c", fingerprint="f", kernels=["gemv"], seed=7
        )
    )
    idea = await store.write(lambda s: _ready(s, number))
    campaign = Campaign(
        number, PACK, cast(Target, ScriptedTarget()), store, cast(Device, device), OfflineBrain(),
        Policy(placebo_every=0), Budget(), 7, home, lambda: 0.0,
    )  # fmt: skip
    head = Head(BASE, idea, 1e6, "")
    state = KernelState(SPEC, head, head, idea)
    campaign.kernels["gemv"] = state
    tester, keeper = Tester(campaign), LedgerKeeper(campaign)
    gates = GateSequence([ScriptedGate(name, (refuse or {}).get(name, {})) for name in GATE_ORDER], lambda: 0.0)
    return Rig(campaign, device, Pipeline(campaign, gates, tester, Promoter(campaign, keeper)), state)


def _ready(s: Session, number: int) -> int:
    designs.add_candidate(s, BASE)
    kernel_states.set_baseline(s, number, "gemv", BASE.id, 1e6)
    return designs.add_node(s, number, "gemv", "idea", lever="baseline", title="baseline")
