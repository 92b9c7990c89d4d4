"""The rules that gate `legality` asks: those that ship and those of the home, planted when one is first met."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import gettempdir

from kernels.device.building import Host, build_under_lock
from kernels.gates.legality import FormRule
from kernels.targets.base import Target
from knowledge.rules.conclude import Outcome, conclude
from knowledge.rules.plant import Planted, plant
from knowledge.rules.rule import Rule
from knowledge.rules.shipped import shipped_rules, with_files
from store import legality
from store.engine import Session, Store

Keep = Callable[[Rule, Outcome, Planted], None]


class Book:
    """What is known of a target's compiler; a rule's state changes when it is planted. load: the rules, once, when they
    are first asked for; keep: called with each planting. Made by `book_of`.
    """

    def __init__(
        self, load: Callable[[], Sequence[Rule]], target: Target, host: Host, keep: Keep | None = None
    ) -> None:
        self._load = load
        self._rules: dict[str, Rule] | None = None
        self._target = target
        self._host = host
        self._keep = keep
        self._loading = threading.Lock()
        self._planting = asyncio.Lock()

    def rules(self) -> Sequence[FormRule]:
        """Blocks the first time. Raises: RuleFileError, StoreError."""
        return [_form(rule) for rule in self._known().values()]

    def _known(self) -> dict[str, Rule]:
        with self._loading:
            if self._rules is None:
                self._rules = {rule.name: rule for rule in self._load() if _usable(rule)}
            return self._rules

    async def holds(self, rule: FormRule) -> bool:
        """Plants it once under a toolchain."""
        async with self._planting:
            known = self._known()[rule.name]
            if known.fingerprint != self._target.fingerprint.id:
                known = await self._planted(known)
        return known.state == "verified"

    async def _planted(self, rule: Rule) -> Rule:
        job = partial(plant, rule, self._target, Path(gettempdir()))
        planted = await build_under_lock(self._host, f"planting {rule.name}", job)
        fingerprint = self._target.fingerprint.id
        known, outcome = conclude(rule, planted, fingerprint)
        tried = replace(known, fingerprint=fingerprint)
        self._known()[rule.name] = tried
        if self._keep is not None:
            await asyncio.to_thread(self._keep, known, outcome, planted)
        return tried


def _usable(rule: Rule) -> bool:
    return rule.kind == "compile_error" and rule.pattern is not None and rule.state != "retired"


def _form(rule: Rule) -> FormRule:
    assert rule.pattern is not None
    doubt = rule.pattern.doubt or ("it needs flags" if rule.flags else "")
    return FormRule(rule.name, rule.statement, rule.legal, rule.diagnostic, rule.pattern.query, doubt)


def book_of(target: Target, host: Host, store: Store | None = None, workspace: Path | None = None) -> Book:
    """With a store, what is known there counts and what is found is kept. workspace: whose rules count too."""
    if store is None:
        return Book(lambda: shipped_rules(target.name, workspace), target, host)

    def load() -> list[Rule]:
        shipped = shipped_rules(target.name, workspace)
        return with_files(store.write_sync(lambda s: _known(s, target, shipped, workspace)), shipped)

    def keep(rule: Rule, outcome: Outcome, planted: Planted) -> None:
        store.write_sync(lambda s: legality.record(s, rule, outcome, planted.found, target.fingerprint.id))

    return Book(load, target, host, keep)


def _known(s: Session, target: Target, shipped: Sequence[Rule], workspace: Path | None) -> list[Rule]:
    legality.from_files(s, target.name, shipped, workspace)
    legality.mark_stale(s, target.name, target.fingerprint.id)
    return legality.rules_of(s, target.name, workspace)
