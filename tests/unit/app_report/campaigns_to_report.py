"""A campaign with something of everything that a report speaks of, in a real store. Its text is hostile."""

from dataclasses import dataclass
from pathlib import Path

from kernels.values.candidate import Candidate
from kernels.values.prediction import Prediction
from kernels.values.reading import Estimate, Pair, Reading
from kernels.values.verdict import GateReport, GateState, Outcome, Verdict
from store import campaigns, designs, kernel_states, ledger
from store.engine import Session, Store

EVIL = "<script>alert(1)</script> **b** [x](http://e.vil) | \x1b[31m `c`"
GAIN = Estimate(0.2, 0.1, 0.3)
FRESH = Estimate(0.15, 0.05, 0.25)


@dataclass(frozen=True, slots=True)
class Made:
    """Ids of what the tests look for."""

    campaign: int
    kept: int
    folded: int
    refused: int


def fill(home: Path, *, finished: bool = True) -> Made:
    with Store.open(home) as store:
        return store.write_sync(lambda s: _fill(s, finished=finished))


def _fill(s: Session, *, finished: bool) -> Made:
    number = campaigns.create(
        s, pack="p", pack_digest="digest", target="cpu-c", fingerprint="print", kernels=["a", "b"],
        toolchain="gcc 12", device=EVIL, seed=7, sandbox_level="bwrap",
    )  # fmt: skip
    base = designs.add_candidate(s, Candidate("a", {"kernel.c": "base\n"}))
    kernel_states.set_baseline(s, number, "a", base, 1000.0)
    idea = designs.add_node(s, number, "a", "idea", candidate_id=base, title="baseline")
    ledger.add_peak(s, number, "a", style="stream", ns=500.0, gbs=40.0, mode="slow", styles={"stream": 500.0})
    kept = _promoted(s, number, idea, "first", title=EVIL)
    head = designs.head(s, number, "a") or ""
    _entry(s, number, head, base, 1.3)
    folded = _promoted(s, number, kept, "second", title="looks fast")
    _entry(s, number, designs.head(s, number, "a") or "", base, 9.0)
    designs.taint(s, folded, f"answers by the test's own inputs {EVIL}")
    _entry(s, number, head, base, 1.25)
    refused = _refused(s, number, idea)
    campaigns.add_usage(s, number, "readings", 12.5)
    if finished:
        campaigns.finish(s, number, "minutes")
    return Made(number, kept, folded, refused)


def _node(s: Session, number: int, parent: int, source: str, title: str, lever: str) -> tuple[int, str]:
    candidate = designs.add_candidate(s, Candidate("a", {"kernel.c": f"{source}\n"}))
    node = designs.add_node(
        s, number, "a", "variant", parent=parent, candidate_id=candidate, lever=lever, title=title, agent="worker-01",
        prediction=Prediction("+25.0% with chance 50%", 0.25, 0.5),
    )  # fmt: skip
    return node, candidate


def _promoted(s: Session, number: int, parent: int, source: str, title: str) -> int:
    node, candidate = _node(s, number, parent, source, title, "unroll")
    head = designs.head(s, number, "a") or ""
    test = ledger.start_test(
        s, number, "a", "acceptance", candidate_id=candidate, head_id=head, node_id=node, lever="unroll", rule="paired"
    )
    for n in range(8):
        pair = Pair(Reading(1000.0 + 20 * (-1) ** n, 3, 1.0, 1.0), Reading(800.0, 3, 1.0, 1.0), "head", mode="slow")
        ledger.add_pair(s, test, pair, score=0.3 * n, seconds=0.5)
    ledger.finish_test(s, test, Verdict.FASTER, score=2.4, estimate=GAIN)
    designs.promote(s, node, test_id=test, estimate=GAIN, fresh=FRESH, head_ns=800.0, mode="slow")
    return node


def _entry(s: Session, number: int, head: str, base: str, speedup: float) -> None:
    ledger.add_ledger_entry(
        s, number, "a", head_id=head, against="baseline", against_id=base, speedup=speedup, low=speedup - 0.1,
        high=speedup + 0.1, pairs=12, mode="slow", head_ns=800.0, against_ns=1000.0,
    )  # fmt: skip


def _refused(s: Session, number: int, idea: int) -> int:
    node, _ = _node(s, number, idea, "wrong", "tile 4", "tile")
    designs.add_gate_report(s, node, GateReport("correct", GateState.REFUSED, "wrong_values", EVIL))
    designs.finish_node(s, node, Outcome.REVERT)
    return node
