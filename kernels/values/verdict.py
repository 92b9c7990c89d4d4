"""What a gate, a test and the guard can say."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal


class Verdict(StrEnum):
    """Result of one acceptance test."""

    FASTER = "FASTER"
    SLOWER = "SLOWER"
    FLAT = "FLAT"
    UNCLEAR = "UNCLEAR"
    INVALID = "INVALID"


class Outcome(StrEnum):
    """What the guard made of one attempt."""

    REJECT = "REJECT"  # refused before the device; does not touch the plateau counter
    REVERT = "REVERT"  # wrong, crashed, left at trace or batch, SLOWER, or UNCLEAR without a sign
    ACCEPT = "ACCEPT"  # correct and near the head; the head stays
    KEEP = "KEEP"  # promoted
    INVALID = "INVALID"  # not the candidate's doing; queued once more


GateName = Literal["source", "legality", "compile", "estimate", "correct", "trace", "batch"]
GATE_ORDER: tuple[GateName, ...] = ("source", "legality", "compile", "estimate", "correct", "trace", "batch")


class GateState(StrEnum):
    PASSED = "passed"
    REFUSED = "refused"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class GateReport:
    """What one gate said. `kind` names the reason in one word for counting ("wrong_values", "crash", "hang", ...);
    `reason` is for the reader; `facts` are numbers kept with it; `seconds` is what the gate cost."""

    gate: GateName
    state: GateState
    kind: str = ""
    reason: str = ""
    seconds: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
