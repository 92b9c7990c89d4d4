"""Parts of what a model is told of a kernel, as text: what stays the same comes first in every prompt, so that a
provider's cache of it holds."""

from collections.abc import Sequence

from kernels.values.params import params_text
from knowledge.cheatsheet import BAN, topic_of
from knowledge.skills import playbook
from roles.brains.base import Situation, Tried
from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.tools.reading import contract_of, learned
from store import designs, notebook, reads
from store.engine import Session

SHEET_CHARACTERS = SKILL_CHARACTERS = 3000
FAILED_LINES, NOTES, LESSONS = 24, 12, 12


def contract(campaign: Campaign, kernel: str) -> str:
    """The same text for as long as the pack and the machine are the same."""
    return contract_of(campaign.kernels[kernel].spec, campaign.target.machine, campaign.target.name)


async def sheet(campaign: Campaign, role: str, kernel: str = "") -> str:
    """The ban on folds, and what is known of the target for this role; the ban alone where knowledge is off."""
    if not campaign.policy.sheet:
        return BAN
    topic, rules = topic_of(campaign.kernels[kernel].spec) if kernel else "", campaign.policy.rules
    name, size, where = campaign.target.name, SHEET_CHARACTERS, campaign.workspace
    return await campaign.store.read(
        lambda s: reads.target_sheet(s, name, role=role, topic=topic, size=size, rules=rules, workspace=where)
    )


def skills(campaign: Campaign, kernel: str) -> str:
    """Those that speak for this type of kernel."""
    return playbook.brief(campaign.skills(kernel), SKILL_CHARACTERS)


def figures(state: KernelState) -> str:
    """`gemv: head 812.0 us, 3.1 times peak, 5 attempts since the last promotion`."""
    peak = f", {state.head.ns / state.peak_ns:.2f} times peak" if state.peak_ns is not None else ", peak not measured"
    return (
        f"{state.spec.name}: head {state.head.ns / 1e3:.1f} us{peak}, {state.plateau} attempts since the last promotion"
    )


def history(s: Session, campaign: Campaign, kernel: str) -> dict[str, str]:
    """What every prompt on a kernel says of its past."""
    state = campaign.kernels[kernel]
    line = lineage(s, state) if campaign.policy.leaderboard else "not told in this campaign"
    return {
        "lineage": line, "lessons": lessons(s, campaign, kernel), "notes": notes(s, campaign, kernel),
    }  # fmt: skip


def lineage(s: Session, state: KernelState) -> str:
    """From the baseline down to the head, one step a line."""
    steps = [designs.get_node(s, node) for node in designs.lineage(s, state.head.node_id)]
    return "\n".join(f"- {n.title}{f', {n.gain:+.1%}' if n.gain is not None and n.outcome else ''}" for n in steps)


def failed(situation: Situation) -> str:
    """What did not become the head under the present one, newest first; "" where that is not told."""
    if not situation.leaderboard:
        return ""
    head = situation.head.id
    lines = [_tried(t) for t in reversed(situation.tried) if t.under_parent == head and t.outcome != "KEEP"]
    return "\n".join(_cut(lines, FAILED_LINES))


def lessons(s: Session, campaign: Campaign, kernel: str) -> str:
    """Wins and traps of this kernel, then of the others of the pack."""
    return "\n".join(_cut([f"- {line}" for line in learned(s, campaign, kernel)], LESSONS))


def notes(s: Session, campaign: Campaign, kernel: str) -> str:
    """The newest of the owner's notebook, oldest of them first."""
    return "\n".join(f"- {note.text}" for note in notebook.notes(s, campaign.id, kernel, limit=NOTES))


def _tried(one: Tried) -> str:
    gain = "" if one.gain is None else f" {one.gain:+.1%}"
    params = params_text(one.params)
    return f"- {one.lever} {params}".rstrip() + f" -> {one.outcome} {one.verdict}{gain}".rstrip()


def _cut(lines: Sequence[str], kept: int) -> list[str]:
    return [*lines[:kept], *([f"... and {len(lines) - kept} more"] if len(lines) > kept else [])]
