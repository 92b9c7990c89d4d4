"""The toolchain as it is on disk now, and the pause that another one makes."""

from kernels.targets.base import Watched
from kernels.values.fingerprint import Fingerprint
from roles.campaign import Campaign
from roles.latches import ALL


def present_of(campaign: Campaign) -> Fingerprint:
    """Blocks. Raises: TargetError."""
    target = campaign.target
    return target.present() if isinstance(target, Watched) else target.fingerprint


async def close_for_toolchain(campaign: Campaign) -> None:
    """A pause that is not the operator's."""
    if not campaign.latches.is_closed(ALL):
        campaign.closed_for_toolchain = True
        await campaign.latches.close(ALL)
