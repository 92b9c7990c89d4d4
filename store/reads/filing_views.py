"""Filings: sorted, filtered and paged by SQL."""

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.errors import StoreError
from store.views import FilingView

FILING_SORTS = ("filed_at", "kernel", "gain", "ledger_speedup", "times_peak", "lever")


def filings(s: Session, campaign_id: int | None) -> tuple[FilingView, ...]:
    """All of a campaign, or of every campaign, oldest first."""
    return filings_page(s, campaign_id, descending=False, limit=-1)[0]


def filings_page(
    s: Session, campaign_id: int | None, *, sort: str = "filed_at", descending: bool = True, text: str = "",
    offset: int = 0, limit: int = 200,
) -> tuple[tuple[FilingView, ...], int]:  # fmt: skip
    """One page, and how many rows the whole query has.

    sort: one of FILING_SORTS, what is unknown last; text: words, each of which kernel, lever, kind or device contains.
    Raises: StoreError for another sort.
    """
    if sort not in FILING_SORTS:
        raise StoreError(f"sort filings by {sort!r}", "there is no such order", f"Known are {', '.join(FILING_SORTS)}")
    words = text.lower().split()
    where = "WHERE (:campaign IS NULL OR campaign_id = :campaign)" + "".join(
        f" AND instr(lower(kernel || ' ' || lever || ' ' || kind || ' ' || device), :word{i}) > 0"
        for i in range(len(words))
    )
    values = {"campaign": campaign_id, **{f"word{i}": word for i, word in enumerate(words)}}
    way = "DESC" if descending else "ASC"
    order = f"ORDER BY {sort} IS NULL, {sort} {way}, id {way} LIMIT :limit OFFSET :offset"
    taint = "coalesce((SELECT taint FROM node WHERE node.id = filing.node_id), '') AS taint"
    found = sql.rows(s, f"SELECT *, {taint} FROM filing {where} {order}", limit=limit, offset=offset, **values)
    total = sql.scalar(s, f"SELECT count(*) FROM filing {where}", **values)
    return tuple(_view(row) for row in found), int(total)


def _view(row: RowMapping) -> FilingView:
    known = row["low"] is not None and row["high"] is not None
    return FilingView(
        id=row["id"], kind=row["kind"], kernel=row["kernel"], node=row["node_id"], lever=row["lever"],
        filed_at=row["filed_at"], gain=row["gain"], interval=(row["low"], row["high"]) if known else None,
        ledger_speedup=row["ledger_speedup"], times_peak=row["times_peak"], device=row["device"],
        fingerprint=row["fingerprint"], tainted=bool(row["tainted"]), taint=row["taint"],
    )  # fmt: skip
