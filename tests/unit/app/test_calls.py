"""`calls` and `status` say what models cost, and what a crash may have cost."""

import json
from pathlib import Path

import pytest

from app.cli import run
from store import agents, campaigns, llm_calls
from store.engine import Store
from store.llm_calls import Account, Asked, Ended


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KERNELWRIGHT_HOME", str(tmp_path))
    with Store.open(tmp_path) as store:
        number = store.write_sync(
            lambda s: campaigns.create(
                s,
                pack="p",
                pack_digest="d",
                target="t",
                fingerprint="f",
                kernels=["gemv"],
                brain="anthropic:m",
                usd=10.0,
            )
        )
        store.write_sync(lambda s: agents.upsert_agent(s, number, "worker-01", "worker"))
        asked = Asked("worker-01", "worker", "gemv", "anthropic", "m", 5000, 0.4, "own")
        for _ in range(2):
            call = store.write_sync(lambda s: llm_calls.start(s, Account(number), asked, ()))
        ended = Ended("done", 1200, 0, 0, 300, 0.05, "tool_use", seconds=2.0)
        store.write_sync(lambda s: llm_calls.end(s, call, ended))
        store.write_sync(lambda s: campaigns.reconcile(s, number))
    return tmp_path


def test_calls_are_listed_with_their_end(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calls"]) == 0
    out = capsys.readouterr().out
    assert "cut, may have been paid" in out
    assert "tool_use" in out
    assert "models: $0.45 of $10 and 6,500 tokens spent or reserved" in out
    assert "anthropic m: 2 requests, 1,200 tokens in, 300 out, $0.05; 1 cut, may have been paid" in out
    assert "(up to $0.40, 5,000 tokens)" in out


def test_status_has_what_models_cost(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["status", "--json"]) == 0
    models = json.loads(capsys.readouterr().out)["models"]
    assert (models["committed_usd"], models["limits"]) == (pytest.approx(0.45), {"usd": 10.0, "tokens": 0})
    assert models["by_model"][0]["cut"] == 1
    assert run(["status"]) == 0
    assert "1 cut, may have been paid" in capsys.readouterr().out


def test_answers_are_written_as_a_script_that_plays(home: Path, tmp_path: Path) -> None:
    from roles.brains.scripted import ScriptedWire
    from roles.brains.talk import END, Turn

    turn = Turn(END, "done", (), {"role": "assistant", "content": "done"})
    with Store.open(home) as store:
        asked = Asked("worker-01", "worker", "gemv", "anthropic", "m", 10, 0.0, "own", brief_id=7)
        reply = store.artefacts.put_text(turn.to_json()).hash
        call = store.write_sync(lambda s: llm_calls.start(s, Account(1), asked, ()))
        store.write_sync(lambda s: llm_calls.end(s, call, Ended("done", reply=reply)))
    assert run(["calls", "--script", str(tmp_path / "played.json")]) == 0
    wire = ScriptedWire.from_file(tmp_path / "played.json")
    assert wire.left == [[], [turn]]


def test_what_is_open_without_an_engine_was_cut(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked("worker-01", "worker", "gemv", "anthropic", "m", 10, 0.1, "own")
    with Store.open(home) as store:
        store.write_sync(lambda s: llm_calls.start(s, Account(1), asked, ()))
    assert run(["calls"]) == 0
    out = capsys.readouterr().out
    assert "waits for the answer" not in out
    assert "2 cut, may have been paid (up to $0.50, 5,010 tokens)" in out
