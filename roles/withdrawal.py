"""Takes back what a fold was found in: marks it and all that was made from it, and moves heads back.

The rows say so at once; the head of the running campaign follows as soon as no attempt stands on it, and those that
workers are at are ended for it.
"""

from knowledge.memory import Conclusion
from roles.campaign import Campaign
from roles.heads import head_from_rows
from roles.kernel_state import KernelState
from roles.shielding import complete
from store import agents, designs, events, folds, memory
from store.audits import Promoted
from store.engine import Session


class Withdrawal:
    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    async def fold(self, of: Promoted, why: str) -> tuple[int, ...]:
        """A fold: rows, memory, and the head. Returns the nodes that it taints. Raises: DeviceUnhealthy."""
        state = self._campaign.kernels[of.kernel]
        state.withdrawn = why
        nodes = await self.mark(of, why)
        await self._move_head(state)
        return nodes

    async def mark(self, of: Promoted, why: str) -> tuple[int, ...]:
        """The rows alone: taint, demotions, and a trap for whoever would build it again."""
        campaign = self._campaign

        def rows(s: Session) -> tuple[int, ...]:
            nodes = designs.taint(s, of.node, why)
            node = designs.get_node(s, of.node)
            kind = campaign.kernels[of.kernel].character.type
            found = Conclusion("trap", kind, node.lever, f"fold: {node.title or node.lever}", why, 0.0)
            memory.remember(
                s, found, campaign.policy.memory, kernel=of.kernel, campaign_id=campaign.id, candidate_id=of.candidate
            )
            return nodes

        return await campaign.store.write(rows)

    async def unfit(self, of: Promoted, why: str) -> None:
        """It cannot be run any more, which is no fold: its promotion falls. Raises: DeviceUnhealthy."""
        campaign, state = self._campaign, self._campaign.kernels[of.kernel]
        state.withdrawn = why
        await campaign.store.write(lambda s: designs.demote(s, of.id, why))
        await self._move_head(state)

    async def resume(self) -> None:
        """Heads that could not move back because the device was in trouble. Raises: DeviceUnhealthy."""
        for state in self._campaign.kernels.values():
            if state.withdrawn:
                await self._move_head(state)

    async def _move_head(self, state: KernelState) -> None:
        campaign = self._campaign
        head = await campaign.store.read(lambda s: designs.head(s, campaign.id, state.spec.name))
        if head != state.head.key:
            await self._clear_the_way(state)
        async with state.lock:
            await complete(self.settle(state))

    async def settle(self, state: KernelState) -> None:
        """Make the run-time state what the rows say. The kernel's lock is held. Raises: DeviceUnhealthy."""
        campaign, kernel = self._campaign, state.spec.name
        gone = await campaign.store.read(lambda s: folds.candidates(s, campaign.id, kernel))
        head = await campaign.store.read(lambda s: designs.head(s, campaign.id, kernel))
        state.chain = [one for one in state.chain if one.key not in gone]
        if state.ledger_head is not None and state.ledger_head.key in gone:
            state.ledger_head = None
        if head != state.head.key:
            await self._replace_head(state)
        state.withdrawn = ""
        await campaign.notify()

    async def _replace_head(self, state: KernelState) -> None:
        campaign, fallen = self._campaign, state.head
        state.head = await head_from_rows(campaign, state)
        state.chain = [state.head]
        state.proposals.clear()
        state.exhausted = False
        state.promotions_since_ledger, state.claimed_since_ledger = 0, 1.0
        if fallen.key not in (state.head.key, state.baseline.key):
            await campaign.device.unload(fallen.key)
        text = f"head moved back from node {fallen.node_id} to node {state.head.node_id}: {state.withdrawn}"
        await campaign.store.write(
            lambda s: events.append(
                s, campaign.id, "head", state.spec.name, text, node=state.head.node_id, former=fallen.node_id
            )
        )

    async def _clear_the_way(self, state: KernelState) -> None:
        """End the attempts of workers on this kernel, and drop designs that start from what is withdrawn."""
        campaign, kernel = self._campaign, state.spec.name
        for at in list(campaign.serving.values()):
            if at.kernel == kernel:
                at.task.cancel()
        gone = await campaign.store.read(lambda s: folds.candidates(s, campaign.id, kernel))
        lost = [n for n, p in campaign.briefed.items() if p.kind == "design" and p.base.id in gone]
        for brief_id in lost:
            campaign.briefed.pop(brief_id, None)

        def rows(s: Session) -> None:
            for brief_id in lost:
                agents.finish_brief(s, brief_id, "dropped", "what it starts from is withdrawn")

        await campaign.store.write(rows)
