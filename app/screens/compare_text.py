"""Two filings side by side as a page. Pure."""

from collections.abc import Sequence

from app.screens.filing_text import facts
from app.screens.node_text import rule
from app.views import (
    VERDICT_SIGNS,
    VERDICT_TONES,
    Line,
    Tone,
    columns,
    duration_ns,
    factor_interval,
    gain_interval,
    wrap,
    wrapped,
)
from store.filed_views import ComparedView, FiledReading

NAME = 10
OTHER_TOOLCHAIN = "! measured under different toolchains: gains, speedups and times do not compare"


def compare_page(both: ComparedView, code: Sequence[Line], width: int) -> list[Line]:
    """The facts in two columns, what differs marked with `*`; readings; the difference of the sources. code: that
    difference, see `syntax.diff_lines`."""
    half = max(8, (width - NAME - 4) // 2)
    lines = [columns((("", 1, ""), ("", NAME, ""), (f"filing {both.first.id}", half, "strong"),
                      (f"filing {both.second.id}", half, "strong")))]  # fmt: skip
    if both.first.fingerprint != both.second.fingerprint and not (both.first.imported or both.second.imported):
        lines += wrapped(OTHER_TOOLCHAIN, width, "warn")
    lines += _facts(both, half)
    for number, readings in ((both.first.id, both.first_readings), (both.second.id, both.second_readings)):
        lines += [rule(f"readings of filing {number}")] if readings else []
        lines += [line for one in readings for line in _reading(one, width)]
    if both.diff:
        lines += [rule(f"source: from {both.first.id} to {both.second.id}"), *code]
    elif both.no_diff:
        lines.append(((f"-- source: {both.no_diff} ", "dim"),))
    return lines


def _facts(both: ComparedView, half: int) -> list[Line]:
    first, second = dict(facts(both.first)), dict(facts(both.second))
    lines: list[Line] = []
    for name in dict.fromkeys((*first, *second)):
        left, right = first.get(name, "-"), second.get(name, "-")
        differs = left != right
        tone: Tone = "" if differs else "dim"
        rows = _beside(wrap(left, half), wrap(right, half))
        for index, (one, other) in enumerate(rows):
            mark, shown = ("*" if differs else " ", name) if index == 0 else ("", "")
            lines.append(columns(((mark, 1, "warn"), (shown, NAME, "dim"), (one, half, tone), (other, half, tone))))
    return lines


def _beside(left: Sequence[str], right: Sequence[str]) -> list[tuple[str, str]]:
    height = max(len(left), len(right))
    padded = ([*column, *[""] * (height - len(column))] for column in (left, right))
    return list(zip(*padded, strict=True))


def _reading(one: FiledReading, width: int) -> list[Line]:
    sign, tone = VERDICT_SIGNS.get(one.verdict, " "), VERDICT_TONES.get(one.verdict, "")
    if one.kind == "ledger":
        said = f"{factor_interval(one.value, one.low, one.high)} against the baseline"
    else:
        said = gain_interval(one.value, one.low, one.high)
    times = f"{duration_ns(one.head_ns)} -> {duration_ns(one.candidate_ns)}"
    mode = f", {one.mode}" if one.mode else ""
    text = f"{one.kind} {one.verdict}".strip() + f", {one.pairs} pairs: {said}; {times}{mode}"
    first, *more = wrap(text, max(10, width - 2))
    return [((f"{sign} ", tone), (first, tone)), *(((f"  {row}", tone),) for row in more)]
