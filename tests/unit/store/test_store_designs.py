"""Design Trees: nodes, refusals, promotions, demotions, taint."""

from dataclasses import replace

import pytest
from sqlalchemy.exc import IntegrityError

from kernels.values.candidate import Candidate
from kernels.values.reading import Estimate
from kernels.values.verdict import GateReport, GateState, Outcome, Verdict
from store import campaigns, designs, filings, kernel_states, reads
from store.engine import Session
from store.errors import StoreError
from store.tables import PromotionRow


def test_candidate_comes_back_whole_whatever_it_holds(world) -> None:
    hostile = Candidate(
        "ffn", {"kernel.c": "int x;\0\x1b[31m\ud800é\r\n", "möre.h": ""}, flags=("-O2",), launch={"threads": "2"}
    )
    known = world.write(lambda s: designs.add_candidate(s, hostile))
    again = world.write(lambda s: designs.add_candidate(s, hostile, machine_code="abc"))
    assert (known, again) == (hostile.id, hostile.id)
    assert world.read(lambda s: designs.get_candidate(s, known)) == hostile
    assert world.read(lambda s: designs.find_id(s, known[:10])) == known


def test_candidate_too_large_is_refused_with_its_size(world) -> None:
    with pytest.raises(StoreError, match="4 MiB"):
        world.candidate("x" * (5 << 20))


def test_node_knows_its_place(world) -> None:
    design = world.variant("a", parent=world.idea)
    below = world.variant("b", parent=design)
    node = world.read(lambda s: designs.get_node(s, below))
    assert (node.depth, node.root_id, node.state) == (2, world.idea, "queued")
    assert world.read(lambda s: designs.lineage(s, below)) == (world.idea, design, below)
    idea = world.read(lambda s: designs.get_node(s, world.idea))
    assert (idea.state, idea.candidate_id) == ("done", world.baseline)


def test_head_is_the_baseline_until_a_promotion(world) -> None:
    assert world.read(lambda s: designs.head(s, world.campaign, "ffn")) == world.baseline
    assert world.read(lambda s: designs.head(s, world.campaign, "qkv")) is None
    node, promotion = world.promoted("fast")
    row = world.read(lambda s: designs.get_node(s, node))
    assert world.read(lambda s: designs.head(s, world.campaign, "ffn")) == row.candidate_id
    assert (row.outcome, row.verdict, row.state, row.under_parent) == ("KEEP", "FASTER", "done", world.baseline)
    kept = world.read(lambda s: s.get(PromotionRow, promotion))
    assert (kept.previous_head, kept.gain, kept.fresh_gain, kept.head_ns) == (world.baseline, 0.2, 0.2, 800.0)
    state = world.read(lambda s: kernel_states.get(s, world.campaign, "ffn"))
    assert (state.head_ns, state.plateau) == (800.0, 0)
    (filing,) = world.read(lambda s: reads.filings(s, world.campaign))
    assert (filing.kind, filing.node, filing.gain, filing.interval) == ("promotion", node, 0.2, (0.1, 0.3))


def test_promotion_is_all_or_nothing(world) -> None:
    node = world.variant("fast")
    test = world.finished_test(node)

    def rows(s: Session) -> None:
        designs.promote(s, node, test_id=test, estimate=None, fresh=None, head_ns=1.0)
        raise RuntimeError("killed here")

    with pytest.raises(RuntimeError, match="killed"):
        world.write(rows)
    assert world.read(lambda s: designs.head(s, world.campaign, "ffn")) == world.baseline
    assert world.read(lambda s: reads.filings(s, world.campaign)) == ()
    assert "promotion" not in [event.kind for event in world.read(lambda s: reads.events(s, world.campaign))]


def test_what_cannot_be_promoted(world) -> None:
    def promote(node: int, test: int | None = None) -> None:
        world.write(lambda s: designs.promote(s, node, test_id=test, estimate=None, fresh=None, head_ns=1.0))

    placebo = world.variant("baseline again")
    with pytest.raises(StoreError, match="placebo"):
        promote(placebo, world.finished_test(placebo, kind="placebo"))
    with pytest.raises(StoreError, match="head already"):
        promote(world.idea)
    folded = world.variant("fold")
    world.write(lambda s: designs.taint(s, folded, "reads its inputs"))
    with pytest.raises(StoreError, match="tainted"):
        promote(folded)
    with pytest.raises(StoreError, match="no candidate"):
        promote(world.write(lambda s: designs.add_node(s, world.campaign, "ffn", "idea", title="t")))
    with pytest.raises(StoreError, match="Call promote"):
        world.write(lambda s: designs.finish_node(s, placebo, Outcome.KEEP))


def test_demotion_goes_back_one_head_and_keeps_the_history(world) -> None:
    first, _ = world.promoted("a")
    _, second = world.promoted("b", parent=first)
    before = world.read(lambda s: designs.get_node(s, first)).candidate_id
    assert world.write(lambda s: designs.demote(s, second, "slower in the ledger")) == before
    assert world.read(lambda s: designs.head(s, world.campaign, "ffn")) == before
    assert len(world.read(lambda s: reads.filings(s, world.campaign))) == 2
    with pytest.raises(StoreError, match="none in force"):
        world.write(lambda s: designs.demote(s, second, "twice"))


def test_taint_goes_down_the_tree_and_moves_the_head_to_a_clean_one(world) -> None:
    clean, _ = world.promoted("clean")
    folded, _ = world.promoted("folded", parent=clean)
    child, _ = world.promoted("child", parent=folded)
    assert world.write(lambda s: designs.taint(s, folded, "a fold")) == (folded, child)
    head = world.read(lambda s: designs.head(s, world.campaign, "ffn"))
    assert head == world.read(lambda s: designs.get_node(s, clean)).candidate_id
    marks = {filing.node: filing.tainted for filing in world.read(lambda s: reads.filings(s, world.campaign))}
    assert marks == {clean: False, folded: True, child: True}
    later = world.variant("later", parent=child)
    assert world.read(lambda s: designs.get_node(s, later)).tainted


def test_plateau_counts_accepts_and_reverts_only(world) -> None:
    def plateau() -> int:
        return int(world.read(lambda s: kernel_states.get(s, world.campaign, "ffn")).plateau)

    counts = []
    for i, outcome in enumerate((Outcome.REJECT, Outcome.ACCEPT, Outcome.INVALID, Outcome.REVERT)):
        node = world.variant(f"v{i}")
        world.write(lambda s, n=node, o=outcome: designs.finish_node(s, n, o, Verdict.FLAT))
        counts.append(plateau())
    placebo = world.variant("placebo")
    world.finished_test(placebo, kind="placebo")
    world.write(lambda s: designs.finish_node(s, placebo, Outcome.ACCEPT, Verdict.FLAT))
    counts.append(plateau())
    world.promoted("fast")
    assert [*counts, plateau()] == [0, 1, 1, 2, 2, 0]


def test_a_refusal_is_final_under_the_same_pack_and_toolchain(world) -> None:
    node = world.refused("wrong")
    bad = world.read(lambda s: designs.get_node(s, node)).candidate_id

    def campaign(pack_digest: str, fingerprint: str) -> int:
        made = world.write(
            lambda s: campaigns.create(
                s, pack="demo", pack_digest=pack_digest, target="cpu-c", fingerprint=fingerprint, kernels=["ffn"]
            )
        )
        return int(made)

    same, other_pack, other_tool = campaign("digest", "print"), campaign("new", "print"), campaign("digest", "new")
    refusals = [
        world.read(lambda s, c=c: designs.refused_before(s, c, bad))
        for c in (world.campaign, same, other_pack, other_tool)
    ]
    assert [report and report.kind for report in refusals] == ["wrong_values", "wrong_values", None, None]
    assert world.read(lambda s: designs.refused_before(s, world.campaign, world.baseline)) is None


def test_verdicts_and_infrastructure_failures_are_not_final(world) -> None:
    slower, broken = world.variant("slower"), world.variant("unlucky")
    world.write(lambda s: designs.add_gate_report(s, slower, GateReport("batch", GateState.REFUSED, "slower", "-5 %")))
    world.write(lambda s: designs.finish_node(s, slower, Outcome.REVERT))
    world.write(
        lambda s: designs.add_gate_report(s, broken, GateReport("correct", GateState.REFUSED, "device", "gone"))
    )
    world.write(lambda s: designs.finish_node(s, broken, Outcome.INVALID))
    for node in (slower, broken):
        candidate = world.read(lambda s, n=node: designs.get_node(s, n)).candidate_id
        assert world.read(lambda s, c=candidate: designs.refused_before(s, world.campaign, c)) is None


def test_attempts_tell_a_policy_what_was_tried_without_placebos(world) -> None:
    world.refused("wrong")
    kept, _ = world.promoted("fast")
    placebo = world.variant("placebo")
    world.finished_test(placebo, kind="placebo")
    tried = world.read(lambda s: designs.attempts(s, world.campaign, "ffn", after_id=world.idea))
    assert [(a.outcome, a.verdict, a.gain) for a in tried] == [("REVERT", "", None), ("KEEP", "FASTER", 0.2)]
    assert world.read(lambda s: designs.attempts(s, world.campaign, "ffn", after_id=kept)) == ()


def test_the_database_refuses_what_cannot_be(world) -> None:
    node = world.variant("v")
    with pytest.raises(IntegrityError, match="state_known"):
        world.write(lambda s: designs.set_node(s, node, state="sleeping"))
    with pytest.raises(StoreError, match="cannot change so"):
        world.write(lambda s: designs.set_node(s, node, outcome="KEEP"))
    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        world.write(lambda s: designs.add_node(s, world.campaign, "ffn", "variant", candidate_id="0" * 32))
    with pytest.raises(IntegrityError, match="refusal_says_why"):
        world.write(lambda s: designs.add_gate_report(s, node, GateReport("source", GateState.REFUSED)))


def test_submission_stands_beside_the_promotion(world) -> None:
    _, promotion = world.promoted("fast", fresh=replace(Estimate(0.1, 0.05, 0.2)))

    def rows(s: Session) -> None:
        row = s.get(PromotionRow, promotion)
        assert row is not None
        filings.file_submission(s, row, "unroll", board="contest", answer="accepted")

    world.write(rows)
    found = world.read(lambda s: reads.filings(s, world.campaign))
    assert [(filing.kind, filing.gain) for filing in found] == [("promotion", 0.1), ("submission", None)]
