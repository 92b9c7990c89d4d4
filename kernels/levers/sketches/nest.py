"""Renders the whole nest around a method: captured variables, preparation, rows, the call of the thread pool."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.effects import behind
from kernels.levers.interpreter import Interpreter
from kernels.levers.matvec import MatVec
from kernels.levers.outline import (
    Capture,
    before_function,
    capture,
    fresh_number,
    names_used,
    with_intrinsics,
)
from kernels.levers.scope import Variable, visible
from kernels.levers.sketches.method import CHUNKS, ROWS, SPREAD, Code, Knob, Method, fill
from kernels.levers.syntax import Edit, edited_text, names_in, parse_expression, replace_node, text_of
from kernels.levers.unit import unit_of

NEAR_L1: Final = 24 << 10


@dataclass(frozen=True)
class _Part:
    """One reduction of the row: what was found, its code, its number, the number whose prepared vector it reads."""

    found: MatVec
    code: Code
    number: int
    vector: int


def rewritten(nest: Sequence[MatVec], source: str, method: Method, params: dict[str, int]) -> list[Edit]:
    """Edits that put the method in the place of the nest, whose reductions share one row loop.

    Raises: LeverDoesNotApply when the row's body cannot be moved out of its function.
    """
    first = fresh_number(source)
    parts = _parts(nest, method, params, first)
    found = nest[0]
    replaced = [m.reduction.node for m in nest]
    used = behind(source, names_used(found.row.body, replaced) | _address_names(nest) | names_in(found.row.lower))
    captured = capture(found.function, found.row, used, replaced)
    functions = _functions(parts, captured, method, first)
    edits = [
        before_function(found.function, functions),
        replace_node(found.row.node, _site(parts, captured, method, first)),
    ]
    edits += with_intrinsics(source) if method.needs else []
    return edits


def _parts(nest: Sequence[MatVec], method: Method, params: dict[str, int], first: int) -> list[_Part]:
    parts: list[_Part] = []
    for i, found in enumerate(nest):
        code = method.render(found, first + i, first, params)
        same = next((p for p in parts if p.code.shared == code.shared and p.found.columns == found.columns), None)
        parts.append(_Part(found, code, first + i, same.vector if same else first + i))
    return parts


def _address_names(nest: Sequence[MatVec]) -> set[str]:
    texts = (
        [text for m in nest for text in (m.weights.address, m.target)]
        + [m.scale.address for m in nest if m.scale]
        + [f for m in nest for f in m.factors]
    )
    return {name for t in texts for name in names_in(t)}


def _functions(parts: Sequence[_Part], captured: Capture, method: Method, first: int) -> str:
    shared = (Knob("ROWS", _rows(parts), ROWS), Knob("SPREAD", 1, SPREAD), Knob("CHUNK", 0, CHUNKS))
    knobs = [*shared, *parts[0].code.knobs]
    members = captured.members + "".join(_members(p) for p in parts)
    return fill(
        "nest.c.in",
        n=first,
        guard=method.guard,
        knobs="".join(k.line(first) for k in knobs),
        functions="".join(p.code.functions for p in parts),
        members=members,
        unpacked=captured.unpacked(captured.names),
        declared="".join(_declared(p, first) for p in parts),
        row=_row(parts[0].found),
        pointers=_pointers(parts),
        dots="".join(_dot(p) for p in parts),
        body=_body(parts),
    )


def _rows(parts: Sequence[_Part]) -> int:
    """Two rows at a time, so that a thread reads memory at two places; four where one row's vector fills a first-level
    cache, so that it is read a quarter as often."""
    columns = parse_expression(parts[0].found.columns)
    try:
        value = Interpreter(unit_of(_source(parts[0].found.function)), {}).evaluate(columns) if columns else 0
    except Unsupported:
        return 2
    width = {"double": 8, "float": 4}.get(parts[0].code.element, 2)
    return 4 if isinstance(value, int) and value * width > NEAR_L1 else 2


def _source(node: Node) -> str:
    while node.parent is not None:
        node = node.parent
    return text_of(node)


def _members(part: _Part) -> str:
    n = part.number
    return f"    int64_t kw_n_{n}, kw_padded_{n};\n    const {part.code.element} *kw_x_{n};\n"


def _weight_type(part: _Part) -> str:
    return {"byte": "uint8_t", "nibble": "uint8_t", "bf16": "uint16_t", "f32": "float", "f64": "double"}[
        part.found.weights.kind
    ]


def _declared(part: _Part, first: int) -> str:
    n, rows = part.number, f"KW_TUNE_ROWS_{first}"
    text = f"    const {_weight_type(part)} *kw_w_{n}[{rows}];\n    {_sum_type(part)} kw_sum_{n}[{rows}];\n"
    return text + (f"    const {_scale_type(part)} *kw_s_{n}[{rows}];\n" if part.found.scale else "")


def _sum_type(part: _Part) -> str:
    return "double" if part.found.weights.kind == "f64" else "float"


def _scale_type(part: _Part) -> str:
    kind = part.found.scale.kind if part.found.scale else "f32"
    return {"byte": "uint8_t", "f32": "float", "f64": "double", "bf16": "kw_bf16"}[kind]


def _row(found: MatVec) -> str:
    """The declaration of the row's variable."""
    start = "" if found.row.lower == "0" else f"({found.row.lower}) + "
    return f"const {found.row.type} {found.row.variable} = ({found.row.type})({start}kw_row + kw_r * kw_step);"


def _pointers(parts: Sequence[_Part]) -> str:
    """Where the row's weights and scales begin, with the locals that say so."""
    locals_before = [text_of(n) for n in parts[0].found.before if n.type == "declaration"]
    lines = [*locals_before]
    for part in parts:
        lines.append(f"kw_w_{part.number}[kw_r] = (const {_weight_type(part)} *){_braced(part.found.weights.address)};")
        if part.found.scale:
            scale = part.found.scale.address
            lines.append(f"kw_s_{part.number}[kw_r] = (const {_scale_type(part)} *){_braced(scale)};")
    return "".join(f"        {line}\n" for line in lines)


def _braced(address: str) -> str:
    return f"({address})"


def _dot(part: _Part) -> str:
    n = part.number
    scale = f"kw_s_{n}, " if part.found.scale else ""
    vector = f"kw->kw_x_{n}, kw->kw_n_{n}, kw->kw_padded_{n}"
    return f"    kw_dot_{n}(kw_rows, kw_w_{n}, {scale}{vector}, kw_sum_{n});\n"


def _body(parts: Sequence[_Part]) -> str:
    found = parts[0].found
    edits = [replace_node(p.found.reduction.node, _added(p)) for p in parts]
    return edited_text(found.row.body, edits)


def _added(part: _Part) -> str:
    found = part.found
    outer = visible(found.function, found.row.node)
    scaled = "".join(f" * {_scalar(outer[f])}" for f in found.factors)
    return f"{found.target} += kw_sum_{part.number}[kw_r]{scaled};"


def _scalar(variable: Variable) -> str:
    return f"kw_bf16_to_f32({variable.name})" if variable.element == "kw_bf16" else variable.name


def _site(parts: Sequence[_Part], captured: Capture, method: Method, first: int) -> str:
    prepared = "".join(_preparation(p) for p in parts)
    carried = [f"kw_n_{p.vector}, kw_padded_{p.vector}, kw_x_{p.vector}" for p in parts]
    values = ", ".join([*captured.values, *carried])
    found = parts[0].found
    return fill(
        "site.c.in", n=first, guard=method.guard, prepared=prepared, values=values, trip=found.row.trip,
        original=text_of(found.row.node),
    )  # fmt: skip


def _preparation(part: _Part) -> str:
    n, code, found = part.number, part.code, part.found
    if part.vector != n:
        return ""
    sizes = (
        f"        const int64_t kw_n_{n} = {found.columns};\n"
        f"        const int64_t kw_padded_{n} = (kw_n_{n} + {code.group - 1}) / {code.group} * {code.group};\n"
    )
    if not code.prepared:
        return sizes + f"        const {code.element} *kw_x_{n} = {found.vector.address};\n"
    return sizes + (
        f"        _Alignas(64) {code.element} kw_x_{n}[{code.terms} * kw_padded_{n}];\n"
        f"        kw_prepare_{n}({found.vector.address}, kw_n_{n}, kw_padded_{n}, kw_x_{n});\n"
    )
