"""Mining legality rules from what the compiler refused: candidates of this home's campaigns, or files of a folder."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.chip.rules import counted, plant_all, taken_over
from app.settings import UsageError
from kernels.targets.base import Target
from kernels.targets.diagnosis import Diagnosing
from knowledge.holding import one_by_one
from knowledge.rules.mine import Failure, Mined, mine
from knowledge.rules.rule import Rule
from knowledge.rules.shipped import shipped_rules
from store import candidates, legality
from store.engine import Session, Store

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Found:
    """new: rules by name with what planting said. met: known rules that were met again. left: (where, why)."""

    failures: int
    new: tuple[str, ...]
    met: tuple[str, ...]
    left: tuple[tuple[str, str], ...]
    told: str


def mined(home: Path, target: Target, workspace: Path, folder: Path | None, say: Say) -> Found:
    """folder: *.c files that do not compile; None for the refused candidates of the home.

    Raises: UsageError, RuleFileError.
    """
    if not isinstance(target, Diagnosing):
        raise UsageError(f"target {target.name} does not say what its compiler says: nothing can be mined")
    with Store.open(home) as store:
        known = taken_over(store, target, shipped_rules(target.name, workspace), workspace)
        failures = _of_folder(folder) if folder is not None else store.read_sync(lambda s: _of_home(s, target.name))
        found = asyncio.run(_mine(target, failures, known, say))
        _keep(store, found)
        counts = asyncio.run(plant_all(store, target, found.rules, home / "cache" / "rules", say))
    return Found(
        len(failures), tuple(rule.name for rule in found.rules), tuple(rule.name for rule in found.met), found.left,
        f"{len(failures)} failures: {len(found.rules)} new rules ({counted(counts)}), {len(found.met)} known ones met,"
        f" nothing learned from {len(found.left)}",
    )  # fmt: skip


async def _mine(target: Target, failures: Sequence[Failure], known: Sequence[Rule], say: Say) -> Mined:
    """The machine is held for all of it: it builds without a pause."""
    assert isinstance(target, Diagnosing)
    asked: Diagnosing = target

    def work(some: Sequence[Failure]) -> Mined:
        return mine(some, asked, target.name, known, say=say)

    async for _, found in one_by_one(target.name, "mining rules", [failures], work):
        return found
    return Mined()


def _keep(store: Store, found: Mined) -> None:
    for rule in (*found.rules, *found.met):
        store.write_sync(lambda s, r=rule: legality.put(s, r))


def _of_folder(folder: Path) -> list[Failure]:
    files = sorted(folder.glob("*.c"))
    if not files:
        raise UsageError(f"{folder}: found no *.c file in it; name a folder of sources that do not compile")
    return [Failure(path.name, path.read_text(encoding="utf-8", errors="replace")) for path in files]


def _of_home(s: Session, target: str) -> list[Failure]:
    """Each content once."""
    rows = {row["candidate"]: row for row in legality.compile_failures(s, target)}
    found: list[Failure] = []
    for number, row in rows.items():
        one = candidates.get_candidate(s, number)
        others = {name: text for name, text in one.files.items() if name != one.main}
        where = f"{row['kernel']}, candidate {number[:12]}, campaign {row['campaign']}"
        found.append(Failure(where, one.source, one.flags, others, row["healthy"]))
    return found
