"""kill -9 of a whole engine while its models answer: no request is lost, none is repeated unseen, money adds up."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from store import call_views, campaigns, llm_calls
from store.call_views import CallView
from store.engine import Store
from store.errors import StoreError
from store.llm_calls import Account, Committed
from tests.end_to_end import many_agents as many
from tests.end_to_end.conftest import ROOT, command, environment

PATIENCE_S = 600.0
DONE = 6
pytestmark = [pytest.mark.device, pytest.mark.long, pytest.mark.timeout(4 * PATIENCE_S)]
WORDS = ("run", "--headless", "--yes", "--display", "none", "--pack", "axpy_gemv", "--kernel", "gemv", "--seed", "5")


def start(home: Path) -> "subprocess.Popen[bytes]":
    with (home / "stderr.txt").open("ab") as log:
        return subprocess.Popen(
            command(*WORDS), cwd=ROOT, env=environment(home), stdout=log, stderr=log, start_new_session=True
        )


def rows(home: Path) -> tuple[CallView, ...]:
    """As they stand in the file; () before there is a campaign."""
    try:
        with Store.open(home, read_only=True) as store:
            row = store.read_sync(campaigns.latest)
            number = None if row is None else row.id
            return () if number is None else store.read_sync(lambda s: call_views.calls(s, number))
    except StoreError:
        return ()


def until(engine: "subprocess.Popen[bytes]", home: Path, holds: Callable[[tuple[CallView, ...]], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds(rows(home)):
        assert engine.poll() is None and time.monotonic() < end, (home / "stderr.txt").read_text()[-2000:]
        time.sleep(0.05)


def count(calls: tuple[CallView, ...], state: str) -> int:
    return sum(call.state == state for call in calls)


def test_a_kill_in_the_middle_of_requests_loses_none_and_repeats_none(tmp_path: Path, cli: Callable[..., Any]) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with many.serving(tmp_path / "llmock.log", "--latency-ms", "1500") as server:
        (home / "kernelwright.toml").write_text(many.settings_text(server, workers=4))
        engine = start(home)
        try:
            until(engine, home, lambda calls: count(calls, "done") >= DONE and count(calls, "open") >= 2)
            os.kill(engine.pid, signal.SIGKILL)
            assert engine.wait() == -signal.SIGKILL
            time.sleep(2.0)  # what was on its way reaches the server
            before, sent_before = rows(home), len(server.posts)
            engine = start(home)
            until(engine, home, lambda calls: count(calls[len(before) :], "done") >= DONE)
            assert cli("stop", "--now", raw=True).returncode == 0
            assert engine.wait(timeout=PATIENCE_S) == 0
        finally:
            engine.kill()
            engine.wait()
        after, account = rows(home), many.account(home, server)
        _said_as_cut(before, after)
        _fits(after[len(before) :], len(server.posts) - sent_before)
        _fits(before, sent_before)
        assert account.booked <= account.replies <= account.booked + account.cancelled + count(after, "cut")
    _adds_up(home, after, json.loads(cli("calls", "--json", raw=True).stdout))


def _said_as_cut(before: tuple[CallView, ...], after: tuple[CallView, ...]) -> None:
    """What was open is cut and says that it may have been paid; all else is as it was."""
    was = {call.id: call for call in before}
    for call in after[: len(before)]:
        if was[call.id].state == "open":
            assert (call.state, call.label) == ("cut", "cut, may have been paid")
            assert "the engine ended before the answer was whole" in call.reason
        else:
            assert call == was[call.id]
    assert count(after, "open") == 0
    assert count(after, "cut") == count(before, "open") >= 2


def _fits(calls: tuple[CallView, ...], posts: int) -> None:
    """Requests at the server while one engine ran: every row that ended was sent, and nothing that has no row. One that
    was open or cancelled may not have come."""
    tries = sum(1 + call.retries for call in calls)
    may_be_less = sum(1 + call.retries for call in calls if call.state in ("open", "cut", "cancelled"))
    retried = sum(call.retries for call in calls)
    assert tries - may_be_less - retried <= posts <= tries, (posts, tries, may_be_less)


def _adds_up(home: Path, calls: tuple[CallView, ...], told: dict[str, Any]) -> None:
    """Done by what it cost, cut by what was reserved for it: in the account of limits and in what `calls` tells."""
    spent = sum(call.usd or 0.0 for call in calls if call.state != "cut")
    reserved = sum(call.reserved_usd or 0.0 for call in calls if call.state == "cut")
    assert spent > 0 and reserved > 0
    with Store.open(home, read_only=True) as store:
        found: Committed = store.read_sync(lambda s: llm_calls.committed(s, Account(1)))
    assert (found.usd, found.calls, found.open_usd) == (pytest.approx(spent + reserved), len(calls), 0.0)
    assert [call["state"] for call in told["calls"]] == [call.state for call in calls]
