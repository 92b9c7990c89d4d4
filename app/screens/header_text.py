"""The first line of the screen: campaign, engine, budget. Pure."""

from collections.abc import Sequence
from typing import Final

from app.sanitise import cells, clean
from app.views import Span, age, clock, fit, moment, usd, width_of
from store.views import CampaignView, OverviewView

SILENT_S: Final = 12.0
LAG_MS: Final = 250.0
SHORTEST_STATE: Final = 24
LEAST_STATE: Final = 40


def header_spans(
    view: OverviewView | None, now: float, width: int, copied_at: float = 0.0
) -> tuple[list[Span], list[Span]]:
    """The two ends of the first line. copied_at: when the copy was made that is shown, 0.0 = what there is now."""
    if view is None:
        return [(" Kernelwright ", "strong")], [("? help ", "dim")]
    state = _copy(copied_at) if copied_at else _engine(view, now)
    budget = _budget(view.campaign, width)
    left = _fitting(view.campaign, width - min(width_of(state), LEAST_STATE) - width_of(budget))
    return left, [*_cut(state, width - width_of([*left, *budget])), *budget]


def _fitting(campaign: CampaignView, room: int) -> list[Span]:
    """As much of what it is about as there is room for; at the least the pack."""
    title, pack, target = (" Kernelwright ", "strong"), f" {campaign.pack}", f" on {campaign.target}"
    brain = "" if campaign.brain.startswith("offline") else f", workers: {campaign.brain}, other roles: offline"
    about = f" ({campaign.toolchain}, {campaign.device}, {campaign.sandbox_level})"
    choices: list[list[Span]] = [
        [title, (f"{pack}{target}{brain}", ""), (about, "dim")], [title, (f"{pack}{target}{brain}", "")],
        [title, (pack + target, "")], [title, (pack, "")],
    ]  # fmt: skip
    return next((one for one in choices if width_of(one) <= room), [(pack, "")])


def _cut(state: Sequence[Span], room: int) -> list[Span]:
    """Why it ended may be long: cut with a sign that it is."""
    (text, tone), *rest = state
    most = max(SHORTEST_STATE, room - width_of(rest))
    return [(fit(text, min(cells(clean(text)), most)), tone), *rest]


def _copy(at: float) -> list[Span]:
    return [(f" = copy of {moment(at)} ", "warn")]


def _engine(view: OverviewView, now: float) -> list[Span]:
    engine, state = view.engine, view.campaign.state
    if state == "finished":
        why = f": {view.campaign.stopped_because}" if view.campaign.stopped_because else ""
        return [(f" {state}{why} ", "")]
    if engine is None or state == "interrupted":
        return [(" ! no engine runs ", "bad")]
    silent = now - engine.heartbeat_at
    if silent > SILENT_S or not engine.alive:
        return [(f" ! engine silent for {age(silent)} ", "bad")]
    if state == "running":
        lag: list[Span] = [(f" ! lag {engine.loop_lag_ms:.0f} ms ", "warn")] if engine.loop_lag_ms > LAG_MS else []
        return [(" + running ", "good"), *lag]
    if state == "paused" and view.only_held:
        return [(" = device held ", "warn")]
    return [(f" = {state}{'...' if state in ('pausing', 'stopping') else ''} ", "warn")]


def _budget(campaign: CampaignView, width: int) -> list[Span]:
    spent = clock(campaign.elapsed_s)
    if campaign.minutes and width >= 90:
        spent += f" of {campaign.minutes:g} min"
    spans: list[Span] = [(f" {spent} ", ""), (f" {usd(campaign.usd)} ", "")]
    if width >= 72:
        spans.append((f" device {100 * campaign.device_busy_fraction:.0f} % ", ""))
    return spans if width < 90 else [*spans, (" ? help ", "dim")]
