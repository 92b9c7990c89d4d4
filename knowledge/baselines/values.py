"""Words of the baseline analysis as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from typing_extensions import override

KernelType = Literal["streaming matvec", "matmul-like", "stencil", "map", "reduction", "dynamic programming", "other"]
KERNEL_TYPES: Final[tuple[KernelType, ...]] = (
    "streaming matvec", "matmul-like", "stencil", "map", "reduction", "dynamic programming", "other",
)  # fmt: skip
TRAITS: Final = (
    "triangular", "table look-ups", "bit fields", "divisions", "mathematical functions", "turns not known", "small",
)  # fmt: skip
SMALL_OPERATIONS: Final = 1_000_000
SMALL_BYTES: Final = 256 << 10
"""Below both a kernel is small: its call takes tens of microseconds, and a second-level cache holds its arrays."""
SHARE: Final = 0.1  # of a kernel's operations from which a type is one of its types


@dataclass(frozen=True, slots=True)
class Turn:
    """One loop around a statement. trip: its mean number of turns, None when no expression of known values says it.
    varies: the bounds depend on a loop around it, as in triangles. down: the variable falls."""

    variable: str
    trip: float | None
    varies: bool = False
    down: bool = False

    @override
    def __str__(self) -> str:
        times = "?" if self.trip is None else f"{self.trip:.0f}"
        return f"{self.variable} {'~' if self.varies else ''}{times}"


@dataclass(frozen=True, slots=True)
class Spot:
    """One array access. deps: places of the loops that move it. strides: elements a turn by place of the loop, where
    they are constant. known: False when its index depends on data; then deps are those of the data. root: the array,
    an argument of the kernel where it could be followed to one."""

    root: str
    deps: frozenset[int]
    strides: Mapping[int, int] = field(default_factory=dict)
    offset: int = 0
    known: bool = True


@dataclass(frozen=True, slots=True)
class Work:
    """One statement that does something in loops. nest: number of its outermost loop in the order of a call, shared by
    all statements of it. runs: how often it is executed in a call, at most. operations: arithmetic ones of one run,
    without index arithmetic. chained: each turn of its innermost loop waits for the one before, in floating point.
    kind: None for what only prepares a value for other statements."""

    function: str
    nest: int
    turns: tuple[Turn, ...]
    runs: float
    operations: int
    kind: KernelType | None
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    chained: bool = False
    traits: frozenset[str] = frozenset()

    @property
    def weight(self) -> float:
        """Operations of a call; a copy counts as one."""
        return self.runs * max(self.operations, 1)


@dataclass(frozen=True, slots=True)
class Nest:
    """The loops of one place of the source as a call runs them. loops: of the deepest statement. steps: dependent
    floating-point steps, one after the other. reads, writes: arrays, arguments where they are known."""

    function: str
    kind: KernelType
    loops: tuple[Turn, ...]
    operations: float
    steps: float
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    traits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Character:
    """What the syntax of a source says. type: of the nests with the most operations. types: all with a tenth of them,
    the largest share first. exact: every loop's turns are known. why: what could not be followed, "" for nothing."""

    type: KernelType
    types: tuple[KernelType, ...]
    nests: tuple[Nest, ...]
    operations: float
    steps: float
    exact: bool
    traits: tuple[str, ...] = ()
    why: str = ""


UNKNOWN: Final = Character("other", ("other",), (), 0.0, 0.0, exact=False)
