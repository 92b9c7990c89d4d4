"""The first line of the screen: campaign, engine, budget. Pure."""

from typing import Final

from app.views import Span, age, clock, fit, usd
from store.views import CampaignView, OverviewView

SILENT_S: Final = 12.0
LAG_MS: Final = 250.0


def header_spans(view: OverviewView | None, now: float, width: int) -> tuple[list[Span], list[Span]]:
    """The two ends of the first line."""
    if view is None:
        return [(" Kernelwright ", "strong")], [("? help ", "dim")]
    campaign = view.campaign
    left: list[Span] = [(" Kernelwright ", "strong"), (f" {campaign.pack} on {campaign.target}", "")]
    if width >= 100 and not campaign.brain.startswith("offline"):
        left.append((f", workers: {campaign.brain}, other roles: offline", ""))
    if width >= 130:
        left.append((f" ({campaign.toolchain}, {campaign.device}, {campaign.sandbox_level})", "dim"))
    return left, [*_engine(view, now, width), *_budget(campaign, width)]


def _engine(view: OverviewView, now: float, width: int) -> list[Span]:
    engine, state = view.engine, view.campaign.state
    if state == "finished":
        why = f": {view.campaign.stopped_because}" if view.campaign.stopped_because else ""
        return [(f" {fit(state + why, min(len(state + why), max(20, width // 5)))} ", "")]
    if engine is None or state == "interrupted":
        return [(" ! no engine runs ", "bad")]
    silent = now - engine.heartbeat_at
    if silent > SILENT_S or not engine.alive:
        return [(f" ! engine silent for {age(silent)} ", "bad")]
    if state == "running":
        lag: list[Span] = [(f" ! lag {engine.loop_lag_ms:.0f} ms ", "warn")] if engine.loop_lag_ms > LAG_MS else []
        return [(" + running ", "good"), *lag]
    return [(f" = {state}{'...' if state in ('pausing', 'stopping') else ''} ", "warn")]


def _budget(campaign: CampaignView, width: int) -> list[Span]:
    spent = clock(campaign.elapsed_s)
    if campaign.minutes and width >= 90:
        spent += f" of {campaign.minutes:g} min"
    spans: list[Span] = [(f" {spent} ", ""), (f" {usd(campaign.usd)} ", "")]
    if width >= 72:
        spans.append((f" device {100 * campaign.device_busy_fraction:.0f} % ", ""))
    return spans if width < 90 else [*spans, (" ? help ", "dim")]
