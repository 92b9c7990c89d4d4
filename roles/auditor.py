"""The auditor: every promoted head again in a fresh process, soon after its promotion and later in turn.

It takes a few seconds of the device at a time. A fold found late taints what was made from it, and the head moves back
to the last clean one; the search for where the fold came in goes up the lineage.
"""

from kernels.device.report import DeviceUnhealthy
from roles.audits import Audits
from roles.campaign import Campaign
from roles.shielding import complete
from roles.withdrawal import Withdrawal
from store import agents, audits, designs, events
from store.audits import Found, Promoted

TICK_S = 1.0
BACKOFF_S = 30.0
IDLE_SHARE = 0.25  # of the time between two audits, when nobody is at work


class Auditor:
    name = "auditor"

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._audits = Audits(campaign)
        self._withdrawal = Withdrawal(campaign)
        self._last = campaign.clock()
        self._not_before = 0.0
        self._failed: set[int] = set()
        self._turn = 0

    async def run(self) -> None:
        campaign = self._campaign
        while not campaign.stop.is_set():
            await campaign.latches.passage(self.name)
            chosen = await self._next()
            if chosen is None:
                await campaign.wait_for_progress(TICK_S, self.name)
                continue
            await campaign.latches.passage(self.name, chosen.kernel)
            await self._audit(chosen)

    async def _next(self) -> Promoted | None:
        """What was suspected or never audited at once, else, when it is time, the one whose turn it is: among former
        heads those come first that were replaced before their audit."""
        campaign = self._campaign
        known = await campaign.store.read(lambda s: audits.promoted(s, campaign.id))
        open_now = [p for p in known if p.kernel in campaign.kernels and not campaign.latches.is_closed(p.kernel)]
        if campaign.clock() < self._not_before:
            return None
        suspected = [p for p in open_now if p.id in campaign.suspects]
        if suspected:
            campaign.suspects.pop(suspected[0].id)
            return suspected[0]
        fresh = [p for p in open_now if p.audited_at is None and p.is_head]
        if fresh:
            return fresh[-1]
        return self._in_turn(open_now) if open_now and self._due() else None

    def _due(self) -> bool:
        campaign = self._campaign
        idle = not campaign.serving and not campaign.device.holder
        wait = campaign.policy.audit_s * (IDLE_SHARE if idle else 1.0)
        return campaign.policy.audit_s > 0 and campaign.clock() - self._last >= wait

    def _in_turn(self, known: list[Promoted]) -> Promoted:
        """Heads and former heads alternate; among both the one that was audited longest ago."""
        self._turn += 1
        heads, former = [p for p in known if p.is_head], [p for p in known if not p.is_head]
        group = former if self._turn % 2 == 0 and former else heads or former
        return min(group, key=lambda p: p.audited_at or 0.0)

    async def _audit(self, of: Promoted) -> None:
        """Trouble of the device is written down and binds nobody."""
        campaign = self._campaign
        try:
            await self._withdrawal.resume()
            await self._say(f"auditing {of.kernel}: {'head' if of.is_head else 'former head'} {of.candidate[:8]}")
            found = await self._looked(of)
            await self._say(f"{of.kernel} {of.candidate[:8]}: {audits.told(found)}")
            if found.state == "fold":
                root = await self._root(of, found)
                await complete(self._withdrawal.fold(root, f"{found.kind}: {found.reason}"))
            elif found.state == "failed" and of.id in self._failed:
                await self._withdrawal.unfit(of, f"cannot be audited, twice: {found.kind}: {found.reason}")
            elif found.state == "failed":
                self._failed.add(of.id)
        except DeviceUnhealthy as failure:
            text = f"audit not made: {failure}"
            await campaign.store.write(lambda s: events.append(s, campaign.id, "unhealthy", of.kernel, text))
            self._not_before = campaign.clock() + BACKOFF_S
        finally:
            self._last = campaign.clock()

    async def _say(self, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: agents.set_step(s, campaign.id, self.name, text))

    async def _looked(self, of: Promoted, like: Found | None = None) -> Found:
        """In a process of its own beside the head's; like: only where this was found."""
        key = f"{of.candidate}-audit"
        try:
            if like is not None:
                return await self._audits.at(of, key, like)
            return await self._audits.whole(of, key, seconds=self._campaign.policy.audit_sweep_s)
        finally:
            await self._campaign.device.unload(key)

    async def _root(self, of: Promoted, found: Found) -> Promoted:
        """The oldest head of its lineage that has the fold as well, without a clean one in between."""
        campaign = self._campaign
        lineage = await campaign.store.read(lambda s: designs.lineage(s, of.node))
        known = await campaign.store.read(lambda s: audits.promoted(s, campaign.id))
        above = [p for p in known if p.kernel == of.kernel and p.node in lineage and p.node != of.node]
        root = of
        for one in reversed(above):
            if (await self._looked(one, found)).state != "fold":
                break
            root = one
        return root
