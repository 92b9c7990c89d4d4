"""Planting a rule: both forms are built under the present toolchain, and run when the rule is about a run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from kernels.targets.base import Target
from kernels.targets.diagnosis import Diagnosing, Diagnosis
from knowledge.rules.normal import normalised
from knowledge.rules.rule import Rule
from knowledge.rules.run import compare

MAIN: Final = "kernel.c"
Answer = Literal["holds", "compiles", "changed", "undecided"]


@dataclass(frozen=True, slots=True)
class Planted:
    """holds: as the rule says. compiles: the forbidden form was taken, the legal one as well. changed: the forbidden
    form is still refused, with `diagnostic` in place of what the rule says. undecided: nothing can be said, `found`
    says why."""

    answer: Answer
    found: str
    diagnostic: str = ""


def plant(rule: Rule, target: Target, folder: Path, *, healthy: bool = True) -> Planted:
    """healthy: nothing is said against the device; rules about a run are not tried on another one.

    Blocks; builds without the machine's lock take a second at most, runs need the caller to hold it.
    """
    if not rule.has_forms:
        return Planted("undecided", "it is documented, and has no form that could be tried")
    missing = [feature for feature in rule.requires if not target.machine.has(feature)]
    if missing:
        return Planted("undecided", f"this processor has no {', '.join(missing)}")
    if not isinstance(target, Diagnosing):
        return Planted("undecided", f"target {target.name} does not say what its compiler says")
    if rule.about_a_run:
        if not rule.setup:
            return Planted("undecided", "its file is gone, which says how it is run")
        if not healthy:
            return Planted("undecided", "the device is not healthy")
        return _ran(rule, target, folder)
    return _built(rule, target)


def _built(rule: Rule, target: Diagnosing) -> Planted:
    legal = target.diagnose({MAIN: rule.legal}, MAIN, rule.flags)
    if not legal.ok:
        return Planted("undecided", f"the legal form does not compile: {said(legal)}")
    forbidden = target.diagnose({MAIN: rule.forbidden}, MAIN, rule.flags)
    if forbidden.broken:
        return Planted("undecided", f"the compiler gave no answer: {forbidden.broken}")
    if forbidden.ok:
        return Planted("compiles", "the compiler takes the forbidden form" + _warned(forbidden))
    found = class_of(forbidden)
    if found == rule.diagnostic:
        return Planted("holds", said(forbidden), found)
    return Planted("changed", said(forbidden), found)


def _warned(diagnosis: Diagnosis) -> str:
    first = next((d.message for d in diagnosis.diagnostics if d.severity == "warning"), "")
    return f", with a warning: {first}" if first else ""


def class_of(diagnosis: Diagnosis) -> str:
    """The normalised root cause; "" when there is no error."""
    return normalised(diagnosis.root.message) if diagnosis.root is not None else ""


def said(diagnosis: Diagnosis) -> str:
    return diagnosis.broken or (diagnosis.root.message if diagnosis.root is not None else "nothing")


def _ran(rule: Rule, target: Target, folder: Path) -> Planted:
    found = compare(rule, target, folder)
    return Planted(found.answer, found.text)
