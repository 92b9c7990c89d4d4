"""An owner whose notebook a model keeps: it reviews what workers brought, after a promotion, by time or by number.

What was measured is concluded at once by the offline rule; the model adds to it.
"""

from typing_extensions import override

from kernels.values.verdict import Outcome
from roles import telling
from roles.attempt import Attempt, Result
from roles.brains.pool import Models
from roles.campaign import Campaign
from roles.counsel import Counsel, Words
from roles.owner import Owner
from roles.situations import situation_of
from roles.together import together
from roles.tools.reviewing import OWNER, Reviewed, ReviewPanel

ROLE = "owner"
LOOK_S = 1.0
BATCH = 12
"""Attempts in one review; so many are reviewed before the time is over."""


class ModelOwner(Owner):
    def __init__(self, campaign: Campaign, kernel: str, models: Models) -> None:
        super().__init__(campaign, kernel)
        self._counsel = Counsel(campaign, models, ROLE, self.name)
        self._waiting: list[Reviewed] = []
        self._last = campaign.clock()
        self._number = 0

    @override
    async def run(self) -> None:
        await together(super().run, self._look)

    @override
    def concluded(self, attempt: Attempt, result: Result) -> None:
        if result.outcome is not Outcome.INVALID:
            self._waiting.append(Reviewed(attempt, result))

    @property
    def due(self) -> bool:
        """After a promotion, when the time is over, or when there are enough."""
        waited = self._campaign.clock() - self._last >= self._campaign.policy.review_s
        kept = any(one.result.outcome is Outcome.KEEP for one in self._waiting)
        return bool(self._waiting) and (kept or waited or len(self._waiting) >= BATCH)

    async def _look(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name, self._kernel)
            if self.due and self._counsel.there:
                await self.review()
            await campaign.wait_for_progress(LOOK_S, self.name)

    async def review(self) -> None:
        campaign, kernel = self._campaign, self._kernel
        batch, self._waiting = self._waiting[-BATCH:], []
        self._last, self._number = campaign.clock(), self._number + 1
        panel = ReviewPanel(
            campaign=campaign, agent=self.name, kernel=kernel, batch={one.result.node_id: one for one in batch}
        )
        past = await campaign.store.read(lambda s: telling.history(s, campaign, kernel))
        values = {
            **past, "contract": telling.contract(campaign, kernel), "round": self._number,
            "sheet": await telling.sheet(campaign, ROLE, kernel), "figures": telling.figures(campaign.kernels[kernel]),
            "failed": telling.failed(await situation_of(campaign, kernel)),
            "attempts": "\n".join(f"- {one.line}" for one in batch), "kept": campaign.policy.memory,
        }  # fmt: skip
        await self._counsel.ask(OWNER, panel, Words(f"review {self._number}", "owner", "review", values), kernel)
