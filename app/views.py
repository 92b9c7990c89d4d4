"""Presentation values: numbers, times and marks as text. Pure: knows neither Textual nor the store's tables.

A line of the screen is a tuple of spans; a span is a text and a tone. A tone never carries meaning alone: the sign
beside it does (+ kept, - rejected, ~ flat, ! slower or wants attention). The tones `cursor` and `marked` lie under a
part of a line; those of TONES only change how its text looks.
"""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from app.sanitise import cells, clean, cut, fit
from kernels.values.numbers import significant

Tone = Literal[
    "",
    "good",
    "bad",
    "warn",
    "dim",
    "strong",
    "accent",
    "keyword",
    "literal",
    "comment",
    "cursor",
    "cursor-blurred",
    "marked",
]
Span = tuple[str, Tone]
Line = tuple[Span, ...]

TONES: Final[tuple[Tone, ...]] = (
    "good", "bad", "warn", "dim", "strong", "accent", "keyword", "literal", "comment",
)  # fmt: skip
NOTHING: Final = "-"
SIGN_TONES: Final[dict[str, Tone]] = {"+": "good", "-": "dim", "~": "", "!": "warn", ".": "accent"}
STATE_TONES: Final[dict[str, Tone]] = {
    "working": "good", "running": "good", "waiting": "dim", "done": "dim", "finished": "dim", "paused": "warn",
    "pausing": "warn", "stopping": "warn", "killed": "bad", "crashed": "bad", "interrupted": "bad",
}  # fmt: skip
STATE_SIGNS: Final[dict[str, str]] = {
    "working": "+", "running": "+", "waiting": ".", "done": " ", "finished": " ", "paused": "=", "pausing": "=",
    "stopping": "=", "killed": "-", "crashed": "!", "interrupted": "!",
}  # fmt: skip
VERDICT_TONES: Final[dict[str, Tone]] = {
    "FASTER": "good", "SLOWER": "warn", "FLAT": "", "UNCLEAR": "dim", "INVALID": "bad", "DROP": "dim",
}  # fmt: skip
VERDICT_SIGNS: Final[dict[str, str]] = {"FASTER": "+", "SLOWER": "!", "FLAT": "~", "UNCLEAR": "~", "INVALID": "!"}


def duration_ns(ns: float | None) -> str:
    """A kernel time with three digits: "25.8 ms", "930 us", "1.20 s"."""
    if ns is None or not math.isfinite(ns):
        return NOTHING
    for unit, scale in (("ns", 1.0), ("us", 1e3), ("ms", 1e6)):
        if abs(ns) < 999.5 * scale:
            return f"{digits(ns / scale)} {unit}"
    return f"{digits(ns / 1e9)} s"


def digits(value: float) -> str:
    """Three significant digits below 1000, none behind the point above."""
    if abs(value) >= 99.95:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 9.995 else f"{value:.2f}"


def about(value: float) -> str:
    """Two significant digits below ten, none behind the point above, no power of ten: "0.31", "1.1", "1,250"."""
    return significant(value, 2)


def factor(value: float | None) -> str:
    """A speedup: "26.4x"."""
    return NOTHING if value is None or not math.isfinite(value) else f"{digits(value)}x"


def factor_interval(value: float | None, low: float | None, high: float | None) -> str:
    """ "26.4x (25.9..27.0)"; without the bounds only the factor."""
    if value is None or low is None or high is None:
        return factor(value)
    return f"{factor(value)} ({digits(low)}..{digits(high)})"


def gain(share: float | None) -> str:
    """A gain as a share of the head's time: 0.019 is "+1.9 %"."""
    return NOTHING if share is None or not math.isfinite(share) else f"{100 * share:+.1f} %"


def gain_interval(share: float | None, low: float | None, high: float | None) -> str:
    """ "+0.8 % (-0.1..+1.7)"."""
    if share is None or low is None or high is None:
        return gain(share)
    return f"{gain(share)} ({100 * low:+.1f}..{100 * high:+.1f})"


def percent(share: float | None) -> str:
    """A share of a whole: 0.137 is "13.7 %"."""
    return NOTHING if share is None else f"{100 * share:.1f} %"


def clock(seconds: float) -> str:
    """A running time: "00:41:12", with days in front from one day on."""
    whole = max(0, int(seconds))
    days, rest = divmod(whole, 86400)
    text = f"{rest // 3600:02d}:{rest // 60 % 60:02d}:{rest % 60:02d}"
    return f"{days}d {text}" if days else text


def minutes(seconds: float | None) -> str:
    """A time that was spent: "21.5 s", "16.9 min", "2.4 h"."""
    if seconds is None:
        return NOTHING
    if seconds < 60:
        return f"{digits(seconds)} s" if seconds else "0 s"
    return f"{digits(seconds / 60)} min" if seconds < 6000 else f"{digits(seconds / 3600)} h"


def age(seconds: float) -> str:
    """How long ago, in one unit: "8 s", "12 min", "3 h", "2 d"."""
    whole = max(0, int(seconds))
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if whole >= 2 * size:
            return f"{whole // size} {unit}"
    return f"{whole} s"


def moment(at: float, *, date: bool = False) -> str:
    """A UTC time: "12:04:31", or "2026-11-29 12:04"."""
    return time.strftime("%Y-%m-%d %H:%M" if date else "%H:%M:%S", time.gmtime(at))


def utc(at: float) -> str:
    """A UTC time for programs: "2026-11-29T12:04:31Z"."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def usd(amount: float) -> str:
    return f"${amount:.2f}"


def count(number: int, one: str, many: str = "") -> str:
    """ "1 test", "3 tests"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def short_id(identity: str) -> str:
    """The first eight digits of a hash."""
    return identity[:8] or NOTHING


def plain(line: Line) -> str:
    """The text of a line without its tones."""
    return "".join(text for text, _ in line)


def width_of(line: Sequence[Span]) -> int:
    return sum(cells(clean(text)) for text, _ in line)


def wrap(text: str, width: int) -> list[str]:
    """Words to clean lines of at most `width` cells; longer words are broken."""
    lines: list[str] = []
    current = ""
    for word in clean(text).split():
        for piece in _pieces(word, width):
            if current and cells(current) + 1 + cells(piece) > width:
                lines.append(current)
                current = piece
            else:
                current = f"{current} {piece}".strip()
    if current:
        lines.append(current)
    return lines


def wrapped(text: str, width: int, tone: Tone = "dim") -> list[Line]:
    """A text as lines of one tone; no narrower than words are read."""
    return [((row, tone),) for row in wrap(text, max(10, width))]


def folded(text: str, width: int) -> list[str]:
    """As it is where it fits, for it may be code or have columns; else as `wrap`."""
    return [text] if cells(clean(text)) <= width else wrap(text, width)


def _pieces(word: str, width: int) -> list[str]:
    pieces: list[str] = []
    rest = word
    while width > 1 and cells(rest) > width:
        head = cut(rest, width)
        pieces.append(head)
        rest = rest[len(head) :]
    return [*pieces, rest]


def columns(parts: Iterable[tuple[str, int, Tone]], gap: str = " ") -> Line:
    """Cells of (text, width, tone) side by side; a negative width aligns to the right."""
    spans: list[Span] = []
    for text, width, tone in parts:
        spans.append((fit(text, abs(width), right=width < 0) + gap, tone))
    return tuple(spans)


def beside(left: Sequence[Span], right: Sequence[Span], width: int) -> Line:
    """Two ends of one line, the space between filled; the left end is cut when both do not fit."""
    room = width - sum(cells(clean(text)) for text, _ in right)
    spans: list[Span] = []
    for text, tone in left:
        kept = cut(clean(text), max(0, room))
        spans.append((kept, tone))
        room -= cells(kept)
    return (*spans, (" " * max(0, room), ""), *right)


def tone_of_gain(share: float | None) -> Tone:
    """Its sign is printed with it."""
    if share is None or share == 0:
        return ""
    return "good" if share > 0 else "warn"


def other_modes(peak_modes: Mapping[str, str]) -> str:
    """Whose x peak is against a peak of another device mode, by name; "" when there is none. A mode is "" where it is
    the head's own."""
    names = [f"{name} ({mode})" for name, mode in peak_modes.items() if mode]
    return f"x peak of {', '.join(names)}: by a peak of that mode, for none was measured in the head's" if names else ""


def beats_probe(times_peak: Mapping[str, float | None]) -> str:
    """What a head below 1.0 x peak means, by name; "" when there is none: the peak is what a read probe reached."""
    names = [name for name, value in times_peak.items() if value is not None and value < 1.0]
    return f"x peak below 1.00 ({', '.join(names)}): faster than the read probe, which is no bound" if names else ""
