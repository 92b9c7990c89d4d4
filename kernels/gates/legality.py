"""Gate `legality`: refuses what a known rule of the target says cannot compile, before anything is built.

Only an exact form counts, of a rule that was verified by planting under the present toolchain; it is planted then, if
it was not yet. Everything else that looks forbidden is a finding: a wrong refusal is worse than a missed one.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from kernels.gates.base import Subject, passed, refused, skipped
from kernels.gates.forms.pattern import Bundle, Match, find_all
from kernels.levers.opencl_c.masked import masked
from kernels.values.verdict import GateName, GateReport

READ: Final[Mapping[str, Callable[[str], str]]] = {"c": str, "opencl": masked}
"""Languages, and what makes the grammar of C follow their sources."""
SHOWN = 300  # characters of a legal form that a reason quotes


@dataclass(frozen=True, slots=True)
class FormRule:
    """What the gate has to know of a rule. doubt: why a match need not fail, "" for an exact form."""

    name: str
    statement: str
    legal: str
    diagnostic: str
    query: str
    doubt: str = ""


class RuleBook(Protocol):
    """The rules about compiling of a target."""

    def rules(self) -> Sequence[FormRule]:
        """May block."""
        ...

    async def holds(self, rule: FormRule) -> bool:
        """Whether the present compiler refuses its form; it is asked when that is not known."""
        ...


class LegalityGate:
    name: GateName = "legality"

    def __init__(self, book: RuleBook, target: str, *, on: bool = True) -> None:
        self._book = book
        self._target = target
        self._on = on

    async def examine(self, subject: Subject) -> GateReport:
        if not self._on:
            return skipped("legality", "rules are off in the settings of this campaign")
        rules = await asyncio.to_thread(self._book.rules)
        if not rules:
            return skipped("legality", f"no legality rule of target {self._target} is known")
        if subject.candidate.language not in READ:
            return skipped("legality", f"no grammar for language {subject.candidate.language!r}")
        found = await asyncio.to_thread(find_all, [rule.query for rule in rules], _bundle(subject))
        findings: list[str] = []
        for rule, matches in zip(rules, found, strict=True):
            certain = next((m for m in matches if not (m.doubt or rule.doubt)), None)
            if certain is not None and await self._book.holds(rule):
                return _refusal(subject, rule, certain, findings)
            findings += [_finding(rule, m) for m in matches[:1]]
        return passed("legality", *findings, rules=len(rules))


def _bundle(subject: Subject) -> Bundle:
    candidate, spec = subject.candidate, subject.spec
    read = READ[candidate.language]
    others = {name: read(text) for name, text in candidate.files.items() if name != candidate.main}
    return Bundle(read(candidate.source), others, (*spec.flags, *candidate.flags), spec.headers)


def _refusal(subject: Subject, rule: FormRule, match: Match, findings: Sequence[str]) -> GateReport:
    reason = f"{subject.candidate.main} line {match.line}: {rule.statement} (the compiler says: {rule.diagnostic})"
    legal = " ".join(rule.legal.split())
    if len(legal) <= SHOWN and "#" not in legal:
        reason += f"; legal is, for example: {legal}"
    return refused(
        "legality", "forbidden_form", reason, *findings, rule=rule.name, line=match.line, form=match.text[:200],
        legal=rule.legal, diagnostic=rule.diagnostic,
    )  # fmt: skip


def _finding(rule: FormRule, match: Match) -> str:
    why = match.doubt or rule.doubt or "this compiler takes it"
    return f"line {match.line} looks like what rule {rule.name} forbids: {rule.statement}; not refused: {why}"
