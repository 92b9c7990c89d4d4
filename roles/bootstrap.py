"""Makes a campaign's kernels ready: baselines through the gates, heads of an earlier run rebuilt and checked, peaks."""

import asyncio

from kernels.device.client import DeviceUnhealthy
from kernels.gates.base import Subject
from kernels.gates.sequence import GateSequence
from kernels.packs.loader import baseline_of
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from kernels.values.verdict import GateReport
from roles.campaign import Campaign, Head, KernelState
from store import designs, events, ledger

FIRST_GUESS_NS = 40e6
TIMING_PAIRS = 2


class BaselineRefused(Exception):
    """The pack's own baseline does not pass the gates: the pack or the toolchain is at fault, so nothing can start."""


class Bootstrap:
    def __init__(self, campaign: Campaign, gates: GateSequence) -> None:
        self._campaign = campaign
        self._gates = gates

    async def run(self, kernels: list[KernelSpec]) -> None:
        """Raises: BaselineRefused, DeviceUnhealthy."""
        for spec in kernels:
            await self._prepare(spec)
        await self._campaign.notify()

    async def _prepare(self, spec: KernelSpec) -> None:
        campaign = self._campaign
        baseline = await self._baseline(spec)
        state = KernelState(spec, baseline, baseline)
        campaign.kernels[spec.name] = state
        await self._peak(state)
        await self._restore_head(state)

        def rows(s: designs.Session) -> None:
            designs.set_kernel(
                s, campaign.id, spec.name,
                baseline_id=baseline.key, baseline_ns=baseline.ns, head_ns=state.head.ns, status="ready",
            )  # fmt: skip

        await campaign.store.write(rows)

    async def _baseline(self, spec: KernelSpec) -> Head:
        campaign = self._campaign
        candidate = baseline_of(spec, campaign.target.name)
        known = await campaign.store.read(lambda s: designs.baseline_node(s, campaign.id, spec.name))
        node_id = known or await self._idea_node(spec, candidate)
        head = await self._admit(spec, candidate, node_id)
        if isinstance(head, GateReport):
            raise BaselineRefused(f"baseline of {spec.name} refused by gate {head.gate}: {head.kind}: {head.reason}")
        return head

    async def _idea_node(self, spec: KernelSpec, candidate: Candidate) -> int:
        campaign = self._campaign

        def rows(s: designs.Session) -> int:
            designs.add_candidate(s, campaign.store.artefacts, candidate)
            node = designs.add_node(
                s, campaign.id, spec.name, kind="idea", parent_id=None, candidate_id=candidate.id, lever="baseline",
                family="baseline", params={}, reason="the pack's baseline", prediction="", agent="main", brief_id=None,
                under_parent=candidate.id,
            )  # fmt: skip
            designs.finish_node(s, node, outcome="", verdict="", kind="", reason="baseline", gain=None)
            return node

        return await campaign.store.write(rows)

    async def _admit(self, spec: KernelSpec, candidate: Candidate, node_id: int) -> Head | GateReport:
        """Run the gates on a candidate that is to be head or baseline, and time it; the refusal when there is one."""
        campaign = self._campaign
        subject = Subject(
            candidate, spec, candidate, candidate.id, FIRST_GUESS_NS, campaign.build_folder(candidate),
            one_lever=True, exempt=True,
        )  # fmt: skip

        async def keep(report: GateReport) -> None:
            await campaign.store.write(lambda s: designs.add_gate_report(s, node_id, report))

        refusal = await self._gates.run(subject, keep)
        if refusal is not None:
            return refusal
        code = subject.artefact.machine_code_sha256 if subject.artefact else ""
        return Head(candidate, node_id, await self._time(spec, candidate.id), code)

    async def _time(self, spec: KernelSpec, key: str) -> float:
        """Nanoseconds of one call, the smaller of two self-pairs; sets how many calls later readings take."""
        device = self._campaign.device
        test = await device.begin_test(spec.name, key, key)
        guess, best = FIRST_GUESS_NS, float("inf")
        for _ in range(TIMING_PAIRS):
            pair = await device.pair(test, "head", guess)
            if not pair.valid:
                raise DeviceUnhealthy(f"{spec.name}: no usable reading of the baseline: {pair}")
            best = min(best, pair.head.ns, pair.candidate.ns)
            guess = best
        await device.end_test(test)
        return best

    async def _peak(self, state: KernelState) -> None:
        campaign = self._campaign
        peak = await campaign.device.peak(state.spec.name)
        state.peak_ns = peak.ns

        def rows(s: ledger.Session) -> None:
            ledger.add_peak(
                s, campaign.id, state.spec.name,
                style=peak.style, ns=peak.ns, gbs=peak.gbs, mode=peak.mode, styles=peak.styles,
            )  # fmt: skip
            events.append(
                s, campaign.id, "peak", state.spec.name, f"{peak.gbs:.1f} GB/s by {peak.style}, mode {peak.mode}"
            )

        await campaign.store.write(rows)

    async def _restore_head(self, state: KernelState) -> None:
        """After a resume: the last promoted head, rebuilt and checked afresh; one that fails is demoted."""
        campaign, kernel = self._campaign, state.spec.name
        while True:
            found = await campaign.store.read(lambda s: designs.head(s, campaign.id, kernel))
            if found is None or found.candidate_id == state.baseline.key:
                break
            candidate = await campaign.store.read(
                lambda s, wanted=found.candidate_id: designs.get_candidate(s, campaign.store.artefacts, wanted)
            )
            head = await self._admit(state.spec, candidate, found.node_id)
            if isinstance(head, Head):
                state.head = head
                break
            why = f"refused on resume by gate {head.gate}: {head.reason}"
            await campaign.store.write(
                lambda s, wanted=found.candidate_id, why=why: designs.demote(s, campaign.id, kernel, wanted, why)
            )
        state.plateau = await campaign.store.read(lambda s: designs.plateau(s, campaign.id, kernel))
        await asyncio.sleep(0)
