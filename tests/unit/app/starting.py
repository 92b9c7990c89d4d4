"""A home, a workspace with a pack that a test may edit, and a target whose toolchain it may change."""

import asyncio
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from app.begin import Begun, Job, begin
from app.settings import load
from kernels.packs.loader import SHIPPED
from kernels.targets.base import Target
from kernels.values.fingerprint import Fingerprint
from kernels.values.machine import Machine
from store import campaigns, designs, kernel_states
from store.clock import now
from store.engine import Session, Store
from store.tables import CampaignRow


@dataclass
class StubTarget:
    """Builds nothing."""

    name: str = "cpu-c"
    fingerprint: Fingerprint = field(default_factory=lambda: Fingerprint("cc", "cc 1", "0", (), "cpu", 2))
    machine: Machine = field(default_factory=lambda: Machine("cpu", "x86_64", frozenset(), 2))

    def runner_binary(self) -> Path:
        return Path("/nowhere/runner")


@dataclass
class StubDevice:
    """Does nothing; says whether it was closed."""

    holder: str = ""
    level: str = ""
    last_hold_s: float = 0.0
    spent: dict[str, float] = field(default_factory=dict)
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    def uses(self) -> tuple[()]:
        return ()

    async def kill_all(self) -> None:
        return

    async def close(self) -> None:
        self.closed.set()


@dataclass
class Place:
    home: Path
    workspace: Path
    target: StubTarget = field(default_factory=StubTarget)

    @property
    def pack(self) -> Path:
        return self.workspace / "packs" / "axpy_gemv"

    def job(self, *, new: bool = False, first_minutes: float = 0.0, **flags: Any) -> Job:
        return Job(load(self.home, flags), self.home, self.workspace, flags, new, first_minutes)

    def begin(self, **asked: Any) -> Begun:
        with Store.open(self.home) as store:
            return begin(self.job(**asked), store, now())

    def write(self, job: Any) -> Any:
        with Store.open(self.home) as store:
            return store.write_sync(job)

    def row(self, number: int) -> CampaignRow:
        return cast(CampaignRow, self.write(lambda s: campaigns.get(s, number)))

    def judge_one(self, number: int, kernel: str = "gemv") -> None:
        """One attempt of the campaign comes to its end."""

        def rows(s: Session) -> None:
            from kernels.values.candidate import Candidate
            from kernels.values.verdict import Outcome

            key = designs.add_candidate(s, Candidate(kernel, {"kernel.c": f"of {number}\n"}))
            kernel_states.set_baseline(s, number, kernel, key, 1e6)
            idea = designs.add_node(s, number, kernel, "idea", candidate_id=key, title="baseline")
            node = designs.add_node(s, number, kernel, "variant", parent=idea, candidate_id=key, lever="unroll")
            designs.finish_node(s, node, Outcome.REVERT)

        self.write(rows)

    def edit_pack(self) -> None:
        reference = self.pack / "gemv" / "reference.py"
        reference.write_text(reference.read_text() + "\n# edited\n")


def make_place(folder: Path) -> Place:
    place = Place(folder / "home", folder / "workspace")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(SHIPPED / "axpy_gemv", place.pack, ignore=ignore)
    place.home.mkdir()
    return place


def as_target(stub: StubTarget) -> Target:
    return cast(Target, stub)
