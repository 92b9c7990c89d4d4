"""One argument of a kernel's C function, as its contract says it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Literal

from kernels.values.formats import FORMATS, Format

Role = Literal["weight", "input", "output", "inout", "constant", "dimension"]


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of the C function, in call order. `shape == ()` is a scalar passed by value.

    role: `weight` lives in the ring and is read-only, `input` is fresh in every call and read-only, `output` is
    poisoned before every call, `inout` is written by the referee before every call and changed in place, `constant` is
    a scalar that never changes, e.g. a size: the contract says its `value`, and a candidate may rely on it; `dimension`
    is an integer that the kernel's shapes give different values, passed in every call.
    generate: name of the value generator and its numbers, e.g. ("uniform", -1.0, 1.0); see `kernels.packs.generator`.
    extents: the shape as the contract has it, where it names dimensions; () where it does not.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    role: Role
    generate: tuple[str | float, ...] = ("uniform", -1.0, 1.0)
    value: float | None = None
    extents: tuple[int | str, ...] = ()

    def __post_init__(self) -> None:
        if self.dtype not in FORMATS:
            raise ValueError(f"argument {self.name}: unknown dtype {self.dtype!r}; known: {', '.join(FORMATS)}")
        if any(n <= 0 for n in self.shape):
            raise ValueError(f"argument {self.name}: every extent of the shape must be > 0, got {self.shape}")
        if not self.shape and self.role in ("output", "inout"):
            raise ValueError(f"argument {self.name}: a scalar cannot be an {self.role}")
        fixed = self.role in ("constant", "dimension")
        if fixed != (self.value is not None) or (fixed and self.shape):
            raise ValueError(f"argument {self.name}: a constant is a scalar with a value, and nothing else has one")
        if self.role == "dimension" and not self.format.whole:
            raise ValueError(f"argument {self.name}: a dimension is an integer, not {self.dtype}")

    def at(self, sizes: Mapping[str, int]) -> "Argument":
        """The same argument where the dimensions have these sizes. Raises: KeyError for a dimension without one."""
        if self.role == "dimension":
            return replace(self, value=float(sizes[self.name]))
        if not self.extents:
            return self
        return replace(self, shape=tuple(sizes[one] if isinstance(one, str) else one for one in self.extents))

    @property
    def format(self) -> Format:
        return FORMATS[self.dtype]

    @property
    def storage_shape(self) -> tuple[int, ...]:
        return self.format.storage_shape(self.shape)

    @property
    def nbytes(self) -> int:
        """Stored bytes of one instance."""
        return prod(self.storage_shape) * self.format.storage.itemsize

    @property
    def writable(self) -> bool:
        return self.role in ("output", "inout")

    @property
    def c_parameter(self) -> str:
        """Its parameter in the C prototype."""
        if not self.shape:
            return f"{self.format.c_type} {self.name}"
        const = "" if self.writable else "const "
        return f"{const}{self.format.c_type} *{self.name}"

    @property
    def literal(self) -> str:
        """The value of a constant as C text."""
        value = self.value or 0
        return f"(({self.format.c_type}){int(value) if self.format.whole else float(value).hex()})"
