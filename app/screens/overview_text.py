"""The overview's panels as lines. Pure: values in, lines out."""

from collections.abc import Sequence
from typing import Final

from app.screens.trust_text import bias_line
from app.text import shapes_text
from app.views import (
    Line,
    Span,
    Tone,
    about,
    age,
    beats_probe,
    columns,
    count,
    duration_ns,
    factor,
    factor_interval,
    gain,
    other_modes,
    percent,
    width_of,
    wrap,
)  # fmt: skip
from app.zline import expectation_lines, gauge, progress
from kernels.judge.placebo import KNOWN_FROM
from store.views import AgentView, CampaignView, KernelView, OverviewView

Column = tuple[str, int, Tone]
SPARED: Final = ("tests", "kept", "baseline", "x peak")
"""Columns that a narrow window goes without, in this order."""
LAST_GAIN: Final = 8


def head_columns(width: int) -> list[tuple[str, int]]:
    """Titles and widths of the table of kernels; negative widths align to the right; the last one takes the rest."""
    wide = width >= 96
    chosen = [
        ("kernel", 12 if wide else 10), ("x peak", -6), ("ledger speedup", 20 if wide else 19), ("head", -8),
        ("baseline", -8), ("tests", -5), ("promoted" if wide else "kept", -8 if wide else -4),
    ]  # fmt: skip
    if width >= 140:
        chosen += [("tried", -6), ("plateau", -7), ("last gain (selected)", 34)]
        return [*chosen, ("now", _rest(chosen, width))]
    for title in SPARED:
        if _needed(chosen) + LAST_GAIN > width:
            chosen = [one for one in chosen if one[0] != title]
    rest = _rest(chosen, width)
    return [*chosen, ("last gain (selected)" if rest >= 20 else "last gain", rest)]


def _rest(chosen: Sequence[tuple[str, int]], width: int) -> int:
    return max(LAST_GAIN, width - _needed(chosen))


def _needed(chosen: Sequence[tuple[str, int]]) -> int:
    return sum(abs(size) + 1 for _, size in chosen)


def head_title(width: int) -> Line:
    return columns((title, size, "dim") for title, size in head_columns(width))


def head_row(kernel: KernelView, width: int) -> Line:
    cells: dict[str, tuple[str, Tone]] = {
        "kernel": (("= " if kernel.status.startswith("paus") else "") + kernel.name, "strong"),
        "x peak": ("-" if kernel.times_peak is None else f"{kernel.times_peak:.2f}", "strong"),
        "ledger speedup": _ledger(kernel),
        "head": (duration_ns(kernel.head_ns), ""),
        "baseline": (duration_ns(kernel.baseline_ns), "dim"),
        "tests": (str(kernel.tests), ""),
        "kept": (str(kernel.promotions), ""),
        "promoted": (str(kernel.promotions), ""),
        "tried": (str(kernel.candidates), ""),
        "plateau": (str(kernel.plateau), "dim"),
        "last gain (selected)": _last_gain(kernel),
        "last gain": _last_gain(kernel),
        "now": (kernel.status, "dim"),
    }  # fmt: skip
    return columns((cells[title][0], size, cells[title][1]) for title, size in head_columns(width))


def _ledger(kernel: KernelView) -> tuple[str, Tone]:
    """The measured number, or that a promoted head has none yet."""
    if kernel.ledger_speedup is None and kernel.promotions:
        return "claimed, no entry", "warn"
    return factor_interval(kernel.ledger_speedup, kernel.ledger_low, kernel.ledger_high), "good"


def _last_gain(kernel: KernelView) -> tuple[str, Tone]:
    if kernel.last_gain is None:
        return (f"~ {kernel.status}" if kernel.status else "-"), ""
    return f"+ {gain(kernel.last_gain).lstrip('+')} {kernel.last_lever}", "good"


def total_line(campaign: CampaignView, width: int) -> Line:
    """The one number that is quoted, and beside it what is only claimed; in short where all words have no room."""
    whole = _total(campaign, short=False)
    return whole if width_of(whole) <= width else _total(campaign, short=True)


def _total(campaign: CampaignView, *, short: bool) -> Line:
    spans: list[Span] = [
        ("geomean ", "dim"),
        (factor_interval(campaign.ledger_speedup, campaign.ledger_low, campaign.ledger_high), "good"),
        (" by ledger" if short else " by ledger, against the baseline", "dim"),
        ("   claimed ", "dim"),
        (f"{factor(campaign.claimed_gain)}{campaign.claimed_mark}", ""),
    ]
    if campaign.refused:
        spans.append((f", {campaign.refused}", "bad"))
    elif campaign.ledger_speedup is None and campaign.promotions:
        spans.append((", no ledger entry yet", "warn"))
    if campaign.mode:
        spans += [("   mode " if short else "   device mode ", "dim"), (campaign.mode, "")]
    return tuple(spans)


def device_lines(view: OverviewView, width: int) -> list[Line]:
    """What is on the device now, the line of its score, and what waits."""
    test, campaign = view.live, view.campaign
    lines: list[Line] = []
    if test is None:
        lines.append(((campaign.holder or "idle", "strong"),))
    else:
        by = f"  by {test.agent}" if test.agent else ""
        if view.engine is None or not view.engine.alive:
            lines.append((("! no engine is heard; this was at work last:", "warn"),))
        lines += [((test.kernel, "strong"), (f"  {test.lever or test.kind}", ""), (by, "dim")), progress(test)]
        lines += [((gauge(test, min(width, 48)), ""),), *expectation_lines(test, width)]
        if campaign.holder:
            lines.append((("device ", "dim"), (campaign.holder, "")))
    waiting = f"{len(view.queue)} wait" + ("s" if len(view.queue) == 1 else "")
    queue = f"queue: {waiting}: {', '.join(view.queue)}" if view.queue else "queue: empty"
    return [*lines, *(((row, "dim"),) for row in wrap(queue, width))]


def remark_lines(kernels: Sequence[KernelView], width: int) -> list[Line]:
    """Kernels that are judged by something else than a numpy reference, what was reached at each shape, and heads that
    beat the read probe."""
    found: list[Line] = [
        ((f"{k.name} ", "strong"), (f"reference: {k.reference}", "warn")) for k in kernels if k.reference
    ]
    found += [line for k in kernels if k.shapes for line in _shape_lines(k, width)]
    probe = beats_probe({k.name: k.times_peak for k in kernels})
    if probe:
        found.append(((probe, "dim"),))
    modes = other_modes({k.name: k.peak_mode for k in kernels})
    return [*found, *(((row, "warn"),) for row in wrap(modes, width))]


def trust_lines(campaign: CampaignView, width: int) -> list[Line]:
    """How far the numbers can be trusted; below 40 placebo tests nobody knows yet."""
    placebo = campaign.placebo
    bound = "" if placebo.upper is None else f", <= {percent(placebo.upper)} (95 %)"
    lines: list[Line] = []
    if placebo.alarm_at is not None:
        alarm = f"  too many of the first {placebo.alarm_at} placebos were FASTER"
        lines.append((("! ALARM", "bad"), (alarm, "")))
    if not placebo.known:
        lines.append((("! NOT YET KNOWN", "warn"), (f"  {placebo.tests} of {KNOWN_FROM} placebo tests", "")))
    lines.append((("placebo FASTER ", "dim"), (f"{placebo.faster}/{placebo.tests}{bound}", "")))
    if placebo.bias is not None:
        lines.append(bias_line(placebo.bias, width))
    expected = f"<= {about(campaign.expected_false_promotions)} of {campaign.promotions}"
    lines.append((("false promotions ", "dim"), (expected, ""), (" expected", "dim")))
    dropped = campaign.faster_but_dropped
    lines.append((("FASTER, not confirmed: ", "dim"), (str(dropped), "")))
    lines += [((text, "dim"),) for text in wrap(_refusals(campaign), width)]
    if campaign.sandbox_level:
        lines.append((("sandbox ", "dim"), (campaign.sandbox_level, "")))
    return lines


def _refusals(campaign: CampaignView) -> str:
    if not campaign.rejections:
        return "refused: none"
    ranked = sorted(campaign.rejections.items(), key=lambda item: (-item[1], item[0]))
    return "refused: " + ", ".join(f"{number} {kind.replace('_', ' ')}" for kind, number in ranked)


def attention_lines(view: OverviewView, width: int) -> list[Line]:
    """What waits for a person; long ones are wrapped."""
    lines: list[Line] = []
    for text in view.attention:
        rows = wrap(text, width - 2)
        lines += [(("! " if index == 0 else "  ", "warn"), (row, "")) for index, row in enumerate(rows)]
    return lines or [(("nothing waits for you", "dim"),)]


def agents_line(view: OverviewView) -> Line:
    order = ("working", "waiting", "pausing", "paused", "crashed", "killed", "done")
    states = {state: number for state, number in view.agent_states.items() if number > 0}
    known = [*(s for s in order if s in states), *sorted(set(states) - set(order))]
    spans: list[Span] = [(f" {states[s]} {s} ", "bad" if s == "crashed" else "") for s in known]
    return (("agents ", "dim"), *(spans or [(" none yet", "dim")]))


def last_words(agents: Sequence[AgentView], now: float, width: int) -> list[Line]:
    """The last line of each agent, who spoke last first."""
    speaking = sorted((a for a in agents if a.lines or a.step), key=lambda agent: -_seen(agent))
    room = max(8, width - 24)
    return [
        columns(((agent.name, 14, "strong"), (age(now - _seen(agent)), 7, "dim"), (_last(agent), room, "")))
        for agent in speaking
    ]


def _seen(agent: AgentView) -> float:
    return max(agent.since, agent.seen_at)


def _last(agent: AgentView) -> str:
    return agent.lines[-1] if agent.lines else agent.step


def score_title(view: OverviewView) -> str:
    """`score by ledger: 22.5x now, best 22.6x, 19 steps`."""
    values = [point.speedup for point in view.score if not point.kernel]
    if not values:
        return "score by ledger"
    return f"score by ledger: {factor(values[-1])} now, best {factor(max(values))}, {count(len(values), 'step')}"


def _shape_lines(kernel: KernelView, width: int) -> list[Line]:
    slower = any(shape.high < 1 for shape in kernel.shapes)
    rows = wrap(f"{kernel.name} by shape: {shapes_text(kernel.shapes)}", width)
    return [((row, "warn" if slower else "dim"),) for row in rows]
