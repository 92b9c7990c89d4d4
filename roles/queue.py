"""What the engine itself knows of its queue: who waits for the machine, and which measurements are due when."""

from dataclasses import asdict

from roles.campaign import Campaign
from roles.promoter import ledger_after
from store.heartbeat import Due, Used, Waiting


def waiting_of(campaign: Campaign, placebo_after: int | None) -> Waiting:
    """placebo_after: acceptance tests until the next placebo; None when there are none."""
    placebo = () if placebo_after is None else (Due("placebo", "", placebo_after),)
    every = campaign.policy.ledger_every
    ledgers = tuple(Due("ledger", name, ledger_after(state, every)) for name, state in campaign.kernels.items())
    used = tuple(Used(**asdict(one)) for one in campaign.device.uses())
    return Waiting(campaign.device.queue, (*placebo, *ledgers), used)
