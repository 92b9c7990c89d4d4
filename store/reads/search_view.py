"""What is looked for by words in all Design Trees of a campaign."""

from typing import Final

from sqlmodel import Session

from store import sql
from store.reads.tree_views import COLUMNS, HeadPath, node_view
from store.views import NodeView

SAID: Final = (
    "lower(kernel || ' ' || kind || ' ' || lever || ' ' || title || ' ' || verdict || ' ' ||"
    " outcome || ' ' || refusal || ' ' || replace(refusal, '_', ' ') || ' ' || agent)"
)
MOST_WORDS: Final = 6
NO_HEAD: Final = HeadPath(None, frozenset())


def find_nodes(s: Session, campaign_id: int, words: str, limit: int = 6) -> tuple[NodeView, ...]:
    """Newest first; every word has to be in kernel, kind, lever, title, verdict, outcome, refusal or agent. Which node
    is the head is not said."""
    if not words.split():
        return ()
    holds, values = holding(words)
    found = sql.rows(
        s, f"{COLUMNS} WHERE campaign_id = :campaign AND {holds} ORDER BY id DESC LIMIT :limit",
        campaign=campaign_id, limit=limit, **values,
    )  # fmt: skip
    return tuple(node_view(row, NO_HEAD) for row in found)


def holding(words: str) -> tuple[str, dict[str, str]]:
    """The condition that a node has every word, as SQL with its parameters; the first `MOST_WORDS` count."""
    wanted = {f"w{index}": word for index, word in enumerate(words.lower().split()[:MOST_WORDS])}
    return " AND ".join(f"instr({SAID}, :{name}) > 0" for name in wanted) or "1", wanted
