"""What a kernel is: arguments, contract, tolerances. Read from `kernel.toml` by `kernels.packs.loader`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Final, Literal

from kernels.values.argument import Argument, Role
from kernels.values.shapes import Shape

__all__ = [
    "REFERENCES", "Argument", "KernelSpec", "MatrixSpec", "Pack", "ReferenceKind", "Role", "ThreadContract",
    "Tolerance",
]  # fmt: skip

MOST_SLOTS: Final = 128
ThreadContract = Literal["pool", "openmp", "none"]
ReferenceKind = Literal["numpy", "baseline"]
REFERENCES: Final[Mapping[ReferenceKind, str]] = {
    "numpy": "reference.py, numpy in double precision",
    "baseline": "the baseline itself at -O0",
}


@dataclass(frozen=True, slots=True)
class MatrixSpec:
    """A weight matrix that the kernel only multiplies with vectors, y = M x; so the ring's copies may be secret row
    permutations and column sign flips of one secret base, and one decode serves all of them.

    codes: the weight argument with the elements, shape (rows, columns).
    scales: an optional weight argument with one positive scale per block, shape (rows, columns / block).
    round_bf16: the product code * scale is rounded to bf16, as the contract of NVFP4 kernels says.
    """

    name: str
    codes: str
    scales: str | None = None
    round_bf16: bool = False


@dataclass(frozen=True, slots=True)
class Tolerance:
    """An element passes when it is finite and |got - want| <= atol + rtol * |want|; every element must pass.

    nrmse, max_over_rms: a second guard over the whole tensor: sqrt(mean(err^2)) / rms and max|err| / rms.
    rows_only: the output is an array of which only some rows change; the reference names them, all others must be
    bit for bit what they were.
    sampled: so many elements of a call are compared, in place of all; sums: and so many sums over all rows. See
    `kernels.packs.sampled`.
    """

    atol: float
    rtol: float
    nrmse: float | None = None
    max_over_rms: float | None = None
    rows_only: bool = False
    sampled: int = 0
    sums: int = 0


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """One kernel of a pack. audit_regimes: value regimes that no gate draws, only audits of promoted heads.

    reference: who says what is right: `reference.py`, or the baseline itself, built strictly. flags, libraries,
    headers: what the baseline and every candidate are built with: compiler flags, names for -l, files of `include`.
    shapes: those that it is judged at, all of them, () for a kernel of one; all else is said of the one called `shape`,
    which is the first. factors: of `operations`, numbers and dimensions.
    """

    pack: str
    name: str
    entry: str
    title: str
    arguments: tuple[Argument, ...]
    tolerances: Mapping[str, Tolerance]
    matrices: tuple[MatrixSpec, ...]
    regimes: tuple[str, ...]
    folder: Path
    operations: int = 0
    threads: ThreadContract = "pool"
    ring_bytes: int = 120 << 20
    audit_regimes: tuple[str, ...] = ()
    reference: ReferenceKind = "numpy"
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    shapes: tuple[Shape, ...] = ()
    shape: str = ""
    factors: tuple[int | str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.tolerances:
            if not self.argument(name).writable:
                raise ValueError(f"kernel {self.name}: tolerance for {name}, which is not an output")
        missing = [a.name for a in self.arguments if a.writable and a.name not in self.tolerances]
        if missing:
            raise ValueError(f"kernel {self.name}: no tolerance for output {', '.join(missing)}")

    def argument(self, name: str) -> Argument:
        """Raises: ValueError when there is no such argument."""
        for argument in self.arguments:
            if argument.name == name:
                return argument
        raise ValueError(
            f"kernel {self.name} has no argument {name!r}; it has {', '.join(a.name for a in self.arguments)}"
        )

    def at(self, shape: Shape) -> "KernelSpec":
        """The same kernel at one of its shapes."""
        operations = prod(shape.sizes[one] if isinstance(one, str) else one for one in self.factors)
        return replace(
            self, arguments=tuple(a.at(shape.sizes) for a in self.arguments), shape=shape.name,
            operations=operations if self.factors else self.operations,
        )  # fmt: skip

    @property
    def cases(self) -> tuple["KernelSpec", ...]:
        """The kernel at each of its shapes; itself when it has only one."""
        return tuple(self.at(shape) for shape in self.shapes) or (self,)

    @property
    def sizes(self) -> dict[str, int]:
        """Of its dimensions at its shape, by name."""
        return {a.name: int(a.value or 0) for a in self.arguments if a.role == "dimension"}

    @property
    def place(self) -> str:
        """`shape decode (M=1, N=1024)`: where this spec stands; "" for a kernel of one shape."""
        return next((f"shape {one.text}" for one in self.shapes if one.name == self.shape), "")

    @property
    def weights(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.arguments if a.role == "weight")

    @property
    def bytes_moved(self) -> int:
        """Bytes of weights that one call has to read."""
        return sum(a.nbytes for a in self.weights)

    @property
    def ring_slots(self) -> int:
        """Copies of the weights, at least 3, so that the ring is larger than the last-level cache; at most
        `MOST_SLOTS`, so that the ring of a kernel with less than a megabyte of weights, or none, may stay in it."""
        return min(MOST_SLOTS, max(3, -(-self.ring_bytes // max(self.bytes_moved, 1))))

    @property
    def include(self) -> Path:
        """Where its headers lie."""
        return self.folder / "include"

    @property
    def judge(self) -> str:
        """The reference in words."""
        return REFERENCES[self.reference]

    @property
    def judged_by(self) -> str:
        """A line that names the reference."""
        return f"reference: {self.judge}"

    @property
    def prototype(self) -> str:
        """The C prototype of the entry point, without the semicolon."""
        return f"void {self.entry}({', '.join(a.c_parameter for a in self.arguments)})"


@dataclass(frozen=True, slots=True)
class Pack:
    """A set of kernels. `digest` is the hash of every file of the pack that decides a verdict."""

    name: str
    title: str
    folder: Path
    kernels: tuple[KernelSpec, ...]
    digest: str

    def kernel(self, name: str) -> KernelSpec:
        """Raises: ValueError when the pack has no such kernel."""
        for kernel in self.kernels:
            if kernel.name == name:
                return kernel
        raise ValueError(f"pack {self.name} has no kernel {name!r}; it has {', '.join(k.name for k in self.kernels)}")
