"""One owner a kernel: reviews what its workers brought and writes what was learned as wins and traps."""

import asyncio

from kernels.values.verdict import Outcome
from knowledge.memory import Conclusion
from roles.attempt import Attempt, Result
from roles.campaign import Campaign
from roles.nodes import title_of
from store import agents, memory
from store.engine import Session

TRAP_BELOW = -0.02


class Owner:
    def __init__(self, campaign: Campaign, kernel: str) -> None:
        self.name = f"owner-{kernel}"
        self._campaign = campaign
        self._kernel = kernel

    async def run(self) -> None:
        campaign = self._campaign
        inbox = campaign.kernels[self._kernel].finished
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name, self._kernel)
            try:
                with campaign.at_rest(self.name):
                    attempt, result = await asyncio.wait_for(inbox.get(), 1.0)
            except TimeoutError:
                continue
            found = conclusion_of(campaign.kernels[self._kernel].character.type, attempt, result)
            if found is not None:
                await self._write(found, attempt)
            self.concluded(attempt, result)

    def concluded(self, attempt: Attempt, result: Result) -> None:
        """Called after the offline rule has had its word on an attempt."""

    async def _write(self, found: Conclusion, attempt: Attempt) -> None:
        campaign = self._campaign

        def rows(s: Session) -> None:
            memory.remember(
                s, found, campaign.policy.memory, kernel=self._kernel, campaign_id=campaign.id,
                candidate_id=attempt.candidate.id,
            )  # fmt: skip
            agents.add_line(s, campaign.id, self.name, f"{found.kind}: {found.strategy}")

        await campaign.store.write(rows)


def conclusion_of(kernel_type: str, attempt: Attempt, result: Result) -> Conclusion | None:
    """A win for what was kept; a trap for what broke, gave wrong values or was clearly slower; else nothing."""
    what, gain = title_of(attempt), result.gain
    if result.outcome is Outcome.KEEP and gain is not None:
        why = f"{attempt.reason}. Measured {gain:+.2%} (selected)."
        return Conclusion("win", kernel_type, attempt.lever, what, why, gain)
    if result.outcome is Outcome.REVERT and (gain is None or gain < TRAP_BELOW):
        why = f"{result.kind} {result.reason}".strip()
        return Conclusion("trap", kernel_type, attempt.lever, what, why, gain or 0.0)
    return None
