"""A filing as a row and as a page. Pure."""

import re
from typing import Final

from app.views import (
    Line,
    Tone,
    columns,
    digits,
    factor,
    gain,
    gain_interval,
    moment,
    tone_of_gain,
    wrap,
    wrapped,
)  # fmt: skip
from store.views import FilingView, ImportedView

ORDER_NAMES = {
    "filed_at": "time", "kernel": "kernel", "gain": "gain", "ledger_speedup": "ledger speedup", "times_peak": "x peak",
    "lever": "lever",
}  # fmt: skip


ROOMY: Final = 67
NOT_SAID: Final = "not said"
EXACT: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?")
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def filing_columns(width: int) -> list[tuple[str, int]]:
    """Beside the page of one filing there is room for the time of the year only, and none for the peak."""
    roomy = width >= ROOMY
    chosen = [("id", -6), ("filed (UTC)", 16 if roomy else 11), ("kernel", 10), ("gain", -8)]
    if width >= 90:
        chosen += [("interval", 16)]
    chosen += [("ledger", -7), *([("x peak", -6)] if roomy else [])]
    if width >= 110:
        chosen += [("kind", 10)]
    used = sum(abs(size) + 1 for _, size in chosen)
    return [*chosen, ("lever", max(8, width - used))]


def filing_title(width: int) -> Line:
    return columns((title, size, "dim") for title, size in filing_columns(width))


def filing_row(filing: FilingView, width: int) -> Line:
    low_high = filing.interval
    interval = f"{100 * low_high[0]:+.1f}..{100 * low_high[1]:+.1f} %" if low_high else "-"
    cells: dict[str, tuple[str, Tone]] = {
        "id": (str(filing.id), "dim"),
        "filed (UTC)": (_filed(filing, short=width < ROOMY), "dim"),
        "kernel": (filing.kernel or "imported", "" if filing.kernel else "dim"),
        "gain": (gain(filing.gain), tone_of_gain(filing.gain)),
        "interval": (interval, ""),
        "ledger": _score(filing),
        "x peak": ("-" if filing.times_peak is None else f"{filing.times_peak:.2f}", ""),
        "kind": (filing.kind, "dim"),
        "lever": (_lever(filing), "bad" if filing.tainted else ""),
    }
    return columns((cells[title][0], size, cells[title][1]) for title, size in filing_columns(width))


def _filed(filing: FilingView, *, short: bool) -> str:
    """Of an imported filing no more than its file says: "~2026-09-10" where the minute is not known. short: no year."""
    if filing.imported is None or EXACT.fullmatch(filing.imported.filed_text):
        return moment(filing.filed_at, date=True)[len("2026-") if short else 0 :]
    day = DAY.search(filing.imported.filed_text)
    return NOT_SAID if day is None else f"~{day[0][len('2026-') if short else 0 :]}"


def filed_text(filing: FilingView) -> str:
    """When it was filed, in UTC; of an imported filing as its file has it."""
    imported = filing.imported
    return moment(filing.filed_at, date=True) if imported is None else imported.filed_text or NOT_SAID


def _score(filing: FilingView) -> tuple[str, Tone]:
    """The ledger's number; of an imported filing, which has none, the published score in brackets, else in round ones
    what its cycles give."""
    imported = filing.imported
    if imported is not None and imported.score is not None:
        return f"[{digits(imported.score)}]", "dim"
    if imported is not None and imported.recomputed is not None:
        return f"({digits(imported.recomputed)})", "dim"
    return factor(filing.ledger_speedup), "strong"


def _lever(filing: FilingView) -> str:
    imported = filing.imported
    if imported is not None:
        return " ".join(part for part in (filing.lever, imported.team, imported.board) if part)
    return f"!fold {filing.lever}" if filing.tainted else filing.lever


def filing_page(filing: FilingView, width: int) -> list[Line]:
    lines: list[Line] = [((f"filing {filing.id}", "strong"),)]
    for name, text in facts(filing):
        rows = wrap(text, max(10, width - 11))
        lines += [((f"{name if index == 0 else '':10} ", "dim"), (row, "")) for index, row in enumerate(rows)]
    if filing.tainted:
        why = f"! tainted by a fold, kept in the history, left out of every result: {filing.taint}"
        lines += wrapped(why, width, "bad")
    if filing.imported is not None:
        why = "imported: measured elsewhere, counts in no result of this device"
        lines += wrapped(why, width, "warn")
    return lines


def facts(filing: FilingView) -> list[tuple[str, str]]:
    """(name, text) of everything that a filing says."""
    if filing.imported is not None:
        return _imported(filing, filing.imported)
    interval = filing.interval or (None, None)
    return [
        ("kind", filing.kind),
        ("kernel", filing.kernel),
        ("node", "-" if filing.node is None else str(filing.node)),
        ("lever", filing.lever or "-"),
        ("filed", f"{moment(filing.filed_at, date=True)} UTC"),
        ("gain", f"{gain_interval(filing.gain, *interval)}, selected: too high on average"),
        ("ledger", f"{factor(filing.ledger_speedup)} against the baseline"),
        ("x peak", "-" if filing.times_peak is None else f"{filing.times_peak:.2f}"),
        ("device", filing.device or "-"),
        ("toolchain", filing.fingerprint or "-"),
    ]


def _imported(filing: FilingView, said: ImportedView) -> list[tuple[str, str]]:
    after = f"in order behind {moment(filing.filed_at, date=True)} UTC"
    filed = said.filed_text if EXACT.fullmatch(said.filed_text) else f"{filed_text(filing)}; {after}"
    found = [
        ("kind", f"imported, {said.board or 'no board named'}"),
        ("place", str(said.place)),
        ("team", said.team or "-"),
        ("variant", filing.lever or "-"),
        ("reference", said.reference or "-"),
        ("filed", filed),
        ("score", "-" if said.score is None else f"{said.score:.4f} published"),
        ("recomputed", "-" if said.recomputed is None else f"{said.recomputed:.4f} from the cycles"),
    ]
    found += [(kernel, f"{cycles:,.0f} cycles") for kernel, cycles in said.cycles.items()]
    peak = [] if filing.times_peak is None else [("x peak", f"{filing.times_peak:.2f}")]
    return [*found, *peak, ("source", said.source or "-")]
