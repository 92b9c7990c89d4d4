"""A strategist whose ranking a model makes: at the start, every few hours, and when a kernel stalls.

Briefs go on being opened meanwhile, in the order that the policy and the last ranking give.
"""

import asyncio
from dataclasses import dataclass, field

from typing_extensions import override

from roles import telling
from roles.brains.pool import Models
from roles.campaign import Campaign
from roles.counsel import Counsel, Words
from roles.levers_known import known_levers
from roles.ranking import Ranking
from roles.situations import situation_of
from roles.strategist import Strategist
from roles.together import together
from roles.tools.strategy import STRATEGIST, StrategyPanel, kernel_text
from store import agents, events, reads
from store.engine import Session

ROLE = "strategist"
LOOK_S = 1.0


@dataclass(slots=True)
class Rounds:
    """When the next round is due. last: when the last one began, None before the first; stalled: plateaus at which a
    stall was answered, by kernel."""

    last: float | None = None
    number: int = 0
    stalled: dict[str, int] = field(default_factory=dict)

    def why(self, campaign: Campaign) -> str:
        """Why one is due now, "" when none is."""
        now, every, draft = campaign.clock(), campaign.policy.strategy_s, campaign.policy.plateau_draft
        if self.last is None:
            return "the campaign begins"
        if every and now - self.last >= every:
            return f"{every / 3600:.1f} hours are over"
        for kernel, state in campaign.kernels.items():
            answered = min(self.stalled.get(kernel, 0), state.plateau)  # a promotion begins a new count
            self.stalled[kernel] = answered
            if draft and state.plateau - answered >= draft:
                return f"{kernel} had {state.plateau} attempts without a promotion"
        return ""

    def begun(self, campaign: Campaign) -> None:
        self.last, self.number = campaign.clock(), self.number + 1
        self.stalled = {kernel: state.plateau for kernel, state in campaign.kernels.items()}


class ModelStrategist(Strategist):
    def __init__(self, campaign: Campaign, models: Models) -> None:
        super().__init__(campaign)
        self._counsel = Counsel(campaign, models, ROLE, self.name)
        self._rounds = Rounds()

    @override
    async def run(self) -> None:
        """The last ranking of this campaign holds after a restart too."""
        campaign = self._campaign
        kept = await campaign.store.read(lambda s: reads.last_event(s, campaign.id, "strategy"))
        if kept is not None:
            campaign.ranking = Ranking.from_data(kept.data)
        await together(super().run, self._look)

    async def _look(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name)
            if self._counsel.there and (why := self._rounds.why(campaign)):
                await self.round(why)
            await campaign.wait_for_progress(LOOK_S, self.name)

    async def round(self, why: str) -> None:
        """Ask, and let what was decided replace the ranking before."""
        campaign = self._campaign
        self._rounds.begun(campaign)
        panel = await self._panel()
        values = await self._values(panel, why)
        words = Words(f"round {self._rounds.number}", "strategist", "strategy", values)
        if await self._counsel.ask(STRATEGIST, panel, words) and not panel.ranking.empty:
            await self._take(panel.ranking)

    async def _panel(self) -> StrategyPanel:
        campaign = self._campaign
        situations = {kernel: await situation_of(campaign, kernel) for kernel in campaign.kernels}
        levers = {kernel: await asyncio.to_thread(known_levers, one) for kernel, one in situations.items()}
        return StrategyPanel(campaign=campaign, agent=self.name, situations=situations, levers=levers)

    async def _values(self, panel: StrategyPanel, why: str) -> dict[str, object]:
        campaign = self._campaign

        def past(s: Session) -> list[dict[str, str]]:
            return [
                {"name": k, "text": kernel_text(panel, k), **telling.history(s, campaign, k)} for k in campaign.kernels
            ]

        open_briefs = [f"- {p.kernel}: {p.application.lever}" for p in campaign.briefed.values()]
        return {
            "sheet": await telling.sheet(campaign, ROLE), "round": self._rounds.number, "why": why,
            "kernels": await campaign.store.read(past), "open_briefs": "\n".join(open_briefs),
        }  # fmt: skip

    async def _take(self, ranking: Ranking) -> None:
        """Rows first; proposals that are not at work are made anew, and workers at a stopped lever are stopped."""
        campaign = self._campaign
        said = (
            f"{len(ranking.values)} levers ranked, {len(ranking.stopped)} stopped, {len(ranking.words)} briefs written"
        )

        def rows(s: Session) -> None:
            events.append(s, campaign.id, "strategy", self.name, said, **ranking.to_data())
            for (kernel, lever), why in ranking.stopped.items():
                agents.add_line(s, campaign.id, self.name, f"{kernel}: {lever} is stopped: {why}")

        await campaign.store.write(rows)
        campaign.ranking = ranking
        for state in campaign.kernels.values():
            state.proposals.clear()
        dead = {n for n, p in campaign.briefed.items() if (p.kernel, p.application.lever) in ranking.stopped}
        for at in list(campaign.serving.values()):
            if at.brief in dead:
                at.task.cancel()
        await campaign.notify()
