"""What is looked for by words in all Design Trees of a campaign."""

from typing import Final

from sqlmodel import Session

from store import sql
from store.reads.tree_views import COLUMNS, HeadPath, node_view
from store.views import NodeView

SAID: Final = (
    "lower(kernel || ' ' || lever || ' ' || title || ' ' || verdict || ' ' ||"
    " outcome || ' ' || refusal || ' ' || agent)"
)
MOST_WORDS: Final = 6
NO_HEAD: Final = HeadPath(None, frozenset())


def find_nodes(s: Session, campaign_id: int, words: str, limit: int = 6) -> tuple[NodeView, ...]:
    """Newest first; every word has to be in kernel, lever, title, verdict, outcome, refusal or agent. Which node is the
    head is not said."""
    wanted = dict(enumerate(words.lower().split()[:MOST_WORDS]))
    if not wanted:
        return ()
    holds = " AND ".join(f"instr({SAID}, :w{index}) > 0" for index in wanted)
    found = sql.rows(
        s, f"{COLUMNS} WHERE campaign_id = :campaign AND {holds} ORDER BY id DESC LIMIT :limit",
        campaign=campaign_id, limit=limit, **{f"w{index}": word for index, word in wanted.items()},
    )  # fmt: skip
    return tuple(node_view(row, NO_HEAD) for row in found)
