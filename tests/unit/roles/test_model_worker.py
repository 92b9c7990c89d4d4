"""A model serves a brief: what it writes is judged like everything else, and every way in which it fails has an end."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from kernels.device.report import DeviceUnhealthy
from kernels.values.verdict import Outcome
from knowledge.memory import Retention
from knowledge.skills.playbook import Playbook, playbook
from roles import telling
from roles.brains.open_ideas import OPEN
from roles.brains.pool import Seat
from roles.brains.registry import Spec, make
from roles.brains.scripted import ScriptedWire
from roles.brains.talk import CUT, REFUSED, Ask, Heard, Turn
from store import chip_facts, memory, reads
from store.llm_calls import Cap
from tests.unit.roles.model_rig import BASE, Desk, make_desk, said, uses, variant

FASTER = variant("/* rows */ int four;")
SUBMIT = {"idea": "four rows", "why": "fewer loads", "expected_gain": 0.2, "new_design": False}
FINISH = ("finish", {"summary": "done here"})
WRITE = ("write_file", {"text": FASTER.source})


async def test_a_source_of_its_own_becomes_the_head(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(WRITE), uses(("time", {})), uses(("submit", SUBMIT)), uses(FINISH)])
    desk.rig.device.ratio[FASTER.id] = 1.5
    state, text = await desk.serve()
    assert state == "done"
    assert "KEEP" in text
    assert desk.rig.state.head.key == FASTER.id
    (node,) = [n for n in desk.rig.read(lambda s: reads.tree(s, desk.rig.campaign.id, "gemv")) if n.lever == "written"]
    assert (node.outcome, node.agent, node.title) == (Outcome.KEEP, "worker-01", "written idea=four rows")
    assert desk.results[1] == ("its values are right", False)
    assert len(desk.calls) == 4
    assert {(c.agent, c.role, c.kernel, c.state) for c in desk.calls} == {("worker-01", "worker", "gemv", "done")}


async def test_a_wrong_source_is_refused_and_told_why(tmp_path: Path) -> None:
    refuse: Any = {"correct": {FASTER.id: "wrong_values"}}
    desk = await make_desk(
        tmp_path, [uses(WRITE), uses(("check", {})), uses(("submit", SUBMIT)), uses(FINISH)], refuse=refuse
    )
    state, text = await desk.serve()
    assert desk.results[1] == ("error: refused by gate correct: wrong_values: scripted", True)
    assert "REVERT: wrong_values: scripted" in desk.results[2][0]
    assert (state, "REVERT" in text) == ("done", True)
    assert desk.rig.state.head.key == BASE.id


async def test_what_is_unchanged_is_never_evaluated(tmp_path: Path) -> None:
    again = uses(("check", {}), ("check", {}), ("submit", SUBMIT))
    desk = await make_desk(
        tmp_path, [uses(("check", {})), uses(WRITE), again, uses(WRITE, ("submit", SUBMIT)), uses(FINISH)]
    )
    await desk.serve()
    errors = [text for text, is_error in desk.results if is_error]
    assert "is the head, unchanged" in errors[0]
    assert "not evaluated again" in errors[1]
    assert "nothing changed: that is your file" in errors[2]
    assert "not judged again" in errors[3]
    assert desk.rig.device.tests
    assert len([n for n in desk.rig.read(lambda s: reads.tree(s, desk.rig.campaign.id, "gemv")) if n.lever]) == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (None, "no JSON object"),
        ({"text": ""}, "text: String should have at least 1 character"),
        ({"text": "x", "timeout": -1}, "timeout: Extra inputs are not permitted"),
        ({}, "text: Field required"),
    ],
)
async def test_arguments_are_checked(tmp_path: Path, arguments: dict[str, Any] | None, why: str) -> None:
    desk = await make_desk(tmp_path, [uses(("write_file", arguments)), uses(FINISH)])
    await desk.serve()
    assert why in desk.results[0][0]
    assert "nothing was done" in desk.results[0][0]


async def test_an_unknown_tool_is_answered_with_the_tools(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(("shell", {"command": "yes"}), ("read_contract", {})), uses(FINISH)])
    await desk.serve()
    assert "there is no tool 'shell'; there are: read_source" in desk.results[0][0]
    contract, is_error = desk.results[1]
    assert not is_error
    for word in ("void gemv(const float *W", "f32[2048, 2048], weight", "kw_parallel_for", "getenv", "random"):
        assert word in contract


STUCK: list[tuple[list[Turn], str]] = [
    ([uses(("edit", {"blocks": [{"search": "nowhere", "replace": "x"}]}))] * 2, "says the same again"),
    (
        [said("I think it should be faster."), said("Really."), said("Yes.")],
        "3 answers without a tool call: words only",
    ),
    ([said("half a sou", CUT), said("again half", CUT)], "cut at 32,000 tokens"),
    ([said("I cannot help with that", REFUSED)], "the model refused: I cannot help"),
    ([uses(("shell", {"n": n})) for n in range(4)], "4 turns without a tool call that worked"),
    ([uses(("recall", {"words": str(n)})) for n in range(9)], "6 turns are over"),
]


@pytest.mark.parametrize(("script", "why"), STUCK, ids=[why[:20] for _, why in STUCK])
async def test_a_model_that_is_stuck_ends_and_the_suggestion_is_judged(
    tmp_path: Path, script: list[Turn], why: str
) -> None:
    desk = await make_desk(tmp_path, script, turns=6)
    state, text = await desk.serve()
    assert why in desk.lines
    assert (state, text.startswith("ACCEPT")) == ("done", True)
    assert len(desk.calls) <= 6


async def test_a_cut_turn_is_not_acted_on(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(WRITE, ("submit", SUBMIT), stop=CUT), uses(FINISH)])
    await desk.serve()
    assert desk.results == []
    assert desk.wire.asked[1].max_tokens == 2 * desk.wire.asked[0].max_tokens
    assert "was not used" in desk.told[-1]


async def test_a_whole_source_in_words_is_taken(tmp_path: Path) -> None:
    words = f"Here it is:\r\n```c\r\n{FASTER.source}```\r\nGood luck."
    desk = await make_desk(tmp_path, [said(words), uses(("submit", SUBMIT)), uses(FINISH)])
    desk.rig.device.ratio[FASTER.id] = 1.5
    state, text = await desk.serve()
    assert (state, "KEEP" in text) == ("done", True)
    assert desk.rig.state.head.key == FASTER.id


async def test_line_ends_and_marks_are_put_right_and_half_characters_refused(tmp_path: Path) -> None:
    text = "\ufeff" + FASTER.source.replace("\n", "\r\n").rstrip()
    half = ("write_file", {"text": "/* \ud800 */"})
    words = f"```c\n{FASTER.source}/* \ud800 */\n```"
    desk = await make_desk(tmp_path, [uses(half), said(words), uses(("write_file", {"text": text})), uses(FINISH)])
    await desk.serve()
    assert "unable to parse raw data as a unicode string" in desk.results[0][0]
    assert "unable to parse raw data as a unicode string" in desk.told[-1]
    lines = len(FASTER.source.splitlines())
    assert desk.results[1] == (f"written: {lines} lines, {FASTER.id[:12]}", False)


async def test_a_limit_ends_requests_and_is_said_once(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(WRITE)], [uses(WRITE)], caps=(Cap("campaign", tokens=200),))
    for text in ("int a;", "int b;"):
        await desk.serve(candidate=variant(text))
    assert desk.calls == ()
    (event,) = desk.events("budget")
    assert "the campaign has 0 of 200 tokens" in event
    assert not desk.models.any_for("worker")
    assert any(event in line for line in desk.rig.read(lambda s: reads.overview(s, desk.rig.campaign.id)).attention)
    assert (await desk.serve(OPEN, BASE))[0] == "dropped"


async def test_infrastructure_is_not_told_as_a_fault_and_pauses(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, *([uses(WRITE), uses(("check", {}))] for _ in range(3)))

    async def broken(*_: object, **__: object) -> None:
        raise DeviceUnhealthy("the device server is gone")

    desk.rig.pipeline.check_only = broken  # ty: ignore[invalid-assignment]
    for _ in range(3):
        await desk.serve(OPEN, BASE)
    assert desk.rig.campaign.latches.is_closed("all")
    (event,) = desk.events("unhealthy")
    assert "the device server is gone" in event
    assert not any("device server" in text for text, _ in desk.results)


async def test_a_trap_is_remembered_and_found(tmp_path: Path) -> None:
    note = {"kind": "trap", "strategy": "eight rows spill registers", "reflection": "sixteen accumulators do not fit"}
    win = {**note, "kind": "win"}
    desk = await make_desk(
        tmp_path, [uses(("remember", note), ("remember", win)), uses(("recall", {"words": "spill ROWS"})), uses(FINISH)]
    )
    await desk.serve()
    assert desk.results[0] == ("trap noted", False)
    assert "a win is written after a promotion" in desk.results[1][0]
    assert desk.results[2][0].startswith("trap on gemv: eight rows spill registers")
    assert [row.strategy for row in desk.rig.read(lambda s: memory.recall(s, "streaming matvec"))] == [note["strategy"]]


async def test_how_long_a_trap_may_be_is_the_campaign_s_setting_and_told(tmp_path: Path) -> None:
    long, short = ({"kind": "trap", "strategy": "s" * 200, "reflection": "r" * n} for n in (1301, 1300))
    desk = await make_desk(tmp_path, [uses(("remember", long), ("remember", short)), uses(FINISH)])
    campaign = desk.rig.campaign
    campaign.policy = replace(campaign.policy, memory=Retention(strategy=200, reflection=1300))
    await desk.serve()
    refusal = "error: reflection has 1301 characters, 1300 at most; nothing was kept: say it shorter"
    assert desk.results == [(refusal, True), ("trap noted", False)]
    (kept,) = desk.rig.read(lambda s: memory.recall(s, "streaming matvec"))
    assert (kept.strategy, kept.reflection) == (short["strategy"], short["reflection"])
    assert "200 characters for the strategy, 1300 for the reflection" in desk.wire.asked[0].system


async def test_a_suggestion_that_comes_again_is_judged_as_it_is(tmp_path: Path) -> None:
    desk: Desk = await make_desk(tmp_path, [uses(("submit", SUBMIT)), uses(FINISH)], [uses(FINISH)])
    await desk.serve()
    before = len(desk.calls)
    await desk.serve()
    assert len(desk.calls) == before


class Silent(ScriptedWire):
    """Never answers."""

    def __init__(self) -> None:
        super().__init__([])
        self.reached = asyncio.Event()

    @override
    async def turn(self, ask: Ask, heard: Heard) -> Turn:
        self.reached.set()
        await asyncio.sleep(600)
        return await super().turn(ask, heard)


def silent(desk: Desk) -> Silent:
    wire = Silent()
    desk.models.by_role = {"worker": [Seat(Spec("scripted", "s"), wire)]}
    return wire


async def test_a_kill_ends_the_request_at_once_and_books_it(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path)
    wire = silent(desk)
    serving = asyncio.create_task(desk.serve())
    await asyncio.wait_for(wire.reached.wait(), 10)
    started = time.monotonic()
    desk.rig.campaign.serving["worker-01"].task.cancel()
    assert await serving == ("dropped", "killed")
    assert time.monotonic() - started < 5
    (row,) = desk.calls
    assert (row.state, row.input_tokens > 1000) == ("cancelled", True)


async def test_nothing_is_sent_while_paused(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(FINISH)])
    await desk.rig.campaign.latches.close("worker-01")
    serving = asyncio.create_task(desk.serve())
    await desk.rig.campaign.latches.until_waiting(["worker-01"])
    assert desk.calls == ()
    await desk.rig.campaign.latches.open("worker-01")
    await serving
    assert len(desk.calls) == 1


async def test_a_context_that_doubles_is_said_and_one_too_large_ends(tmp_path: Path) -> None:
    big = ("write_file", {"text": "/*" + "x" * 80_000 + "*/"})
    bigger = ("write_file", {"text": "/*" + "y" * 300_000 + "*/"})
    turns = [Turn("tool_use", "", uses(one).calls, {"calls": one[1]}) for one in (big, bigger)]
    script = [uses(("read_contract", {})), *turns]
    desk = await make_desk(tmp_path, script)
    await desk.serve()
    assert "the context grew from about" in desk.lines
    assert "is above the limit of 180,000 tokens" in desk.lines


async def test_a_model_without_key_is_out_and_the_next_one_serves(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(FINISH)])
    refused = Spec("anthropic", "m", "http://127.0.0.1:9", key_env="KW_NO_SUCH_KEY")
    desk.models.by_role = {"worker": [Seat(refused, make(refused)), *desk.models.by_role["worker"]]}
    await desk.serve()
    (event,) = desk.events("model_out")
    assert "KW_NO_SUCH_KEY is not set; workers go on with scripted:s" in event
    assert [c.state for c in desk.calls] == ["failed", "done"]
    assert "done here" in desk.lines


async def test_a_brief_has_the_ban_and_what_is_known_of_the_target(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [uses(FINISH)])
    await desk.serve()
    assert any("BANNED: folds." in text for text in desk.told)
    with_fact = await make_desk(tmp_path / "second", [uses(FINISH)])
    campaign = with_fact.rig.campaign
    await campaign.store.write(
        lambda s: chip_facts.add(
            s, target=campaign.target.name, name="read", fingerprint="f", title="read bandwidth", value=33.0, low=32.5,
            high=33.5, unit="GB/s", readings=[33.0], points=[], fit={}, probe="p", environment={},
        )
    )  # fmt: skip
    await with_fact.serve()
    assert any(
        "- [verified] read bandwidth: 33 GB/s (32.5 .. 33.5) (measured: read)" in text for text in with_fact.told
    )


@pytest.mark.parametrize("on", [True, False])
async def test_skills_of_the_kernels_type_stand_in_the_brief_within_their_size(tmp_path: Path, on: bool) -> None:
    desk = await make_desk(tmp_path, [uses(FINISH)])
    campaign = desk.rig.campaign
    campaign.playbook = Playbook(tuple(replace(skill, targets=()) for skill in playbook().skills))
    campaign.policy = replace(campaign.policy, skills=on)
    await desk.serve()
    first = desk.told[0]
    assert ("Strategies for kernels of this type:" in first) == on
    assert ("- streaming-matvec-decode: " in first) == on
    assert "stencil-sweeps" not in first
    told = telling.skills(campaign, "gemv")
    assert told in first
    assert len(told) <= telling.SKILL_CHARACTERS
