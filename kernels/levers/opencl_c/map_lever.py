"""A lever that gives each work-item of an elementwise function a vector of elements, and several of those."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.base import Application, Context, Family, LeverDoesNotApply, with_source
from kernels.levers.opencl_c.texts import line_start
from kernels.levers.opencl_c.work_items import WorkItems, groups_of, the_items, work_items
from kernels.levers.outline import fresh_number
from kernels.levers.scope import parameters
from kernels.levers.sketches.method import Knob
from kernels.levers.syntax import Edit, apply_edits, edited_text, field, named, replace_node, text_of, walk
from kernels.values.candidate import Candidate

WIDTHS: Final = (2, 4, 8, 16)
VECTORS: Final = (1, 2, 4, 8)  # of a work-item
CALLS: Final = frozenset("fabs fma mad fmin fmax sqrt rsqrt exp exp2 log log2 tanh sin cos pow".split())
_PLAIN: Final = frozenset(
    {
        "binary_expression", "unary_expression", "parenthesized_expression", "identifier", "number_literal",
        "subscript_expression", "call_expression", "argument_list", "assignment_expression", "expression_statement",
        "declaration", "init_declarator", "primitive_type",
    }
)  # fmt: skip
_BITS: Final = re.compile(r"[%&|^~<>=!?]")


@dataclass(frozen=True, slots=True)
class MapLever:
    """Statements over f32 arrays at the work-item's own element become the same statements over vectors."""

    name: str = "opencl_vector_map"
    family: Family = "sketch"

    def applications(self, candidate: Candidate, context: Context) -> list[Application]:
        wide = 16 if context.machine.has("avx512f") else 8
        expects = "fewer work-items and wider loads; the time is that of the memory it touches"
        return [
            Application(self.name, self.family, {"width": width}, one.name, _reason(one), expects)
            for one in work_items(candidate.source)
            if _elementwise(one)
            for width in dict.fromkeys((wide, 4))
        ]

    def apply(self, candidate: Candidate, application: Application, context: Context) -> Candidate:
        source = candidate.source
        items = the_items(source, application.site)
        if not _elementwise(items):
            raise LeverDoesNotApply(f"{items.name} does more than statements over f32 elements of its work-item")
        n = fresh_number(source)
        at = line_start(source, items.function.start_byte)
        share = f"({items.size_text}) / (KW_TUNE_WIDTH_{n} * KW_TUNE_VECTORS_{n})"
        edits = [
            Edit(at, at, _before(items, n, int(application.params.get("width", 8)))),
            Edit(items.body.start_byte, items.body.end_byte, _body(items, n)),
            *items.launched(share, f"KW_TUNE_GROUP_{n}"),
        ]
        return with_source(candidate, apply_edits(source, edits))


def _reason(items: WorkItems) -> str:
    return f"{items.name} treats the {items.size} elements alike: vectors of them load and compute at once"


def _arrays(items: WorkItems) -> dict[str, str]:
    """Element types of the arrays among the parameters."""
    return {one.name: one.element for one in parameters(items.function) if one.pointers == 1}


def _elementwise(items: WorkItems) -> bool:
    """Only plain statements; every array at [variable], every one of f32; the variable nowhere else."""
    arrays, rest = _arrays(items), items.rest()
    if not rest or items.size % (WIDTHS[-1] * VECTORS[-1]):
        return False
    nodes = [node for one in rest for node in walk(one) if node.is_named]
    return (
        all(node.type in _PLAIN for node in nodes)
        and all(one.type in ("expression_statement", "declaration") for one in rest)
        and not any(_BITS.search(_operator(node)) for node in nodes)
        and all(_own_element(node, items, arrays) for node in nodes if node.type == "subscript_expression")
        and all(_known(node) for node in nodes if node.type == "call_expression")
        and _counted(rest, items.variable) == sum(node.type == "subscript_expression" for node in nodes)
        and all(text_of(kind) == "float" for one in rest if (kind := field(one, "type")) is not None)
        and all(_stores(one) for one in rest if one.type == "expression_statement")
    )


def _operator(node: Node) -> str:
    operator = field(node, "operator")
    if operator is None or node.type == "assignment_expression":
        return ""
    return text_of(operator)


def _own_element(node: Node, items: WorkItems, arrays: dict[str, str]) -> bool:
    array, index = field(node, "argument"), field(node, "index")
    if array is None or index is None:
        return False
    return text_of(index) == items.variable and arrays.get(text_of(array)) == "float"


def _known(call: Node) -> bool:
    function = field(call, "function")
    return function is not None and text_of(function) in CALLS


def _counted(rest: list[Node], name: str) -> int:
    return sum(node.type == "identifier" and text_of(node) == name for one in rest for node in walk(one))


def _stores(statement: Node) -> bool:
    """`array[variable] = ...`, also with an operator."""
    inside = named(statement)
    target = field(inside[0], "left") if len(inside) == 1 and inside[0].type == "assignment_expression" else None
    return target is not None and target.type == "subscript_expression"


def _before(items: WorkItems, n: int, width: int) -> str:
    groups = groups_of(items.size, WIDTHS[-1] * VECTORS[-1])
    knobs = (
        Knob("WIDTH", width, WIDTHS), Knob("VECTORS", 1, VECTORS),
        Knob("GROUP", groups[min(4, len(groups) - 1)], groups),
    )  # fmt: skip
    lines = [knob.line(n) for knob in knobs]
    for i, one in enumerate(WIDTHS):
        lines.append(f"#{'elif' if i else 'if'} KW_TUNE_WIDTH_{n} == {one}\ntypedef float{one} kw_f_{n};\n")
        lines.append(f"#define KW_LOAD_{n}(at, from) vload{one}(at, from)\n")
        lines.append(f"#define KW_STORE_{n}(value, at, to) vstore{one}(value, at, to)\n")
    return "".join([*lines, "#endif\n"])


def _body(items: WorkItems, n: int) -> str:
    lines = "".join(f"        {line}\n" for one in items.rest() for line in _vectors(one, items, n))
    return (
        f"{{\n    for (int kw_k = 0; kw_k < KW_TUNE_VECTORS_{n}; kw_k++) {{\n"
        f"        const int kw_at_{n} = get_global_id(0) * KW_TUNE_VECTORS_{n} + kw_k;\n{lines}    }}\n}}"
    )


def _vectors(statement: Node, items: WorkItems, n: int) -> Iterator[str]:
    """One statement over vectors."""
    if statement.type == "declaration":
        edits = [*_loads(statement, n), replace_node(_need(statement, "type"), f"kw_f_{n}")]
        yield edited_text(statement, edits)
        return
    assignment = named(statement)[0]
    target, value, operator = (_need(assignment, part) for part in ("left", "right", "operator"))
    array = text_of(_need(target, "argument"))
    text = edited_text(value, _loads(value, n))
    if text_of(operator) != "=":
        text = f"KW_LOAD_{n}(kw_at_{n}, {array}) {text_of(operator)[:-1]} ({text})"
    yield f"KW_STORE_{n}({_as_vector(value, text, n)}, kw_at_{n}, {array});"


def _as_vector(value: Node, text: str, n: int) -> str:
    """A value without any element is one number for all lanes."""
    return text if any(node.type == "subscript_expression" for node in walk(value)) else f"(kw_f_{n})({text})"


def _loads(node: Node, n: int) -> list[Edit]:
    found = [one for one in walk(node) if one.type == "subscript_expression"]
    return [replace_node(one, f"KW_LOAD_{n}(kw_at_{n}, {text_of(_need(one, 'argument'))})") for one in found]


def _need(node: Node, name: str) -> Node:
    found = field(node, name)
    assert found is not None
    return found
