"""Hands a request to the engine that owns this home, as a row of its command table, and waits for the answer."""

import getpass
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.settings import MissingError, UsageError
from app.verdict.asked import Asked
from store import campaigns, commands
from store.campaigns import NOT_RUN
from store.engine import Store
from store.lock import engine_owner

POLL_S = 0.2
ANSWERED = ("done", "refused", "interrupted")


@dataclass(frozen=True, slots=True)
class Live:
    """The campaign that a live engine of this home runs."""

    campaign: int
    pack: str
    target: str
    fingerprint: str
    rule: str
    flat_within: float


def live_engine(store: Store) -> Live | None:
    """None when no engine has a campaign in this home."""
    if engine_owner(store.home) is None:
        return None
    row = store.read_sync(campaigns.latest)
    if row is None or row.brain in NOT_RUN:
        return None
    options = row.options
    return Live(
        row.id, row.pack, row.target, row.fingerprint, options.get("rule", "paired"), options.get("flat_within", 0.005)
    )


def refuse_other(live: Live, asked: Asked) -> None:
    """The live engine has one pack, one target and one rule. Raises: UsageError when something else is asked."""
    todo = "stop it with ./run.sh stop, or use another --home"
    if (live.pack, live.target) != (asked.pack.name, asked.settings.target):
        wanted = f"{asked.pack.name} on {asked.settings.target}"
        raise UsageError(f"asked for {wanted}: the engine in this home runs {live.pack} on {live.target}; {todo}")
    if asked.rule_given and live.rule != asked.settings.rule:
        raise UsageError(f"asked for rule {asked.settings.rule}: the engine judges by {live.rule}; {todo}")


def ask(store: Store, verb: str, kernel: str, args: Mapping[str, Any], poll: Callable[[], None]) -> tuple[str, str]:
    """(state, result) of the command; `poll` is called while it runs. Raises: MissingError when the engine ends."""
    actor = f"{getpass.getuser()}@cli"
    number = store.write_sync(lambda s: commands.enqueue(s, actor, verb, kernel, args))
    while True:
        row = store.read_sync(lambda s: commands.get(s, number))
        poll()
        if row.state in ANSWERED:
            return row.state, row.result
        if engine_owner(store.home) is None:
            raise MissingError(f"{verb} {kernel}: the engine ended before it answered command {number}; run it again")
        time.sleep(POLL_S)


def json_or_text(result: str) -> Any:
    """The answer of a command; a text that is no JSON, as a refusal is, stays a text."""
    try:
        return json.loads(result)
    except json.JSONDecodeError:
        return result
