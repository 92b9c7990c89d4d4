"""An experiment in a real store, its campaigns filled by hand: what a search would have left there."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from app.experiment.ground import Ground
from app.experiment.plan import read
from kernels.packs.loader import load_pack
from kernels.targets.base import Target
from kernels.values.candidate import Candidate
from kernels.values.machine import Machine
from kernels.values.reading import Estimate, Pair, Reading
from kernels.values.verdict import GateReport, GateState, Outcome, Verdict
from store import campaigns, designs, experiments, kernel_states, ledger
from store.engine import Session, Store
from store.experiments import Final, Wanted

FILE = """
pack = "axpy_gemv"
kernels = ["gemv"]
trajectories = {n}
[budget]
positions = 8
[[arm]]
name = "control"
[[arm]]
name = "other"
rule = "paper"
[[arm]]
name = "idle"
leaderboard = false
"""
PRINT = "print"


@dataclass(frozen=True)
class Print:
    id: str = PRINT


class StubTarget:
    """Builds nothing, and has no static cost model."""

    name = "none"
    fingerprint = Print()
    machine = Machine("test", "x86_64", frozenset({"avx2"}), 2)


def ground_of(folder: Path, n: int = 3, more: str = "") -> Ground:
    """more: of the file, behind what `FILE` says."""
    path = folder / "e.toml"
    path.write_text(FILE.format(n=n) + more)
    pack = load_pack("axpy_gemv")
    return Ground(read(path, folder), folder, folder, pack, cast(Target, StubTarget()), (pack.kernel("gemv"),))


@dataclass(slots=True)
class Filled:
    """number: of the experiment. Speedups in the order of its trajectories, control first."""

    ground: Ground
    store: Store
    number: int

    def measure(self, speedups: list[float], problems: dict[int, str] | None = None) -> None:
        """The final block: six pairs with exactly this ratio each; 1 for the start itself."""

        def rows(s: Session) -> None:
            finals = {}
            for i, (row, value) in enumerate(zip(experiments.trajectories(s, self.number), speedups, strict=True)):
                ratios = () if value == 1.0 else (math.log(value),) * 6
                finals[row.id] = {"gemv": Final(f"head {i}", ratios, (problems or {}).get(i, ""))}
            experiments.finish(s, self.number, finals)

        self.store.write_sync(rows)


def fill(
    store: Store, ground: Ground, *, early: int | None = None, arms: tuple[str, ...] = ("control", "other")
) -> Filled:
    """Every trajectory had a refusal and a promotion of a quarter; `early` is the place of one that had no more."""
    plan, wanted = (
        ground.plan,
        [Wanted(a, i, 1 + i) for a in arms for i in range(ground.plan.trajectories)],
    )

    def rows(s: Session) -> int:
        number = experiments.create(
            s, name=plan.name, digest=plan.digest, plan=plan.to_json(), pack="axpy_gemv", pack_digest="d",
            target="none", fingerprint=PRINT, device="cpu", toolchain="cc 1", trajectories=wanted,
        )  # fmt: skip
        for place, row in enumerate(experiments.trajectories(s, number)):
            experiments.bind(s, row.id, campaign(s, row.arm, more=0 if place == early else 6))
        return number

    return Filled(ground, store, store.write_sync(rows))


def campaign(s: Session, name: str, *, more: int, digest: str = "d", speedup: float | None = None) -> int:
    """One refused, one promoted, then `more` reverted ones. speedup: of its ledger entry, with 5 % to both sides."""
    number = campaigns.create(
        s, pack="axpy_gemv", pack_digest=digest, target="none", fingerprint=PRINT, kernels=["gemv"], device="cpu",
        toolchain="cc 1", candidates_budget=8,
    )  # fmt: skip
    base = designs.add_candidate(s, Candidate("gemv", {"kernel.c": f"base {digest}\n"}))
    kernel_states.set_baseline(s, number, "gemv", base, 1000.0)
    idea = designs.add_node(s, number, "gemv", "idea", candidate_id=base, title="baseline")
    refused = _node(s, number, idea, f"{name} refused")
    designs.add_gate_report(s, refused, GateReport("trace", GateState.REFUSED, "longer_span", "grew"))
    designs.finish_node(s, refused, Outcome.REVERT)
    head = promote(s, number, idea, f"{name} {number} kept")
    for i in range(more):
        designs.finish_node(s, _node(s, number, idea, f"{name} {number} {i}"), Outcome.REVERT, "SLOWER")
    if speedup is not None:
        ledger.add_ledger_entry(
            s, number, "gemv", head_id=head, against="baseline", against_id=base, speedup=speedup,
            low=speedup / 1.05, high=speedup * 1.05, pairs=24, mode="", head_ns=800.0, against_ns=1000.0,
        )  # fmt: skip
    campaigns.add_usage(s, number, "readings", 30.0)
    campaigns.add_usage(s, number, "waiting", 500.0)
    campaigns.add_elapsed(s, number, 40.0)
    campaigns.finish(s, number, "candidates: 8 judged" if more else "stopped by operator")
    return number


def promote(s: Session, number: int, parent: int, text: str, x: tuple[float, ...] = (0.29,) * 8) -> str:
    """Tested on pairs with these log ratios, confirmed by the same, promoted; its candidate id."""
    node = _node(s, number, parent, text)
    key = designs.get_node(s, node).candidate_id or ""
    test = pairs_of(s, number, node, x)
    pairs_of(s, number, node, x, kind="confirmation")
    quarter = Estimate(0.25, 0.2, 0.3)
    designs.promote(s, node, test_id=test, estimate=quarter, fresh=quarter, head_ns=750.0)
    return key


def pairs_of(s: Session, number: int, node: int, x: tuple[float, ...], kind: str = "acceptance") -> int:
    key, head = designs.get_node(s, node).candidate_id or "", designs.head(s, number, "gemv") or ""
    test = ledger.start_test(
        s, number, "gemv", kind, candidate_id=key, head_id=head, node_id=node, lever="tile", rule="paired"
    )
    for one in x:
        ns = 1000.0 * math.exp(-one)
        ledger.add_pair(s, test, Pair(Reading(1000.0, 8, 1e3, 1e3), Reading(ns, 8, ns, ns), "head"), seconds=0.5)
    ledger.finish_test(s, test, Verdict.FASTER if sum(x) > 0 else Verdict.SLOWER, score=2.2)
    return test


def _node(s: Session, number: int, parent: int, text: str) -> int:
    key = designs.add_candidate(s, Candidate("gemv", {"kernel.c": f"{text}\n"}))
    return designs.add_node(s, number, "gemv", "variant", parent=parent, candidate_id=key, lever="tile", title=text)
