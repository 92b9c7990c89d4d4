"""Tests written to a store by hand: pairs with known readings."""

from collections.abc import Sequence
from pathlib import Path

from kernels.values.candidate import Candidate
from kernels.values.reading import First, Pair, Reading
from store import by_hand, designs, ledger
from store.engine import Session, Store

PACK, TARGET, KERNEL = "axpy_gemv", "cpu-c", "gemv"


def reading(ns: float) -> Reading:
    return Reading(ns, 8, ns, ns)


def pair(head: float, candidate: float, first: First = "head", redo: str = "") -> Pair:
    return Pair(reading(head), reading(candidate), first, 40.0, 40.0, "fast 40 GB/s", redo)


def campaign(s: Session) -> int:
    return by_hand.campaign(
        s, pack=PACK, pack_digest="d" * 64, target=TARGET, fingerprint="f" * 12, kernels=["axpy", KERNEL]
    )


def candidate(text: str) -> Candidate:
    return Candidate(KERNEL, {"kernel.c": text})


def write_test(home: Path, kind: str, pairs: Sequence[Pair], *, verdict: str = "", seconds: float = 0.25) -> int:
    """A finished test of one candidate against another; its number."""
    head, other = candidate("head"), candidate("other")

    def rows(s: Session) -> int:
        number = campaign(s)
        for one in (head, other):
            designs.add_candidate(s, one)
        test = ledger.start_test(
            s, number, KERNEL, kind, candidate_id=other.id, head_id=head.id, rule="paired", seed="7", pairs_budget=24
        )
        for one in pairs:
            ledger.add_pair(s, test, one, seconds=seconds)
        ledger.finish_test(s, test, verdict)
        return test

    with Store.open(home) as store:
        return store.write_sync(rows)
