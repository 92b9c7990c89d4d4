"""The cheat sheet after a change: agents are told what holds now from their next prompt on; this says how much."""

from collections import Counter

from knowledge.cheatsheet import DEFAULT, MARKS, sheet
from roles.campaign import Campaign
from store import events, reads, toolchain
from store.engine import Session
from store.toolchain import Change


async def tell_sheet(campaign: Campaign, change: Change) -> None:
    """One event; nothing where nothing is known or told."""
    if not campaign.policy.sheet:
        return

    def rows(s: Session) -> None:
        entries = reads.sheet_entries(s, change.target, campaign.workspace)
        made = sheet(change.target, entries, size=DEFAULT)
        states = Counter(one.state for one in made.entries)
        told = ", ".join(f"{states[state]} {mark}" for state, mark in MARKS.items() if states[state])
        if entries:
            text = f"new cheat sheet of {len(made.entries)} statements: {told}; left out: {made.left_out}"
            toolchain.note(s, change.id, text)
            events.append(s, campaign.id, "cheat_sheet", change.target, text, change=change.id, states=dict(states))

    await campaign.store.write(rows)
