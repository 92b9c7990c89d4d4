"""Filings: sorted, filtered and paged by SQL."""

from sqlalchemy import RowMapping
from sqlmodel import Session

from store import sql
from store.columns import loads
from store.errors import StoreError
from store.views import FilingView, ImportedView

FILING_SORTS = ("filed_at", "kernel", "gain", "ledger_speedup", "times_peak", "lever")
ROWS = (
    "SELECT filing.*, coalesce((SELECT taint FROM node WHERE node.id = filing.node_id), '') AS taint, i.place,"
    " i.filed_text, i.team, i.board, i.reference, i.source, i.cycles, i.score, i.recomputed"
    " FROM filing LEFT JOIN imported_filing AS i ON i.filing_id = filing.id"
)
SCORE = "(SELECT coalesce(score, recomputed) FROM imported_filing WHERE filing_id = filing.id)"
WORDS = (
    "lower(kernel || ' ' || lever || ' ' || kind || ' ' || device || ' ' || coalesce((SELECT team || ' ' || board ||"
    " ' ' || reference FROM imported_filing WHERE filing_id = filing.id), ''))"
)


def filings(s: Session, campaign_id: int | None) -> tuple[FilingView, ...]:
    """All of a campaign, or of every campaign, oldest first."""
    return filings_page(s, campaign_id, descending=False, limit=-1)[0]


def filing(s: Session, filing_id: int) -> FilingView:
    """Raises: StoreError when there is none."""
    row = sql.first(s, f"{ROWS} WHERE filing.id = :id", id=filing_id)
    if row is None:
        raise StoreError(f"find filing {filing_id}", "there is none", "List them with `filings`")
    return _view(row)


def filings_page(
    s: Session, campaign_id: int | None, *, sort: str = "filed_at", descending: bool = True, text: str = "",
    offset: int = 0, limit: int = 200,
) -> tuple[tuple[FilingView, ...], int]:  # fmt: skip
    """One page, and how many rows the whole query has.

    sort: one of FILING_SORTS, what is unknown last; by ledger speedup imported filings come behind, by their score.
    text: words, each of which kernel, lever, kind, device, or team, board or reference of an imported one contains.
    Raises: StoreError for another sort.
    """
    if sort not in FILING_SORTS:
        raise StoreError(f"sort filings by {sort!r}", "there is no such order", f"Known are {', '.join(FILING_SORTS)}")
    words = text.lower().split()
    conditions = [] if campaign_id is None else ["campaign_id = :campaign"]
    conditions += [f"instr({WORDS}, :word{i}) > 0" for i in range(len(words))]
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    values = {**({} if campaign_id is None else {"campaign": campaign_id}), **_words(words)}
    order = _order(sort, "DESC" if descending else "ASC")
    ids = f"SELECT filing.id FROM filing {where} {order} LIMIT :limit OFFSET :offset"
    found = sql.rows(s, f"{ROWS} WHERE filing.id IN ({ids}) {order}", limit=limit, offset=offset, **values)
    total = sql.scalar(s, f"SELECT count(*) FROM filing {where}", **values)
    return tuple(_view(row) for row in found), int(total)


def _order(sort: str, way: str) -> str:
    keys = [f"filing.{sort}", *([SCORE] if sort == "ledger_speedup" else [])]
    return f"ORDER BY {''.join(f'{key} {way} NULLS LAST, ' for key in keys)}filing.id {way}"


def _words(words: list[str]) -> dict[str, str]:
    return {f"word{i}": word for i, word in enumerate(words)}


def _view(row: RowMapping) -> FilingView:
    known = row["low"] is not None and row["high"] is not None
    return FilingView(
        id=row["id"], kind=row["kind"], kernel=row["kernel"], node=row["node_id"], lever=row["lever"],
        filed_at=row["filed_at"], gain=row["gain"], interval=(row["low"], row["high"]) if known else None,
        ledger_speedup=row["ledger_speedup"], times_peak=row["times_peak"], device=row["device"],
        fingerprint=row["fingerprint"], tainted=bool(row["tainted"]), taint=row["taint"],
        campaign=row["campaign_id"], candidate=row["candidate_id"] or "", imported=_imported(row),
    )  # fmt: skip


def _imported(row: RowMapping) -> ImportedView | None:
    if row["place"] is None:
        return None
    return ImportedView(
        row["place"], row["filed_text"], row["team"], row["board"], row["reference"], row["source"],
        loads(row["cycles"], {}), row["score"], row["recomputed"],
    )  # fmt: skip
