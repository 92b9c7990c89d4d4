"""Campaigns, what they know of each kernel, and what they spent."""

from typing import Any

from sqlmodel import Field, SQLModel

from store.columns import Json, check, one_of
from store.tables.base import CAMPAIGN, CAMPAIGN_STATES, CANDIDATE


class CampaignRow(SQLModel, table=True):
    """One run over a pack on a target; elapsed_s counts only the time in which an engine was at work.
    fingerprint, book: of the present toolchain and the newest releases of the target's books."""

    __tablename__ = "campaign"
    __table_args__ = (
        one_of("state", *CAMPAIGN_STATES),
        check("budgets_not_negative", "minutes >= 0 AND candidates_budget >= 0 AND usd_budget >= 0 AND elapsed_s >= 0"),
    )

    id: int = Field(default=None, primary_key=True)
    pack: str
    pack_digest: str
    target: str
    fingerprint: str
    toolchain: str = ""
    book: str = ""
    device: str = ""
    brain: str = "offline"
    seed: int = 0
    state: str = Field(default="running", index=True)
    mode: str = ""
    sandbox_level: str = ""
    minutes: float = 0.0
    candidates_budget: int = 0
    usd_budget: float = 0.0
    tokens_budget: int = 0
    options: dict[str, Any] = Field(default_factory=dict, sa_type=Json)
    elapsed_s: float = 0.0
    started_at: float
    ended_at: float | None = None
    stopped_because: str = ""


class KernelStateRow(SQLModel, table=True):
    """Where a campaign stands with one kernel. reference: who judges it, "" for its numpy reference. refining: its head
    is polished, no new design is begun."""

    __tablename__ = "kernel_state"
    __table_args__ = (
        check("times_positive", "(baseline_ns IS NULL OR baseline_ns > 0) AND (head_ns IS NULL OR head_ns > 0)"),
        check("plateau_not_negative", "plateau >= 0"),
    )

    campaign_id: int = Field(primary_key=True, foreign_key=CAMPAIGN)
    kernel: str = Field(primary_key=True)
    baseline_id: str | None = Field(default=None, foreign_key=CANDIDATE)
    baseline_ns: float | None = None
    head_ns: float | None = None
    plateau: int = 0
    status: str = "idle"
    paused: bool = False
    position: int = 0
    reference: str = ""
    refining: bool = False


class PeakRow(SQLModel, table=True):
    """One measurement of the time to move a kernel's weights: the fastest of several probe styles."""

    __tablename__ = "peak"
    __table_args__ = (check("ns_positive", "ns > 0 AND gbs > 0"),)

    id: int = Field(default=None, primary_key=True)
    campaign_id: int = Field(foreign_key=CAMPAIGN, index=True)
    kernel: str
    style: str
    ns: float
    gbs: float
    mode: str = ""
    fingerprint: str = ""
    styles: dict[str, float] = Field(default_factory=dict, sa_type=Json)
    at: float


class UsageRow(SQLModel, table=True):
    """Seconds that a campaign spent on something: build, check, readings, overhead."""

    __tablename__ = "usage"
    __table_args__ = (check("seconds_not_negative", "seconds >= 0"),)

    campaign_id: int = Field(primary_key=True, foreign_key=CAMPAIGN)
    category: str = Field(primary_key=True)
    seconds: float = 0.0


class HeartbeatRow(SQLModel, table=True):
    """The engine's sign of life; one row a home. queue: what waits for the machine and what is due (`Waiting`)."""

    __tablename__ = "heartbeat"
    __table_args__ = (check("only_one", "id = 1"),)

    id: int = Field(default=1, primary_key=True)
    campaign_id: int | None = Field(default=None, foreign_key=CAMPAIGN)
    pid: int
    host: str
    boot_id: str
    started_at: float
    at: float
    loop_lag_ms: float = 0.0
    holder: str = ""
    queue: dict[str, Any] | None = Field(default=None, sa_type=Json)


class SettingRow(SQLModel, table=True):
    """A value that outlives campaigns."""

    __tablename__ = "setting"

    name: str = Field(primary_key=True)
    value: Any = Field(default=None, sa_type=Json)
    at: float
