"""Whether a candidate may be tested (again). Keyed by machine code and head, so that a comment buys no retest."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from kernels.values.verdict import Verdict

FULL_TEST: Final = 24
MOST_RETESTS: Final = 1
MOST_INVALID: Final = 2


@dataclass(frozen=True, slots=True)
class PastTest:
    """machine_code: hash of the candidate's machine code, or of its content where that cannot be had."""

    machine_code: str
    head: str
    verdict: Verdict
    pairs: int
    no_sign: bool = False

    @property
    def open(self) -> bool:
        """UNCLEAR after the whole budget."""
        return self.verdict is Verdict.UNCLEAR and not self.no_sign and self.pairs >= FULL_TEST


@dataclass(frozen=True, slots=True)
class Permission:
    """reason: for the reader when it is not allowed. retest: counts as one more test in the meter."""

    allowed: bool
    retest: bool = False
    reason: str = ""


def may_test(past: Iterable[PastTest], machine_code: str, head: str) -> Permission:
    """Only an OPEN test is repeated, once; an INVALID one is queued once more. A verdict binds (candidate, head)."""
    same = [test for test in past if test.machine_code == machine_code and test.head == head]
    judged = [test for test in same if test.verdict is not Verdict.INVALID]
    if not judged:
        if len(same) >= MOST_INVALID:
            return Permission(False, reason=f"invalid {len(same)} times")
        return Permission(True)
    last = judged[-1]
    if not last.open:
        return Permission(False, reason=f"already judged under this head: {_said(last)}")
    if len(judged) > MOST_RETESTS:
        return Permission(False, reason="undecided after its one retest")
    return Permission(True, retest=True)


def _said(test: PastTest) -> str:
    what = "NO SIGN" if test.verdict is Verdict.UNCLEAR and test.no_sign else test.verdict.value
    return f"{what} after {test.pairs} pairs"
