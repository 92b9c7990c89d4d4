"""What the guard makes of one attempt: from a refused gate or a verdict to an outcome, and the plateau counter.

Plain code, no brain: brains propose, the guard decides.
"""

from typing import Final

from kernels.values.verdict import GateName, Outcome, Verdict

NEAR_THE_HEAD: Final = -0.01
"""An UNCLEAR estimate above this gain may be a working point: ACCEPT."""
BEFORE_THE_DEVICE: Final[frozenset[GateName]] = frozenset({"source", "legality", "compile", "estimate"})


def outcome_of_gate(gate: GateName) -> Outcome:
    """A refusal before the device is a REJECT; wrong values, a crash, a hang, or leaving at trace or batch a REVERT."""
    return Outcome.REJECT if gate in BEFORE_THE_DEVICE else Outcome.REVERT


def outcome_of_test(verdict: Verdict, gain: float | None, *, confirmed: bool = False) -> Outcome:
    """What an acceptance test with its confirmation leads to.

    gain: the estimate as a share of the head's time; None counts as "not near the head".
    confirmed: FASTER and promoted by the confirmation on fresh pairs.
    """
    match verdict:
        case Verdict.INVALID:
            return Outcome.INVALID
        case Verdict.FASTER:
            return Outcome.KEEP if confirmed else Outcome.ACCEPT
        case Verdict.FLAT:
            return Outcome.ACCEPT
        case Verdict.UNCLEAR if gain is not None and gain > NEAR_THE_HEAD:
            return Outcome.ACCEPT
        case _:
            return Outcome.REVERT


def plateau_after(counter: int, outcome: Outcome) -> int:
    """The plateau counter: reset by KEEP, one more by ACCEPT and REVERT, untouched by REJECT and INVALID."""
    match outcome:
        case Outcome.KEEP:
            return 0
        case Outcome.ACCEPT | Outcome.REVERT:
            return counter + 1
        case _:
            return counter


def must_draft(counter: int, r_draft: int) -> bool:
    """Whether another algorithm, data layout or DSL family has to be drafted; never when r_draft is 0."""
    return 0 < r_draft <= counter


def invalid_again(earlier_invalid: int) -> bool:
    """Whether an INVALID attempt is queued once more: only after the first time."""
    return earlier_invalid <= 1
