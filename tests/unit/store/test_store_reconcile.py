"""After a crash nothing is "running" for ever, and budgets count finished work."""

from kernels.values.candidate import Candidate
from kernels.values.reading import Block, Pair, Reading
from kernels.values.verdict import Outcome, Verdict
from store import agents, campaigns, commands, designs, ledger, races, reads
from store.tables import BriefRow


def test_what_was_in_flight_is_interrupted_and_counted(world) -> None:
    queued, testing, done = world.variant("a"), world.variant("b"), world.variant("c")
    world.write(lambda s: designs.set_node(s, testing, state="testing"))
    world.write(lambda s: designs.finish_node(s, done, Outcome.ACCEPT, Verdict.FLAT))
    test = world.test_of(testing)
    pair = Pair(Reading(10, 3, 10, 10), Reading(9, 3, 9, 9), "head")
    world.write(lambda s: ledger.add_pair(s, test, pair, score=1.0))
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "w", "worker"))
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "old", "worker", state="killed"))
    one = Candidate("ffn", {"kernel.c": "d"})
    race = world.write(
        lambda s: races.start(
            s, world.campaign, "ffn", node_id=testing, head_id=world.baseline, lever="x", agent="w", seed=1, grid=2,
            entries=[races.Entry(one, {})],
        )
    )  # fmt: skip
    world.write(lambda s: races.add_block(s, race, Block({one.id: Reading(9, 3, 9, 9)})))
    brief = world.write(lambda s: agents.add_brief(s, world.campaign, "ffn", lever="x"))
    world.write(lambda s: agents.take_brief(s, world.campaign, "w"))
    world.write(lambda s: agents.add_brief(s, world.campaign, "ffn", lever="still queued"))
    command = world.write(lambda s: commands.enqueue(s, "me", "pause", "w"))
    world.write(commands.take_next)
    waiting = world.write(lambda s: commands.enqueue(s, "me", "resume", "w"))

    counts = world.write(lambda s: campaigns.reconcile(s, world.campaign))

    assert counts == {
        "nodes": 2, "tests": 1, "races": 1, "agents": 1, "briefs": 1, "model calls": 0, "commands": 1, "approvals": 0,
    }  # fmt: skip
    states = [world.read(lambda s, n=n: designs.get_node(s, n)).state for n in (queued, testing, done)]
    assert states == ["interrupted", "interrupted", "done"]
    view = world.read(lambda s: reads.test(s, test))
    assert (view.state, view.verdict, view.pairs_done) == ("interrupted", "INVALID", 1)
    assert world.read(lambda s: s.get(BriefRow, brief)).state == "interrupted"
    (left,) = world.read(lambda s: reads.races(s, world.campaign, "ffn"))
    assert (left.state, left.winner, left.blocks) == ("interrupted", "", 1)
    assert world.read(lambda s: commands.get(s, command)).state == "interrupted"
    assert world.read(lambda s: commands.get(s, waiting)).state == "queued"
    assert {a.name: a.state for a in world.read(lambda s: reads.agents(s, world.campaign))} == {
        "w": "interrupted", "old": "killed",
    }  # fmt: skip
    assert world.read(lambda s: campaigns.get(s, world.campaign)).state == "interrupted"
    assert world.read(lambda s: campaigns.finished_attempts(s, world.campaign)) == 1
    (event,) = [e for e in world.read(lambda s: reads.events(s, world.campaign)) if e.kind == "reconciled"]
    assert event.data == counts
    again = world.write(lambda s: campaigns.reconcile(s, world.campaign))
    assert set(again.values()) == {0}


def test_a_pause_and_an_end_survive(world) -> None:
    world.write(lambda s: campaigns.set_state(s, world.campaign, "paused"))
    world.write(lambda s: campaigns.reconcile(s, world.campaign))
    assert world.read(lambda s: campaigns.get(s, world.campaign)).state == "paused"
    world.write(lambda s: campaigns.finish(s, world.campaign, "done"))
    world.write(lambda s: campaigns.reconcile(s, world.campaign))
    assert world.read(lambda s: campaigns.get(s, world.campaign)).state == "finished"
