"""One owner a kernel: keeps the notebook across workers and writes what was learned as wins and traps."""

import asyncio

from knowledge.memory import Conclusion, conclude
from roles.campaign import Campaign
from store import agents, designs, memory
from store.designs import AttemptView

IDLE_S = 5.0
TRAP_BELOW = -0.02


class Owner:
    def __init__(self, campaign: Campaign, kernel: str) -> None:
        self.name = f"owner-{kernel}"
        self._campaign = campaign
        self._kernel = kernel
        self._seen = 0

    async def run(self) -> None:
        campaign, kernel = self._campaign, self._kernel
        self._seen = await campaign.store.read(lambda s: memory.last_node(s, campaign.id, kernel))
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name, kernel)
            await self._review()
            async with campaign.progress:
                try:
                    await asyncio.wait_for(campaign.progress.wait(), IDLE_S)
                except TimeoutError:
                    continue

    async def _review(self) -> None:
        campaign, kernel = self._campaign, self._kernel
        finished = await campaign.store.read(lambda s: designs.attempts(s, campaign.id, kernel, after=self._seen))
        for attempt in finished:
            self._seen = max(self._seen, attempt.node_id)
            found = conclusion_of(kernel, attempt)
            if found is not None:
                await self._write(found, attempt.node_id)

    async def _write(self, found: Conclusion, node_id: int) -> None:
        campaign = self._campaign

        def rows(s: memory.Session) -> None:
            memory.add(s, campaign.id, self._kernel, found, node_id=node_id, limit=campaign.policy.memory_limit)
            agents.add_line(s, campaign.id, self.name, f"{found.kind}: {found.strategy}")

        await campaign.store.write(rows)


def conclusion_of(kernel: str, attempt: AttemptView) -> Conclusion | None:
    """A win for what was kept, a trap for what was measured clearly slower, broke or gave wrong values."""
    params = " ".join(f"{k}={v}" for k, v in attempt.params.items())
    what = f"{attempt.lever} {params}".strip()
    if attempt.outcome == "KEEP" and attempt.gain is not None:
        return conclude(
            "win", kernel, attempt.lever, what, f"{attempt.reason} Measured {attempt.gain:+.2%}.", attempt.gain
        )
    if attempt.outcome == "REVERT" and (attempt.gain is None or attempt.gain < TRAP_BELOW):
        why = attempt.why or attempt.verdict or "reverted"
        return conclude(
            "trap", kernel, attempt.lever, what, f"{why} (under parent {attempt.under_parent[:8]})", attempt.gain or 0.0
        )
    return None
