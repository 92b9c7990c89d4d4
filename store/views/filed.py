"""What was filed, here or elsewhere."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ImportedView:
    """What its file said of an imported filing. place: its own order; filed_text: its time as written; board: kind of
    run; reference: submission or job; cycles: by kernel; score: as published; recomputed: from cycles and baseline."""

    place: int
    filed_text: str
    team: str
    board: str
    reference: str
    source: str
    cycles: dict[str, float]
    score: float | None
    recomputed: float | None


@dataclass(frozen=True, slots=True)
class FilingView:
    id: int
    kind: str  # promotion, submission, imported
    kernel: str
    node: int | None
    lever: str
    filed_at: float
    gain: float | None
    interval: tuple[float, float] | None
    ledger_speedup: float | None
    times_peak: float | None
    device: str
    fingerprint: str
    tainted: bool
    taint: str = ""  # why it does not count
    campaign: int = 0
    candidate: str = ""  # "" of an imported one
    imported: ImportedView | None = None  # counts in no result of this device

    @property
    def dated(self) -> bool:
        """Whether any day was said; else filed_at is only where it stands in order: right behind the one before it."""
        return self.imported is None or bool(self.imported.filed_text)
