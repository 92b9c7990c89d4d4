"""Agents, briefs, commands, memory, heartbeats, settings, campaigns."""

import pytest

from knowledge.memory import Conclusion, Retention
from store import agents, campaigns, commands, heartbeat, memory, reads, setting
from store.errors import StoreError


def test_agents_keep_their_last_lines(world) -> None:
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "worker-01", "worker", kernel="ffn"))
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "worker-02", "worker"))
    world.write(lambda s: agents.add_line(s, world.campaign, "worker-02", "hello"))
    for i in range(205):
        world.write(lambda s, i=i: agents.add_line(s, world.campaign, "worker-01", f"line {i}" + "x" * (i == 3) * 9999))
    view = world.read(lambda s: reads.agent(s, world.campaign, "worker-01"))
    assert (len(view.lines), view.lines[0], view.lines[-1]) == (200, "line 5", "line 204")
    other = world.read(lambda s: reads.agent(s, world.campaign, "worker-02"))
    assert other.lines == ("hello",)
    assert world.read(lambda s: reads.agent(s, world.campaign, "nobody")) is None
    with pytest.raises(StoreError, match="none of that name"):
        world.write(lambda s: agents.add_line(s, world.campaign, "nobody", "x"))


def test_agent_state_changes_once(world) -> None:
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "w", "worker"))
    for state in ("paused", "paused", "running", "crashed", "gave_up", "working"):
        world.write(lambda s, to=state: agents.set_agent_state(s, world.campaign, "w", to, "why"))
    world.write(lambda s: agents.set_step(s, world.campaign, "w", "building", brief="unroll ffn"))
    world.write(lambda s: agents.add_spend(s, world.campaign, "w", tokens=10, usd=0.5))
    (view,) = world.read(lambda s: reads.agents(s, world.campaign))
    assert (view.state, view.step, view.brief, view.tokens, view.usd) == ("working", "building", "unroll ffn", 10, 0.5)
    told = [event.text for event in world.read(lambda s: reads.events(s, world.campaign)) if event.kind == "agent"]
    assert told == ["paused: why", "running: why", "crashed: why", "gave_up: why", "working: why"]


def test_briefs_are_taken_once_by_priority(world) -> None:
    for lever, priority in (("a", 1.0), ("b", 3.0), ("c", 2.0)):
        world.write(
            lambda s, name=lever, p=priority: agents.add_brief(
                s, world.campaign, "ffn", lever=name, params={"n": 1}, priority=p
            )
        )
    taken = [world.write(lambda s: agents.take_brief(s, world.campaign, "w", "ffn")) for _ in range(4)]
    assert [brief and (brief.lever, brief.params) for brief in taken] == [
        ("b", {"n": 1}), ("c", {"n": 1}), ("a", {"n": 1}), None,
    ]  # fmt: skip
    world.write(lambda s: agents.finish_brief(s, taken[0].id, "dropped", "no match"))
    assert world.read(lambda s: agents.queued_briefs(s, world.campaign)) == 0


def test_commands_are_answered_once(world) -> None:
    number = world.write(lambda s: commands.enqueue(s, "me", "kill", "w", {"now": True}))
    taken = world.write(commands.take_next)
    assert (taken.id, taken.args) == (number, {"now": True})
    world.write(lambda s: commands.finish(s, number, "done", "w killed"))
    view = world.read(lambda s: reads.command(s, number))
    assert (view.state, view.result, view.args) == ("done", "w killed", {"now": True})
    with pytest.raises(StoreError, match="Finish it once"):
        world.write(lambda s: commands.finish(s, number, "refused"))


def test_memory_says_each_thing_once(world) -> None:
    for text in ("a", "b", "a"):
        said = Conclusion("trap", "map", "unroll", text * 200, "r" * 2000, 0.0)
        world.write(lambda s, c=said: memory.remember(s, c))
    found = world.read(lambda s: memory.recall(s, "map", "trap"))
    assert [row.strategy[0] for row in found] == ["a", "b"]
    assert {(len(row.strategy), len(row.reflection)) <= (160, 1200) for row in found} == {True}
    assert world.read(lambda s: memory.recall(s, "map", "win")) == []


@pytest.mark.parametrize(
    ("retention", "wins", "traps"),
    [
        (Retention("none"), [], []),
        (Retention(wins=2, traps=3), [0.9, 0.7], [4, 3, 2]),
        (Retention(wins=0, traps=1), [], [4]),
        (Retention("unbounded", wins=1, traps=1), [0.9, 0.7, 0.3, 0.2, 0.1], [4, 3, 2, 1, 0]),
    ],
)
def test_memory_keeps_the_best_wins_and_the_newest_traps_of_a_campaign(world, retention, wins, traps) -> None:
    for number, gain in enumerate((0.2, 0.9, 0.1, 0.7, 0.3)):
        for kind in ("win", "trap"):
            said = Conclusion(kind, "map", "tile", f"{kind} {number}", "", gain)
            world.write(lambda s, c=said: memory.remember(s, c, retention, campaign_id=world.campaign))
    other = Conclusion("win", "map", "tile", "of another campaign", "", 0.99)
    world.write(lambda s: memory.remember(s, other))
    found = world.read(lambda s: memory.recall(s, "map", campaign_id=world.campaign))
    assert [row.gain for row in found if row.kind == "win"] == wins
    assert [int(row.strategy[-1]) for row in found if row.kind == "trap"] == traps
    assert [row.kind for row in found] == ["win"] * len(wins) + ["trap"] * len(traps)


def test_memory_is_cut_to_what_the_settings_say(world) -> None:
    said = Conclusion("win", "map", "tile", "s" * 900, "r" * 900, 0.1)
    world.write(lambda s: memory.remember(s, said, Retention(strategy=40, reflection=0)))
    (row,) = world.read(lambda s: memory.recall(s, "map"))
    assert (len(row.strategy), row.reflection) == (40, "")


def test_heartbeats_count_elapsed_time_and_tell_life_from_death(world, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr("store.heartbeat.now", lambda: clock[-1])
    assert world.read(heartbeat.engine) is None
    for at in (1000.0, 1002.0, 1005.0, 5000.0):  # a machine that slept does not count
        clock.append(at)
        world.write(lambda s: heartbeat.beat(s, world.campaign, started_at=998.0, loop_lag_ms=3.0, holder="build"))
    assert world.read(lambda s: campaigns.get(s, world.campaign)).elapsed_s == pytest.approx(2 + 2 + 3 + 12)
    engine = world.read(heartbeat.engine)
    assert (engine.alive, engine.loop_lag_ms, engine.started_at) == (True, 3.0, 998.0)
    clock.append(5013.0)
    assert not world.read(heartbeat.engine).alive


def test_settings_outlive_campaigns(world) -> None:
    assert world.read(lambda s: setting.get(s, "theme", "dark")) == "dark"
    for value in ("light", {"a": [1, None]}):
        world.write(lambda s, v=value: setting.put(s, "theme", v))
    assert world.read(lambda s: setting.get(s, "theme")) == {"a": [1, None]}


def test_campaign_life(world) -> None:
    assert world.read(campaigns.latest_unfinished).id == world.campaign
    world.write(lambda s: campaigns.set_facts(s, world.campaign, minutes=60.0))
    for state in ("pausing", "paused", "running"):
        world.write(lambda s, to=state: campaigns.set_state(s, world.campaign, to))
    for seconds in (1.5, 2.5):
        world.write(lambda s, n=seconds: campaigns.add_usage(s, world.campaign, "build", n))
    world.write(lambda s: campaigns.finish(s, world.campaign, "budget"))
    (view,) = world.read(reads.campaigns)
    assert (view.state, view.stopped_because, view.minutes, view.seconds) == (
        "finished",
        "budget",
        60.0,
        {"build": 4.0},
    )
    assert world.read(campaigns.latest_unfinished) is None
    with pytest.raises(StoreError, match="cannot change"):
        world.write(lambda s: campaigns.set_facts(s, world.campaign, seed=1))
    with pytest.raises(StoreError, match="there is none"):
        world.read(lambda s: campaigns.get(s, 999))
