"""Rules about a run, tried on the device: the forbidden form gives wrong values, never ends, or is slower.

Forms run as probes do: confined, one process each. Both are read by turns where time decides.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from kernels.targets.base import Target
from knowledge.probes.definition import Setup
from knowledge.probes.measure import by_turns
from knowledge.probes.readings import spread
from knowledge.probes.rig import ProbeFailed, rig
from knowledge.rules.rule import Rule

HANG_S: Final = 1.0
PAIRS: Final = 7
TRIES: Final = 3


@dataclass(frozen=True, slots=True)
class Compared:
    answer: Literal["holds", "compiles", "undecided"]
    text: str


def compare(rule: Rule, target: Target, folder: Path) -> Compared:
    """The caller holds the machine."""
    with TemporaryDirectory(prefix="kw-rule-") as name:
        forbidden = _setup(rule, rule.forbidden, Path(name) / "forbidden.c")
        legal = _setup(rule, rule.legal, Path(name) / "legal.c")
        try:
            match rule.kind:
                case "wrong_values":
                    return _values(rule, target, folder, forbidden, legal)
                case "hang":
                    return _hang(rule, target, folder, forbidden, legal)
                case _:
                    return _slower(rule, target, folder, forbidden, legal)
        except ProbeFailed as failure:
            return Compared("undecided", str(failure))


def _setup(rule: Rule, text: str, path: Path) -> Setup:
    path.write_text(text, encoding="utf-8")
    how = rule.setup
    return Setup(path, how["size"], how["fill"], how["threads"], "huge", "time", 1.0, rule.flags)


def _values(rule: Rule, target: Target, folder: Path, forbidden: Setup, legal: Setup) -> Compared:
    """The legal form has to be right every time, the forbidden one wrong at least once."""
    want = tuple(rule.setup["out"])
    right = [_out(rule, target, folder, legal, len(want)) for _ in range(TRIES)]
    if any(out != want for out in right):
        return Compared("undecided", f"the legal form gives {right[-1]} in place of {want}")
    for _ in range(TRIES):
        wrong = _out(rule, target, folder, forbidden, len(want))
        if wrong != want:
            return Compared("holds", f"{wrong} in place of {want}")
    return Compared("compiles", f"the forbidden form gives the right values, {want}, {TRIES} times")


def _out(rule: Rule, target: Target, folder: Path, setup: Setup, words: int) -> tuple[int, ...]:
    with rig(rule.name, target, setup, folder) as one:
        one.times([rule.setup["count"]])
        return one.out()[:words]


def _hang(rule: Rule, target: Target, folder: Path, forbidden: Setup, legal: Setup) -> Compared:
    with rig(rule.name, target, legal, folder, timeout_s=HANG_S) as one:
        one.times([rule.setup["count"]])
    try:
        with rig(rule.name, target, forbidden, folder, timeout_s=HANG_S) as one:
            one.times([rule.setup["count"]])
    except ProbeFailed as failure:
        if failure.kind == "hang":
            return Compared("holds", f"no end within {HANG_S:g} s")
        raise
    return Compared("compiles", "the forbidden form ends")


def _slower(rule: Rule, target: Target, folder: Path, forbidden: Setup, legal: Setup) -> Compared:
    """Holds when the ratio is beyond the limit by its lower quartile; below it by the upper one it does not."""
    series, _, _ = by_turns(rule.name, [forbidden, legal], target, folder, PAIRS)
    ratio = spread([a / b for a, b in zip(*series, strict=True)])
    limit = rule.setup["at_least"]
    text = f"{ratio.value:.2f} times as long ({ratio.low:.2f} .. {ratio.high:.2f}); the rule says {limit:g}"
    if ratio.low >= limit:
        return Compared("holds", text)
    return Compared("compiles" if ratio.high < limit else "undecided", text)


CANARY: Final = """\
#include <stdint.h>

void probe(uint8_t *area, int64_t bytes, int64_t count, uint64_t *out) {
    uint64_t sum = 0;
    for (int64_t i = 0; i < bytes; i++) sum += area[i];
    out[0] = sum + (uint64_t)count * 3;
}
"""


def is_healthy(target: Target, folder: Path) -> bool:
    """Whether a source that is surely right gives its answer: nothing is learned from a device that cannot do that.

    The caller holds the machine.
    """
    with TemporaryDirectory(prefix="kw-canary-") as name:
        path = Path(name) / "canary.c"
        path.write_text(CANARY, encoding="utf-8")
        setup = Setup(path, "4096", "zero", "one", "small", "time", 1.0)
        try:
            with rig("canary", target, setup, folder) as one:
                one.times([14])
                return one.out()[0] == 42
        except ProbeFailed:
            return False
