"""What screens and scripts get."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.values.reading import Pair, Reading
from kernels.values.verdict import Outcome, Verdict
from store import agents, campaigns, designs, events, heartbeat, kernel_states, ledger, modes, reads, shapes
from store.errors import StoreError
from store.lock import EngineLock
from store.views import CampaignView, KernelView

ROOT = Path(__file__).parents[3]


def enter(world, node: int, speedup: float, mode: str = "slow", against_ns: float | None = None) -> None:
    head = world.read(lambda s: designs.get_node(s, node)).candidate_id
    world.write(
        lambda s: ledger.add_ledger_entry(
            s, world.campaign, "ffn", head_id=head, against="baseline", against_id=world.baseline, speedup=speedup,
            low=speedup * 0.9, high=speedup * 1.1, pairs=24, mode=mode, head_ns=800.0,
            against_ns=against_ns,
        )
    )  # fmt: skip


def test_overview_tells_what_was_found_and_how_far_to_trust_it(world) -> None:
    kept, _ = world.promoted("fast")
    world.refused("wrong")
    world.refused("hangs", kind="hang")
    dropped = world.variant("lucky")
    world.finished_test(dropped)
    world.finished_test(dropped, Verdict.UNCLEAR, kind="confirmation")
    world.write(lambda s: designs.finish_node(s, dropped, Outcome.ACCEPT, Verdict.FASTER))
    placebo = world.variant("placebo")
    world.finished_test(placebo, Verdict.UNCLEAR, kind="placebo")
    world.write(lambda s: designs.finish_node(s, placebo, Outcome.REVERT, Verdict.UNCLEAR))
    enter(world, kept, 4.0)
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "w", "worker", state="waiting"))
    world.write(lambda s: campaigns.add_usage(s, world.campaign, "readings", 6.0))
    world.write(lambda s: heartbeat.beat(s, world.campaign, started_at=0.0, holder="reading ffn"))

    view = world.read(lambda s: reads.overview(s, world.campaign))

    c = view.campaign
    assert (c.tests_run, c.promotions, c.candidates, c.faster_but_dropped) == (2, 1, 4, 1)
    assert (c.placebo.faster, c.placebo.tests, c.placebo.upper) == (0, 1, pytest.approx(0.95))
    assert c.rejections == {"hang": 1, "wrong_values": 1}
    assert c.expected_false_promotions == pytest.approx(2 * 0.0063)
    assert (c.ledger_speedup, c.claimed_gain) == (pytest.approx(2.0), pytest.approx(1.25**0.5))
    assert c.ledger_low < 2.0 < c.ledger_high
    assert (c.holder, c.device_busy_fraction) == ("reading ffn", pytest.approx(0.5, abs=0.05))
    assert view.engine is not None
    assert view.engine.alive
    ffn, qkv = view.kernels
    assert (ffn.name, ffn.ledger_speedup, ffn.last_gain, ffn.head_ns) == ("ffn", 4.0, 0.2, 800.0)
    assert (qkv.name, qkv.ledger_speedup, qkv.baseline_ns) == ("qkv", None, None)
    assert (view.agent_states, view.live) == ({"waiting": 1}, None)
    assert [(p.kernel, p.speedup) for p in view.score[-2:]] == [("ffn", 4.0), ("", pytest.approx(2.0))]


def test_times_beside_a_speedup_are_those_of_its_test(world) -> None:
    """A baseline that was read in another device mode would contradict the ledger."""
    first, _ = world.promoted("fast")
    enter(world, first, 4.0, against_ns=3200.0)
    world.write(lambda s: kernel_states.update(s, world.campaign, "ffn", head_ns=700.0))
    ffn = world.read(lambda s: reads.overview(s, world.campaign)).kernels[0]
    assert (ffn.baseline_ns, ffn.head_ns, ffn.ledger_speedup) == (3200.0, 800.0, 4.0)
    world.promoted("faster", parent=first)
    world.write(lambda s: kernel_states.update(s, world.campaign, "ffn", head_ns=600.0))
    ffn = world.read(lambda s: reads.overview(s, world.campaign)).kernels[0]
    assert (ffn.baseline_ns, ffn.head_ns) == (1000.0, 600.0)


def test_live_test_and_queue(world) -> None:
    tested, queued = world.variant("a", "vectorise"), world.variant("b", "prefetch")
    assert queued
    world.write(lambda s: designs.set_node(s, tested, state="testing"))
    test = world.test_of(tested)
    world.write(lambda s: agents.add_brief(s, world.campaign, "qkv", lever="unroll"))
    view = world.read(lambda s: reads.overview(s, world.campaign))
    assert (view.live.id, view.live.lever, view.live.state) == (test, "vectorise", "running")
    assert view.queue == ("ffn prefetch (queued)", "qkv unroll (brief)")


def test_a_placebo_is_not_marked_while_it_runs(world) -> None:
    node = world.variant("placebo")
    test = world.test_of(node, "placebo")
    assert world.read(lambda s: reads.test(s, test)).kind == "acceptance"
    world.write(lambda s: ledger.finish_test(s, test, Verdict.FLAT))
    assert world.read(lambda s: reads.test(s, test)).kind == "placebo"
    marks = [event for event in world.read(lambda s: reads.events(s, None)) if "placebo" in repr(event)]
    assert marks == []


def test_the_usual_mode_is_the_one_that_most_heads_were_measured_in(world) -> None:
    """Not the one of most pairs, where a head has no entry: numbers of unequal modes make no mean."""

    def usual() -> str:
        world.write(lambda s: modes.keep(s, world.campaign))
        view = world.read(lambda s: reads.campaign_view(s, world.campaign))
        assert isinstance(view, CampaignView)
        return view.mode

    node, _ = world.promoted("a")
    assert usual() == ""
    test = world.test_of(node)
    for mode in ("slow", "slow", "fast"):
        one = Pair(Reading(1e3, 3, 1e3, 1e3), Reading(9e2, 3, 9e2, 9e2), "head", mode=mode)
        world.write(lambda s, one=one: ledger.add_pair(s, test, one, score=1.0))
    assert usual() == "slow"
    enter(world, node, 3.0, "fast")
    assert usual() == "fast"
    enter(world, node, 2.5, "slow")
    assert usual() == "slow"


def test_the_ledger_speaks_for_the_head_in_the_usual_mode(world) -> None:
    first, _ = world.promoted("a")
    second, promotion = world.promoted("b", parent=first)
    world.write(lambda s: modes.put(s, world.campaign, "slow"))
    for node, speedup, mode in (
        (first, 2.0, "slow"),
        (second, 3.0, "slow"),
        (second, 5.0, "fast"),
        (first, 2.1, "slow"),
    ):
        enter(world, node, speedup, mode)

    def speedup() -> float | None:
        view = world.read(lambda s: reads.kernels(s, world.campaign))[0]
        assert isinstance(view, KernelView)
        return view.ledger_speedup

    assert speedup() == 3.0
    world.write(lambda s: designs.demote(s, promotion, "slower"))
    assert speedup() == 2.1
    steps = [p.speedup for p in world.read(lambda s: reads.score(s, world.campaign)) if p.kernel == "ffn"]
    assert steps == [2.0, 3.0, 2.1]


def test_tree_marks_the_head_and_its_path(world) -> None:
    kept, _ = world.promoted("fast")
    world.refused("wrong")
    slower = world.variant("slow")
    world.write(lambda s: designs.finish_node(s, slower, Outcome.REVERT, Verdict.SLOWER))
    working = world.variant("next", parent=kept)
    nodes = world.read(lambda s: reads.tree(s, world.campaign, "ffn"))
    assert [(node.sign, node.is_head, node.on_head_path) for node in nodes] == [
        ("~", False, True), ("+", True, True), ("-", False, False), ("!", False, False), (".", False, False),
    ]  # fmt: skip
    assert nodes[-1].id == working
    found = world.read(lambda s: reads.matching(s, world.campaign, "ffn", "SLOWER")).nodes
    assert [node.id for node in found] == [world.idea, slower]
    with pytest.raises(StoreError, match="ffn, qkv"):
        world.read(lambda s: reads.tree(s, world.campaign, "nothing"))


def test_a_rejection_expires_with_a_redesign_of_the_head(world) -> None:
    slower = world.variant("slow")
    world.write(lambda s: designs.finish_node(s, slower, Outcome.REVERT, Verdict.SLOWER))
    assert "expired" not in world.read(lambda s: reads.node_detail(s, slower)).under_parent
    leap, _ = world.promoted("leap")
    said = world.read(lambda s: reads.node_detail(s, slower)).under_parent
    assert said.endswith(f"; expired: the head was redesigned at node {leap}")
    assert "expired" not in world.read(lambda s: reads.node_detail(s, leap)).under_parent


def test_node_detail_shows_the_difference_to_its_parent(world) -> None:
    kept, _ = world.promoted("line one\nline two\n")
    child = world.variant("line one\nline 2\n", parent=kept)
    world.write(lambda s: designs.finish_node(s, child, Outcome.REVERT, Verdict.SLOWER))
    detail = world.read(lambda s: reads.node_detail(s, child))
    assert detail.source == "line one\nline 2\n"
    assert "-line two\n+line 2" in detail.diff
    assert detail.under_parent.startswith("SLOWER under parent ")
    wrong = world.read(lambda s: reads.node_detail(s, world.refused("oops")))
    assert [(gate.gate, gate.state, gate.kind) for gate in wrong.gates] == [
        ("source", "passed", ""), ("correct", "refused", "wrong_values"),
    ]  # fmt: skip
    assert [test.verdict for test in world.read(lambda s: reads.node_detail(s, kept)).tests] == ["FASTER"]
    with pytest.raises(StoreError, match="find node"):
        world.read(lambda s: reads.node_detail(s, 999))


def test_filings_are_sorted_filtered_and_paged(world) -> None:
    for i in range(5):
        world.promoted(f"v{i}")
    newest, total = world.read(lambda s: reads.filings_page(s, world.campaign, limit=2))
    assert (total, newest[0].id > newest[1].id) == (5, True)
    rest, _ = world.read(lambda s: reads.filings_page(s, world.campaign, limit=10, offset=4))
    assert [filing.id for filing in rest] == [1]
    assert world.read(lambda s: reads.filings_page(s, world.campaign, text="unroll FFN"))[1] == 5
    assert world.read(lambda s: reads.filings_page(s, world.campaign, text="unroll %"))[1] == 0
    with pytest.raises(StoreError, match="there is no such order"):
        world.read(lambda s: reads.filings_page(s, world.campaign, sort="1; DROP TABLE filing"))


def test_summary_has_the_agreed_shape(world) -> None:
    kept, _ = world.promoted("fast")
    enter(world, kept, 4.0)
    world.write(lambda s: campaigns.finish(s, world.campaign, "minutes"))
    found = json.loads(json.dumps(world.read(lambda s: reads.summary(s, world.campaign)), allow_nan=False))
    agreed = (
        "campaign pack target fingerprint claimed_gain ledger_speedup ledger_interval mode tests_run promotions"
        " rejections expected_false_promotions device_busy_fraction kernels sandbox_level stopped_because"
    )
    assert set(agreed.split()) <= found.keys()
    assert (found["ledger_speedup"], found["stopped_because"]) == (pytest.approx(2.0), "minutes")
    assert set(found["kernels"]["ffn"]) == set(
        "baseline_ns head_ns peak_ns ledger_speedup times_peak head_id candidates tests promotions score".split()
    )


def test_shapes_are_the_documented_ones(world) -> None:
    kept, _ = world.promoted("fast")
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "w", "worker", kernel="ffn"))
    world.write(lambda s: events.append(s, world.campaign, "said", "w", "hi", id=99, answer=42))
    (filing,) = shapes.filings(world.read(lambda s: reads.filings(s, world.campaign)))["filings"]
    wanted = "id kernel node lever filed_at gain interval ledger_speedup times_peak device fingerprint tainted"
    assert set(wanted.split()) <= filing.keys()
    assert filing["interval"] == [0.1, 0.3]
    (agent,) = shapes.agents(world.read(lambda s: reads.agents(s, world.campaign)))["agents"]
    assert set("name role kernel state brief tokens usd".split()) <= agent.keys()
    nodes = world.read(lambda s: reads.tree(s, world.campaign, "ffn"))
    tree = shapes.tree("ffn", nodes, world.read(lambda s: reads.gates_of(s, world.campaign, "ffn")))
    assert tree["head"] == world.read(lambda s: designs.get_node(s, kept)).candidate_id
    assert set("id parent kind lever outcome verdict gates".split()) <= tree["nodes"][0].keys()
    event = shapes.event(world.read(lambda s: reads.events(s, world.campaign, after=-1, limit=1))[0])
    assert (event["id"] != 99, event["kind"], event["answer"]) == (True, "said", 42)
    json.dumps([filing, agent, tree, event], allow_nan=False)


def test_attention_names_what_a_person_should_see(world) -> None:
    world.write(lambda s: agents.upsert_agent(s, world.campaign, "w", "worker", state="crashed"))
    world.write(lambda s: events.append(s, world.campaign, "unhealthy", "device", "canary failed"))
    for i in range(20):
        node = world.variant(f"p{i}")
        world.finished_test(node, Verdict.FASTER if i < 4 else Verdict.FLAT, kind="placebo")
    lines = world.read(lambda s: reads.overview(s, world.campaign)).attention
    assert lines == (
        "the engine is gone: start it again to go on", "placebos were called FASTER 4 times of 20",
        "the head differs from itself by +10.00 % over 20 pairs", "w crashed", "device: canary failed",
    )  # fmt: skip


def test_an_engine_that_waits_for_space_is_not_called_gone(world, monkeypatch: pytest.MonkeyPatch) -> None:
    def said() -> str:
        return str(world.read(lambda s: reads.overview(s, world.campaign)).attention[0])

    assert "the engine is gone" in said()
    with EngineLock.acquire(world.store.home):
        assert "which still owns this home" in said()
        monkeypatch.setattr("store.space.LITTLE", 1 << 80)
        assert said() == f"the disk of {world.store.home} is full: the engine waits, and goes on once there is space"


def test_a_paused_kernel_says_so(world) -> None:
    world.write(lambda s: kernel_states.update(s, world.campaign, "qkv", paused=True, status="testing"))
    assert world.read(lambda s: reads.kernels(s, world.campaign))[1].status == "paused"
    with pytest.raises(StoreError, match="ffn, qkv"):
        world.write(lambda s: kernel_states.update(s, world.campaign, "nothing", paused=True))


def test_the_store_is_light_to_import() -> None:
    code = "import sys, store.engine, store.designs, store.reads, store.shapes, store.feed; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=ROOT)
    assert not {"scipy", "numpy", "alembic", "textual", "anthropic"} & set(found.stdout.split())


def test_nothing_waits_in_a_campaign_that_is_over(world) -> None:
    world.write(lambda s: agents.add_brief(s, world.campaign, "qkv", lever="threads"))
    assert [item.what for item in world.read(lambda s: reads.queue(s, world.campaign))] == ["threads"]
    world.write(lambda s: campaigns.finish(s, world.campaign, "time"))
    assert world.read(lambda s: reads.queue(s, world.campaign)) == ()
