"""Functions of a source whose work-items are numbered by one variable, and how they are launched."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.levers.base import LeverDoesNotApply
from kernels.levers.opencl_c.constants import NoConstant, macros_of, value_of
from kernels.levers.opencl_c.masked import masked
from kernels.levers.syntax import Edit, field, named, parse, replace_node, text_of, walk
from kernels.levers.unit import function_name

GROUPS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_NUMBER: Final = "get_global_id(0)"


@dataclass(frozen=True)
class WorkItems:
    """declaration: of the variable that numbers the work-items, the first statement of the function. launch: the
    arguments of its KW_LAUNCH; size: work-items in all; group: in a group. Nodes lie in the masked source."""

    function: Node
    body: Node
    declaration: Node
    variable: str
    kind: str
    launch: tuple[Node, Node, Node]
    size: int
    group: int

    @property
    def name(self) -> str:
        return text_of(self.launch[0])

    @property
    def size_text(self) -> str:
        return text_of(self.launch[1])

    def launched(self, size: str, group: str) -> list[Edit]:
        """Edits of its launch."""
        return [replace_node(self.launch[1], size), replace_node(self.launch[2], group)]

    def rest(self) -> list[Node]:
        """The statements behind the declaration."""
        return named(self.body)[1:]


@lru_cache(maxsize=64)
def work_items(source: str) -> tuple[WorkItems, ...]:
    """Those that are launched once, in source order."""
    seen = masked(source)
    launches: dict[str, list[tuple[Node, Node, Node]]] = {}
    for name, size, group in _launches(parse(seen)):
        launches.setdefault(text_of(name), []).append((name, size, group))
    functions = (node for node in walk(parse(seen)) if node.type == "function_definition")
    found = ((one, launches.get(function_name(one), [])) for one in functions)
    return tuple(made for one, calls in found if len(calls) == 1 and (made := _made(seen, one, calls[0])))


def the_items(source: str, name: str) -> WorkItems:
    """Of the function of this name. Raises: LeverDoesNotApply."""
    found = next((one for one in work_items(source) if one.name == name), None)
    if found is None:
        raise LeverDoesNotApply(f"no function {name} begins with a variable that is {_NUMBER} and is launched once")
    return found


def groups_of(size: int, *shares: int) -> tuple[int, ...]:
    """Sizes of groups that divide the work-items, however many of the `shares` each work-item takes."""
    return tuple(g for g in GROUPS if all(size % (share * g) == 0 for share in (1, *shares)))


def _launches(root: Node) -> Iterator[tuple[Node, Node, Node]]:
    for node in walk(root):
        function, arguments = field(node, "function"), field(node, "arguments")
        if node.type == "call_expression" and function is not None and text_of(function) == "KW_LAUNCH":
            words = [] if arguments is None else named(arguments)
            if len(words) == 3:
                yield words[0], words[1], words[2]


def _made(source: str, function: Node, launch: tuple[Node, Node, Node]) -> WorkItems | None:
    body = field(function, "body")
    first = next(iter(named(body)), None) if body is not None else None
    numbered = _numbered(first) if first is not None else None
    if body is None or first is None or numbered is None:
        return None
    try:
        size, group = (value_of(one, macros_of(source)) for one in launch[1:])
    except NoConstant:
        return None
    return WorkItems(function, body, first, *numbered, launch, size, group)


def _numbered(statement: Node) -> tuple[str, str] | None:
    """(variable, type) of a declaration of the work-item's number."""
    declarators = [n for n in named(statement) if n.type == "init_declarator"]
    kind = field(statement, "type")
    if statement.type != "declaration" or len(declarators) != 1 or kind is None:
        return None
    name, value = field(declarators[0], "declarator"), field(declarators[0], "value")
    if name is None or value is None or name.type != "identifier":
        return None
    words = "".join(text_of(value).split()).removeprefix("(int)").removeprefix("(long)")
    return (text_of(name), text_of(kind)) if words == _NUMBER else None
