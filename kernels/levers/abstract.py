"""Abstract values of the interpreter: numbers, pointers, functions of one loaded byte, sums of products of loads."""

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

LeafKind = Literal["byte", "f32", "f64", "bf16", "scalar"]


class Unsupported(Exception):
    """The interpreter does not know this construct: the nest is not recognised."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """Points `offset` elements into the array that the variable `root` held at the start."""

    root: str
    offset: int
    element: str
    dims: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Half:
    """A loaded bf16 before its conversion."""

    root: str
    address: int


@dataclass(frozen=True, slots=True)
class ByteValue:
    """A pure function of one loaded byte: its value for each of the 256 codes (float64; exact for floats and ints)."""

    root: str
    address: int
    values: NDArray[np.float64]
    integer: bool

    def mapped(self, values: NDArray[np.float64], integer: bool) -> "ByteValue":
        return replace(self, values=values, integer=integer)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A factor that comes from memory or from a scalar variable. table: of byte leaves, by code, 256 float64 values."""

    kind: LeafKind
    root: str
    address: int
    table: bytes = b""

    @property
    def values(self) -> NDArray[np.float64]:
        return np.frombuffer(self.table, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Product:
    coefficient: float
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of products, in the order in which they were added."""

    products: tuple[Product, ...] = field(default=())


Number = int | float
Value = Number | Pointer | Half | ByteValue | Sum


def as_sum(value: Value) -> Sum:
    """Raises: Unsupported for pointers and unconverted halves."""
    match value:
        case Sum():
            return value
        case bool() | int() | float():
            return Sum((Product(float(value), ()),)) if value else Sum()
        case ByteValue():
            leaf = Leaf("byte", value.root, value.address, value.values.tobytes())
            return Sum((Product(1.0, (leaf,)),))
    raise Unsupported(f"{type(value).__name__} in arithmetic")


def add(a: Value, b: Value) -> Sum:
    return Sum(as_sum(a).products + as_sum(b).products)


def multiply(a: Value, b: Value) -> Sum:
    left, right = as_sum(a).products, as_sum(b).products
    if len(left) > 1 and len(right) > 1:
        raise Unsupported("product of two sums")
    return Sum(tuple(Product(p.coefficient * q.coefficient, p.leaves + q.leaves) for p in left for q in right))


def negate(a: Value) -> Sum:
    return Sum(tuple(replace(p, coefficient=-p.coefficient) for p in as_sum(a).products))
