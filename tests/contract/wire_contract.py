"""What every wire to a model owes, against a server that breaks on purpose and judges its client.

Requests go through the meter: real rows, real retries, a real socket.
"""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace

import pytest
import pytest_asyncio
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Reply

from roles.brains.backoff import Patience
from roles.brains.failure import Final
from roles.brains.metered import Caller, Meter
from roles.brains.prices import Price, Prices
from roles.brains.registry import Spec, make
from roles.brains.secrets import Secrets
from roles.brains.talk import END, TOOLS, Answered, Ask, Result, Results, Said, Tool, Turn, Wire
from store import agents, call_views, campaigns
from store.call_views import CallView
from store.engine import Store
from store.llm_calls import Account, Cap

LOOK = Tool(
    "look", "look at a place",
    {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"],
     "additionalProperties": False},
)  # fmt: skip
ASK = Ask("c", "be short", (LOOK,), (Said("look at the head"),), 500)
WHO = Caller("worker-01", "worker", "gemv")
PATIENT = Patience(tries=4, waited_s=5.0, first_s=0.1)
STALL_S = 1.0
CANARY = "sk-canary-0123456789abcdef0123"


class Desk:
    """One wire behind a meter, with its campaign's rows."""

    def __init__(self, store: Store, wire: Wire, campaign: int) -> None:
        self.store, self.wire, self.campaign = store, wire, campaign
        self.said: list[str] = []
        self.failed = asyncio.Event()
        caps = [Cap("campaign", usd=1.0, tokens=1_000_000)]
        self.meter = Meter(store, Account(campaign), caps, Prices({wire.model: Price(2.0, 10.0)}), Secrets(), PATIENT)

    async def ask(self, ask: Ask = ASK) -> Turn:
        async def told(line: str) -> None:
            self.said.append(line)
            self.failed.set()

        return await self.meter.turn(self.wire, ask, WHO, told)

    @property
    def rows(self) -> tuple[CallView, ...]:
        return self.store.read_sync(lambda s: call_views.calls(s, self.campaign))


class WireContract:
    """Subclasses say which brain, and where the server is for it."""

    kind: str
    model: str
    wire: str

    def address(self, llmock: LLMock) -> str:
        return llmock.base_url(self.kind)

    @pytest.fixture(scope="class")
    def store(self, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
        with Store.open(tmp_path_factory.mktemp("home")) as store:
            yield store

    @pytest_asyncio.fixture
    async def desk(self, store: Store, llmock: LLMock, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Desk]:
        for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
            monkeypatch.setenv(name, CANARY)
        spec = Spec(self.kind, self.model, self.address(llmock), wire=self.wire, stall_s=STALL_S)
        spec = replace(spec, key_env={"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}[self.kind])
        wire = make(spec)
        number = store.write_sync(
            lambda s: campaigns.create(
                s, pack="p", pack_digest="d", target="t", fingerprint="f", kernels=["gemv"], seed=1
            )
        )
        store.write_sync(lambda s: agents.upsert_agent(s, number, WHO.agent, WHO.role))
        yield Desk(store, wire, number)
        await wire.close()

    async def test_an_answer_in_words_is_booked(self, desk: Desk, llmock: LLMock) -> None:
        llmock.reply("the head is fast")
        turn = await desk.ask()
        assert (turn.stop, turn.text, turn.calls) == (END, "the head is fast", ())
        (row,) = desk.rows
        assert (row.state, row.stop, row.retries, row.price) == ("done", END, 0, "own")
        assert (row.input_tokens, row.output_tokens) == (turn.usage.input, turn.usage.output)
        assert turn.usage.input > 0
        assert row.usd == pytest.approx((2.0 * turn.usage.input + 10.0 * turn.usage.output) / 1e6)

    async def test_a_tool_is_called_and_its_result_taken(self, desk: Desk, llmock: LLMock) -> None:
        llmock.call_tool("look", {"place": "head"}, text="first a look")
        turn = await desk.ask()
        assert (turn.stop, turn.text) == (TOOLS, "first a look")
        ((name, arguments),) = [(c.name, c.arguments) for c in turn.calls]
        assert (name, arguments) == ("look", {"place": "head"})
        results = Results((Result(turn.calls[0].id, "seen"),))
        await desk.ask(replace(ASK, items=(*ASK.items, Answered(turn.echo), results)))
        sent = json.dumps(llmock.last_request.body)
        assert turn.calls[0].id in sent
        assert "seen" in sent
        llmock.assert_resilient(strict=True)

    async def test_effort_and_limits_go_out(self, desk: Desk, llmock: LLMock) -> None:
        await desk.ask(replace(ASK, effort="high", max_tokens=777))
        sent = json.dumps(llmock.last_request.body)
        assert '"high"' in sent
        assert "777" in sent
        assert "be short" in sent

    async def test_two_tools_in_one_turn(self, desk: Desk, llmock: LLMock) -> None:
        from llmock.scenarios import ToolCall

        llmock.add(Reply(tool_calls=(ToolCall("look", {"place": "a"}), ToolCall("look", {"place": "b"}))))
        turn = await desk.ask()
        assert [c.arguments for c in turn.calls] == [{"place": "a"}, {"place": "b"}]
        assert len({c.id for c in turn.calls}) == 2

    async def test_a_rate_limit_is_waited_for_as_long_as_it_says(self, desk: Desk, llmock: LLMock) -> None:
        llmock.rate_limit(times=2, retry_after=0.4)
        started = time.monotonic()
        await desk.ask()
        assert time.monotonic() - started > 0.75
        (row,) = desk.rows
        assert (row.state, row.retries) == ("done", 2)
        assert len(desk.said) == 2
        llmock.assert_resilient(strict=True)

    async def test_those_who_share_a_provider_wait_together(self, desk: Desk, llmock: LLMock) -> None:
        llmock.rate_limit(times=1, retry_after=0.6)
        started = time.monotonic()
        first = asyncio.create_task(desk.ask())
        await asyncio.wait_for(desk.failed.wait(), 5.0)
        await desk.ask(replace(ASK, items=(Said("another"),)))
        assert time.monotonic() - started > 0.5
        await first
        llmock.assert_resilient(strict=True)

    @pytest.mark.parametrize("status", [500, 503, 529])
    async def test_trouble_of_the_server_passes(self, desk: Desk, llmock: LLMock, status: int) -> None:
        llmock.fail(status, times=1, retry_after=0.1)
        assert (await desk.ask()).stop in (END, TOOLS)
        llmock.assert_resilient(strict=True)

    @pytest.mark.parametrize("fault", ["truncate", "disconnect", "corrupt", "stall"])
    async def test_a_broken_stream_is_an_error_and_is_paid_for(self, desk: Desk, llmock: LLMock, fault: str) -> None:
        llmock.reply("a long answer in many words that is cut somewhere", times=None).pace(20)
        getattr(llmock, fault)(after_chunks=3)
        turn = await desk.ask()
        assert turn.text.endswith("cut somewhere")
        (row,) = desk.rows
        assert (row.state, row.retries) == ("done", 1)
        assert row.input_tokens > turn.usage.input
        llmock.assert_resilient(strict=True)

    async def test_a_broken_stream_again_and_again_ends(self, desk: Desk, llmock: LLMock) -> None:
        llmock.truncate(after_chunks=1, times=None)
        with pytest.raises(Final, match="tried 4 times") as failed:
            await desk.ask()
        assert failed.value.kind == "gave_up"
        (row,) = desk.rows
        assert (row.state, row.retries) == ("failed", 3)
        assert "ended before the answer did" in row.reason

    async def test_arguments_that_are_no_json_are_none(self, desk: Desk, llmock: LLMock) -> None:
        llmock.break_tool_call("malformed_arguments")
        turn = await desk.ask()
        assert [(c.name, c.arguments) for c in turn.calls] == [("look", None)]

    async def test_an_unknown_tool_comes_through(self, desk: Desk, llmock: LLMock) -> None:
        llmock.break_tool_call("unknown_tool")
        turn = await desk.ask()
        assert turn.calls[0].name not in ("", "look")

    @pytest.mark.parametrize(
        ("status", "code", "kind"),
        [(401, None, "key"), (404, None, "model"), (400, "context_length_exceeded", "too_long"), (400, None, "request"),
         (429, "insufficient_quota", "quota")],
    )  # fmt: skip
    async def test_what_cannot_work_is_not_tried_again(
        self, desk: Desk, llmock: LLMock, status: int, code: str | None, kind: str
    ) -> None:
        llmock.fail(status, times=None, code=code, message=f"no: {code or 'sorry'}, key {CANARY}")
        with pytest.raises(Final) as failed:
            await desk.ask()
        assert failed.value.kind == kind
        assert len(llmock.requests) == 1
        (row,) = desk.rows
        assert (row.state, row.usd) == ("failed", 0.0)

    async def test_a_cancel_ends_the_request_at_once_and_is_booked(self, desk: Desk, llmock: LLMock) -> None:
        llmock.reply("word " * 50)
        llmock.pace(400)
        task = asyncio.create_task(desk.ask())
        await asyncio.sleep(0.6)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - started < 1.0
        (row,) = desk.rows
        assert row.state == "cancelled"
        assert row.input_tokens > 0
        assert row.usd is not None
        assert row.usd > 0

    async def test_a_transcript_plays_again_bit_for_bit(self, desk: Desk, llmock: LLMock) -> None:
        from roles.brains.scripted import ScriptedWire

        llmock.call_tool("look", {"place": "head"})
        turn = await desk.ask()
        await desk.ask(replace(ASK, items=(*ASK.items, Answered(turn.echo), Results((Result(turn.calls[0].id, "x"),)))))
        replies = [row.reply for row in desk.rows]
        played = Desk(desk.store, ScriptedWire([desk.meter.transcripts.replies(replies)]), desk.campaign)
        again = await played.ask()
        await played.ask(replace(ASK, items=(*ASK.items, Answered(again.echo))))
        assert [row.reply for row in desk.rows[2:]] == replies
        assert desk.rows[0].request != desk.rows[1].request

    async def test_the_key_is_nowhere(self, desk: Desk, llmock: LLMock) -> None:
        llmock.reply(f"your key is {CANARY}")
        await desk.ask(replace(ASK, items=(Said(f"my key is {CANARY}"),)))
        llmock.fail(401, message=f"incorrect key {CANARY}")
        with pytest.raises(Final) as failed:
            await desk.ask()
        assert CANARY not in str(failed.value)
        files = [file for file in desk.store.home.rglob("*") if file.is_file()]
        assert len(files) > 5
        for file in files:
            assert CANARY.encode() not in file.read_bytes(), file
