"""An acceptance test as a row, as a page, and its pairs as a table. Pure."""

from app.views import (
    VERDICT_SIGNS,
    VERDICT_TONES,
    Line,
    Tone,
    age,
    columns,
    duration_ns,
    gain,
    gain_interval,
    short_id,
    wrap,
)  # fmt: skip
from app.zline import boundaries, expectation, gauge, progress
from store.views import PairView, TestView


def row_columns(width: int) -> list[tuple[str, int]]:
    chosen = [("test", -5), ("verdict", 10), ("kernel", 10), ("pairs", -5), ("score", -6)]
    if width >= 70:
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
        "estimate": (gain_interval(test.estimate, test.low, test.high), ""),
        "kind": (test.kind, "dim"),
        "agent": (test.agent, "dim"),
        "lever": (test.lever or test.kind, ""),
    }
    return columns((cells[title][0], size, cells[title][1]) for title, size in row_columns(width))


def page(test: TestView, now: float, width: int) -> list[Line]:
    """Its state in a few lines."""
    verdict = test.verdict or test.state
    lines: list[Line] = [
        ((test.kernel, "strong"), (f"  {test.lever or test.kind}", "")),
        (
            (sign_of(test) + f" {verdict}", VERDICT_TONES.get(verdict, "accent")),
            (f"  {test.kind}, {age(now - test.started_at)} ago, {test.device_seconds:.1f} s on the device", "dim"),
        ),
        progress(test),
        ((gauge(test, min(width, 60)), ""),),
        expectation(test),
    ]  # fmt: skip
    lines += [((row, "dim"),) for row in wrap(test.reason, width)]
    return lines


def pair_title() -> Line:
    return columns((title, size, "dim") for title, size in PAIR_COLUMNS)


PAIR_COLUMNS = (
    ("pair", -4), ("first", 5), ("head", -8), ("cand.", -8), ("gain", -8), ("GB/s", -6), ("note", 20),
)  # fmt: skip


def pair_row(pair: PairView) -> Line:
    """gain: 1 - candidate / head of this pair alone."""
    share = 1.0 - pair.candidate_ns / pair.head_ns if pair.head_ns > 0 else None
    note = f"redo: {pair.redo_reason}" if pair.redo_reason else pair.mode
    tone: Tone = "warn" if pair.redo_reason else "good" if pair.log_ratio > 0 else ""
    cells = (
        (str(pair.seq + 1), ""), (pair.first[:4], "dim"), (duration_ns(pair.head_ns), ""),
        (duration_ns(pair.candidate_ns), ""), (gain(share), tone),
        (f"{pair.probe_gbs:.1f}" if pair.probe_gbs else "-", "dim"), (note, "dim"),
    )  # fmt: skip
    return columns((text, size, colour) for (text, colour), (_, size) in zip(cells, PAIR_COLUMNS, strict=True))


def figure_title(test: TestView) -> str:
    limits = boundaries(test)
    return f"score  = ends at {limits[0]:+.2f}, {limits[1]:+.2f}" if limits else "score"


def identity(test: TestView) -> str:
    return f"test {test.id} {test.kernel} {test.lever} {test.candidate_id} against {short_id(test.head_id)}"
