"""The end of a campaign: every head re-verified on new seeds in a fresh process, then the 24-pair ledgers."""

from kernels.device.auditing import SECONDS
from kernels.device.report import DeviceUnhealthy
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from roles.audits import Audits
from roles.budget import final_reserve_s
from roles.campaign import Campaign
from roles.failure import TimedCallsFailed
from roles.heads import head_from_rows
from roles.kernel_state import KernelState
from roles.ledger_keeper import FULL_PAIRS, LedgerKeeper
from roles.withdrawal import Withdrawal
from store import audits, designs, events
from store.engine import Session

SLOW_CALLS = 3
SWEEP_S = SECONDS


def reserve_s(campaign: Campaign) -> float:
    """Seconds that the end will take: kept free inside --minutes."""
    promoted = (s for s in campaign.kernels.values() if s.head.key != s.baseline.key)
    states = [state for state in promoted for _ in state.spec.cases]  # each shape is read on its own
    return final_reserve_s([s.baseline.ns for s in states], [s.head.ns for s in states], FULL_PAIRS, SLOW_CALLS)


class Finale:
    def __init__(self, campaign: Campaign, keeper: LedgerKeeper) -> None:
        self._campaign = campaign
        self._keeper = keeper
        self._audits = Audits(campaign)
        self._withdrawal = Withdrawal(campaign)

    async def run(self) -> None:
        """Every kernel, whatever becomes of the others."""
        for state in self._campaign.kernels.values():
            async with state.lock:
                await self._patiently(state)

    async def _patiently(self, state: KernelState) -> None:
        """A device in trouble is tried once more; then the kernel goes without its final ledger, and that is said."""
        campaign = self._campaign
        for attempt in (1, 2):
            try:
                await self._kernel(state)
                return
            except (DeviceUnhealthy, CompileFailed, RunnerFailed) as failure:
                text = f"no final ledger of {state.spec.name}, try {attempt} of 2: {failure}"
                await campaign.store.write(
                    lambda s, t=text: events.append(s, campaign.id, "unhealthy", state.spec.name, t)
                )

    async def _kernel(self, state: KernelState) -> None:
        while state.head.key != state.baseline.key:
            if not await self._audited(state):
                continue
            problem = await self._ledger(state)
            if not problem:
                return
            await self._demote(state, problem)

    async def _ledger(self, state: KernelState) -> str:
        """24 pairs against the baseline; why the head failed in them, "" when it did not."""
        try:
            await self._keeper.measure(state, state.baseline, state.head, "baseline", FULL_PAIRS)
        except (RunnerFailed, TimedCallsFailed) as failure:
            return f"failed in the final ledger: {failure.kind}: {failure.detail}"
        return ""

    async def _audited(self, state: KernelState) -> bool:
        """Whether the head stood an audit in a fresh process; when it did not, the one before it is the head."""
        campaign, kernel = self._campaign, state.spec.name
        known = await campaign.store.read(lambda s: audits.promoted(s, campaign.id))
        head = next((p for p in known if p.kernel == kernel and p.candidate == state.head.key), None)
        if head is None:
            await self._withdrawal.settle(state)
            return False
        found = await self._audits.whole(head, state.head.key, seconds=SWEEP_S)
        if found.state == "passed":
            return True
        why = f"{found.kind}: {found.reason}"
        if found.state == "fold":
            state.withdrawn = why
            await self._withdrawal.mark(head, why)
            await self._withdrawal.settle(state)
        else:
            await self._demote(state, why)
        return False

    async def _demote(self, state: KernelState, problem: str) -> None:
        """Back to the head before; the next turn audits that one."""
        campaign, fallen = self._campaign, state.head

        def rows(s: Session) -> str | None:
            return designs.demote(s, fallen.promotion_id, problem) if fallen.promotion_id is not None else None

        await campaign.store.write(rows)
        state.head = await head_from_rows(campaign, state)
