"""What was filed beside the promotions: with a board, judged again, or elsewhere."""

from sqlmodel import Session

from store.reads.filing_views import filings
from store.reads.report.cited import Cited
from store.report_views import FiledView
from store.views import FilingView


def filed(s: Session, campaign_id: int, cited: Cited) -> tuple[FiledView, ...]:
    """Oldest first; promotions are steps and stand in none of them."""
    return tuple(FiledView(one, _event(one, cited)) for one in filings(s, campaign_id) if one.kind != "promotion")


def _event(one: FilingView, cited: Cited) -> int | None:
    return cited.last("import") if one.imported else cited.last(one.kind, one.kernel, filing=one.id)
