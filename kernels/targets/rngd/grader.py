"""What the contest's grader prints, as values.

    ==> kernel
    [label q run0] max|d|= .. (..% of expected) mean|d|= .. within tol=..% -> PASS|FAIL
    FAIL -- non-finite device output at N
        cycles=N      or      median cycles=M (of 3 runs: [a, b, c])      or      cycles=none observed
    all 3 tests passed      or      k of 3 tests failed: ..

Cycles of the profiler count at about 2 GHz. No version prints them by cluster: those come from span logs.
"""

import re
from dataclasses import dataclass
from typing import Final

CLOCK_GHZ: Final = 2.0
_KERNEL: Final = re.compile(r"^==> (?P<kernel>\S+)")
_CHECK: Final = re.compile(
    r"^\s*\[(?P<label>[^\]]+?)(?: run(?P<run>\d+))?\]"
    r"\s*max\|.\|=\s*(?P<most>\S+)\s*\((?P<share>[^%\s]+)\s*% of expected\)"
    r"\s*mean\|.\|=\s*(?P<mean>\S+).*?tol=(?P<tolerance>[^%\s]+)\s*%\s*-> (?P<verdict>PASS|FAIL)"
)
_WRONG: Final = re.compile(r"^\s*FAIL\s*--\s*(?P<why>.+)$")
_ONE: Final = re.compile(r"^\s*cycles=(?P<cycles>\d+)\s*$")
_MEDIAN: Final = re.compile(r"^\s*median cycles=(?P<median>\d+) \(of (?P<count>\d+) runs: \[(?P<runs>[\d, ]+)\]\)")
_NONE: Final = re.compile(r"^\s*cycles=none observed")
_PASSED: Final = re.compile(r"^\s*all (?P<count>\d+) tests passed")
_FAILED: Final = re.compile(r"^\s*(?P<failed>\d+) of (?P<count>\d+) tests failed:?\s*(?P<names>.*)$")


@dataclass(frozen=True, slots=True)
class Accuracy:
    """One check of an output. most, mean: absolute differences; share, tolerance: per cent of what is expected."""

    label: str
    run: int
    most: float
    share: float
    mean: float
    tolerance: float
    passed: bool


@dataclass(frozen=True, slots=True)
class Graded:
    """One kernel. runs: cycles of each launch in order; unobserved: the grader saw no span. wrong: what it said."""

    kernel: str
    checks: tuple[Accuracy, ...] = ()
    runs: tuple[int, ...] = ()
    median: int | None = None
    unobserved: bool = False
    wrong: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """No check failed, and there was one."""
        return bool(self.checks) and all(one.passed for one in self.checks) and not self.wrong


@dataclass(frozen=True, slots=True)
class Grading:
    """passed: what the last line says; None when the output ends before it."""

    kernels: tuple[Graded, ...]
    passed: bool | None = None
    failed: str = ""


def read_grading(text: str) -> Grading:
    """Lines of other programs between them are left out."""
    kernels: list[Graded] = []
    lines: dict[str, list[str]] = {}
    passed, failed = None, ""
    for line in text.splitlines():
        head, end = _KERNEL.match(line), _FAILED.match(line)
        if head:
            lines.setdefault(head["kernel"], [])
        elif _PASSED.match(line):
            passed = True
        elif end:
            passed, failed = False, end["names"].strip()
        elif lines:
            lines[next(reversed(lines))].append(line)
    kernels = [_graded(name, found) for name, found in lines.items()]
    return Grading(tuple(kernels), passed, failed)


def _graded(kernel: str, lines: list[str]) -> Graded:
    checks = [_accuracy(found) for line in lines if (found := _CHECK.match(line))]
    wrong = [found["why"].strip() for line in lines if (found := _WRONG.match(line))]
    median = next((found for line in lines if (found := _MEDIAN.match(line))), None)
    single = [int(found["cycles"]) for line in lines if (found := _ONE.match(line))]
    runs = [int(one) for one in median["runs"].split(",")] if median else single
    middle = int(median["median"]) if median else None
    unobserved = any(_NONE.match(line) for line in lines)
    return Graded(kernel, tuple(checks), tuple(runs), middle, unobserved, tuple(wrong))


def _accuracy(found: "re.Match[str]") -> Accuracy:
    return Accuracy(
        found["label"].strip(), int(found["run"] or 0), float(found["most"]), float(found["share"]),
        float(found["mean"]), float(found["tolerance"]), found["verdict"] == "PASS",
    )  # fmt: skip


def cycles(text: str, kernel: str = "") -> list[int]:
    """Of every launch of one kernel in order, for a reader; "" = of all.

    Raises: ValueError when it failed, was not seen, or is not among those that were graded.
    """
    found = [one for one in read_grading(text).kernels if one.kernel == (kernel or one.kernel)]
    if kernel and not found:
        names = ", ".join(one.kernel for one in read_grading(text).kernels)
        raise ValueError(f"the grader says nothing of {kernel}; it graded {names or 'nothing'}")
    for one in found:
        if not one.passed:
            why = "; ".join(one.wrong) or f"{sum(not check.passed for check in one.checks)} checks failed"
            raise ValueError(f"{one.kernel}: the grader says FAIL: {why}")
        if one.unobserved:
            raise ValueError(f"{one.kernel}: the grader observed no cycles")
    return [run for one in found for run in one.runs]
