"""What a kernel with shapes reached at each of them in one test."""

from sqlmodel import Session

from store import sql
from store.columns import loads
from store.shape_views import shape_views
from store.views import ShapeView


def shapes_of_test(s: Session, test_id: int | None) -> tuple[ShapeView, ...]:
    """By the kept pairs of a test; () for a kernel of one shape, and without pairs."""
    found = sql.rows(
        s, "SELECT head_reading, candidate_reading FROM pair WHERE test_id = :test AND redo_reason = '' ORDER BY seq",
        test=test_id,
    )  # fmt: skip
    return shape_views([(_times(row["head_reading"]), _times(row["candidate_reading"])) for row in found])


def _times(reading: str) -> dict[str, float]:
    return dict(loads(reading, {}).get("shapes", {}))
