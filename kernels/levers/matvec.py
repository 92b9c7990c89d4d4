"""Recognises streaming mat-vecs: a row loop around a reduction whose factors are a weight of the row and a vector.

Known by what the nest computes, not by how it is written: two rows are run on abstract values (`nest_run.py`), then the
products are read: weights (a function of one byte, of each nibble of a byte, f32, f64 or bf16), one scale for a block
of columns or none, one vector that does not depend on the row; or all of it in doubles.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from kernels.levers.abstract import Product, Unsupported
from kernels.levers.loops import CountedLoop, counted_loop, counted_loops, leaves_early
from kernels.levers.nest_run import run_nest
from kernels.levers.operands import Scale, Vector, Weights, leaf_of, scale_of, vector_of, weights_of
from kernels.levers.scope import declared_inside, visible
from kernels.levers.sharing import independent
from kernels.levers.syntax import enclosing, field, identifiers, statements, walk
from kernels.levers.unit import Unit, function_name, unit_of


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
    products = sorted(products, key=lambda p: leaf_of(p, vector).address)
    _consecutive([leaf_of(p, vector).address for p in products])
    _untouched(row, {vector, weights, weights if scale is None else scale})
    _one_precision(products, scale)
    if not independent(unit, row):
        raise Unsupported("rows that meet at an element")
    per, rest = divmod(len(products), one.iterations)
    if rest or not per:
        raise Unsupported("iterations of different lengths")
    return MatVec(
        function=function, row=row, reduction=reduction, before=before, target=one.target,
        weights=weights_of(one, products, weights), vector=vector_of(one, row, products, vector),
        scale=scale_of(one, products, scale) if scale is not None else None,
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
    fixed = [n for n in names if all(leaf_of(p, n) == leaf_of(q, n) for p, q in zip(products, moved, strict=True))]
    of_row = sorted((n for n in names if n not in fixed), key=lambda n: -len({leaf_of(p, n).address for p in products}))
    if len(fixed) != 1 or len(of_row) not in (1, 2):
        raise Unsupported("not a weight of the row times a vector")
    return fixed[0], of_row[0], of_row[1] if len(of_row) == 2 else None


def _consecutive(addresses: list[int]) -> None:
    if addresses != list(range(addresses[0], addresses[0] + len(addresses))):
        raise Unsupported("columns that are not consecutive")
