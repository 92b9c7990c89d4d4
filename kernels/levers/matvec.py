"""Recognises streaming mat-vecs: a row loop around a reduction whose factors are a weight of the row and a vector.

Known by what the nest computes, not by how it is written: two rows are run on abstract values (`nest_run.py`), then the
products are read: weights (a function of one byte, of each nibble of a byte, f32, f64 or bf16), one scale for a block
of columns or none, one vector that does not depend on the row; or all of it in doubles.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Node

from kernels.levers.abstract import Leaf, Product, Unsupported
from kernels.levers.loops import CountedLoop, counted_loop, counted_loops, leaves_early
from kernels.levers.nest_run import NestRun, run_nest
from kernels.levers.scope import declared_inside, visible
from kernels.levers.sharing import independent
from kernels.levers.syntax import enclosing, field, identifiers, parse_expression, statements, walk
from kernels.levers.unit import Unit, function_name, unit_of

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


@dataclass(frozen=True)
class MatVec:
    """target += sum over columns of weight * vector (* scale of the block) (* factors), in every row.

    columns: C text of the number of columns. reduction: the loop that computes it; before: statements of the row's body
    in front of it. target: the lvalue that the reduction adds to. factors: scalars that multiply every product.
    """

    function: Node
    row: CountedLoop
    reduction: CountedLoop
    before: tuple[Node, ...]
    target: str
    weights: Weights
    vector: Vector
    scale: Scale | None
    columns: str
    factors: tuple[str, ...]
    site: str


@lru_cache(maxsize=64)
def find(source: str) -> tuple[MatVec, ...]:
    """Every mat-vec of the source, in source order."""
    return tuple(_all(unit_of(source)))


def _all(unit: Unit) -> Iterator[MatVec]:
    count: dict[str, int] = {}
    for loop in counted_loops(unit.root):
        function = enclosing(loop.node, "function_definition")
        if function is None:
            continue
        name = function_name(function)
        found = list(_recognised(unit, function, loop, f"{name}/{count.get(name, 0)}"))
        count[name] = count.get(name, 0) + bool(found)
        yield from found


def _recognised(unit: Unit, function: Node, row: CountedLoop, site: str) -> Iterator[MatVec]:
    """The reductions of one row loop."""
    if leaves_early(row.body):
        return
    before: list[Node] = []
    for statement in statements(row.body):
        reduction = counted_loop(statement)
        if reduction is None:
            before.append(statement)
            continue
        if not _adds(reduction):
            continue
        try:
            yield _described(unit, function, row, reduction, tuple(before), site)
        except Unsupported:
            continue


def _adds(reduction: CountedLoop) -> bool:
    """Whether the loop assigns anything that every turn may share; without it nothing can be summed."""
    inside = declared_inside(reduction.body) | {reduction.variable}
    targets = (field(n, "left") for n in walk(reduction.body) if n.type == "assignment_expression")
    return any(t is not None and not identifiers(t) & inside for t in targets)


def _described(
    unit: Unit, function: Node, row: CountedLoop, reduction: CountedLoop, before: tuple[Node, ...], site: str
) -> MatVec:
    outer = visible(function, row.node)
    one, other = (run_nest(unit, outer, row, reduction, before, at) for at in (3, 5))
    factors, products = _split_factors(one.products)
    _, moved = _split_factors(other.products)
    vector, weights, scale = _roles(products, moved)
    products = sorted(products, key=lambda p: _leaf(p, vector).address)
    _consecutive([_leaf(p, vector).address for p in products])
    _untouched(row, {vector, weights, weights if scale is None else scale})
    _one_precision(products, scale)
    if not independent(unit, row):
        raise Unsupported("rows that meet at an element")
    per, rest = divmod(len(products), one.iterations)
    if rest or not per:
        raise Unsupported("iterations of different lengths")
    return MatVec(
        function=function, row=row, reduction=reduction, before=before, target=one.target,
        weights=_weights(one, products, weights), vector=_vector(one, row, products, vector),
        scale=_scale(one, products, scale) if scale is not None else None,
        columns=f"{reduction.trip} * {per}" if per > 1 else reduction.trip, factors=factors, site=site,
    )  # fmt: skip


def _untouched(row: CountedLoop, roots: set[str]) -> None:
    """The row must not store to what its reductions read."""
    for node in walk(row.body):
        target = field(node, "left") if node.type == "assignment_expression" else None
        if target is not None and target.type != "identifier" and identifiers(target) & roots:
            raise Unsupported("the row stores to an operand")


def _one_precision(products: list[Product], scale: str | None) -> None:
    """Doubles come with doubles only, and without scales."""
    kinds = {x.kind for p in products for x in p.leaves}
    if "f64" in kinds and (kinds != {"f64"} or scale is not None):
        raise Unsupported("doubles mixed with other types")


def _split_factors(products: tuple[Product, ...]) -> tuple[tuple[str, ...], list[Product]]:
    """The scalars that all products share, and the products without them."""
    scalars = {tuple(sorted(x.root for x in p.leaves if x.kind == "scalar")) for p in products}
    if len(scalars) != 1:
        raise Unsupported("no products, or different scalars in them")
    if any(p.coefficient != 1.0 for p in products):
        raise Unsupported("a constant factor")
    bare = [Product(1.0, tuple(x for x in p.leaves if x.kind != "scalar")) for p in products]
    return scalars.pop(), bare


def _roles(products: list[Product], moved: list[Product]) -> tuple[str, str, str | None]:
    """Roots of vector, weights and scale."""
    roots = {tuple(sorted(x.root for x in p.leaves)) for p in products}
    if len(roots) != 1 or len(products) != len(moved):
        raise Unsupported("products of different shapes")
    names = roots.pop()
    if len(set(names)) != len(names):
        raise Unsupported("one array twice in a product")
    fixed = [n for n in names if all(_leaf(p, n) == _leaf(q, n) for p, q in zip(products, moved, strict=True))]
    of_row = sorted((n for n in names if n not in fixed), key=lambda n: -len({_leaf(p, n).address for p in products}))
    if len(fixed) != 1 or len(of_row) not in (1, 2):
        raise Unsupported("not a weight of the row times a vector")
    return fixed[0], of_row[0], of_row[1] if len(of_row) == 2 else None


def _leaf(product: Product, root: str) -> Leaf:
    return next(x for x in product.leaves if x.root == root)


def _consecutive(addresses: list[int]) -> None:
    if addresses != list(range(addresses[0], addresses[0] + len(addresses))):
        raise Unsupported("columns that are not consecutive")


def _weights(run: NestRun, products: list[Product], root: str) -> Weights:
    leaves = [_leaf(p, root) for p in products]
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


def _scale(run: NestRun, products: list[Product], root: str) -> Scale:
    leaves = [_leaf(p, root) for p in products]
    relative = [x.address - leaves[0].address for x in leaves]
    fitting = [b for b in BLOCKS if relative == [k // b for k in range(len(leaves))] and len(leaves) >= 2 * b]
    if not fitting or len({x.table for x in leaves}) != 1:
        raise Unsupported("a scale that is not one for a block of columns")
    kind = leaves[0].kind
    if kind == "scalar":
        raise Unsupported("scalar")
    table = leaves[0].values if kind == "byte" else None
    return Scale(kind, root, fitting[0], table, run.address(root, leaves[0].address))


def _vector(run: NestRun, row: CountedLoop, products: list[Product], root: str) -> Vector:
    leaf = _leaf(products[0], root)
    address = run.address(root, leaf.address)
    expression = parse_expression(address)
    used = identifiers(expression) if expression is not None else set()
    if expression is None or used & (declared_inside(row.node) | {row.variable}):
        raise Unsupported("a vector whose place is known only inside of the row")
    if leaf.kind not in ("f32", "f64", "bf16"):
        raise Unsupported("vector of another type")
    return Vector(leaf.kind, root, address)
