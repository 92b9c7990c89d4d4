"""What a file from elsewhere said of a filing."""

from typing import Any

from sqlmodel import Field, SQLModel

from store.columns import Json, check


class ImportedFilingRow(SQLModel, table=True):
    """Beside a filing of kind `imported`. line: in the file; place: its own order in the history; filed_text: its time
    as written; board: what kind of run it was; reference: submission or job; cycles: by kernel; score: as published;
    recomputed: from the cycles."""

    __tablename__ = "imported_filing"
    __table_args__ = (
        check("scores_positive", "(score IS NULL OR score > 0) AND (recomputed IS NULL OR recomputed > 0)"),
    )

    filing_id: int = Field(primary_key=True, foreign_key="filing.id")
    line: int
    place: int
    filed_text: str = ""
    team: str = ""
    board: str = ""
    variant: str = ""
    reference: str = ""
    source: str = ""
    cycles: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    score: float | None = None
    recomputed: float | None = None
