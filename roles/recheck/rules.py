"""Legality rules under another toolchain: both forms of each that held before are planted again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

from kernels.device.building import build_under_lock
from knowledge.recheck import Finding, Record, of_rule, settle
from knowledge.rules.conclude import Outcome, conclude
from knowledge.rules.plant import Planted, plant
from knowledge.rules.rule import Rule, State
from knowledge.rules.run import is_healthy
from knowledge.rules.shipped import RuleFileError, shipped_rules, with_files
from roles.campaign import Campaign
from store import legality, rechecked, toolchain
from store.engine import Session
from store.toolchain import Change


async def recheck_rules(campaign: Campaign, change: Change) -> None:
    """One hold of the machine a rule. Nothing about runs is planted on an unhealthy device."""
    records = await campaign.store.read(lambda s: rechecked.due(s, change.id, "rule"))
    if records:
        await _plant_all(campaign, change, records)
    await campaign.store.write(lambda s: toolchain.say(s, change.id, "rule"))


async def _plant_all(campaign: Campaign, change: Change, records: Sequence[Record]) -> None:
    known = await campaign.store.read(lambda s: _known(s, campaign))
    folder = campaign.folder / "rules"
    healthy = await build_under_lock(campaign.device, "canary", partial(is_healthy, campaign.target, folder))
    for record in records:
        rule = known.get(record.name)
        if rule is None:
            gone = settle(record, Finding("fails", "there is no such rule any more"))
            await campaign.store.write(lambda s, g=gone: toolchain.settle(s, change.id, g))
            continue
        await _plant(campaign, change, record, replace(rule, state=cast("State", record.was)), folder, healthy)


def _known(s: Session, campaign: Campaign) -> Mapping[str, Rule]:
    """By key: those of every workspace of the home, each with what its own files say."""
    target = campaign.target.name
    rules = legality.every(s, target)
    of_files = [rule for where in sorted({rule.workspace for rule in rules}) for rule in _of_files(target, where)]
    return {rule.key: rule for rule in with_files(rules, of_files)}


def _of_files(target: str, workspace: str) -> list[Rule]:
    """A broken file of the user leaves the shipped ones as they are."""
    try:
        return shipped_rules(target, Path(workspace) if workspace else None)
    except RuleFileError:
        return shipped_rules(target)


async def _plant(campaign: Campaign, change: Change, record: Record, rule: Rule, folder: Path, healthy: bool) -> None:
    """rule: in the state that it had before it was marked."""
    job = partial(plant, rule, campaign.target, folder, healthy=healthy)
    planted: Planted = await build_under_lock(campaign.device, f"planting {rule.name}", job)
    after, outcome = conclude(rule, planted, change.present)

    def rows(s: Session) -> None:
        legality.record(s, after, outcome, planted.found, change.present)
        toolchain.settle(s, change.id, settle(record, _finding(outcome, after, planted)))

    await campaign.store.write(rows)


def _finding(outcome: Outcome, after: Rule, planted: Planted) -> Finding:
    return of_rule(outcome, after.state, planted.found)
