"""Between two steps of an attempt: the place where it stands while it is paused, and where it gives way."""

from roles.campaign import Campaign
from roles.kernel_state import KernelState


async def onward(campaign: Campaign, agent: str, state: KernelState) -> None:
    """Waits while this agent or the kernel is paused; a head that is about to move does not wait for that.

    Raises: HeadWithdrawn, HeadMoves.
    """
    await campaign.latches.passage(agent, state.spec.name, unless=lambda: bool(state.moving))
    state.refuse_moving()
