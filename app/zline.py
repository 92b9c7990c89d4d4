"""One test in one line: where its score stands between the boundaries. Pure.

`pair 10/24  score +1.97  [-1.85 ....|.57....*.. +2.15]  est +0.8 % (-0.1..+1.7)  next look 12`
"""

from app.views import Line, Tone, factor_interval, gain_interval, width_of
from store.views import TestView, TrailPoint

FASTER, SLOWER = 2.15, -1.85
CONFIRMED, DROPPED = 1.40, 0.0
FIXED = ("ledger", "batch", "calibration")


def boundaries(test: TestView) -> tuple[float, float] | None:
    """The (lower, upper) boundary that ends the test now: the last look's, else the next one's, else the rule's.

    None for tests of a fixed number of pairs.
    """
    if test.kind in FIXED:
        return None
    for point in (*reversed(test.trail), *test.looks):
        if point.faster is not None and point.slower is not None:
            return point.slower, point.faster
    if test.kind == "confirmation":
        return DROPPED, CONFIRMED
    return SLOWER, FASTER


def gauge(test: TestView, width: int) -> str:
    """The score between its boundaries, `width` cells: `-1.85 ....|.57....*.. +2.15`."""
    limits = boundaries(test)
    if limits is None:
        return "no boundaries: nothing ends it early"
    low, high = limits
    left, right = f"{low:+.2f} ", f" {high:+.2f}"
    cells = max(5, width - len(left) - len(right))
    bar = ["."] * cells
    threshold = _no_sign_threshold(test.trail)
    if threshold is not None and low < threshold < high:
        _write(bar, _cell(threshold, low, high, cells), f"|{threshold:.2f}".replace("0.", ".", 1))
    if test.pairs_done:
        bar[_cell(test.score, low, high, cells)] = "*"
    return left + "".join(bar) + right


def score_tone(test: TestView) -> Tone:
    limits = boundaries(test)
    if limits is None:
        return "strong"
    return "good" if test.score >= limits[1] else "warn" if test.score <= limits[0] else "strong"


def progress(test: TestView) -> Line:
    """`pair 10/24  score +1.97`."""
    return (
        (f"pair {test.pairs_done}/{test.pairs_budget}", "strong"),
        ("  score ", "dim"),
        (f"{test.score:+.2f}" if test.pairs_done else "-", score_tone(test)),
    )


def estimate(test: TestView) -> str:
    """ "+0.8 % (-0.1..+1.7)" of the head's time; what the ledger measured is a speedup: "16.3x (15.9..16.6)"."""
    if test.speedup is not None:
        return factor_interval(*test.speedup)
    return gain_interval(test.estimate, test.low, test.high)


def expectation(test: TestView) -> Line:
    """`est +0.8 % (-0.1..+1.7)   next look 12`."""
    look = test.verdict if test.next_look is None else f"next look {test.next_look}"
    return (("est ", "dim"), (estimate(test), ""), ("   " + look, "dim"))


def expectation_lines(test: TestView, width: int) -> list[Line]:
    """As one line, without its first word where that has no room, else as two."""
    whole = expectation(test)
    fitting = next((line for line in (whole, whole[1:]) if width_of(line) <= width), None)
    return [fitting] if fitting is not None else [whole[:-1], ((whole[-1][0].strip(), "dim"),)]


def one_line(test: TestView, width: int = 34) -> str:
    """The whole state of a test as one line, for plain displays."""
    parts = ["".join(text for text, _ in line) for line in (progress(test), expectation(test))]
    return f"{parts[0]}  [{gauge(test, width)}]  {parts[1]}"


def _no_sign_threshold(trail: tuple[TrailPoint, ...]) -> float | None:
    return next((p.unclear_below for p in reversed(trail) if p.unclear_below is not None), None)


def _cell(value: float, low: float, high: float, cells: int) -> int:
    share = (value - low) / (high - low) if high > low else 0.5
    return min(cells - 1, max(0, round(share * (cells - 1))))


def _write(bar: list[str], start: int, text: str) -> None:
    for offset, character in enumerate(text):
        if start + offset < len(bar):
            bar[start + offset] = character
