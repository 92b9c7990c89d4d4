"""An architect whose designs a model proposes: on a plateau, and from the hardware's budget when no idea is left.

The policy's proposals go on being offered meanwhile.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from typing_extensions import override

from roles import telling
from roles.architect import Architect
from roles.brains.pool import Models
from roles.campaign import Campaign
from roles.counsel import Counsel, Words
from roles.hardware_budget import budget_of
from roles.levers_known import designs
from roles.together import together
from roles.tools.designing import FROM_BUDGET, FROM_CODE, DesignPanel
from store import events, reads
from store.engine import Session

ROLE, KIND = "architect", "design"
LOOK_S = 1.0
DRY_ROUNDS = 2
"""Rounds from the hardware's budget under one head."""
DRY = "no idea is left under this head"


@dataclass(slots=True)
class Rounds:
    """last: clock at which the last one began. answered: the plateau of then. dry: the policy has no idea left; asked:
    rounds for that, by head."""

    last: float | None = None
    number: int = 0
    answered: int = 0
    dry: bool = False
    asked: Counter[str] = field(default_factory=Counter)

    def why(self, campaign: Campaign, kernel: str) -> str:
        """Why one is due now, "" when none is: never while the kernel is only refined."""
        state, policy = campaign.kernels[kernel], campaign.policy
        if kernel in campaign.refining:
            return ""
        if self.dry:
            return DRY
        self.answered = min(self.answered, state.plateau)  # a promotion begins a new count
        rested = self.last is None or campaign.clock() - self.last >= policy.design_s
        if policy.plateau_draft and rested and state.plateau - self.answered >= policy.plateau_draft:
            return f"{state.plateau} attempts had no promotion"
        return ""


class ModelArchitect(Architect):
    def __init__(self, campaign: Campaign, kernel: str, models: Models) -> None:
        super().__init__(campaign, kernel)
        self._models = models
        self._counsel = Counsel(campaign, models, ROLE, self.name)
        self._rounds = Rounds()
        self._busy = False

    @override
    async def run(self) -> None:
        await together(super().run, self._look)

    @override
    def _ran_dry(self) -> bool:
        """A round from the hardware's budget is asked for, twice a head."""
        head = self._campaign.kernels[self._kernel].head.key
        if self._kernel in self._campaign.refining:
            return self._busy
        self._rounds.dry = self._rounds.dry or (self._counsel.there and self._rounds.asked[head] < DRY_ROUNDS)
        return self._busy or self._rounds.dry

    async def _look(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name, self._kernel)
            if why := self._rounds.why(campaign, self._kernel):
                await self.round(why)
            await campaign.wait_for_progress(LOOK_S, self.name)

    async def round(self, why: str) -> None:
        """Ask, and offer what was proposed."""
        state, rounds = self._campaign.kernels[self._kernel], self._rounds
        rounds.last, rounds.answered, rounds.number = self._campaign.clock(), state.plateau, rounds.number + 1
        rounds.asked[state.head.key] += why == DRY
        self._busy = True
        try:
            if self._counsel.there:
                await self._asked(why)
        finally:
            self._busy = rounds.dry = False
            state.finished_since_exhausted = True
            await self._campaign.notify()

    async def _asked(self, why: str) -> None:
        panel = await self._panel()
        first, kit = ("redesign", FROM_BUDGET) if why == DRY else ("design", FROM_CODE)
        words = Words(f"designs {self._rounds.number}", "architect", first, await self._values(panel, why))
        if await self._counsel.ask(kit, panel, words, self._kernel) and panel.taken:
            await self._take(panel)

    async def _panel(self) -> DesignPanel:
        campaign, situation = self._campaign, await self.situation()
        before = await campaign.store.read(lambda s: reads.events_of(s, campaign.id, KIND, self._kernel))
        return DesignPanel(
            campaign=campaign, agent=self.name, kernel=self._kernel, situation=situation,
            options=await asyncio.to_thread(designs, situation), writers=self._models.any_for("worker"),
            titles={" ".join(str(event.data["title"]).lower().split()) for event in before},
        )  # fmt: skip

    async def _values(self, panel: DesignPanel, why: str) -> dict[str, object]:
        campaign, kernel = self._campaign, self._kernel
        past = await campaign.store.read(lambda s: telling.history(s, campaign, kernel))
        return {
            **past, "contract": telling.contract(campaign, kernel),
            "sheet": await telling.sheet(campaign, ROLE, kernel), "round": self._rounds.number, "why": why,
            "skills": telling.skills(campaign, kernel), "figures": telling.figures(campaign.kernels[kernel]),
            "budget": await budget_of(campaign, kernel), "failed": telling.failed(panel.situation),
            "titles": "\n".join(f"- {title}" for title in sorted(panel.titles)), "source": panel.situation.head.source,
        }  # fmt: skip

    async def _take(self, panel: DesignPanel) -> None:
        campaign, kernel = self._campaign, self._kernel

        def rows(s: Session) -> None:
            for told, one in zip(panel.told, panel.taken, strict=True):
                text = f"{told.title}: {one.prediction}. {one.reason}"
                events.append(s, campaign.id, KIND, kernel, text, title=told.title, author=self.name)

        await campaign.store.write(rows)
        if campaign.kernels[kernel].head.candidate.id == panel.situation.head.id:
            await self._offer(panel.taken)
