"""What happens when a limit of money or tokens is reached: said once, and for the campaign's own limit acted upon."""

from roles.brains.purse import AtLimit
from roles.campaign import Campaign
from store import events
from store.llm_calls import LimitReached

STOP = "stop"


def at_limit(campaign: Campaign) -> AtLimit:
    """For the meter of the campaign's models."""

    async def reached(limit: LimitReached) -> None:
        whole = limit.cap.scope == "campaign"
        stops = whole and campaign.policy.at_limit == STOP
        if whole and campaign.models is not None:
            campaign.models.spent = str(limit)
        then = "no further request is sent to a model" + ("" if whole else " for it")
        if stops:
            then += "; the campaign ends with its final ledger"
        elif whole:
            then += "; the offline policy goes on, which costs nothing"
        await campaign.store.write(
            lambda s: events.append(
                s, campaign.id, "budget", limit.cap.title, f"{limit}; {then}", scope=limit.cap.scope, stops=stops
            )
        )
        if stops:
            campaign.request_stop(f"limit of money: {limit}")
            await campaign.notify()

    return reached
