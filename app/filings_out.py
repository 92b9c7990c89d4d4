"""Filings as files that other programs read: CSV and JSON. Pure."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Final

from app.views import utc
from store import shapes
from store.views import FilingView

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
COLUMNS: Final = (
    "id", "campaign", "kind", "kernel", "node", "candidate", "lever", "filed_at", "gain", "low", "high",
    "ledger_speedup", "times_peak", "device", "fingerprint", "tainted", "taint", "team", "board", "reference",
    "filed_text", "score", "recomputed", "source",
)  # fmt: skip


def to_csv(views: Sequence[FilingView]) -> str:
    """One row a filing, in the given order; `KERNEL_cycles` columns at the end where filings were imported.

    A text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    kernels = list(dict.fromkeys(k for view in views if view.imported for k in view.imported.cycles))
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow([*COLUMNS, *(f"{kernel}_cycles" for kernel in kernels)])
    table.writerows([*_cells(view), *_cycles(view, kernels)] for view in views)
    return written.getvalue()


def to_json(views: Sequence[FilingView]) -> str:
    """As `filings --json` prints them."""
    return json.dumps(shapes.filings(views), indent=2) + "\n"


def _cells(view: FilingView) -> list[object]:
    low, high = view.interval or (None, None)
    i = view.imported
    own: list[object] = [
        view.id, view.campaign, view.kind, _text(view.kernel), view.node, view.candidate, _text(view.lever),
        utc(view.filed_at) if view.dated else "", view.gain, low, high, view.ledger_speedup, view.times_peak,
        _text(view.device), _text(view.fingerprint), int(view.tainted), _text(view.taint),
    ]  # fmt: skip
    if i is None:
        return [*own, *[""] * (len(COLUMNS) - len(own))]
    texts = (_text(text) for text in (i.team, i.board, i.reference, i.filed_text))
    return [*own, *texts, i.score, i.recomputed, _text(i.source)]


def _cycles(view: FilingView, kernels: Sequence[str]) -> list[object]:
    return ["" if view.imported is None else view.imported.cycles.get(kernel, "") for kernel in kernels]


def _text(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
