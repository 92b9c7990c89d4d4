"""`[[shapes]]` of `kernel.toml`: the sizes that a kernel is judged at, by the names of its dimensions.

    [[shapes]]
    name = "decode"         # how refusals, pairs and reports call it
    weight = 2              # beside those of the other shapes; 1 when it is left out
    M = 1                   # a value for every argument of role "dimension"
    N = 1024

Extents of arguments and factors of `operations` are then numbers or names of dimensions: `shape = ["M", "N"]`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from kernels.packs.toml import PackError, Table
from kernels.values.kernel import KernelSpec
from kernels.values.shapes import Shape

MOST: Final = 32  # each has memory, processes and readings of its own


def read_shapes(table: Table) -> tuple[Shape, ...]:
    """() for a kernel of one shape. Raises: PackError, ValueError."""
    found = tuple(_shape(one) for one in table.tables("shapes"))
    names = [shape.name for shape in found]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled or len(found) > MOST:
        raise PackError(table.where, f"shapes {', '.join(doubled) or len(found)}", f"Name each once; at most {MOST}")
    other = next((shape for shape in found if set(shape.sizes) != set(found[0].sizes)), None)
    if other is not None:
        todo = f"Give every shape the same dimensions: {', '.join(found[0].sizes)}"
        raise PackError(table.where, f"shape {other.name} has {', '.join(other.sizes) or 'none'}", todo)
    return found


def _shape(table: Table) -> Shape:
    name, weight = table.take("name", str), table.take("weight", float, 1.0)
    if not name or any(c.isspace() for c in name):
        raise PackError(table.where, f"name is {name!r}", "Write one word")
    return Shape(name, weight, {dimension: table.take(dimension, int) for dimension in list(table.raw)})


def read_factors(table: Table, sizes: Mapping[str, int]) -> tuple[int | str, ...]:
    """`operations` as a list, which is a product; () when it is a number. Raises: PackError."""
    if not isinstance(table.raw.get("operations"), list):
        return ()
    factors: list[int | str] = table.take("operations", list)
    concrete(factors, sizes, f"{table.where}, operations")
    return tuple(factors)


def concrete(extents: Sequence[Any], sizes: Mapping[str, int], where: str) -> tuple[int, ...]:
    """The numbers of a shape that may name dimensions. Raises: PackError for anything else."""
    known = [sizes.get(one, one) if isinstance(one, str) else one for one in extents]
    numbers = tuple(n for n in known if isinstance(n, int) and not isinstance(n, bool))
    if len(numbers) != len(known):
        todo = f"Write whole numbers{' or ' + ', '.join(sizes) if sizes else ''}"
        raise PackError(where, f"shape is {list(extents)}", todo)
    return numbers


def size_of(name: str, sizes: Mapping[str, int], where: str) -> int:
    """Of a dimension in the first shape. Raises: PackError when the shapes do not say it."""
    if name not in sizes:
        raise PackError(where, "it is a dimension that no shape sizes", f"Add [[shapes]] with {name} = ... in each")
    return sizes[name]


def check_dimensions(spec: KernelSpec, where: str) -> None:
    """Raises: PackError unless the shapes size exactly the arguments of role "dimension", which can hold the sizes."""
    arguments = {a.name: a for a in spec.arguments if a.role == "dimension"}
    sized = set(spec.shapes[0].sizes) if spec.shapes else set()
    if sized != set(arguments):
        found = f"shapes size {', '.join(sorted(sized)) or 'nothing'}; arguments of role dimension are "
        todo = "Give every dimension an argument, e.g. dtype i32, shape [], role dimension, and a size in every shape"
        raise PackError(where, f"{found}{', '.join(sorted(arguments)) or 'none'}", todo)
    for shape in spec.shapes:
        for name, size in shape.sizes.items():
            if size > np.iinfo(arguments[name].format.storage).max:
                todo = "Use a wider integer"
                raise PackError(
                    where, f"shape {shape.name}: {name} = {size} fits into no {arguments[name].dtype}", todo
                )
