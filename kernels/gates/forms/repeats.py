"""Guards on what may stand only once or only somewhere: labels, declarations, parameters, cases."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from kernels.gates.forms.bindings import above, declarators, declares, function_of, is_own_parameter, qualifiers
from kernels.packs.trees import text_of, walk


def outside(node: Node, types: Sequence[str]) -> bool:
    """In a function, and within it in nothing of these types."""
    for one in above(node):
        if one.type == "function_definition":
            return True
        if one.type in types:
            return False
    return False


def unstored(node: Node, _words: Sequence[str]) -> bool:
    """A declaration without storage class and attribute."""
    return not any(n.type in ("storage_class_specifier", "attribute_specifier") for n in node.children)


def unlabelled(node: Node, _words: Sequence[str]) -> bool:
    """No label of this name in the outermost function around it."""
    functions = [n for n in above(node) if n.type == "function_definition"]
    if not functions:
        return False
    labels = (n.child_by_field_name("label") for n in walk(functions[-1]) if n.type == "labeled_statement")
    return text_of(node) not in [text_of(n) for n in labels if n is not None]


def _declaration_of(name: Node) -> Node | None:
    """The declaration of a variable without pointer or extent, initialised or not, that names it."""
    owner = name.parent
    if owner is not None and owner.type == "init_declarator" and owner.child_by_field_name("declarator") == name:
        owner = owner.parent
    return owner if owner is not None and owner.type == "declaration" else None


@dataclass(frozen=True, slots=True)
class _Variable:
    at: int
    valued: bool
    extern: bool


@lru_cache(maxsize=64)
def _variables(block: Node) -> dict[str, list[_Variable]]:
    """Variables without pointer or extent that a block declares, by name."""
    found: dict[str, list[_Variable]] = {}
    for one in block.named_children:
        for child in one.children_by_field_name("declarator") if one.type == "declaration" else ():
            valued = child.type == "init_declarator"
            inner = child.child_by_field_name("declarator") if valued else child
            if inner is not None and inner.type == "identifier":
                variable = _Variable(one.start_byte, valued, "extern" in qualifiers(one))
                found.setdefault(text_of(inner), []).append(variable)
    return found


def _earlier(node: Node) -> list[_Variable]:
    """Declarations of the same name, further up in the same block."""
    owner = _declaration_of(node)
    block = owner.parent if owner is not None else None
    if owner is None or block is None or block.type != "compound_statement" or qualifiers(owner) & {"extern"}:
        return []
    return [one for one in _variables(block).get(text_of(node), []) if one.at < owner.start_byte]


def declared_again(node: Node, _words: Sequence[str]) -> bool:
    """An earlier declaration of the same block declares the same variable; neither is extern."""
    return any(not one.extern for one in _earlier(node))


def initialised_before(node: Node, _words: Sequence[str]) -> bool:
    """An earlier declaration of the same block gives the same variable a value."""
    return any(one.valued for one in _earlier(node))


def shadows_parameter(node: Node, _words: Sequence[str]) -> bool:
    """Declared in the outermost block of a function that has a parameter of this name."""
    owner, function = _declaration_of(node), function_of(node)
    if owner is None or function is None or owner.parent != function.child_by_field_name("body"):
        return False
    if qualifiers(owner) & {"extern"}:
        return False
    named = declarators(function, text_of(node))
    owners = [next((a for a in above(n) if a.type == "parameter_declaration"), None) for n in named]
    return any(one is not None and is_own_parameter(one, function) for one in owners)


def second_of_name(node: Node, _words: Sequence[str]) -> bool:
    """An earlier parameter of the same function has the same name."""
    function, owner = function_of(node), next((n for n in above(node) if n.type == "parameter_declaration"), None)
    if function is None or owner is None or not is_own_parameter(owner, function) or not declares(node):
        return False
    before = [p for p in (owner.parent.named_children if owner.parent else []) if p.start_byte < owner.start_byte]
    return any(
        text_of(n) == text_of(node) and declares(n) and next(iter(_owners(n)), None) == p
        for p in before
        for n in walk(p)
        if n.type == "identifier"
    )


def _owners(node: Node) -> list[Node]:
    return [n for n in above(node) if n.type == "parameter_declaration"]


def _switch_block(case: Node | None) -> Node | None:
    """The block of the switch that a case stands in directly."""
    block = case.parent if case is not None and case.type == "case_statement" else None
    if block is None or block.parent is None or block.parent.type != "switch_statement":
        return None
    return block


def second_default(node: Node, _words: Sequence[str]) -> bool:
    """`node` is a case; an earlier one of the same switch is a `default:` as well."""
    block = _switch_block(node)
    cases = [n for n in block.named_children if n.type == "case_statement"] if block is not None else []
    defaults = [n for n in cases if n.children and n.children[0].type == "default"]
    return node in defaults and node != defaults[0]


def second_case(node: Node, _words: Sequence[str]) -> bool:
    """`node` is the literal of a case; an earlier one of the same switch has the same."""
    block = _switch_block(node.parent)
    if block is None or node.parent is None or node.type != "number_literal":
        return False
    earlier = [n for n in block.named_children if n.type == "case_statement" and n.start_byte < node.parent.start_byte]
    values = [n.child_by_field_name("value") for n in earlier]
    return any(v is not None and v.type == "number_literal" and text_of(v) == text_of(node) for v in values)
