"""Tests that a person runs from the command line have a campaign of their own, one a pack, target and toolchain."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from store import campaigns
from store.campaigns import BY_HAND
from store.tables import CampaignRow

__all__ = ["BY_HAND", "campaign"]


def campaign(
    s: Session, *, pack: str, pack_digest: str, target: str, fingerprint: str, kernels: Sequence[str],
    device: str = "", toolchain: str = "",
) -> int:  # fmt: skip
    """Its id; made when there is none. It is finished from the start: no engine ever resumes it."""
    same = select(CampaignRow).where(
        CampaignRow.brain == BY_HAND, CampaignRow.pack == pack, CampaignRow.pack_digest == pack_digest,
        CampaignRow.target == target, CampaignRow.fingerprint == fingerprint,
    )  # fmt: skip
    found = s.exec(same.order_by(col(CampaignRow.id)).limit(1)).first()
    if found is not None:
        return found.id
    number = campaigns.create(
        s, pack=pack, pack_digest=pack_digest, target=target, fingerprint=fingerprint, kernels=kernels, device=device,
        toolchain=toolchain, brain=BY_HAND,
    )  # fmt: skip
    campaigns.finish(s, number, "tests from the command line")
    return number
