"""Where an array expression points: which array, which element; local pointers are followed to what they point into."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from kernels.levers.abstract import Unsupported
from kernels.levers.nests.integers import Integers
from kernels.levers.scope import Variable
from kernels.levers.state import need
from kernels.levers.syntax import strip_parentheses, text_of

Path = tuple[int, ...]
SIZES: Final = {
    "float": 4, "double": 8, "int": 4, "int32_t": 4, "uint32_t": 4, "unsigned": 4, "long": 8, "int64_t": 8,
    "uint64_t": 8, "size_t": 8, "int8_t": 1, "uint8_t": 1, "char": 1, "int16_t": 2, "uint16_t": 2, "short": 2,
    "kw_bf16": 2,
}  # fmt: skip
_VECTOR: Final = re.compile(r"typedef\s+(\w+)\s+(\w+)\s+__attribute__\s*\(\(\s*vector_size\s*\(([^;]*?)\)\s*[,)]")


@dataclass(frozen=True, slots=True)
class Place:
    """`lanes` elements from `offset` of the array `root`. instance: the iteration that declares the array, () outside.
    dims: extents of what the place still has to be indexed by."""

    root: str
    instance: Path
    offset: int
    element: str
    dims: tuple[int, ...] = ()
    lanes: int = 1

    def moved(self, index: int) -> "Place":
        """index steps further, a step being a row while extents are left."""
        return replace(self, offset=self.offset + index * self._step)

    @property
    def _step(self) -> int:
        step = 1
        for extent in self.dims:
            step *= extent
        return step


class Places:
    """Resolves array expressions. arrays: visible variables; values: of integers; unknown: those whose values are
    guesses; around: those of the variables of
    loops around; pointers: what locals point to."""

    def __init__(self, integers: Integers, source: str, arrays: Mapping[str, Variable]) -> None:
        self.integers = integers
        self.values: dict[str, int] = {}
        self.around: dict[str, int] = {}
        self.unknown: set[str] = set()
        self.pointers: dict[str, Place] = {}
        self.arrays: dict[str, Variable] = dict(arrays)
        self.instances: dict[str, Path] = {}
        self._vectors = vectors(source)

    def element(self, node: Node) -> Place:
        """Of a[i], a[i][j], *(a + i), *(vector *)&a[i]. Raises: Unsupported."""
        node = strip_parentheses(node)
        if node.type == "subscript_expression":
            base, index = self.pointer(need(node, "argument")), need(node, "index")
            place = base.moved(self.integers.evaluate(index, self.values))
            return replace(place, dims=place.dims[1:])
        if node.type == "pointer_expression" and text_of(node).startswith("*"):
            place = self.pointer(need(node, "argument"))
            return replace(place, dims=place.dims[1:])
        raise Unsupported(f"element {text_of(node)[:40]}")

    def pointer(self, node: Node) -> Place:
        """Of an expression whose value is an address. Raises: Unsupported."""
        node = strip_parentheses(node)
        match node.type:
            case "identifier":
                return self._named(text_of(node))
            case "subscript_expression":
                return self.element(node)
            case "cast_expression":
                return self._cast(node)
            case "pointer_expression" if text_of(node).startswith("&"):
                return replace(self.element(need(node, "argument")), dims=())
            case "binary_expression" if text_of(need(node, "operator")) in "+-":
                sign = 1 if text_of(need(node, "operator")) == "+" else -1
                index = self.integers.evaluate(need(node, "right"), self.values)
                return self.pointer(need(node, "left")).moved(sign * index)
        raise Unsupported(f"address {text_of(node)[:40]}")

    def declared(self, variable: Variable, value: Node | None) -> None:
        """Notes a local pointer; one that cannot be followed is an array of its own, if `may_overlap` says so."""
        self.pointers.pop(variable.name, None)
        try:
            if value is not None:
                self.pointers[variable.name] = replace(self.pointer(value), dims=self._dims(variable))
        except Unsupported:
            return

    def _named(self, name: str) -> Place:
        if name in self.pointers:
            return self.pointers[name]
        variable = self.arrays.get(name)
        if variable is None or variable.is_scalar or variable.pointers > 1 or (variable.pointers and variable.dims):
            raise Unsupported(f"{name} is no array")
        return Place(name, self.instances.get(name, ()), 0, variable.element, self._dims(variable))

    def _dims(self, variable: Variable) -> tuple[int, ...]:
        return tuple(self.integers.text(d, self.values) for d in variable.dims[1:])

    def _cast(self, node: Node) -> Place:
        place, kind = self.pointer(need(node, "value")), need(node, "type")
        words = text_of(kind).replace("const", " ").replace("*", " ").split()
        if len(words) == 1 and words[0] in self._vectors:
            scalar, size = self._vectors[words[0]]
            lanes = self.integers.text(size, self.values) // SIZES.get(scalar, 1)
            return replace(place, lanes=lanes, dims=())
        if words[:1] != [place.element]:
            raise Unsupported(f"{place.root} seen as {' '.join(words)}")
        return replace(place, dims=())


@lru_cache(maxsize=64)
def vectors(source: str) -> dict[str, tuple[str, str]]:
    """Vector types of the source by name: element and size in bytes, as C text."""
    return {name: (element, size) for element, name, size in _VECTOR.findall(source)}
