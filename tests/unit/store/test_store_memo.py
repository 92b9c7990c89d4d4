"""Kept figures change as soon as something is told, and a store that keeps none reads the same."""

from dataclasses import replace

from kernels.values.verdict import Outcome
from store import campaigns, designs, memo, reads, sample
from store.engine import Store
from store.views import CampaignView
from tests.unit.store.conftest import World


def told(world: World) -> CampaignView:
    """What a store that keeps nothing says, but for the clock."""
    with Store.open(world.store.home, read_only=True) as plain:
        return replace(plain.read_sync(lambda s: reads.campaign_view(s, world.campaign)), elapsed_s=0.0)


def kept(world: World) -> CampaignView:
    return replace(world.read(lambda s: reads.campaign_view(s, world.campaign)), elapsed_s=0.0)


def test_every_change_that_is_told_shows_at_once(world: World) -> None:
    world.store.remember()
    assert kept(world) == told(world)
    node = world.variant("one\n")
    world.finished_test(node)
    assert kept(world) == told(world) and kept(world).tests_run == 1
    world.refused("two\n")
    assert kept(world) == told(world) and kept(world).rejections == {"wrong_values": 1}
    world.promoted("three\n")
    assert kept(world) == told(world) and kept(world).promotions == 1
    late, _ = world.promoted("four\n")
    world.write(lambda s: designs.taint(s, late, "a fold"))
    assert kept(world) == told(world) and kept(world).promotions == 1
    placebo = world.variant("five\n")
    world.finished_test(placebo, kind="placebo")
    world.write(lambda s: designs.finish_node(s, placebo, Outcome.REVERT))
    assert kept(world) == told(world) and kept(world).placebo.tests == 1
    world.write(lambda s: campaigns.leave_resumable(s, world.campaign, "left"))
    assert kept(world) == told(world)


def test_a_figure_is_read_again_only_after_an_event_of_its_kind(world: World) -> None:
    world.store.remember()
    made: list[int] = []

    def figure() -> int:
        return world.read(
            lambda s: memo.remembered(s, "figure", world.campaign, ("test",), lambda: made.append(1) or len(made))
        )

    assert [figure(), figure()] == [1, 1]
    world.refused("six\n")
    assert figure() == 1
    world.finished_test(world.variant("seven\n"))
    assert [figure(), figure()] == [2, 2]


def test_a_made_up_home_has_what_was_asked_for(store: Store) -> None:
    size = sample.Size(agents=5, trees=4, nodes=600, filings=300, readings=4800)
    number = store.write_sync(lambda s: sample.fill(s, size))
    view = store.read_sync(lambda s: reads.overview(s, number))
    assert view.campaign.tests_run > 0 and view.campaign.ledger_speedup is not None and len(view.kernels) == 3
    nodes = [
        node for kernel in view.kernels for node in store.read_sync(lambda s, k=kernel: reads.tree(s, number, k.name))
    ]
    assert len(nodes) == 600 and sum(node.parent is None for node in nodes) == 12 and max(n.id for n in nodes) == 600
    by_id = {node.id: node for node in nodes}
    assert all(node.parent is None or by_id[node.parent].kernel == node.kernel for node in nodes)
    assert store.read_sync(lambda s: reads.filings_page(s, None))[1] == 300
    assert len(store.read_sync(lambda s: reads.agents(s, number))) == 5
    assert store.read_sync(lambda s: reads.node_detail(s, 500)).source.startswith("void ")
    assert store.damage() == ()
