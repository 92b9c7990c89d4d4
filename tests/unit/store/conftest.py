"""A store in a temporary home, and a campaign in it that a test can fill in a few words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from kernels.values.candidate import Candidate
from kernels.values.reading import Estimate, First, Pair, Reading
from kernels.values.verdict import GateReport, GateState, Outcome, Verdict
from store import campaigns, designs, kernel_states, ledger
from store.engine import Session, Store

T = TypeVar("T")
GAIN = Estimate(0.2, 0.1, 0.3)


@dataclass(slots=True)
class World:
    """One campaign on kernels `ffn` and `qkv`, with a baseline for `ffn`."""

    store: Store
    campaign: int
    baseline: str
    idea: int

    def write(self, job: Callable[[Session], T]) -> T:
        return self.store.write_sync(job)

    def read(self, job: Callable[[Session], T]) -> T:
        return self.store.read_sync(job)

    def candidate(self, text: str, kernel: str = "ffn") -> str:
        return self.write(lambda s: designs.add_candidate(s, Candidate(kernel, {"kernel.c": text})))

    def variant(self, text: str, lever: str = "unroll", parent: int | None = None) -> int:
        candidate = self.candidate(text)
        above = self.idea if parent is None else parent
        return self.write(
            lambda s: designs.add_node(
                s, self.campaign, "ffn", "variant", parent=above, candidate_id=candidate, lever=lever, agent="worker-01"
            )
        )

    def test_of(self, node: int, kind: str = "acceptance") -> int:
        def rows(s: Session) -> int:
            row, head = designs.get_node(s, node), designs.head(s, self.campaign, "ffn")
            assert row.candidate_id is not None
            assert head is not None
            return ledger.start_test(
                s, self.campaign, "ffn", kind,
                candidate_id=row.candidate_id, head_id=head, node_id=node, lever=row.lever, rule="paired",
            )  # fmt: skip

        return self.write(rows)

    def finished_test(self, node: int, verdict: Verdict = Verdict.FASTER, kind: str = "acceptance") -> int:
        test = self.test_of(node, kind)

        def rows(s: Session) -> None:
            ledger.add_pair(s, test, pair(), score=2.2)
            ledger.finish_test(s, test, verdict, score=2.2, estimate=GAIN)

        self.write(rows)
        return test

    def promoted(self, text: str, fresh: Estimate = GAIN, parent: int | None = None) -> tuple[int, int]:
        """The node and its promotion."""
        node = self.variant(text, parent=parent)
        test = self.finished_test(node)
        promotion = self.write(
            lambda s: designs.promote(s, node, test_id=test, estimate=GAIN, fresh=fresh, head_ns=800.0)
        )
        return node, promotion

    def refused(self, text: str, kind: str = "wrong_values") -> int:
        node = self.variant(text)

        def rows(s: Session) -> None:
            designs.add_gate_report(s, node, GateReport("source", GateState.PASSED))
            designs.add_gate_report(s, node, GateReport("correct", GateState.REFUSED, kind, "y differs"))
            designs.finish_node(s, node, Outcome.REVERT)

        self.write(rows)
        return node


def pair(head: float = 1000.0, candidate: float = 900.0, first: First = "head", mode: str = "") -> Pair:
    return Pair(Reading(head, 3, head, head), Reading(candidate, 3, candidate, candidate), first, mode=mode)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def world(store: Store) -> World:
    def rows(s: Session) -> tuple[int, str, int]:
        campaign = campaigns.create(
            s, pack="demo", pack_digest="digest", target="cpu-c", fingerprint="print", kernels=["ffn", "qkv"]
        )
        baseline = designs.add_candidate(s, Candidate("ffn", {"kernel.c": "baseline\n"}))
        kernel_states.set_baseline(s, campaign, "ffn", baseline, 1000.0)
        idea = designs.add_node(s, campaign, "ffn", "idea", candidate_id=baseline, title="baseline")
        return campaign, baseline, idea

    return World(store, *store.write_sync(rows))
