"""One search: a campaign with a store of its own, the pipeline of every campaign, and what it spent until when."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from app.bench.search.counting import Point
from app.bench.search.device import SharedDevice
from app.gates import gates_for
from app.policy import policy_of
from app.verdict.asked import Asked
from kernels.device.report import DeviceUnhealthy
from kernels.gates.sequence import GateSequence
from kernels.packs.loader import baseline as baseline_of
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import Target
from kernels.values.candidate import Candidate
from knowledge.skills.levers_named import checked
from knowledge.skills.playbook import playbook
from roles.bootstrap import Bootstrap
from roles.brains.base import Brain
from roles.budget import Budget
from roles.campaign import Campaign
from roles.kernel_state import Head, KernelState
from roles.ledger_keeper import LedgerKeeper
from roles.pipeline import Pipeline
from roles.promoter import Promoter
from roles.testing import Tester
from store import campaigns, designs, kernel_states
from store.clock import steady
from store.engine import Session, Store

BUDGET: Final = "budget"


class Search(Protocol):
    """Something that tries candidates of one kernel through a pipeline."""

    async def step(self) -> str:
        """Try the next candidate; why there is none any more, "" when there was one."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """What all searches of a run share. candidates: the budget of each."""

    asked: Asked
    target: Target
    device: SharedDevice
    folder: Path
    candidates: int


@dataclass(slots=True)
class Lane:
    """One search in the run. points: the start, then where it stood after each of its turns. heads: everything that
    was its head, by id."""

    policy: str
    seed: int
    campaign: Campaign
    pipeline: Pipeline
    search: Search
    points: list[Point] = field(default_factory=list)
    heads: dict[str, Candidate] = field(default_factory=dict)
    ended: str = ""

    @property
    def name(self) -> str:
        return name_of(self.policy, self.seed)

    @property
    def spent(self) -> int:
        return self.campaign.finished_attempts

    @property
    def state(self) -> KernelState:
        return next(iter(self.campaign.kernels.values()))

    async def turn(self, device: SharedDevice, budget: int) -> None:
        """One step, with the device seconds it took. What it needs in the device is there before the count begins."""
        state = self.state
        try:
            await device.enter(self.name, state.spec.name, {state.head.key, *(head.key for head in state.chain)})
        except (RunnerFailed, DeviceUnhealthy) as failure:
            self.ended = f"its head could not be loaded again: {failure}"
            return
        before = device.held
        self.ended = await self.search.step()
        if not self.ended and self.spent >= budget:
            self.ended = BUDGET
        self.mark(device.held - before)

    def mark(self, seconds: float) -> None:
        """A new point, so many device seconds after the last one."""
        head = self.state.head
        self.heads[head.key] = head.candidate
        so_far = self.points[-1].device_seconds if self.points else 0.0
        self.points.append(Point(self.spent, so_far + seconds, head.key))

    async def close(self) -> None:
        await self.search.close()
        campaign = self.campaign
        await campaign.store.write(lambda s: campaigns.finish(s, campaign.id, self.ended or "the bench was cut off"))
        campaign.store.close()


def name_of(policy: str, seed: int) -> str:
    return f"{policy.replace(':', '-')}-{seed}"


async def campaign_of(wanted: Wanted, policy: str, seed: int, brain: Brain) -> tuple[Campaign, Pipeline]:
    """An empty campaign in a store of its own. Raises: StoreError."""
    asked, device = wanted.asked, wanted.device
    folder = wanted.folder / name_of(policy, seed)
    store = Store.open(folder)
    number = await store.write(lambda s: _row(s, wanted, policy, seed))
    clock = steady()
    rules = replace(policy_of(asked.settings), workers=1, placebo_every=0)
    campaign = Campaign(
        id=number, pack=asked.pack, target=wanted.target, store=store, device=device, brain=brain, policy=rules,
        budget=Budget(candidates=wanted.candidates), seed=seed, folder=folder, clock=clock, started_at=clock(),
        playbook=checked(playbook(asked.workspace)),
    )  # fmt: skip
    keeper = LedgerKeeper(campaign)
    return campaign, Pipeline(campaign, _gates(campaign), Tester(campaign), Promoter(campaign, keeper))


def _gates(campaign: Campaign) -> GateSequence:
    return gates_for(campaign.target, campaign.device, campaign.policy.static_gate, campaign.store)


def _row(s: Session, wanted: Wanted, policy: str, seed: int) -> int:
    pack, prints = wanted.asked.pack, wanted.target.fingerprint
    return campaigns.create(
        s, pack=pack.name, pack_digest=pack.digest, target=wanted.target.name, fingerprint=prints.id,
        kernels=[wanted.asked.spec.name], brain=policy, seed=seed, device=prints.device,
        toolchain=prints.compiler_version, candidates_budget=wanted.candidates,
    )  # fmt: skip


async def prepare(wanted: Wanted, campaigns_: Sequence[Campaign]) -> None:
    """The baseline through all gates once, as in a campaign; every campaign begins with it.

    Raises: BaselineRefused, DeviceUnhealthy.
    """
    first, spec = campaigns_[0], wanted.asked.spec
    await Bootstrap(first, _gates(first), LedgerKeeper(first)).run([spec])
    ready = first.kernels[spec.name]
    for campaign in campaigns_[1:]:
        idea = await campaign.store.write(lambda s, c=campaign: _begun(s, c, ready))
        own = [Head(ready.head.candidate, idea, ready.head.ns, ready.head.machine_code) for _ in range(2)]
        campaign.kernels[spec.name] = KernelState(spec, own[0], own[1], idea, peak_ns=ready.peak_ns)


def _begun(s: Session, campaign: Campaign, ready: KernelState) -> int:
    """The rows of a baseline: the root of its tree, and its time."""
    kernel, candidate = ready.spec.name, baseline_of(ready.spec)
    designs.add_candidate(s, candidate, machine_code=ready.baseline.machine_code)
    kernel_states.set_baseline(s, campaign.id, kernel, candidate.id, ready.baseline.ns)
    return designs.add_node(s, campaign.id, kernel, "idea", lever="baseline", title="baseline")
