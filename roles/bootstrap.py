"""Makes a campaign's kernels ready: baselines through the gates, heads of an earlier run rebuilt and checked, peaks."""

import asyncio

from kernels.device.report import DeviceUnhealthy
from kernels.gates.sequence import GateSequence
from kernels.packs.loader import baseline as baseline_of
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.registry import dialect_of
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateReport
from roles.admitting import alone, refusal_told
from roles.campaign import Campaign
from roles.fitness import unfit
from roles.guard import before_evaluation
from roles.kernel_state import Head, KernelState
from roles.ledger_keeper import LedgerKeeper
from roles.timing import first_time
from store import designs, events, kernel_states, promotions, reads
from store.engine import Session
from store.tables import PromotionRow

TRIES = 3
BACKOFF_S = 1.0


class BaselineRefused(Exception):
    """The pack is not fit, or its own baseline does not pass the gates: pack or toolchain is at fault, and nothing can
    start."""


class Bootstrap:
    def __init__(self, campaign: Campaign, gates: GateSequence, keeper: LedgerKeeper) -> None:
        self._campaign = campaign
        self._gates = gates
        self._keeper = keeper

    async def run(self, kernels: list[KernelSpec]) -> None:
        """Raises: BaselineRefused, DeviceUnhealthy."""
        for spec in kernels:
            await self._patiently(spec)
        await self._campaign.notify()

    async def _patiently(self, spec: KernelSpec) -> None:
        """A device that is in trouble now may be well in a moment: a few tries, each written down."""
        campaign = self._campaign
        for attempt in range(1, TRIES + 1):
            try:
                await self._prepare(spec)
                return
            except (DeviceUnhealthy, RunnerFailed) as failure:
                text = f"try {attempt} of {TRIES}: {failure}"
                await campaign.store.write(lambda s, t=text: events.append(s, campaign.id, "unhealthy", spec.name, t))
                if attempt == TRIES:
                    raise DeviceUnhealthy(f"{spec.name} cannot be made ready: {failure}") from failure
                await asyncio.sleep(attempt * BACKOFF_S)

    async def _prepare(self, spec: KernelSpec) -> None:
        campaign, kernel = self._campaign, spec.name
        await campaign.store.write(lambda s: kernel_states.update(s, campaign.id, kernel, status="linting the pack"))
        why = await unfit(campaign, spec)
        if why:
            raise BaselineRefused(f"pack {campaign.pack.name} is not fit for a campaign: {why}")
        await campaign.store.write(lambda s: kernel_states.update(s, campaign.id, kernel, status="timing the baseline"))
        candidate = baseline_of(spec, dialect_of(campaign.target.name))
        idea = await campaign.store.write(lambda s: self._idea_node(s, kernel, candidate))
        baseline = await self._admit(spec, candidate, idea)
        if isinstance(baseline, GateReport):
            why = refusal_told(baseline, dialect_of(campaign.target.name).baseline)
            raise BaselineRefused(f"baseline of {campaign.pack.name}/{kernel} refused by {why}")
        state = KernelState(spec, baseline, baseline, idea)
        await asyncio.to_thread(lambda: state.character)  # kept by content from now on
        await self._keeper.peak(state)
        await self.restore_head(state)
        campaign.kernels[kernel] = state

        def rows(s: Session) -> None:
            kernel_states.set_baseline(s, campaign.id, kernel, baseline.key, baseline.ns)
            kernel_states.update(s, campaign.id, kernel, head_ns=state.head.ns, status="idle")

        await campaign.store.write(rows)

    def _idea_node(self, s: Session, kernel: str, candidate: Candidate) -> int:
        """The root of the baseline's tree; found again after a resume."""
        campaign = self._campaign
        designs.add_candidate(s, candidate)
        known = next((n.id for n in reads.tree(s, campaign.id, kernel) if n.lever == "baseline"), None)
        if known is None:
            kernel_states.set_baseline(s, campaign.id, kernel, candidate.id)
            return designs.add_node(
                s,
                campaign.id,
                kernel,
                "idea",
                lever="baseline",
                title="baseline",
                reason="the pack's own source",
                agent="main",
            )
        return known

    async def _admit(self, spec: KernelSpec, candidate: Candidate, node_id: int) -> Head | GateReport:
        """Run the gates on what is to be head or baseline, and time it; the refusal when there is one."""
        campaign = self._campaign
        await before_evaluation(campaign, "bootstrap", spec.name)
        subject = alone(candidate, spec, campaign.build_folder(candidate))

        async def keep(report: GateReport) -> None:
            await campaign.store.write(lambda s: designs.add_gate_report(s, node_id, report))

        refusal = await self._gates.run(subject, keep)
        if refusal is not None:
            return refusal
        code = subject.artefact.machine_code_sha256 if subject.artefact else ""
        await campaign.store.write(lambda s: designs.set_machine_code(s, candidate.id, code))
        return Head(candidate, node_id, await first_time(campaign.device, spec.name, candidate.id), code)

    async def restore_head(self, state: KernelState) -> None:
        """After a resume, or a fall: the last promoted head, rebuilt and checked afresh; one that fails is demoted."""
        campaign, kernel = self._campaign, state.spec.name
        state.head, state.chain = state.baseline, []
        while (
            found := await campaign.store.read(lambda s: promotions.head_promotion(s, campaign.id, kernel))
        ) is not None:
            head = await self._rebuilt(state, found)
            if isinstance(head, Head):
                state.head = head
                state.chain = [head]
                break
            await self._demote(found, f"refused on resume by gate {head.gate}: {head.reason}")
        row = await campaign.store.read(lambda s: kernel_states.get(s, campaign.id, kernel))
        state.plateau = row.plateau

    async def _rebuilt(self, state: KernelState, found: PromotionRow) -> Head | GateReport:
        candidate = await self._campaign.store.read(lambda s: designs.get_candidate(s, found.candidate_id))
        head = await self._admit(state.spec, candidate, found.node_id)
        if isinstance(head, Head):
            head.promotion_id = found.id
        return head

    async def _demote(self, found: PromotionRow, why: str) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            designs.demote(s, found.id, why)
            events.append(s, campaign.id, "head_refused", found.kernel, why)

        await campaign.store.write(rows)
