"""What planting a rule says of it: its new state, and the word for what became of it. Pure."""

from dataclasses import replace
from typing import Final, Literal

from knowledge.rules.plant import Planted
from knowledge.rules.rule import Rule

Outcome = Literal["verified", "not_enforced", "unverified", "re_verified", "rewritten", "retired", "carried_over"]
OUTCOMES: Final[tuple[Outcome, ...]] = (
    "verified", "re_verified", "rewritten", "not_enforced", "retired", "carried_over", "unverified",
)  # fmt: skip
_KNOWN: Final = frozenset({"verified", "not_enforced", "stale", "carried_over", "retired"})
_LASTING: Final = frozenset({"not_enforced", "retired"})  # the compiler took the form when it was last tried


def conclude(rule: Rule, planted: Planted, fingerprint: str) -> tuple[Rule, Outcome]:
    """The rule as it stands under this fingerprint, and the outcome.

    A rule that never held needs the answer that it expects. One that held before is rewritten when the compiler now
    refuses the same form in other words, retired when it takes it, and carried over, unverified, when nothing could be
    tried. A forbidden form that compiles at the first planting is kept as not enforced by the compiler.
    """
    before = rule.state in _KNOWN and rule.fingerprint != ""
    match planted.answer:
        case "holds":
            new = replace(rule, state="verified", fingerprint=fingerprint)
            return new, "re_verified" if before else "verified"
        case "changed" if before:
            return replace(rule, state="verified", diagnostic=planted.diagnostic, fingerprint=fingerprint), "rewritten"
        case "compiles":
            return _taken(rule, fingerprint, before=before)
    if not before:
        return replace(rule, state="documented"), "unverified"
    return replace(rule, state=rule.state if rule.state in _LASTING else "carried_over"), "carried_over"


def _taken(rule: Rule, fingerprint: str, *, before: bool) -> tuple[Rule, Outcome]:
    """Rules about a run that does not show are never "not enforced": the compiler has no part in them."""
    if before and rule.state not in _LASTING:
        return replace(rule, state="retired", fingerprint=fingerprint), "retired"
    if before:
        return replace(rule, fingerprint=fingerprint), "re_verified"
    if rule.about_a_run:
        return replace(rule, state="documented"), "unverified"
    return replace(rule, state="not_enforced", fingerprint=fingerprint), "not_enforced"
