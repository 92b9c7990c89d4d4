"""Chip facts under another toolchain: measured again as far as the time for it goes; the rest stays stale."""

import time
from collections.abc import Mapping
from functools import partial

from kernels.device.building import build_under_lock
from knowledge.facts import ChipFact, Outcome, measure_one
from knowledge.probes.catalogue import definitions
from knowledge.probes.definition import Definition, ProbeError
from knowledge.probes.readings import Spread
from knowledge.recheck import Finding, Record, of_fact, settle
from roles.campaign import Campaign
from store import chip_facts, rechecked, toolchain
from store.engine import Session
from store.toolchain import Change

READINGS = 3
"""Of each fact: enough for a median; `knowledge facts --measure` takes seven."""


async def recheck_facts(campaign: Campaign, change: Change) -> None:
    """In the order of the catalogue, until `policy.recheck_facts_s` are over; which facts were left is noted."""
    records = await campaign.store.read(lambda s: rechecked.due(s, change.id, "fact"))
    known, until = _definitions(campaign), time.monotonic() + campaign.policy.recheck_facts_s
    for record in records:
        finding, fact = await _tried(campaign, record, known, until)
        await campaign.store.write(partial(_keep, change=change, record=record, finding=finding, fact=fact))
    await campaign.store.write(partial(_say, change=change))


def _say(s: Session, change: Change) -> None:
    """Of all that were tried under this change, by an engine that ended in the middle as well."""
    outcomes = rechecked.outcomes(s, change.id, "fact")
    if not outcomes:
        return
    left = [name for name, outcome in outcomes.items() if outcome == "carried_over"]
    text = f"measured anew with {READINGS} readings each: {len(outcomes) - len(left)}"
    text += f"; left: {', '.join(left)}" if left else ""
    toolchain.note(s, change.id, f"facts {text}")
    toolchain.say(s, change.id, "fact", text)


def _definitions(campaign: Campaign) -> Mapping[str, Definition]:
    """A broken file of the user leaves the shipped ones as they are."""
    try:
        found = definitions(campaign.target.name, campaign.workspace)
    except ProbeError:
        found = definitions(campaign.target.name)
    return {one.name: one for one in found}


async def _tried(
    campaign: Campaign, record: Record, known: Mapping[str, Definition], until: float
) -> tuple[Finding, ChipFact | None]:
    definition = known.get(record.name)
    if definition is None:
        return Finding("fails", "there is no such probe any more"), None
    if time.monotonic() >= until:
        return Finding("not_tried", f"no time left of {campaign.policy.recheck_facts_s:g} s"), None
    former = await campaign.store.read(lambda s: chip_facts.newest(s, campaign.target.name, record.name))
    job = partial(measure_one, definition, campaign.target, campaign.folder / "probes", READINGS)
    outcome: Outcome = await build_under_lock(campaign.device, f"measuring {record.name}", job)
    if not isinstance(outcome, ChipFact):
        return Finding("fails" if outcome.lacks else "not_tried", outcome.why), None
    return of_fact(Spread(former.value, former.low, former.high), outcome.spread, outcome.unit), outcome


def _keep(s: Session, *, change: Change, record: Record, finding: Finding, fact: ChipFact | None) -> None:
    if fact is not None:
        chip_facts.keep(s, fact)
    toolchain.settle(s, change.id, settle(record, finding))
