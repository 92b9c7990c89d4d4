"""What is known of one kernel while its campaign runs: its heads, what is proposed, what was finished."""

import asyncio
from dataclasses import dataclass, field

from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from knowledge.baselines.character import character_of
from knowledge.baselines.values import Character
from roles.attempt import Attempt, Result
from roles.brains.base import Proposal
from roles.failure import HeadMoves, HeadWithdrawn
from roles.turns import Turns


@dataclass(slots=True)
class Head:
    """The best accepted candidate of one kernel, as it runs now. ns: its time in the last test that measured it."""

    candidate: Candidate
    node_id: int
    ns: float
    machine_code: str
    promotion_id: int | None = None

    @property
    def key(self) -> str:
        return self.candidate.id


@dataclass(slots=True)
class KernelState:
    """Run-time state of one kernel. `lock` makes its attempts one at a time: a head never moves under a test.

    idea_node: the root of the baseline's Design Tree. proposals: what the architect has ready under the present head.
    finished: attempts that the owner has not reviewed yet. chain: heads since the last ledger entry, oldest first.
    withdrawn: why a head is about to move back, "" when none is; nothing is promoted meanwhile. moving: why it is about
    to move on by a person's word; whatever is judged beside it gives way.
    """

    spec: KernelSpec
    baseline: Head
    head: Head
    idea_node: int
    peak_ns: float | None = None
    plateau: int = 0
    promotions_since_ledger: int = 0
    claimed_since_ledger: float = 1.0
    ledger_head: Head | None = None
    chain: list[Head] = field(default_factory=list)
    exhausted: bool = False
    withdrawn: str = ""
    moving: str = ""
    finished_since_exhausted: bool = False
    proposals: list[Proposal] = field(default_factory=list)
    finished: "asyncio.Queue[tuple[Attempt, Result]]" = field(default_factory=asyncio.Queue)
    lock: Turns = field(default_factory=Turns)

    @property
    def character(self) -> Character:
        """Its type and loops by the baseline's syntax. Kept by content; the first time it takes some 0.1 s."""
        return character_of(self.baseline.candidate, self.spec)

    def refuse_withdrawn(self) -> None:
        """Called before every pair. Raises: HeadWithdrawn."""
        if self.withdrawn:
            raise HeadWithdrawn(self.withdrawn)

    def refuse_moving(self) -> None:
        """Called between two steps of an attempt. Raises: HeadWithdrawn, HeadMoves."""
        self.refuse_withdrawn()
        if self.moving:
            raise HeadMoves(self.moving)
