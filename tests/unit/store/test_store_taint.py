"""Taint: where a fold reaches, what it takes back, and that all of it stays to be seen."""

import pytest
from sqlmodel import select

from knowledge.memory import Conclusion
from store import audits, campaigns, designs, folds, kernel_states, ledger, memory, promotions, reads
from store.audits import Found, Promoted
from store.engine import Session
from store.errors import StoreError
from store.tables import LedgerRow


def candidate_of(world, node: int) -> str:
    return str(world.read(lambda s: designs.get_node(s, node)).candidate_id)


def taints(world) -> dict[int, str]:
    return {n.id: n.taint for n in world.read(lambda s: reads.tree(s, world.campaign, "ffn")) if n.tainted}


def entry(world, head: str, speedup: float, against: str = "baseline", against_id: str = "") -> None:
    world.write(
        lambda s: ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=head, against=against, against_id=against_id or world.baseline,
            speedup=speedup, low=speedup, high=speedup, pairs=12,
        )
    )  # fmt: skip


def test_the_reason_goes_down_the_lineage_with_the_node_that_it_comes_from(world) -> None:
    clean, _ = world.promoted("clean")
    fold, _ = world.promoted("fold", parent=clean)
    child = world.variant("child", parent=fold)
    world.write(lambda s: designs.taint(s, fold, "wrong at pos = 7"))
    later = world.variant("later", parent=child)
    assert taints(world) == {
        fold: "wrong at pos = 7",
        child: f"made from node {fold}: wrong at pos = 7",
        later: f"made from node {fold}: wrong at pos = 7",
    }
    assert world.write(lambda s: designs.taint(s, fold, "again")) == ()


def test_the_same_content_and_the_same_machine_code_have_the_same_fold(world) -> None:
    fold, twin = world.variant("fold"), world.variant("fold /* twin */")
    for node in (fold, twin):
        world.write(lambda s, n=node: designs.set_machine_code(s, candidate_of(world, n), "code"))
    again, below = world.variant("fold"), world.variant("below the twin", parent=twin)
    assert world.write(lambda s: designs.taint(s, fold, "why")) == (fold, twin, again, below)
    assert not world.read(lambda s: designs.get_node(s, world.idea)).tainted


def test_a_fold_reaches_the_other_campaigns_of_the_same_pack_only(world) -> None:
    fold, _ = world.promoted("fold")

    def elsewhere(digest: str) -> int:
        def rows(s: Session) -> int:
            own = campaigns.create(
                s, pack="p", pack_digest=digest, target="cpu-c", fingerprint="f", kernels=["ffn"], seed=1
            )
            kernel_states.set_baseline(s, own, "ffn", world.baseline, 1000.0)
            node = designs.add_node(s, own, "ffn", "variant", candidate_id=candidate_of(world, fold))
            designs.promote(s, node, test_id=None, estimate=None, fresh=None, head_ns=1.0)
            return own

        made = world.write(rows)
        assert isinstance(made, int)
        return made

    digest = world.read(lambda s: campaigns.get(s, world.campaign)).pack_digest
    same, other = elsewhere(digest), elsewhere("another")
    world.write(lambda s: designs.taint(s, fold, "why"))
    heads = {own: world.read(lambda s, c=own: designs.head(s, c, "ffn")) for own in (world.campaign, same, other)}
    assert heads == {world.campaign: world.baseline, same: world.baseline, other: candidate_of(world, fold)}
    kinds = [e.kind for e in world.read(lambda s: reads.events(s, same))]
    assert {"taint", "demotion"} <= set(kinds)


def test_what_is_found_is_refused_for_ever_and_what_is_made_from_it_is_not(world) -> None:
    fold = world.variant("fold")
    child = world.variant("child", parent=fold)
    world.write(lambda s: designs.set_machine_code(s, candidate_of(world, fold), "code"))
    world.write(lambda s: designs.taint(s, fold, "why"))
    refused = world.read(lambda s: designs.refused_before(s, world.campaign, candidate_of(world, fold)))
    assert (refused.gate, refused.kind) == ("correct", "fold")
    assert world.read(lambda s: designs.refused_before(s, world.campaign, candidate_of(world, child))) is None
    assert world.read(lambda s: folds.fold_in(s, world.campaign, machine_code="code")) is not None
    assert world.read(lambda s: folds.fold_in(s, world.campaign, machine_code="other")) is None
    with pytest.raises(StoreError, match="tainted by a fold: made from node"):
        world.write(lambda s: designs.promote(s, child, test_id=None, estimate=None, fresh=None, head_ns=1.0))


def test_the_step_that_brought_it_is_banned_from_where_it_was_taken(world) -> None:
    clean, _ = world.promoted("clean")
    fold = world.variant("fold", lever="table", parent=clean)
    rooted = world.variant("rooted", lever="sketch")
    for node in (fold, rooted):
        world.write(lambda s, n=node: designs.taint(s, n, "why"))
    assert world.read(lambda s: folds.banned(s, world.campaign, "ffn")) == {
        ("table", candidate_of(world, clean)), ("sketch", world.baseline),
    }  # fmt: skip


def test_results_leave_out_what_is_tainted(world) -> None:
    clean, _ = world.promoted("clean")
    fold, _ = world.promoted("fold", parent=clean)
    entry(world, candidate_of(world, clean), 2.0)
    entry(world, candidate_of(world, fold), 50.0)
    entry(world, candidate_of(world, fold), 9.0, "previous", candidate_of(world, clean))
    for node in (clean, fold):
        world.write(
            lambda s, n=node: memory.remember(
                s, Conclusion("win", "map", "tile", f"win {n}", "", 0.5), kernel="ffn", campaign_id=world.campaign,
                candidate_id=candidate_of(world, n),
            )
        )  # fmt: skip
    world.write(lambda s: designs.taint(s, fold, "why"))
    entry(world, candidate_of(world, fold), 60.0)
    (kernel, _) = world.read(lambda s: reads.kernels(s, world.campaign))
    assert (kernel.head_id, kernel.ledger_speedup, kernel.promotions) == (candidate_of(world, clean), 2.0, 1)
    assert {p.speedup for p in world.read(lambda s: reads.score(s, world.campaign)) if p.kernel == "ffn"} == {2.0}
    summary = world.read(lambda s: reads.summary(s, world.campaign))
    assert summary["ledger_speedup"] == pytest.approx(2.0**0.5)
    assert [(t["node"], t["why"]) for t in summary["tainted"]] == [(fold, "why")]
    assert [m.strategy for m in world.read(lambda s: memory.recall(s, "map"))] == [f"win {clean}"]
    marks = world.read(lambda s: [row.tainted for row in s.exec(select(LedgerRow)).all()])
    assert marks == [False, True, True, True]
    filing = world.read(lambda s: reads.filings(s, world.campaign))[-1]
    assert (filing.tainted, filing.taint) == (True, "why")


def test_a_design_from_a_former_head_finds_its_node(world) -> None:
    node, _ = world.promoted("former")
    assert world.read(lambda s: promotions.node_of(s, world.campaign, "ffn", candidate_of(world, node))) == node
    assert world.read(lambda s: promotions.node_of(s, world.campaign, "ffn", world.baseline)) is None


def test_audits_remember_what_they_covered_and_where_folds_were(world) -> None:
    node, promotion = world.promoted("head")
    (head,) = world.read(lambda s: audits.promoted(s, world.campaign))
    assert head == Promoted(promotion, "ffn", candidate_of(world, node), node, True, None, 0)
    for found in (Found("passed", swept=90), Found("passed", swept=48), Found("fold", "k", "r", point=("pos", 7))):
        world.write(lambda s, f=found: audits.add(s, world.campaign, head, f))
    (again,) = world.read(lambda s: audits.promoted(s, world.campaign))
    assert (again.swept, again.audited_at is not None) == (90, True)
    assert world.read(lambda s: audits.points(s, world.campaign, "ffn")) == (("pos", 7),)
    assert world.read(lambda s: audits.points(s, world.campaign, "qkv")) == ()
