"""An acceptance test as a row and as a page: where it stands, why it ended. Pure."""

import math
from typing import Final

from app.text import shape_ratio
from app.views import VERDICT_SIGNS, VERDICT_TONES, Line, Tone, about, age, columns, short_id, wrapped
from app.zline import FIXED, boundaries, estimate, expectation_lines, gauge, progress
from kernels.judge.power import Power, device_minutes
from store.device_views import PowerView
from store.shape_views import shapes_of
from store.views import TestView, WhyView

ROOMY: Final = 56
MOST_TOLD: Final = 100_000
SAID_BY_WHY: Final = ("NO SIGN", "OPEN")


def row_columns(width: int) -> list[tuple[str, int]]:
    chosen = [("test", -5), ("verdict", 10), ("kernel", 10), ("pairs", -5), ("score", -6)]
    if width >= 72:
        chosen += [("estimate", 22)]
    if width >= 100:
        chosen += [("kind", 12), ("agent", 12)]
    used = sum(abs(size) + 1 for _, size in chosen)
    return [*chosen, ("lever", max(8, width - used))]


def sign_of(test: TestView) -> str:
    """The verdict's sign; a dot while it runs."""
    return VERDICT_SIGNS.get(test.verdict, "." if test.state == "running" else " ")


def title(width: int) -> Line:
    return columns((title, size, "dim") for title, size in row_columns(width))


def row(test: TestView, width: int) -> Line:
    verdict = test.verdict or test.state
    tone: Tone = VERDICT_TONES.get(verdict, "accent")
    cells: dict[str, tuple[str, Tone]] = {
        "test": (str(test.id), "dim"),
        "verdict": (sign_of(test) + f" {verdict}", tone),
        "kernel": (test.kernel, ""),
        "pairs": (f"{test.pairs_done}/{test.pairs_budget}", ""),
        "score": (f"{test.score:+.2f}" if test.pairs_done else "-", tone),
        "estimate": (estimate(test), ""),
        "kind": (test.kind, "dim"),
        "agent": (test.agent, "dim"),
        "lever": (test.lever or test.kind, ""),
    }
    return columns((cells[title][0], size, cells[title][1]) for title, size in row_columns(width))


def page(test: TestView, power: PowerView | None, now: float, width: int) -> list[Line]:
    """Its state, why it ended, what was redone, and what it would take to be surer."""
    verdict = test.verdict or test.state
    lines: list[Line] = [
        ((test.kernel, "strong"), (f"  {test.lever or test.kind}", "")),
        (
            (sign_of(test) + f" {verdict}", VERDICT_TONES.get(verdict, "accent")),
            (f"  {test.kind}, {age(now - test.started_at)} ago", "dim"),
            (f", {_seconds(test)}" if width >= ROOMY else "", "dim"),
        ),
    ]  # fmt: skip
    stands: list[Line] = [progress(test), ((gauge(test, min(width, 60)), ""),), *expectation_lines(test, width)]
    why = test.why or WhyView()
    last = why.looks[-1:] if test.state == "done" and test.verdict != "INVALID" else ()
    ended = [line for text in last for line in wrapped(f"why: {text}", width, "strong")]
    stands += [*_when(test, width), *_shapes(test, width)]
    return [*lines, *ended, *_said(test, why, width), *stands, *_more(why, len(last), width),
            *_surer(test, power, width)]  # fmt: skip


def _when(test: TestView, width: int) -> list[Line]:
    """What it took, where the line of its verdict had no room for that."""
    return [] if width >= ROOMY else [((_seconds(test), "dim"),)]


def _seconds(test: TestView) -> str:
    return f"{test.device_seconds:.1f} s on the device"


def _shapes(test: TestView, width: int) -> list[Line]:
    """The ratio at each shape of a kernel that has some, so far; what is slower there stands out."""
    return [
        line
        for shape in shapes_of(test.pairs)
        for line in wrapped(f"at {shape.name}: {shape_ratio(shape)}", width, "warn" if shape.high < 1 else "")
    ]


def _said(test: TestView, why: WhyView, width: int) -> list[Line]:
    """Its own words, where the rule's do not say the same, and what casts a doubt on it."""
    own = "" if test.reason in SAID_BY_WHY and why.looks else test.reason
    doubts = [line for text in why.warnings for line in wrapped(f"! {text}", width, "warn")]
    return [*wrapped(own, width, "dim"), *doubts]


def _more(why: WhyView, told: int, width: int) -> list[Line]:
    """What comes next, the looks before, and the pairs that were redone."""
    earlier = why.looks[: len(why.looks) - told]
    lines = wrapped(why.ahead, width, "")
    lines += [line for text in reversed(earlier) for line in wrapped(text, width, "dim")]
    return lines + [line for text in why.redos for line in wrapped(text, width, "warn")]


def _surer(test: TestView, power: PowerView | None, width: int) -> list[Line]:
    """The pairs and device minutes that tell this estimate from nothing in four of five tests."""
    size = abs(test.estimate or 0.0)
    if power is None or size == 0.0 or test.kind in FIXED or test.verdict == "INVALID":
        return []
    pairs = Power(power.pair_sd).pairs_for(size)
    cost = "" if power.pair_seconds is None else f", {about(device_minutes(pairs, power.pair_seconds))} device min"
    if not math.isfinite(pairs) or pairs > MOST_TOLD:
        return wrapped(f"surer: {about(100 * size)} % is too small for this device to tell apart", width, "dim")
    text = f"surer: {about(100 * size)} % takes about {max(1, math.ceil(pairs))} pairs (80 %){cost}"
    return wrapped(text, width, "dim")


def figure_title(test: TestView) -> str:
    limits = boundaries(test)
    if limits is None:
        return "score"
    futility = "  ~ no sign below" if any(p.unclear_below is not None for p in test.looks) else ""
    return f"score  = ends at {limits[0]:+.2f}, {limits[1]:+.2f}{futility}"


def identity(test: TestView) -> str:
    return f"test {test.id} {test.kernel} {test.lever} {test.candidate_id} against {short_id(test.head_id)}"
