"""What went wrong elsewhere when a model answered (public reports on aider, openevolve, SWE-agent, ...), done right."""

import asyncio
from pathlib import Path

import pytest
from typing_extensions import override

from kernels.device.report import DeviceUnhealthy
from kernels.values.verdict import Outcome
from roles import trouble
from roles.brains.open_ideas import OPEN, OpenIdeas
from roles.brains.pool import Seat
from roles.brains.registry import Spec
from roles.brains.scripted import ScriptedWire
from roles.brains.talk import CUT, Ask, Heard, Turn
from roles.replies import Unusable, Whole, source_in
from store import reads
from tests.unit.roles.model_rig import BASE, Desk, make_desk, said, uses, variant
from tests.unit.roles.pipeline_rig import make_rig
from tests.unit.roles.test_open_ideas import AT_BASE, Inner

C = "void gemv(const float *W) {\n}\n"
DIFF = "--- a/kernel.c\n+++ b/kernel.c\n@@ -1,9 +1,7 @@\n void gemv(const float *W) {\n-  old();\n+  young();\n }\n"
BLOCKS = f"<<<<<<< SEARCH\n{C}=======\nvoid gemv(const float *W);\n>>>>>>> REPLACE\n"
FINISH = ("finish", {"summary": "done here"})


def judged(desk: Desk) -> list[str]:
    tree = desk.rig.read(lambda s: reads.tree(s, desk.rig.campaign.id, "gemv"))
    return [node.lever for node in tree if node.kind != "idea"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (f"```diff\n{DIFF}```", "diff"),
        (f"```c\n{DIFF}```", "diff"),
        (DIFF, "diff"),
        (f"```c\n{BLOCKS}```", "blocks"),
        (f"Change this:\n{BLOCKS}", "blocks"),
        (f"```c\n{C[:-3]}", "cut_fence"),
        (f"```c\n{C}```\n```c\nvoid gemv(void);\n```", "several"),
    ],
)
def test_a_change_in_words_is_named_and_never_taken_as_a_file(answer: str, kind: str) -> None:
    for text in (answer, answer.replace("\n", "\r\n")):
        found = source_in(text, "gemv")
        assert isinstance(found, Unusable)
        assert (found.kind, bool(found.reason)) == (kind, True)


def test_a_whole_file_beside_a_diff_is_taken() -> None:
    assert source_in(f"```diff\n{DIFF}```\nIn full:\n```c\n{C}```\n", "gemv") == Whole(C)


async def test_unusable_answers_are_told_to_model_and_reader_and_end(tmp_path: Path) -> None:
    desk = await make_desk(tmp_path, [said(f"```diff\n{DIFF}```"), said(BLOCKS), said("Believe me.")])
    assert (await desk.serve(OPEN, BASE))[0] == "dropped"
    assert len(desk.calls) == 3
    assert "a diff, whose line counts are not relied on" in desk.told[-2]
    assert "search and replace blocks in words" in desk.told[-1]
    for kind in ("(diff)", "(blocks)", "(prose)"):
        assert f"unusable answer {kind}" in desk.lines
    assert judged(desk) == []


async def test_a_search_text_that_does_not_match_twenty_times_is_never_measured(tmp_path: Path) -> None:
    turns = [uses(("edit", {"blocks": [{"search": f"nowhere {n}", "replace": "x"}]})) for n in range(20)]
    desk = await make_desk(tmp_path, turns)
    state, text = await desk.serve(OPEN, BASE)
    assert (state, judged(desk), desk.rig.device.tests) == ("dropped", [], {})
    assert len(desk.calls) == 4
    assert "4 turns without a tool call that worked" in text


async def test_the_same_bad_answer_twice_parks_the_idea_and_its_cost_is_shown(tmp_path: Path) -> None:
    bad = uses(("edit", {"blocks": [{"search": "nowhere", "replace": "x"}]}))
    desk = await make_desk(tmp_path, [bad] * 40)
    _, text = await desk.serve(OPEN, BASE)
    assert text == "parked: the model says the same again (2 requests, 220 tokens, $0.0000)"
    assert len(desk.calls) == 2
    (event,) = desk.events("parked")
    assert "gemv: no more own ideas under this head" in event
    assert OpenIdeas(Inner([]), lambda: True, desk.models.parked).propose(AT_BASE, 3, 1) == []


class Slow(ScriptedWire):
    """Begins to answer and stays there."""

    def __init__(self) -> None:
        super().__init__([[uses(FINISH)]])
        self.reached = asyncio.Event()

    @override
    async def turn(self, ask: Ask, heard: Heard) -> Turn:
        if self.reached.is_set():
            return await super().turn(ask, heard)
        self.asked.append(ask)
        heard.part("x" * 700)
        self.reached.set()
        await asyncio.sleep(600)
        raise AssertionError


async def test_what_was_cancelled_is_booked_and_makes_the_next_request_no_larger(tmp_path: Path) -> None:
    desk, wire = await make_desk(tmp_path), Slow()
    desk.models.by_role = {"worker": [Seat(Spec("scripted", "s"), wire)]}
    serving = asyncio.create_task(desk.serve())
    await asyncio.wait_for(wire.reached.wait(), 10)
    desk.rig.campaign.serving["worker-01"].task.cancel()
    await serving
    await desk.serve(candidate=variant("int other;"))
    first, second = desk.calls
    assert (first.state, first.output_tokens) == ("cancelled", 200)
    assert len(wire.asked[1].items) == len(wire.asked[0].items) == 1
    assert second.reserved_tokens < 1.1 * first.reserved_tokens


@pytest.mark.parametrize("text", ["```c\nvoid gemv(", "half a character: \ufffd"])
async def test_a_truncated_answer_is_asked_for_once_more_with_more_room(tmp_path: Path, text: str) -> None:
    desk = await make_desk(tmp_path, [said(text, CUT), said(text, CUT), uses(FINISH)])
    _, ended = await desk.serve(OPEN, BASE)
    assert [ask.max_tokens for ask in desk.wire.asked] == [16_000, 32_000]
    assert ended.startswith("parked: the answer was cut at 32,000 tokens")
    assert [call.stop for call in desk.calls] == [CUT, CUT]


UNBOUNDED: list[tuple[str, dict[str, object], str]] = [
    ("time", {"timeout": -1}, "timeout: Extra inputs are not permitted"),
    ("check", {"timeout_s": 10**9}, "timeout_s: Extra inputs are not permitted"),
    ("run", {"command": "cat /dev/urandom"}, "there is no tool 'run'"),
    ("read_source", {"which": "own", "first": 1, "last": 10**9}, "less than or equal to 1000000"),
    ("read_source", {"which": "/etc/passwd", "first": 1, "last": 0}, "Input should be 'own', 'head' or 'baseline'"),
]


async def test_nothing_unbounded_can_be_asked_for(tmp_path: Path) -> None:
    asked = uses(*((tool, arguments) for tool, arguments, _ in UNBOUNDED))
    desk = await make_desk(tmp_path, [asked, uses(FINISH)])
    await desk.serve(OPEN, BASE)
    for (text, is_error), (_, _, why) in zip(desk.results, UNBOUNDED, strict=True):
        assert is_error
        assert why in text
    assert desk.rig.device.tests == {}


async def test_an_infrastructure_that_spoils_attempt_after_attempt_pauses_without_a_model_too(tmp_path: Path) -> None:
    rig = await make_rig(tmp_path)

    def gone(_: str) -> None:
        raise DeviceUnhealthy("the referee is gone")

    rig.device.on_pair = gone
    for number in range(trouble.IN_A_ROW):
        assert not rig.campaign.latches.is_closed("all")
        assert (await rig.judge(variant(f"int v{number};"))).outcome is Outcome.INVALID
    assert rig.campaign.latches.is_closed("all")
    told = [e.text for e in rig.read(lambda s: reads.events(s, rig.campaign.id)) if e.kind == "unhealthy"]
    assert told == ["paused: the infrastructure spoiled 5 attempts in a row: the referee is gone. Mend it and resume"]
