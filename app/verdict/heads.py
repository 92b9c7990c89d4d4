"""What a candidate from the command line is measured against."""

from typing import Final, Literal

from app.verdict.asked import Asked
from kernels.packs.loader import baseline
from kernels.targets.registry import dialect_of
from kernels.values.candidate import Candidate
from store import campaigns, designs, promotions
from store.campaigns import NOT_RUN
from store.engine import Session

Against = Literal["head", "baseline"]
AGAINST: Final = ("head", "baseline")


def head_of(s: Session, asked: Asked, against: str = "head") -> tuple[Candidate, str]:
    """The head of the newest campaign on this pack and target, and what to call it; the baseline where there is none,
    or when it is asked for."""
    kernel = asked.spec.name
    row = next((c for c in campaigns.listing(s) if _same(c, asked)), None) if against == "head" else None
    if row is not None:
        promotion = promotions.head_promotion(s, row.id, kernel)
        if promotion is not None:
            return designs.get_candidate(s, promotion.candidate_id), f"head of campaign {row.id}"
    return baseline(asked.spec, dialect_of(asked.settings.target)), "baseline"


def _same(row: campaigns.CampaignRow, asked: Asked) -> bool:
    return row.brain not in NOT_RUN and (row.pack, row.target) == (asked.pack.name, asked.settings.target)
