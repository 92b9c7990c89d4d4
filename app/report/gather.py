"""Everything a report says, read from one snapshot of the store."""

import platform
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from app.version import VERSION
from store import baseline_views, campaigns, reads
from store.device_views import DeviceView, PlaceboView
from store.engine import Session
from store.knowledge_views import AnalysisView
from store.reads import report as of
from store.reads.cost_curves import ModelGains, by_model
from store.report_views import (
    AuditsView,
    BaselineView,
    CostView,
    EntryView,
    FiledView,
    FoldView,
    LeverView,
    LineageView,
    NoiseView,
    PeakView,
    PromiseView,
    RefusalView,
    StepView,
)
from store.toolchain_views import ToolchainChangeView
from store.views import CampaignView, EventView, KernelView, ScorePoint

OVER: Final = ("finished", "interrupted")


@dataclass(frozen=True, slots=True)
class Environment:
    """What was measured with what. options: the campaign's settings as they were started."""

    version: str
    python: str
    pack_digest: str
    options: dict[str, Any]
    seed: int


@dataclass(frozen=True, slots=True)
class Report:
    """made_at: UTC seconds. speaking: the ledger entries that the kernels' numbers are; filed: filings that are no
    steps; events: all that is cited; until: the newest of the campaign, which figures without one are up to."""

    made_at: float
    campaign: CampaignView
    kernels: tuple[KernelView, ...]
    baselines: tuple[BaselineView, ...]
    speaking: dict[str, EntryView]
    analyses: tuple[AnalysisView, ...]
    entries: tuple[EntryView, ...]
    score: tuple[ScorePoint, ...]
    steps: tuple[StepView, ...]
    filed: tuple[FiledView, ...]
    lineages: tuple[LineageView, ...]
    levers: tuple[LeverView, ...]
    promises: tuple[PromiseView, ...]
    refusals: tuple[RefusalView, ...]
    folds: tuple[FoldView, ...]
    audits: tuple[AuditsView, ...]
    noise: tuple[NoiseView, ...]
    devices: dict[str, DeviceView]
    placebos_here: PlaceboView
    toolchains: tuple[ToolchainChangeView, ...]
    peaks: tuple[PeakView, ...]
    costs: CostView
    gains: tuple[ModelGains, ...]
    environment: Environment
    events: tuple[EventView, ...]
    until: int | None

    @property
    def over(self) -> bool:
        """Whether nothing of it changes any more."""
        return self.campaign.state == "finished"

    @property
    def span_s(self) -> float:
        """Seconds from its beginning to its newest event, or to the making of the report while it goes on; stops are
        in them, as in all times after the beginning."""
        last = max((one.at for one in self.events), default=self.campaign.started_at) if self.over else self.made_at
        return max(last - self.campaign.started_at, 0.0)

    @property
    def measured(self) -> bool:
        """Whether any kernel was measured against its baseline."""
        return bool(self.speaking)

    def baseline(self, kernel: str) -> BaselineView | None:
        return next((one for one in self.baselines if one.kernel == kernel), None)

    @property
    def total_events(self) -> tuple[int, ...]:
        """What the geometric mean stands on."""
        return tuple(one.event for one in self.speaking.values() if one.event is not None)


def gather(s: Session, campaign_id: int, made_at: float) -> Report:
    """Raises: StoreError when there is no such campaign."""
    row, cited = campaigns.get(s, campaign_id), of.Cited(s, campaign_id)
    kernels, entries = reads.kernels(s, campaign_id), of.entries(s, campaign_id, cited)
    steps, levers = of.steps(s, campaign_id, cited), of.levers(s, campaign_id, cited)
    refusals, folds = of.refusals(s, campaign_id, cited), of.folds_of(s, campaign_id, cited)
    audits, noise = of.audits_of(s, campaign_id, cited), of.noise_of(s, campaign_id, cited)
    peaks, filed, until = of.peaks(s, campaign_id, cited), of.filed(s, campaign_id, cited), cited.newest()
    ids = _ids((*entries, *steps, *filed, *levers, *refusals, *folds, *audits, *peaks), noise)
    return Report(
        made_at=made_at, campaign=reads.campaign_view(s, campaign_id, kernels), kernels=kernels,
        baselines=of.baselines(s, campaign_id), analyses=baseline_views.kept(s, row.fingerprint, row.pack),
        speaking={one.kernel: one for one in entries if one.speaks},
        entries=entries, score=reads.score(s, campaign_id), steps=steps, filed=filed,
        lineages=of.lineages(s, campaign_id), levers=levers, promises=of.promises(s, campaign_id),
        refusals=refusals, folds=folds, audits=audits, noise=noise,
        devices={view.name: reads.device(s, campaign_id, view.name) for view in kernels},
        placebos_here=reads.placebos_here(s, campaign_id),
        toolchains=reads.toolchain_changes(s, campaign_id), peaks=peaks, costs=of.costs(s, campaign_id),
        gains=by_model(s, campaign_id),
        environment=Environment(VERSION, platform.python_version(), row.pack_digest, row.options, row.seed),
        events=of.events_by_id(s, [*ids, *_life(cited), *([] if until is None else [until])]), until=until,
    )  # fmt: skip


def _ids(views: Iterable[Any], noise: Iterable[NoiseView]) -> list[int]:
    found = [view.event for view in views] + [view.calibration_event for view in noise]
    return [number for number in found if number is not None]


def _life(cited: of.Cited) -> list[int]:
    """How the campaign began and how it stands."""
    return [number for number in (cited.first("campaign"), cited.last("campaign")) if number is not None]
