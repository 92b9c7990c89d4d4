"""Mat-vecs of work-items: a function whose work-item is a row, and one loop in it that sums weights times a vector.

The function is read as the loop over its work-items that it stands for, so that what knows mat-vecs in C knows these.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.levers.matvec import MatVec, find
from kernels.levers.opencl_c.constants import NoConstant, macros_of, value_of
from kernels.levers.opencl_c.masked import masked
from kernels.levers.opencl_c.work_items import WorkItems, work_items
from kernels.levers.syntax import parse_expression
from kernels.levers.unit import function_name

COLUMNS: Final = 16  # a row is a whole number of so many columns


@dataclass(frozen=True)
class Dot:
    """items: the rows. found: the mat-vec, in the source with the loop written out; its nodes lie `shift` bytes further
    on there. columns: of a row."""

    items: WorkItems
    found: MatVec
    shift: int
    columns: int

    def place(self, node: Node) -> tuple[int, int]:
        """Bytes [start, end) in the source itself."""
        return node.start_byte - self.shift, node.end_byte - self.shift


@lru_cache(maxsize=64)
def dots(source: str) -> tuple[Dot, ...]:
    """The functions with exactly one mat-vec, in source order."""
    return tuple(one for items in work_items(source) for one in _of(source, items))


def _of(source: str, items: WorkItems) -> Iterator[Dot]:
    text, shift = _as_loop(masked(source), items)
    found = [one for one in find(text) if function_name(one.function) == items.name]
    if len(found) != 1 or found[0].row.variable != items.variable:
        return
    expression = parse_expression(found[0].columns)
    try:
        columns = value_of(expression, macros_of(text)) if expression is not None else 0
    except NoConstant:
        return
    if columns and columns % COLUMNS == 0:
        yield Dot(items, found[0], shift, columns)


def _as_loop(source: str, items: WorkItems) -> tuple[str, int]:
    """The function with a loop in place of its work-items, and by how many bytes its statements moved."""
    raw = source.encode()
    start, end, close = items.declaration.start_byte, items.declaration.end_byte, items.body.end_byte - 1
    name = items.variable
    head = f"for ({items.kind} {name} = 0; {name} < {items.size}; {name}++) {{".encode()
    text = raw[:start] + head + raw[end:close] + b"}" + raw[close:]
    return text.decode(), len(head) - (end - start)
