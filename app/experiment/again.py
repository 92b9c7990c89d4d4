"""The replay arm: candidates of campaigns as recorded, judged again under other rules. It needs no device."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from app.text import table
from kernels.judge.again import Recorded, tallies, truth_of
from store.engine import Store
from store.reads.again_view import recorded

Found = dict[str, Any]


def replayed(store: Store, campaigns: Sequence[int] | None = None) -> Found:
    """Of these campaigns, or of all of this home. Ready for `json.dumps`."""
    return judged(store.read_sync(lambda s: recorded(s, campaigns)))


def judged(known: Sequence[Recorded]) -> Found:
    truths = [truth_of(one) for one in known]
    return {
        "candidates": len(known), "truth": dict(Counter(truth for truth, _ in truths)),
        "sources": dict(Counter(source or "nothing" for _, source in truths)),
        "rules": [asdict(one) for one in tallies(known)],
    }  # fmt: skip


def text(found: Found) -> str:
    truth, sources = found["truth"], found["sources"]
    told = ", ".join(f"{n} by {source}" for source, n in sources.items())
    rows = [
        [r["rule"], str(r["judged"]), str(r["promoted"]), str(r["true"]), str(r["false"]), str(r["open"]),
         str(r["missed"]), f"{r['undecided']} ({r['undecided_faster']} faster)"]
        for r in found["rules"]
    ]  # fmt: skip
    header = ("rule", "judged", "would promote", "faster", "false", "open", "missed", "undecided")
    return "\n".join([
        f"{found['candidates']} tested candidates judged again; {truth.get('faster', 0)} were faster than their head, "
        f"{truth.get('not faster', 0)} were not, {truth.get('open', 0)} cannot be told ({told})",
        table(header, rows),
        "false: promoted, not faster; missed: refused, faster; undecided: the record ends before the rule does, or "
        "there is no plan. Where no ledger says it, truth is of the candidate's own pairs, which flatters every rule",
    ])  # fmt: skip
