"""How much of the device briefs may take: the open ones together, and a model's brief alone, `policy.in_flight_s`.

A brief is counted as one whole acceptance test with its confirmation, at what a pair of its kernel was measured to
take; before its first test, at what the device was last held for.
"""

from collections.abc import Mapping

from kernels.judge.acceptance import MOST_PAIRS
from roles.campaign import Campaign
from store import reads


async def pair_s(campaign: Campaign, kernel: str) -> float:
    """Device seconds of a pair."""
    measured = await campaign.store.read(lambda s: reads.pair_seconds(s, campaign.id, kernel))
    return campaign.device.last_hold_s if measured is None else measured


async def brief_s(campaign: Campaign) -> Mapping[str, float]:
    """Device seconds of a brief, by kernel."""
    return {name: MOST_PAIRS * await pair_s(campaign, name) for name in campaign.kernels}


def may_open(campaign: Campaign, kernel: str, each: Mapping[str, float]) -> bool:
    """Whether one more brief of this kernel is within what the device judges in time. One may always be open.

    each: seconds of a brief, by kernel."""
    limit, open_now = campaign.policy.in_flight_s, [one.kernel for one in campaign.briefed.values()]
    return not limit or not open_now or sum(each[name] for name in (*open_now, kernel)) <= limit


async def used_up(campaign: Campaign, kernel: str, brief: int, hinted_pairs: int) -> str:
    """Why nothing more of this brief is measured, "" while it may be. hinted_pairs: those outside of tests."""
    limit = campaign.policy.in_flight_s
    if not limit:
        return ""
    judged = await campaign.store.read(lambda s: reads.brief_seconds(s, brief))
    used = judged + hinted_pairs * await pair_s(campaign, kernel)
    return f"this brief had {used / 60:.1f} of its {limit / 60:g} minutes of the device" if used >= limit else ""
