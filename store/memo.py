"""Figures that only change when something is told: kept by the id of the last event of the kinds that tell it.

Only a store whose `remember` was called keeps any: one that reads again and again, as a screen does.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, TypeVar, cast

from sqlmodel import Session

from store import sql

T = TypeVar("T")
KEY: Final = "memo"
STAMPS: Final = "memo stamps"
JUDGED: Final = (
    "campaign", "test", "outcome", "promotion", "demotion", "taint", "race", "reconciled", "ledger", "audit",
    "toolchain",
)  # fmt: skip
"""Kinds of events one of which is in every transaction that ends a test, a node, a race or a head."""
Memo = dict[Hashable, tuple[Hashable, Any]]


def remembered(
    s: Session, name: str, campaign_id: int, kinds: Sequence[str], make: Callable[[], T], *, also: Hashable = None
) -> T:
    """What `make` gave when the last event of these kinds, and `also`, were what they are now, else what it gives."""
    memo: Memo | None = s.info.get(KEY)
    if memo is None:
        return make()
    stamp = (_stamp(s, campaign_id, tuple(kinds)), also)
    kept = memo.get((name, campaign_id))
    if kept is not None and kept[0] == stamp:
        return cast(T, kept[1])
    made = make()
    memo[name, campaign_id] = (stamp, made)
    return made


def _stamp(s: Session, campaign_id: int, kinds: tuple[str, ...]) -> int:
    """Asked once a session: all that one reads is from one snapshot."""
    key = (STAMPS, campaign_id, kinds)
    if key not in s.info:
        s.info[key] = last_event(s, campaign_id, kinds)
    return int(s.info[key])


def last_event(s: Session, campaign_id: int, kinds: Sequence[str]) -> int:
    """0 before the first."""
    each = ", ".join(
        f"coalesce((SELECT max(id) FROM event WHERE campaign_id = :campaign AND kind = '{kind}'), 0)" for kind in kinds
    )
    return int(sql.scalar(s, f"SELECT max({each})", campaign=campaign_id))
