"""Heads under another toolchain: those that passed the gates again are measured against the baseline as it is now."""

from collections.abc import Awaitable, Callable

from kernels.device.report import DeviceUnhealthy
from kernels.judge.ledger import SHORT_PAIRS
from kernels.sandbox.runner import RunnerFailed
from knowledge.recheck import Finding, Record, settle
from roles.campaign import Campaign
from roles.failure import TimedCallsFailed
from roles.kernel_state import Head, KernelState
from roles.ledger_keeper import Entry, LedgerKeeper
from store import designs, filings, promotions, rechecked, toolchain
from store.engine import Session
from store.peaks import times_peak
from store.toolchain import Change

Restore = Callable[[KernelState], Awaitable[None]]
STANDS = ("re_verified", "rewritten")


class HeadCheck:
    """restore: makes the last promotion in force that passes the gates the head."""

    def __init__(self, campaign: Campaign, change: Change, keeper: LedgerKeeper, restore: Restore) -> None:
        self._campaign = campaign
        self._change = change
        self._keeper = keeper
        self._restore = restore

    async def run(self) -> dict[str, str]:
        """What became of each head that was tried, by candidate: "" when it stands, else why it fell."""
        campaign, change = self._campaign, self._change
        for state in campaign.kernels.values():
            async with state.lock:
                await self._kernel(state)
        await campaign.store.write(self._fallen)
        await campaign.store.write(self._left)
        await campaign.store.write(lambda s: toolchain.say(s, change.id, "head"))
        return await campaign.store.read(lambda s: rechecked.heads_of(s, change.id))

    async def _kernel(self, state: KernelState) -> None:
        """Until a head stands, or only the baseline is left. One that stood before the last engine ended is not judged
        twice."""
        stood = await self._campaign.store.read(lambda s: rechecked.outcomes(s, self._change.id, "head"))
        while state.head.promotion_id is not None:
            if stood.get(str(state.head.promotion_id)) in STANDS:
                _begin_chain(state)
                return
            finding, entry = await self._judged(state, state.head)
            await self._settle(state, state.head.promotion_id, finding, entry)
            if finding.answer != "fails":
                return
            fallen = state.head.key
            await self._restored(state)
            await self._campaign.device.unload(fallen)

    async def _restored(self, state: KernelState) -> None:
        """Raises: DeviceUnhealthy."""
        try:
            await self._restore(state)
        except RunnerFailed as failure:
            raise DeviceUnhealthy(f"no head of {state.spec.name} can be made ready: {failure}") from failure

    async def _judged(self, state: KernelState, head: Head) -> tuple[Finding, Entry | None]:
        """One that fails is tried again in a fresh process: a reading can be at fault."""
        try:
            try:
                entry = await self._measured(state, head)
            except (RunnerFailed, TimedCallsFailed):
                await self._campaign.device.restart(head.key)
                entry = await self._measured(state, head)
        except (RunnerFailed, TimedCallsFailed) as failure:
            return Finding("fails", f"failed in its ledger, twice: {failure.kind}: {failure.detail}"), None
        except DeviceUnhealthy as failure:
            return Finding("not_tried", f"not measured: {failure}"), None
        if entry is None:
            return Finding("not_tried", "no valid pair against the baseline"), None
        text = f"{entry.speedup:.2f}x against the baseline ({entry.low:.2f}..{entry.high:.2f})"
        return Finding("fails" if entry.high < 1.0 else "holds", text), entry

    async def _measured(self, state: KernelState, head: Head) -> Entry | None:
        return await self._keeper.measure(state, state.baseline, head, "baseline", SHORT_PAIRS)

    async def _settle(self, state: KernelState, promotion: int, finding: Finding, entry: Entry | None) -> None:
        campaign, change, kernel = self._campaign, self._change, state.spec.name

        def rows(s: Session) -> None:
            row = promotions.get(s, promotion)
            toolchain.settle(s, change.id, settle(Record("head", str(promotion), "in force"), finding))
            if finding.answer == "fails":
                designs.demote(s, promotion, f"under the new toolchain: {finding.reason}")
            elif entry is not None:
                peak = times_peak(s, campaign.id, kernel, state.head.ns, entry.mode)
                lever = designs.get_node(s, row.node_id).lever
                filings.file_rejudged(s, row, lever, speedup=entry.speedup, times_peak=peak)

        await campaign.store.write(rows)
        if finding.answer == "holds":
            _begin_chain(state)

    def _fallen(self, s: Session) -> None:
        """What the gates refused before anything was measured."""
        change = self._change
        known = rechecked.heads_of(s, change.id)
        for row in promotions.fallen_since(s, change.campaign, change.at):
            if row.candidate_id not in known:
                record = Record("head", str(row.id), "in force")
                toolchain.settle(s, change.id, settle(record, Finding("fails", row.demoted_why)))

    def _left(self, s: Session) -> None:
        """Heads of kernels that this engine does not run."""
        for record in rechecked.due(s, self._change.id, "head"):
            toolchain.settle(s, self._change.id, settle(record, Finding("not_tried", "its kernel does not run")))


def _begin_chain(state: KernelState) -> None:
    """The ledger has measured this head under the present toolchain."""
    state.ledger_head, state.chain = state.head, [state.head]
