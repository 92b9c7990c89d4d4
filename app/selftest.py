"""`doctor --self-test`: hostile and honest candidates on this machine, the way of every candidate, case by case."""

import asyncio
import tempfile
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.gates import gates_for
from app.settings import MissingError, UsageError
from kernels.cheats.examine import DEVICE, Row, examiner
from kernels.cheats.registry import HONEST, Case, corpus
from kernels.device.client import DeviceUnhealthy
from kernels.targets.registry import get_target, plugins

OnRow = Callable[[Row], None]
HEADER = ("case", "kind", "way", "gate", "seconds", "", "verdict")
WIDTHS = (30, 28, 9, 8, 7, 5, 0)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What came of it. skipped: cases that this machine cannot run, with what it lacks."""

    target: str
    level: str
    rows: tuple[Row, ...]
    skipped: dict[str, str]
    seconds: float

    @property
    def wrong(self) -> list[Row]:
        return [row for row in self.rows if not row.ok]

    @property
    def summary(self) -> str:
        honest = sum(row.kind == HONEST for row in self.rows)
        hostile = sum(row.kind not in (HONEST, DEVICE) for row in self.rows)
        return (
            f"{self.target}, sandbox {self.level}: {hostile} tries of hostile candidates and {honest} honest controls, "
            f"{len(self.wrong) or 'none'} not as it must be; {self.seconds:.0f} s"
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "target": self.target, "sandbox_level": self.level, "ok": not self.wrong, "seconds": round(self.seconds, 1),
            "rows": [asdict(row) for row in self.rows], "skipped": self.skipped,
        }  # fmt: skip


def chosen(names: Collection[str]) -> tuple[Case, ...]:
    """Cases by name or kind, all without names. Raises: UsageError for a name that is neither."""
    known = {case.id for case in corpus()} | {case.kind for case in corpus()}
    unknown = sorted(set(names) - known)
    if unknown:
        kinds = ", ".join(sorted({case.kind for case in corpus()}))
        raise UsageError(f"case {', '.join(unknown)}: there is none; kinds are {kinds}")
    return tuple(case for case in corpus() if not names or case.id in names or case.kind in names)


def run_self_test(home: Path, target: str, names: Collection[str], on_row: OnRow, compiler: str = "") -> SelfTest:
    """Raises: UsageError, MissingError when the device cannot run, TargetError."""
    if target not in (known := plugins()):
        raise UsageError(f"target {target!r}: there is none of that name; known: {', '.join(known)}")
    cache = home / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix="self-test-") as folder:
        try:
            return asyncio.run(_examined(target, cache, Path(folder), chosen(names), on_row, compiler))
        except DeviceUnhealthy as failure:
            raise MissingError(f"the self-test cannot run on {target}: {failure}") from failure


async def _examined(
    name: str, cache: Path, folder: Path, cases: tuple[Case, ...], on_row: OnRow, compiler: str
) -> SelfTest:
    target, started = get_target(name, cache, compiler=compiler), time.monotonic()
    skipped = {case.id: lacks for case in cases if (lacks := case.lacks(target.machine))}
    rows: list[Row] = []
    async with examiner(target, folder, gates_for) as found:
        for case in cases:
            if case.id not in skipped:
                for row in await found.rows(case):
                    rows.append(row)
                    on_row(row)
        rows.append(await found.after())
        on_row(rows[-1])
        return SelfTest(name, found.device.level, tuple(rows), skipped, time.monotonic() - started)


def line(row: Row) -> str:
    """One line of the table; a wrong one says what it had to be."""
    verdict = row.verdict if row.ok else f"{row.verdict}, must be {row.wanted}: {row.reason}"
    cells = [row.case, row.kind, row.door, row.gate or "-", f"{row.seconds:.2f}", "ok" if row.ok else "WRONG", verdict]
    return columns(cells)


def columns(cells: Sequence[str]) -> str:
    """Of fixed width, so that rows can be shown as they come."""
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()


def ending(found: SelfTest) -> str:
    return "\n".join(
        [*(f"{case} was not tried: it needs {lacks}" for case, lacks in found.skipped.items()), found.summary]
    )
