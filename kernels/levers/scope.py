"""Variables that are visible at a place in a function, with their types."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.levers.syntax import field, named, same, text_of, walk
from kernels.levers.unit import function_declarator

_BYTES: Final = frozenset({"uint8_t", "unsigned char", "int8_t", "signed char", "char"})
_SIGNED_BYTES: Final = frozenset({"int8_t", "signed char", "char"})


@dataclass(frozen=True, slots=True)
class Variable:
    """`base` is the type with qualifiers, e.g. "const float"; pointers counts stars; dims are texts of extents, the
    first "" for a pointer to an array. restrict: whether the pointer is declared so."""

    name: str
    base: str
    pointers: int = 0
    dims: tuple[str, ...] = ()
    restrict: bool = False

    @property
    def element(self) -> str:
        """The type without qualifiers."""
        return " ".join(w for w in self.base.split() if w not in ("const", "volatile", "register", "static"))

    @property
    def is_scalar(self) -> bool:
        return not self.pointers and not self.dims

    @property
    def is_array(self) -> bool:
        """Also a pointer."""
        return not self.is_scalar

    @property
    def is_byte(self) -> bool:
        return self.element in _BYTES

    @property
    def is_signed_byte(self) -> bool:
        return self.element in _SIGNED_BYTES

    @property
    def as_member(self) -> str:
        """Declaration of a member or variable that holds it; an array decays to a pointer to its first element."""
        return f"{self.base} {'*' * (self.pointers + bool(self.dims))}{self.name}"

    @property
    def as_parameter(self) -> str:
        """Declaration of a parameter or variable of its own type; an array decays to a pointer to its first row."""
        restrict = "restrict " if self.restrict else ""
        if len(self.dims) < 2:
            return f"{self.base} {'*' * (self.pointers + bool(self.dims))}{restrict}{self.name}"
        return f"{self.base} (*{restrict}{self.name}){self._rows}"

    def seen(self, value: str) -> str:
        """C text that turns the held value into one of its own type."""
        return value if len(self.dims) < 2 else f"({self.base} (*){self._rows}){value}"

    @property
    def held(self) -> str:
        """C text of the value that a member holds."""
        return self.name if len(self.dims) < 2 else f"({self.base} *){self.name}"

    @property
    def _rows(self) -> str:
        return "".join(f"[{d}]" for d in self.dims[1:])


def visible(function: Node, place: Node) -> dict[str, Variable]:
    """Parameters and locals that are visible at `place`, the inner declaration winning."""
    found: dict[str, Variable] = {v.name: v for v in parameters(function)}
    for block in reversed(list(_blocks(function, place))):
        for child in named(block):
            if child.start_byte >= place.start_byte:
                break
            if child.type == "declaration":
                found |= {v.name: v for v in declared_by(child)}
    return found


def declared_inside(node: Node) -> set[str]:
    """Names declared anywhere below the node."""
    return {v.name for n in walk(node) if n.type == "declaration" for v in declared_by(n)}


@lru_cache(maxsize=256)
def parameters(function: Node) -> tuple[Variable, ...]:
    declarator = function_declarator(function)
    listed = field(declarator, "parameters") if declarator is not None else None
    found = (_variable(p, field(p, "declarator")) for p in (named(listed) if listed is not None else ()))
    return tuple(v for v in found if v is not None)


@lru_cache(maxsize=4096)
def declared_by(declaration: Node) -> tuple[Variable, ...]:
    """The variables of one declaration."""
    found = (_variable(declaration, _declared(d)) for d in declaration.children_by_field_name("declarator"))
    return tuple(v for v in found if v is not None)


def _declared(declarator: Node) -> Node | None:
    return field(declarator, "declarator") if declarator.type == "init_declarator" else declarator


def _blocks(function: Node, place: Node) -> Iterator[Node]:
    """Blocks and for-statements around the place, inner first."""
    above = place.parent
    while above is not None and not same(above, function):
        if above.type in ("compound_statement", "for_statement"):
            yield above
        above = above.parent


def _variable(holder: Node, declarator: Node | None) -> Variable | None:
    kind = field(holder, "type")
    if kind is None or declarator is None:
        return None
    qualifiers = [text_of(n) for n in holder.children if n.type == "type_qualifier" and "alignas" not in _kinds(n)]
    pointers, dims, restrict = 0, list[str](), False
    while declarator is not None and declarator.type != "identifier":
        restrict = restrict or any("restrict" in text_of(n) for n in declarator.children if n.type == "type_qualifier")
        if declarator.type == "pointer_declarator" and dims:
            dims.insert(0, "")
        elif declarator.type == "pointer_declarator":
            pointers += 1
        elif declarator.type == "array_declarator":
            size = field(declarator, "size")
            dims.insert(0, text_of(size) if size is not None else "")
        elif declarator.type != "parenthesized_declarator":
            return None
        declarator = _inner(declarator)
    if declarator is None:
        return None
    return Variable(text_of(declarator), " ".join([*qualifiers, text_of(kind)]), pointers, tuple(dims), restrict)


def _inner(declarator: Node) -> Node | None:
    inside = field(declarator, "declarator")
    if inside is None and declarator.type == "parenthesized_declarator":
        return next(iter(named(declarator)), None)
    return inside


def _kinds(node: Node) -> set[str]:
    return {"alignas" if "alignas" in n.type else n.type for n in walk(node)}
