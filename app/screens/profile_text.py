"""Profiles as lines: a chart of characters, a row a thread, and a table of spans. Pure; shared by screen and commands.

Letters and signs carry all meaning; there is no character here outside of ASCII but in names of spans.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from app.views import NOTHING, Line, Tone, columns, count, duration_ns, percent, plain, short_id, wrapped
from kernels.profiling.against import Change
from kernels.profiling.gantt import gantt, letters
from kernels.profiling.join import Bound
from kernels.profiling.join import Line as SpanLine
from kernels.profiling.profile import Profile
from kernels.profiling.record import Record

MOST_THREADS: Final = 64
FIGURES: Final = (-7, -8, -8, -6, -5, -7, 11)  # share .. bound; negative widths align to the right
TAKEN: Final = 2 + sum(abs(w) + 1 for w in FIGURES) + 1  # cells of a row beside the span's name
WIDE: Final = 110  # from here on a span's arrays are shown
LONGEST: Final = 32  # cells of a name in wide windows
TONES: Final[Mapping[Bound, Tone]] = {"memory wall": "good", "serial": "warn", "imbalance": "warn", "not known": "dim"}
SHRANK: Final = 0.98
GREW: Final = 1.02


def page(record: Record, width: int) -> list[Line]:
    """Everything of one record: of a candidate's its own chart, and the head beside it span by span."""
    lines = [*profile_lines(record.shown, "candidate" if record.candidate else "head", width)]
    if record.candidate is not None:
        lines += [(), *change_lines(record, width), (), *profile_lines(record.head, "head", width)]
    return lines


def profile_lines(profile: Profile, name: str, width: int) -> list[Line]:
    names = letters([line.label for line in profile.lines])
    return [*heading(profile, name, width), *chart(profile, names, width), (), *table(profile.lines, names, width),
            *_findings(profile, width)]  # fmt: skip


def heading(profile: Profile, name: str, width: int) -> list[Line]:
    spread = f"{duration_ns(profile.low_ns)} .. {duration_ns(profile.high_ns)}"
    planned = "no plan" if profile.ratio is None else f"{profile.ratio:.2f} x planned {duration_ns(profile.planned_ns)}"
    first = f"{name} {short_id(profile.candidate)}: {duration_ns(profile.elapsed_ns)}, {planned}"
    probe = f"probe {profile.probe_gbs:.1f} GB/s (mode {profile.mode})" if profile.probe_gbs > 0 else "no probe"
    second = (
        f"median of {count(profile.calls, 'profiled call')} ({spread}); {profile.gbs:.1f} GB/s, {probe}; "
        f"threads idle {percent(profile.waiting)}"
    )
    bounds = ", ".join(f"{bound} {percent(share)}" for bound, share in profile.shares.items())
    return [((first, "strong"),), *wrapped(second, width), *wrapped(f"bound by: {bounds}", width, "")]


def chart(profile: Profile, names: Mapping[str, str], width: int) -> list[Line]:
    """A row a thread; "." is idle."""
    threads = min(profile.threads, MOST_THREADS)
    lead = len(str(threads - 1))
    room = max(10, width - lead - 3)
    drawn = gantt(profile.pieces, profile.total_ns, threads, room, names)
    rows: list[Line] = [
        ((f"{thread:>{lead}} |", "dim"), (cells, "accent"), ("|", "dim")) for thread, cells in enumerate(drawn.rows)
    ]
    if profile.threads > threads:
        rows.append(((f"{profile.threads - threads} more threads", "dim"),))
    return [*rows, ((" " * (lead + 2) + _scale(drawn.ticks, room), "dim"),)]


def _scale(ticks: Sequence[float], room: int) -> str:
    left, middle, right = "0", duration_ns(ticks[1]), duration_ns(ticks[2])
    start = max(room // 2 - len(middle) // 2, len(left) + 1)
    end = max(room - len(right), start + len(middle) + 1)
    return f"{left:<{start}}{middle:<{end - start}}{right}"


def table(lines: Sequence[SpanLine], names: Mapping[str, str], width: int) -> list[Line]:
    """One row a span; in wide windows also the arrays that it touches."""
    titles = ("", "span", "share", "measured", "planned", "ratio", "GB/s", "imbal.", "bound", "touches")
    rows: list[Line] = [tuple((text, "dim") for text, _ in _row(titles, width))]
    for line in lines:
        rows.append(_span(line, names.get(line.label, "#"), width))
        rows += [_part(name, ns, line, width) for name, ns in line.parts]
    return rows


def _span(line: SpanLine, letter: str, width: int) -> Line:
    times = f" x{line.count}" if line.count > 1 else ""
    cells = (
        letter, f"{line.label}{times}", percent(line.share), duration_ns(line.wall_ns), duration_ns(line.planned_ns),
        NOTHING if line.ratio is None else f"{line.ratio:.2f}", NOTHING if line.gbs is None else f"{line.gbs:.1f}",
        NOTHING if line.imbalance is None else percent(line.imbalance), line.bound, " ".join(line.touches),
    )  # fmt: skip
    return _row(cells, width, TONES.get(line.bound, ""))


def _row(cells: Sequence[str], width: int, tone: Tone = "") -> Line:
    room = max(8, width - TAKEN)
    name = min(room, LONGEST) if width >= WIDE else room
    widths = (1, name, *FIGURES)
    parts = [(text, w, _tone(i, tone)) for i, (text, w) in enumerate(zip(cells, widths, strict=False))]
    reads = room - name - 1
    return columns([*parts, (cells[9], reads, "dim")] if reads > 0 else parts)


def _tone(column: int, bound: Tone) -> Tone:
    return "accent" if column == 0 else bound if column == 8 else ""


def _part(name: str, ns: float, line: SpanLine, width: int) -> Line:
    """A mark inside of a loop: its share of the loop's work."""
    whole = sum(line.busy_ns)
    text = f"    {name}: {percent(ns / whole) if whole > 0 else NOTHING} of the work in it"
    return ((text[:width], "dim"),)


def _findings(profile: Profile, width: int) -> list[Line]:
    lost = [f"{profile.lost} marks were not kept: their spans are missing"] if profile.lost else []
    return [line for text in (*lost, *profile.findings) for line in wrapped(f"! {text}", width, "warn")]


def change_lines(record: Record, width: int) -> list[Line]:
    """The candidate's spans against the head's that do the same."""
    room = max(12, (width - 36) // 2)
    widths = (1, room, room, -8, -9, -9)
    head = columns(
        [(t, w, "dim") for t, w in zip(("", "head", "candidate", "head", "candidate", "change"), widths, strict=True)]
    )
    return [head, *(_change(one, widths) for one in record.changes)]


def _change(one: Change, widths: Sequence[int]) -> Line:
    ratio = one.ratio
    sign, tone = _sign(ratio)
    cells = (
        sign, " + ".join(one.head) or NOTHING, " + ".join(one.candidate) or NOTHING, duration_ns(one.head_ns),
        duration_ns(one.ns), NOTHING if ratio is None else f"{100 * (ratio - 1):+.1f} %",
    )  # fmt: skip
    return columns(
        [(text, w, tone if i in (0, 5) else "") for i, (text, w) in enumerate(zip(cells, widths, strict=True))]
    )


def _sign(ratio: float | None) -> tuple[str, Tone]:
    """+ it shrank, ! it grew, ~ about the same."""
    if ratio is None:
        return " ", ""
    return ("+", "good") if ratio < SHRANK else ("!", "warn") if ratio > GREW else ("~", "")


def ascii_text(lines: Sequence[Line]) -> str:
    """For a terminal or file of any encoding: what is not ASCII is escaped."""
    return "\n".join(plain(line).rstrip() for line in lines).encode("ascii", "backslashreplace").decode()
