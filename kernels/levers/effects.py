"""What a call does beside its value: whether it only computes from its arguments, or at least writes nothing."""

from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.levers.loops import stored_root, written_names
from kernels.levers.scope import declared_by, declared_inside, parameters
from kernels.levers.syntax import field, identifiers, named, parse_expression, root_name, text_of, walk
from kernels.levers.unit import Unit, unit_of
from kernels.packs.trees import called

PURE: Final = frozenset(
    """sqrt sqrtf fabs fabsf exp expf log logf sin sinf cos cosf tanh tanhf pow powf fmax fmaxf fmin fminf fma fmaf abs
    floor floorf ceil ceilf ldexp ldexpf kw_bf16_to_f32 kw_f32_to_bf16 kw_threads""".split()
)
SILENT: Final = ("__builtin_prefetch", "KW_SPAN")
COPYING: Final = ("memcpy", "memset", "__builtin_memcpy")
_POINTING: Final = frozenset({"pointer_declarator", "pointer_expression", "array_declarator"})
_CHANGING: Final = frozenset({"assignment_expression", "update_expression"})
_READING: Final = frozenset({"subscript_expression", "pointer_expression", "field_expression"})


def computes_only(unit: Unit, name: str) -> bool:
    """Whether a call of it is a value of its arguments: no memory, no state, nothing of the file that may change."""
    if name in PURE or name.startswith(SILENT):
        return True
    function = unit.functions.get(name)
    return function is not None and not any(n.type in _POINTING for n in walk(function)) and writes_nothing(unit, name)


def writes_nothing(unit: Unit, name: str) -> bool:
    """Whether a call of it changes nothing and depends on its arguments, on what they point to, and on constants."""
    return name in PURE or name.startswith(SILENT) or name in _silent(unit.source)


def writes_through_arguments(unit: Unit, name: str) -> tuple[int, ...] | None:
    """Numbers of the arguments through which a function of the unit may write; None when it may change more."""
    if name not in unit.functions or name not in _silent(unit.source, through=True):
        return None
    formals = parameters(unit.functions[name])
    return tuple(k for k, v in enumerate(formals) if v.is_array and "const" not in v.base.split())


@lru_cache(maxsize=64)
def _silent(source: str, *, through: bool = False) -> frozenset[str]:
    """Functions of the unit that write to their own variables only; through: or to what their parameters point to."""
    unit = unit_of(source)
    found = {name for name, node in unit.functions.items() if _keeps_to_itself(unit, node, through)}
    while True:
        kept = {n for n in found if _called(unit.functions[n]) <= found | PURE | frozenset(COPYING) | macros(unit)}
        if kept == found:
            return frozenset(found)
        found = kept


def _called(function: Node) -> set[str]:
    found = {called(n) for n in walk(function) if n.type == "call_expression"}
    return {name for name in found if not name.startswith((*SILENT, "__builtin_", "_mm"))}


def _keeps_to_itself(unit: Unit, function: Node, through: bool) -> bool:
    body = field(function, "body")
    if body is None or any(n.type == "storage_class_specifier" for n in walk(body)):
        return False
    own = declared_inside(body) | {v.name for v in parameters(function)}
    held = {v.name for n in walk(body) if n.type == "declaration" for v in declared_by(n) if not v.pointers}
    held |= {v.name for v in parameters(function) if v.is_array} if through else set()
    for node in walk(body):
        if node.type in _CHANGING and stored_root(node) not in held | {""}:
            return False
        if set(written_names(node)) - own or hidden(unit, node):
            return False
        if node.type == "call_expression" and called(node) in COPYING:
            listed = field(node, "arguments")
            if listed is None or root_name(named(listed)[0]) not in held:
                return False
    return behind(unit.source, identifiers(body)) - own <= _known(unit.source) | _called(function)


@lru_cache(maxsize=64)
def _known(source: str) -> frozenset[str]:
    """Names of the file that stand for the same value always."""
    unit = unit_of(source)
    constant = {
        v.name for n in unit.root.children if n.type == "declaration" for v in declared_by(n)
        if not v.pointers and any(text_of(q) == "const" for q in n.children if q.type == "type_qualifier")
    }  # fmt: skip
    listed = {text_of(field(n, "name") or n) for n in walk(unit.root) if n.type == "enumerator"}
    functions = {*unit.functions, "NAN", "INFINITY", "NULL"}
    return frozenset({*constant, *listed, *functions, *unit.tables})


def behind(source: str, names: set[str]) -> set[str]:
    """The names, macros among them replaced by the names that they stand for."""
    texts, seen, left = _texts(source), set[str](), set(names)
    while macro := next((name for name in left if name in texts), ""):
        seen.add(macro)
        tree = parse_expression(texts[macro])
        found = identifiers(tree) - _formals(source).get(macro, frozenset()) if tree is not None else set[str]()
        left = (left | found) - seen
    return left


@lru_cache(maxsize=64)
def _formals(source: str) -> dict[str, frozenset[str]]:
    """Parameters of macros."""
    found: dict[str, frozenset[str]] = {}
    for node in walk(unit_of(source).root):
        name, listed = field(node, "name"), field(node, "parameters")
        if node.type == "preproc_function_def" and name is not None and listed is not None:
            found[text_of(name)] = frozenset(text_of(n) for n in named(listed))
    return found


def hidden(unit: Unit, node: Node) -> bool:
    """Whether the node is a name of the preprocessor behind which the source stores or reads memory, or more than an
    expression."""
    return node.type == "identifier" and text_of(node) in _opaque(unit.source)


@lru_cache(maxsize=64)
def _opaque(source: str) -> frozenset[str]:
    texts = _texts(source)
    trees = {name: parse_expression(text) for name, text in texts.items()}
    found = {n for n, tree in trees.items() if tree is None or any(x.type in _CHANGING | _READING for x in walk(tree))}
    while more := {n for n, tree in trees.items() if n not in found and tree is not None and identifiers(tree) & found}:
        found |= more
    return frozenset(found)


def macros(unit: Unit) -> frozenset[str]:
    return frozenset(_texts(unit.source))


@lru_cache(maxsize=64)
def _texts(source: str) -> dict[str, str]:
    """What the file's own macros stand for."""
    found: dict[str, str] = {}
    for node in walk(unit_of(source).root):
        name, value = field(node, "name"), field(node, "value")
        if node.type in ("preproc_def", "preproc_function_def") and name is not None:
            found[text_of(name)] = text_of(value).split("/*")[0].replace("\\\n", " ") if value is not None else ""
    return found
