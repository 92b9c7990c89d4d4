"""The corpus of candidates: what each does, which gate must refuse it, and with which verdict."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, cast

from kernels.packs.loader import baseline, load_pack
from kernels.packs.toml import PackError, Table, read_toml
from kernels.values.candidate import Candidate
from kernels.values.kernel import Pack
from kernels.values.machine import Machine
from kernels.values.verdict import GATE_ORDER, GateName

HERE: Final = Path(__file__).parent
PASSED: Final = "passed"
SLOWER: Final = "slower"  # on noisy readings an honest kernel may be; it accuses nobody
HONEST: Final = "honest control"
NEEDS: Final = ("x86_64", "threads")
_BASELINE: Final = "@baseline"


@dataclass(frozen=True, slots=True)
class Case:
    """gate: the last that must have refused it, None for a candidate that no gate may accuse of anything.
    verdict: the kinds that it may give.

    behind: what the checks of a running kernel may say when those of source and object are left out ("passed": it is
    harmless there); empty when that is not tried. finding: words that must be among the findings.
    needs: some of `NEEDS`; source: file of its text, without suffix; more: text added to it.
    """

    id: str
    kind: str
    does: str
    kernel: str
    gate: GateName | None
    verdict: tuple[str, ...]
    behind: tuple[str, ...] = ()
    finding: str = ""
    flags: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    source: str = ""
    more: str = ""

    def lacks(self, machine: Machine) -> str:
        """What this machine lacks for it, "" when it can run."""
        if "x86_64" in self.needs and machine.architecture != "x86_64":
            return "an x86-64 CPU"
        return "a second CPU" if "threads" in self.needs and machine.threads < 2 else ""

    def candidate(self) -> Candidate:
        """Raises: PackError when its source cannot be read."""
        if self.source == _BASELINE:
            text = baseline(small_pack().kernel(self.kernel)).source
        else:
            text = _text(f"{self.kernel}.h") + _text(f"{self.source or self.id}.c")
        return Candidate(self.kernel, {"kernel.c": text + self.more}, flags=self.flags)


def _text(name: str) -> str:
    try:
        return (HERE / "sources" / name).read_text(encoding="utf-8")
    except OSError as error:
        raise PackError(f"source {name}", f"cannot be read ({error.strerror})", "Restore the corpus") from error


@cache
def small_pack() -> Pack:
    """The kernels that the candidates pretend to compute."""
    return load_pack(HERE / "self_test")


@cache
def corpus() -> tuple[Case, ...]:
    """Every case, in the order of the file. Raises: PackError when the file contradicts itself."""
    table = Table(read_toml(HERE / "cases.toml"), "cases.toml")
    cases = tuple(_case(one) for one in table.tables("case"))
    table.done("known is [[case]]")
    doubled = sorted({c.id for c in cases if sum(c.id == d.id for d in cases) > 1})
    if doubled:
        raise PackError("cases.toml", f"{', '.join(doubled)} stands there twice", "Give each case a name of its own")
    return cases


def _case(table: Table) -> Case:
    gate, verdict = table.take("gate", str), table.words("verdict")
    case = Case(
        table.take("id", str), table.take("kind", str), table.take("does", str), table.take("kernel", str, "mv"),
        cast(GateName, gate) if gate else None, verdict, table.words("behind"), table.take("finding", str, ""),
        table.words("flags"), table.words("needs"), table.take("source", str, ""), table.take("more", str, ""),
    )  # fmt: skip
    table.done()
    if (gate and gate not in GATE_ORDER) or bool(gate) != bool(verdict) or set(case.needs) - set(NEEDS):
        raise PackError(f"case {case.id}", f"gate {gate!r}, verdict {verdict}, needs {case.needs}", "Correct it")
    return case
