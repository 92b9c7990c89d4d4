"""Turns on a kernel: first come first, and whoever may go ahead of all that wait."""

import asyncio

import pytest

from roles.turns import Turns


async def waiting(turns: Turns, said: list[str], *names: str) -> list["asyncio.Task[None]"]:
    """Tasks that take a turn each; a name that begins with `!` goes ahead."""

    async def take(name: str) -> None:
        async with turns.ahead() if name.startswith("!") else turns:
            said.append(name)
            await asyncio.sleep(0)

    tasks: list[asyncio.Task[None]] = []
    for name in names:
        tasks.append(asyncio.create_task(take(name)))
        await asyncio.sleep(0)
    return tasks


async def test_who_goes_ahead_is_next_and_the_others_keep_their_order() -> None:
    turns, said = Turns(), list[str]()
    async with turns:
        tasks = await waiting(turns, said, "a", "b", "!first", "c", "!second")
        assert said == []
        assert turns.locked()
    await asyncio.gather(*tasks)
    assert said == ["!first", "!second", "a", "b", "c"]
    assert not turns.locked()


async def test_who_no_longer_waits_to_go_ahead_keeps_nobody_waiting() -> None:
    turns, said = Turns(), list[str]()
    async with turns:
        ahead, behind = await waiting(turns, said, "!first", "a")
        ahead.cancel()
        await asyncio.sleep(0)
    await behind
    assert said == ["a"]
    with pytest.raises(asyncio.CancelledError):
        await ahead
