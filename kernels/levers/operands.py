"""The operands of a recognised mat-vec: weights, block scales and the vector, read off the products of a run."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from kernels.levers.abstract import Leaf, Product, Unsupported
from kernels.levers.loops import CountedLoop
from kernels.levers.nest_run import NestRun
from kernels.levers.scope import declared_inside
from kernels.levers.syntax import identifiers, parse_expression

WeightKind = Literal["byte", "nibble", "f32", "f64", "bf16"]
BLOCKS: Final = (8, 16, 32, 64, 128, 256)


@dataclass(frozen=True)
class Scale:
    """One factor for `block` columns of a row. table: values by code when kind is byte. address: C text at column 0."""

    kind: Literal["byte", "f32", "f64", "bf16"]
    root: str
    block: int
    table: NDArray[np.float64] | None
    address: str


@dataclass(frozen=True)
class Weights:
    """tables: one of 256 values for bytes; for nibbles 16 values of the even and 16 of the odd columns.
    even_is_low: whether even columns stand in the low nibble. address: C text of the first weight of the row."""

    kind: WeightKind
    root: str
    tables: tuple[NDArray[np.float64], ...]
    even_is_low: bool
    address: str


@dataclass(frozen=True)
class Vector:
    """address: C text of its first element, valid outside of the row loop."""

    kind: Literal["f32", "f64", "bf16"]
    root: str
    address: str


def leaf_of(product: Product, root: str) -> Leaf:
    return next(x for x in product.leaves if x.root == root)


def weights_of(run: NestRun, products: list[Product], root: str) -> Weights:
    leaves = [leaf_of(p, root) for p in products]
    relative = [x.address - leaves[0].address for x in leaves]
    address = run.address(root, leaves[0].address)
    flat = relative == list(range(len(leaves)))
    match leaves[0].kind:
        case "byte" if flat and len({x.table for x in leaves}) == 1:
            return Weights("byte", root, (leaves[0].values,), True, address)
        case "byte" if relative == [k // 2 for k in range(len(leaves))]:
            return _nibbles(root, leaves, address)
        case "f32" | "f64" | "bf16" as kind if flat:
            return Weights(kind, root, (), True, address)
    raise Unsupported("weights that are not one a column")


def _nibbles(root: str, leaves: list[Leaf], address: str) -> Weights:
    even, odd = ({x.table for x in leaves[start::2]} for start in (0, 1))
    if len(even) != 1 or len(odd) != 1:
        raise Unsupported("different functions of the byte")
    for even_is_low in (True, False):
        tables = _of_nibble(leaves[0].values, even_is_low), _of_nibble(leaves[1].values, not even_is_low)
        if tables[0] is not None and tables[1] is not None:
            return Weights("nibble", root, (tables[0], tables[1]), even_is_low, address)
    raise Unsupported("not a function of one nibble")


def _of_nibble(values: NDArray[np.float64], low: bool) -> NDArray[np.float64] | None:
    """The 16 values when they depend on one nibble only."""
    grid = values.reshape(16, 16) if low else values.reshape(16, 16).T
    return grid[0].copy() if np.array_equal(grid, np.broadcast_to(grid[0], (16, 16)), equal_nan=True) else None


def scale_of(run: NestRun, products: list[Product], root: str) -> Scale:
    leaves = [leaf_of(p, root) for p in products]
    relative = [x.address - leaves[0].address for x in leaves]
    fitting = [b for b in BLOCKS if relative == [k // b for k in range(len(leaves))] and len(leaves) >= 2 * b]
    if not fitting or len({x.table for x in leaves}) != 1:
        raise Unsupported("a scale that is not one for a block of columns")
    kind = leaves[0].kind
    if kind == "scalar":
        raise Unsupported("scalar")
    table = leaves[0].values if kind == "byte" else None
    return Scale(kind, root, fitting[0], table, run.address(root, leaves[0].address))


def vector_of(run: NestRun, row: CountedLoop, products: list[Product], root: str) -> Vector:
    leaf = leaf_of(products[0], root)
    address = run.address(root, leaf.address)
    expression = parse_expression(address)
    used = identifiers(expression) if expression is not None else set()
    if expression is None or used & (declared_inside(row.node) | {row.variable}):
        raise Unsupported("a vector whose place is known only inside of the row")
    if leaf.kind not in ("f32", "f64", "bf16"):
        raise Unsupported("vector of another type")
    return Vector(leaf.kind, root, address)
