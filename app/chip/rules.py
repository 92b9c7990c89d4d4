"""Legality rules of a target: listed, planted, mined from what the compiler refused in this home."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from app.settings import UsageError
from app.text import table
from kernels.targets.base import Target
from kernels.targets.registry import made, plugins
from knowledge.holding import one_by_one
from knowledge.rules.conclude import OUTCOMES, Outcome, conclude
from knowledge.rules.plant import Planted, plant
from knowledge.rules.rule import Rule
from knowledge.rules.run import is_healthy
from knowledge.rules.shipped import shipped_rules, with_files
from store import legality
from store.engine import DATABASE, Store

Say = Callable[[str], None]
Told = dict[str, Any]


def known(home: Path, target: Target, workspace: Path) -> list[Rule]:
    """Rules of the home, with those that ship; those verified under another toolchain are stale.

    Raises: RuleFileError.
    """
    shipped = shipped_rules(target.name, workspace)
    if not (home / DATABASE).is_file():
        return shipped
    with Store.open(home) as store:
        return taken_over(store, target, shipped, workspace)


def taken_over(store: Store, target: Target, shipped: Sequence[Rule], workspace: Path) -> list[Rule]:
    store.write_sync(lambda s: legality.from_files(s, target.name, shipped, workspace))
    store.write_sync(lambda s: legality.mark_stale(s, target.name, target.fingerprint.id))
    return with_files(store.read_sync(lambda s: legality.rules_of(s, target.name, workspace)), shipped)


def verified(
    home: Path, target: Target, workspace: Path, names: Sequence[str], say: Say, *, again: bool = False
) -> Mapping[Outcome, int]:
    """Plant what does not hold under the present toolchain yet; again: all. Returns how often each outcome came.

    Raises: UsageError, RuleFileError.
    """
    shipped = shipped_rules(target.name, workspace)
    with Store.open(home) as store:
        rules = _wanted(taken_over(store, target, shipped, workspace), names)
        due = [rule for rule in rules if again or is_due(rule, target.fingerprint.id)]
        return asyncio.run(plant_all(store, target, due, home / "cache" / "rules", say))


def rechecked(
    home: Path, wanted: str | None, workspace: Path, say: Say, compiler: str = ""
) -> dict[str, Mapping[Outcome, int]]:
    """Plant what held under another toolchain, of one target or of all that rules were planted for; by target how often
    each outcome came. Raises: TargetError, RuleFileError."""
    if not (home / DATABASE).is_file():
        return {}
    counts: dict[str, Mapping[Outcome, int]] = {}
    with Store.open(home) as store:
        for name in store.read_sync(legality.checked_targets):
            plugin = plugins(workspace).get(name)
            if plugin is None or name != (wanted or name):
                continue
            target = made(plugin, home / "cache", compiler if plugin.make_with is not None else "")
            rules = taken_over(store, target, shipped_rules(name, workspace), workspace)
            due = [rule for rule in rules if rule.fingerprint and is_due(rule, target.fingerprint.id)]
            counts[name] = asyncio.run(plant_all(store, target, due, home / "cache" / "rules", say))
    return counts


def is_due(rule: Rule, fingerprint: str) -> bool:
    if legality.is_without_file(rule):
        return False
    return rule.fingerprint != fingerprint or rule.state in ("documented", "stale", "carried_over")


async def plant_all(
    store: Store, target: Target, rules: Sequence[Rule], folder: Path, say: Say
) -> Mapping[Outcome, int]:
    """The machine is held for four seconds at a time. Runs need a canary first."""
    counts, fingerprint = Counter[Outcome](), target.fingerprint.id
    health: list[bool] = []

    def work(rule: Rule) -> Planted:
        if rule.about_a_run and not health:
            health.append(is_healthy(target, folder))
        return plant(rule, target, folder, healthy=all(health))

    async for rule, planted in one_by_one(target.name, "planting rules", rules, work):
        after, outcome = conclude(rule, planted, fingerprint)
        await store.write(partial(legality.record, rule=after, outcome=outcome, found=planted.found, under=fingerprint))
        counts[outcome] += 1
        say(f"  {rule.name:<28} {outcome.replace('_', ' ')}: {planted.found}")
    return counts


def _wanted(rules: Sequence[Rule], names: Sequence[str]) -> list[Rule]:
    unknown = sorted(set(names) - {rule.name for rule in rules})
    if unknown:
        raise UsageError(
            f"rules {', '.join(unknown)}: there are none of that name; ./run.sh knowledge rules lists them"
        )
    return [rule for rule in rules if not names or rule.name in names]


def told(rule: Rule) -> Told:
    pattern = None
    if rule.pattern is not None:
        pattern = {"query": rule.pattern.query, "exact": not rule.pattern.doubt, "doubt": rule.pattern.doubt}
    return {
        "name": rule.name, "kind": rule.kind, "statement": rule.statement, "state": rule.state,
        "fingerprint": rule.fingerprint, "forbidden": rule.forbidden, "legal": rule.legal, "flags": list(rule.flags),
        "diagnostic": rule.diagnostic, "pattern": pattern, "origin": rule.origin,
        "workspace": rule.workspace,
        "evidence": [dict(one) for one in rule.evidence],
    }  # fmt: skip


def counted(counts: Mapping[Outcome, int]) -> str:
    said = [f"{counts[one]} {one.replace('_', ' ')}" for one in OUTCOMES if one in counts]
    return ", ".join(said) or "nothing to do"


def states(rules: Sequence[Rule]) -> dict[str, int]:
    return dict(Counter(rule.state for rule in rules))


def text(rules: Sequence[Rule], target: Target) -> str:
    if not rules:
        return f"no legality rule of {target.name} is known"
    due = sum(is_due(rule, target.fingerprint.id) for rule in rules)
    more = f"\n{due} not checked under this toolchain: ./run.sh knowledge rules --verify" if due else ""
    return listed(rules) + more


def listed(rules: Sequence[Rule]) -> str:
    rows = [[rule.name, rule.kind.replace("_", " "), _state(rule), rule.statement] for rule in rules]
    return table(("rule", "kind", "state", "what"), rows)


def one_text(rule: Rule) -> str:
    """Everything of one rule."""
    whose = f"of {rule.workspace}" if rule.workspace else rule.origin
    parts = [
        f"{rule.name}: {rule.statement}",
        f"{rule.kind.replace('_', ' ')}, {_state(rule)}; {whose}",
    ]  # fmt: skip
    if rule.has_forms:
        parts += [f"forbidden{_flags(rule)}:\n{_indented(rule.forbidden)}", f"legal:\n{_indented(rule.legal)}"]
    if rule.diagnostic:
        parts.append(f"the compiler says: {rule.diagnostic}")
    return "\n".join([*parts, *(f"evidence: {one.get('text', one)}" for one in rule.evidence)])


def _state(rule: Rule) -> str:
    return "documented, not verified" if rule.state == "documented" else rule.state.replace("_", " ")


def _flags(rule: Rule) -> str:
    return f" with {' '.join(rule.flags)}" if rule.flags else ""


def _indented(source: str) -> str:
    return "\n".join(f"    {line}" for line in source.strip().splitlines())
