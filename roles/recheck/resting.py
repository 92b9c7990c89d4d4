"""What rests on candidates: filings, wins and traps. They hold as far as a head that was judged again does."""

from collections.abc import Mapping

from knowledge.recheck import of_head, settle
from roles.campaign import Campaign
from store import rechecked, toolchain
from store.engine import Session
from store.toolchain import Change


async def recheck_resting(campaign: Campaign, change: Change, heads: Mapping[str, str]) -> None:
    """heads: what became of each head, by candidate."""

    def rows(s: Session) -> None:
        for kind in ("filing", "memory"):
            for record in rechecked.due(s, change.id, kind):
                candidate = rechecked.candidate_of(s, record)
                toolchain.settle(s, change.id, settle(record, of_head(heads, candidate)))
            toolchain.say(s, change.id, kind)

    await campaign.store.write(rows)
