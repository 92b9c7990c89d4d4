"""The end of a campaign: every head re-verified on new seeds in a fresh process, then the 24-pair ledgers."""

from kernels.device.report import DeviceUnhealthy
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from roles.budget import final_reserve_s
from roles.campaign import Campaign, KernelState
from roles.failure import TimedCallsFailed
from roles.heads import head_from_rows
from roles.ledger_keeper import FULL_PAIRS, LedgerKeeper
from store import designs, events
from store.engine import Session

SLOW_CALLS = 3


def reserve_s(campaign: Campaign) -> float:
    """Seconds that the end will take: kept free inside --minutes."""
    states = [s for s in campaign.kernels.values() if s.head.key != s.baseline.key]
    return final_reserve_s([s.baseline.ns for s in states], [s.head.ns for s in states], FULL_PAIRS, SLOW_CALLS)


class Finale:
    def __init__(self, campaign: Campaign, keeper: LedgerKeeper) -> None:
        self._campaign = campaign
        self._keeper = keeper

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
            problem = await self._audit(state) or await self._ledger(state)
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

    async def _audit(self, state: KernelState) -> str:
        """What a fresh process with new secrets finds wrong with the head; "" when nothing."""
        campaign, head = self._campaign, state.head
        await campaign.device.unload(head.key)
        try:
            artefact = await campaign.build(head.candidate, state.spec)
            await campaign.device.load(state.spec.name, head.key, artefact.path)
            report = await campaign.device.check(state.spec.name, head.key, promotion=True)
        except RunnerFailed as failure:
            return f"{failure.kind}: {failure.detail}"
        text = "re-verified on new seeds in a fresh process" if report.ok else f"{report.kind}: {report.reason}"
        await campaign.store.write(
            lambda s: events.append(
                s,
                campaign.id,
                "audit",
                state.spec.name,
                f"head {head.key[:8]}: {text}",
                ok=report.ok,
                seconds=report.seconds,
            )
        )
        return "" if report.ok else text

    async def _demote(self, state: KernelState, problem: str) -> None:
        """Back to the head before; the next turn audits that one."""
        campaign, fallen = self._campaign, state.head

        def rows(s: Session) -> str | None:
            return designs.demote(s, fallen.promotion_id, problem) if fallen.promotion_id is not None else None

        await campaign.store.write(rows)
        state.head = await head_from_rows(campaign, state)
