"""A search by a brain: the roles of a campaign, stepped one brief at a time instead of running side by side."""

from collections.abc import Sequence
from typing import Final

from roles.architect import Architect
from roles.campaign import Campaign
from roles.pipeline import Pipeline
from roles.strategist import Strategist
from roles.worker import Worker
from store import agents
from store.engine import Session

WORKER: Final = "worker-01"


class BrainSearch:
    """The architect offers what the brain proposes, the strategist ranks, one worker serves; while it does, the
    architect has refilled, as it would have in a campaign."""

    def __init__(self, campaign: Campaign, pipeline: Pipeline, kernel: str) -> None:
        self._campaign = campaign
        self._architect = Architect(campaign, kernel)
        self._strategist = Strategist(campaign)
        self._worker = Worker(campaign, pipeline, WORKER)
        self._known = False

    async def step(self) -> str:
        if not self._known:
            await self._campaign.store.write(self._staff)
            self._known = True
        await self._architect.refill()
        await self._strategist.turn()
        if self._campaign.stop.is_set():
            return self._campaign.stop_reason
        await self._architect.refill()
        return "" if await self._worker.once() else "no brief could be opened"

    def _staff(self, s: Session) -> None:
        posts: Sequence[tuple[str, str]] = (
            (self._architect.name, "architect"), (self._strategist.name, "strategist"), (WORKER, "worker"),
        )  # fmt: skip
        for name, role in posts:
            agents.upsert_agent(s, self._campaign.id, name, role, state="waiting")

    async def close(self) -> None:
        return
