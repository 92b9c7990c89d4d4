"""Campaigns side by side: what each reached, for what."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from kernels.judge.anchored import anchored
from store import campaigns, sql
from store.reads.campaign_views import campaign_view
from store.reads.kernel_views import kernels
from store.scores import geometric_mean


@dataclass(frozen=True, slots=True)
class BoardRow:
    """Budgets of 0 are none. speedup, low, high: of the pack by the ledger, None before an entry. times_peak: geometric
    mean over the kernels' heads, None where one has no peak; ledger_times_peak: over what the ledger measured.
    trajectory: experiment and arm, "" for a campaign of its own. home: its folder, where several are read."""

    campaign: int
    pack: str
    pack_digest: str
    target: str
    fingerprint: str
    device: str
    toolchain: str
    kernels: tuple[str, ...]
    mode: str
    brain: str
    state: str
    minutes: float
    candidates_budget: int
    usd_budget: float
    device_budget: float
    speedup: float | None
    low: float | None
    high: float | None
    times_peak: float | None
    ledger_times_peak: float | None
    positions: int
    usd: float
    device_s: float
    elapsed_s: float
    trajectory: str
    home: str = ""

    @property
    def score(self) -> float | None:
        """0.5 at the baselines, 1 at the peaks, by the geometric means; see `kernels.judge.anchored`."""
        return anchored(self.speedup, self.ledger_times_peak)

    @property
    def comparable(self) -> tuple[object, ...]:
        """Rows with the same of these measured the same thing: speedups over the same baselines, on the same device by
        the same toolchain, in the same mode of it."""
        return self.pack, self.pack_digest, self.target, self.fingerprint, frozenset(self.kernels), self.mode


def board(s: Session) -> tuple[BoardRow, ...]:
    """Every campaign that an engine ran, newest first."""
    return tuple(_row(s, row.id) for row in campaigns.listing(s) if row.brain not in campaigns.NOT_RUN)


def _row(s: Session, campaign_id: int) -> BoardRow:
    row, views = campaigns.get(s, campaign_id), kernels(s, campaign_id)
    view = campaign_view(s, campaign_id, views)
    return BoardRow(
        campaign=row.id, pack=row.pack, pack_digest=row.pack_digest, target=row.target, fingerprint=row.fingerprint,
        device=row.device, toolchain=row.toolchain, kernels=tuple(k.name for k in views), mode=row.mode,
        brain=row.brain, state=row.state, minutes=row.minutes, candidates_budget=row.candidates_budget,
        usd_budget=row.usd_budget, device_budget=float(row.options.get("device_seconds") or 0.0),
        speedup=view.ledger_speedup, low=view.ledger_low, high=view.ledger_high,
        times_peak=_mean([one.times_peak for one in views]),
        ledger_times_peak=_mean([one.ledger_times_peak for one in views]),
        positions=campaigns.finished_attempts(s, campaign_id), usd=view.usd,
        device_s=campaigns.device_seconds(s, campaign_id), elapsed_s=view.elapsed_s, trajectory=_trajectory(s, row.id),
    )  # fmt: skip


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return geometric_mean(known) if known and len(known) == len(values) else None


def _trajectory(s: Session, campaign_id: int) -> str:
    found = sql.first(
        s,
        "SELECT name, arm FROM trajectory JOIN experiment ON experiment.id = experiment_id"
        " WHERE campaign_id = :campaign",
        campaign=campaign_id,
    )
    return "" if found is None else f"{found['name']}: {found['arm']}"
