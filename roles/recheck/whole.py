"""The whole re-check: heads, what rests on them, rules, facts, claims, the cheat sheet; then the loop goes on.

Every record that the change marked stale is tried once and settled in a transaction of its own, so that an engine that
starts again in the middle goes on with what is left.
"""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.latches import ALL
from roles.ledger_keeper import LedgerKeeper
from roles.recheck.cheat_sheet import tell_sheet
from roles.recheck.claims import recheck_claims
from roles.recheck.facts import recheck_facts
from roles.recheck.heads import HeadCheck
from roles.recheck.resting import recheck_resting
from roles.recheck.rules import recheck_rules
from store import agents, campaigns, toolchain
from store.engine import Session
from store.toolchain import Change

T = TypeVar("T")
Restore = Callable[[KernelState], Awaitable[None]]
"""Makes the last promotion in force that passes the gates the head; those that fail are demoted."""


async def recheck(campaign: Campaign, keeper: LedgerKeeper, restore: Restore, agent: str) -> None:
    """Does nothing when no change is open. The kernels are ready. agent: who is shown to do it.

    Raises: DeviceUnhealthy when a head cannot be built and loaded again after another one fell.
    """
    change = await campaign.store.read(lambda s: toolchain.open_change(s, campaign.id))
    if change is None:
        return
    heads = await _step(campaign, agent, "judges the heads again", HeadCheck(campaign, change, keeper, restore).run)
    await _step(campaign, agent, "looks at filings and memory", lambda: recheck_resting(campaign, change, heads))
    await _step(campaign, agent, "plants the legality rules", lambda: recheck_rules(campaign, change))
    await _step(campaign, agent, "measures the facts", lambda: recheck_facts(campaign, change))
    await _step(campaign, agent, "looks the claims up", lambda: recheck_claims(campaign, change))
    await _step(campaign, agent, "writes the cheat sheet", lambda: tell_sheet(campaign, change))
    await campaign.store.write(lambda s: _end(s, campaign, change))


async def _step(campaign: Campaign, agent: str, text: str, work: Callable[[], Awaitable[T]]) -> T:
    await campaign.store.write(lambda s: agents.set_step(s, campaign.id, agent, f"re-check: {text}"))
    return await work()


def _end(s: Session, campaign: Campaign, change: Change) -> None:
    """The loop goes on by itself, unless somebody had paused it."""
    toolchain.finish(s, change.id)
    if not (campaign.paused_at_start or campaign.latches.is_closed(ALL)):
        campaigns.set_state(s, campaign.id, "running", "re-checked under the new toolchain")
