"""Tools that keep something: a win or a trap for everybody, and the end of the brief."""

from knowledge.memory import Conclusion, Retention
from roles.tools.arguments import Finish, Remember
from roles.tools.workbench import FAMILY, ToolFailed, Workbench
from store import memory


async def remember(bench: Workbench, asked: Remember) -> str:
    """A win needs a promotion in this brief: nothing is claimed that was not measured."""
    refuse_unkept(bench.campaign.policy.memory, asked)
    kept = [r for r in bench.results if r.outcome == "KEEP"]
    if asked.kind == "win" and not kept:
        raise ToolFailed("a win is written after a promotion of this brief; write a trap, or submit first")
    last = bench.results[-1] if bench.results else None
    gain = kept[-1].gain if kept and asked.kind == "win" else (last.gain if last else None)
    kind = bench.state.character.type
    found = Conclusion(asked.kind, kind, FAMILY, asked.strategy, asked.reflection, gain or 0.0)
    campaign = bench.campaign
    await campaign.store.write(
        lambda s: memory.remember(s, found, campaign.policy.memory, kernel=bench.kernel, campaign_id=campaign.id)
    )
    return f"{asked.kind} noted"


def refuse_unkept(retention: Retention, asked: Remember) -> None:
    """Raises: ToolFailed for what this campaign would not keep, or not whole."""
    if not retention.on:
        raise ToolFailed("memory is off in this campaign: nothing is kept")
    if over := retention.too_long(asked.strategy, asked.reflection):
        raise ToolFailed(f"{over}; nothing was kept: say it shorter")


async def finish(bench: Workbench, asked: Finish) -> str:
    bench.finished = asked.summary
    return "the brief is closed"
