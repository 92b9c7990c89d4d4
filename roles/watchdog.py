"""The watchdog: an unhealthy device, a spent budget, roles that stand still. It says so, and ends what is over."""

import asyncio

from kernels.device.report import DeviceUnhealthy
from roles.budget import Spent, over
from roles.campaign import Campaign
from roles.final import reserve_s
from roles.refining import Refining
from store import events, reads
from store.views import AgentView

TICK_S = 0.5
STALE_S = 600.0


class Watchdog:
    name = "watchdog"

    def __init__(self, campaign: Campaign, refining: Refining | None = None) -> None:
        self._campaign = campaign
        self._refining = refining or Refining(campaign)
        self._told_stale: set[str] = set()

    async def run(self) -> None:
        campaign = self._campaign
        rounds = asyncio.create_task(self._rounds(), name="watchdog rounds")
        try:
            while not campaign.stop.is_set():
                self._end_when_spent()
                await self._refining.when_late()
                await campaign.wait_for_stop(TICK_S, self.name)
        finally:
            rounds.cancel()
            await asyncio.gather(rounds, return_exceptions=True)

    async def _rounds(self) -> None:
        """Apart from the budget, which must not wait behind a canary. Nothing touches a device that is held."""
        while True:
            await asyncio.sleep(self._campaign.policy.watchdog_s)
            await self._campaign.latches.passage(self.name)
            await self._round()

    def _end_when_spent(self) -> None:
        campaign = self._campaign
        spent = Spent(campaign.clock() - campaign.started_at, campaign.finished_attempts, campaign.device_s)
        why = over(campaign.budget, spent, reserve_s(campaign))
        if why:
            campaign.request_stop(why)

    async def _round(self) -> None:
        await self._look_at_device()
        await self._look_at_roles()

    async def _look_at_device(self) -> None:
        campaign = self._campaign
        try:
            health = await campaign.device.health()
            problem = "" if health.ok else health.detail
        except DeviceUnhealthy as failure:
            problem = str(failure)
        if problem:
            await campaign.store.write(lambda s: events.append(s, campaign.id, "unhealthy", "device", problem))

    async def _look_at_roles(self) -> None:
        campaign = self._campaign
        now = campaign.clock()
        for agent in await campaign.store.read(lambda s: reads.agents(s, campaign.id)):
            stood = 0.0 if agent.name in campaign.in_line else stands(agent, now)
            stale = stood > STALE_S
            if stale and agent.name not in self._told_stale:
                self._told_stale.add(agent.name)
                await self._tell(agent.name, f"has stood at one step for {stood:.0f} s: {agent.step}")
            elif not stale:
                self._told_stale.discard(agent.name)

    async def _tell(self, who: str, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: events.append(s, campaign.id, "stale", who, text))


def stands(agent: AgentView, now: float) -> float:
    """Seconds since a worker with a brief gave a sign of life; 0 for everybody else. now: seconds since the epoch."""
    at_work = agent.role == "worker" and agent.state == "working" and agent.brief != ""
    return now - max(agent.since, agent.seen_at) if at_work else 0.0
