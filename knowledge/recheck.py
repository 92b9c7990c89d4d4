"""What a check under another toolchain makes of a record: one word for what became of it, and its new state. Pure.

A new fingerprint marks every record of a target stale. Each is then tried again, once, and has one of four outcomes:
re-verified, rewritten, retired, or carried over unverified. Source: arXiv 2610.38329, upkeep of target knowledge.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kernels.values.numbers import significant
from knowledge.probes.readings import Spread

Kind = Literal["claim", "fact", "rule", "head", "filing", "memory"]
Outcome = Literal["re_verified", "rewritten", "retired", "carried_over"]
Answer = Literal["holds", "changed", "fails", "not_tried"]
KINDS: Final[tuple[Kind, ...]] = ("claim", "fact", "rule", "head", "filing", "memory")
OUTCOMES: Final[tuple[Outcome, ...]] = ("re_verified", "rewritten", "retired", "carried_over")
SAME: Final = 0.05
"""Medians of a fact that are no further apart are the same: on a shared machine two runs of a probe differ so much."""
_BECOMES: Final[Mapping[Answer, Outcome]] = {
    "holds": "re_verified", "changed": "rewritten", "fails": "retired", "not_tried": "carried_over",
}  # fmt: skip
_STATES: Final[Mapping[Kind, Mapping[Outcome, str]]] = {
    "claim": {"re_verified": "", "rewritten": "", "retired": "stale", "carried_over": "stale"},
    "fact": {"re_verified": "current", "rewritten": "current", "retired": "stale", "carried_over": "stale"},
    "rule": {"re_verified": "", "rewritten": "verified", "retired": "retired", "carried_over": "carried_over"},
    "head": {"re_verified": "in force", "rewritten": "in force", "retired": "demoted", "carried_over": "in force"},
    "filing": {"re_verified": "", "rewritten": "", "retired": "", "carried_over": ""},
    "memory": {"re_verified": "current", "rewritten": "current", "retired": "retired", "carried_over": "stale"},
}
Counts = Mapping[Kind, Mapping[Outcome, int]]


@dataclass(frozen=True, slots=True)
class Record:
    """One thing that is known. name: its key among those of its kind. was: its state before it was marked stale."""

    kind: Kind
    name: str
    was: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What trying it again said. state: what it is now where the answer alone does not say so, as of a rule."""

    answer: Answer
    reason: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    record: Record
    outcome: Outcome
    state: str
    reason: str


def settle(record: Record, finding: Finding) -> Settled:
    """What was not tried is never as good as before; what holds has the state that it had before it was marked."""
    outcome = _BECOMES[finding.answer]
    state = finding.state or _STATES[record.kind][outcome] or record.was
    return Settled(record, outcome, state, finding.reason)


def counted(every: Iterable[tuple[Kind, Outcome]]) -> dict[Kind, dict[Outcome, int]]:
    """By kind in the order of KINDS, kinds without a record left out; within a kind all four outcomes."""
    found: dict[Kind, dict[Outcome, int]] = {}
    listed = list(every)
    for kind in KINDS:
        of_kind = [outcome for known, outcome in listed if known == kind]
        if of_kind:
            found[kind] = {outcome: of_kind.count(outcome) for outcome in OUTCOMES}
    return found


def told(counts: Counts) -> str:
    """`12 rules: 10 re-verified, 1 rewritten, 1 retired; 3 facts: 3 carried over unverified`."""
    return "; ".join(f"{_several(kind, sum(of.values()))}: {_outcomes(of)}" for kind, of in counts.items()) or "nothing"


def _several(kind: Kind, n: int) -> str:
    if kind == "memory":
        return f"{n} {'win or trap' if n == 1 else 'wins and traps'}"
    return f"{n} {kind}{'' if n == 1 else 's'}"


WORDS: Final[Mapping[Outcome, str]] = {
    "re_verified": "re-verified", "rewritten": "rewritten", "retired": "retired",
    "carried_over": "carried over unverified",
}  # fmt: skip


def _outcomes(of: Mapping[Outcome, int]) -> str:
    return ", ".join(f"{of[outcome]} {WORDS[outcome]}" for outcome in OUTCOMES if of.get(outcome, 0) > 0)


def of_fact(old: Spread, new: Spread, unit: str) -> Finding:
    """It holds when the quartiles overlap or the medians are alike; else the new value takes its place."""
    text = f"{significant(old.value)} is {significant(new.value)} {unit} now"
    near = abs(new.value - old.value) <= SAME * abs(old.value)
    return Finding("holds" if near or old.overlaps(new) else "changed", text)


def of_rule(outcome: str, state: str, found: str) -> Finding:
    """outcome: the word of `knowledge.rules.conclude`, state: the rule's after it."""
    answers: Mapping[str, Answer] = {
        "re_verified": "holds", "verified": "holds", "not_enforced": "holds", "rewritten": "changed",
        "retired": "fails",
    }  # fmt: skip
    return Finding(answers.get(outcome, "not_tried"), found, state)


def of_head(heads: Mapping[str, str], candidate: str) -> Finding:
    """For what rests on a candidate: a filing, or what was learned from it. heads: what became of each head that was
    judged again, `""` when it stood, else why it fell; a candidate that is none of them was not tried."""
    if candidate not in heads:
        return Finding("not_tried", "of another toolchain; only heads are judged again")
    why = heads[candidate]
    return Finding("fails", f"its candidate fell: {why}") if why else Finding("holds", "its candidate stood")
