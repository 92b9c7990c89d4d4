"""A signal asks work to end; a second one is the system's."""

import asyncio
import os
import signal

import pytest

from app.interrupting import SIGNALS, first_sets, run_askable


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_asks_and_the_second_would_kill(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")

    async def work(asked: asyncio.Event) -> tuple[object, ...]:
        os.kill(os.getpid(), number)
        await asked.wait()
        return tuple(signal.getsignal(each) for each in SIGNALS)

    assert run_askable(work) == (signal.default_int_handler, signal.SIG_DFL)


async def test_nothing_is_asked_after_it_was_let_go() -> None:
    asked = asyncio.Event()
    let_go = first_sets(asked, signal.SIGUSR1)
    let_go()
    assert signal.getsignal(signal.SIGUSR1) is signal.SIG_DFL
    assert not asked.is_set()
