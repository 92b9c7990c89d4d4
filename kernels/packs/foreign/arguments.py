"""A foreign function held against its shapes file: the arguments of the contract, or what does not fit."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Final

from kernels.packs.foreign.shapes import Said, Shapes
from kernels.packs.foreign.signature import Function, Parameter
from kernels.packs.foreign.sizes import size_of
from kernels.packs.toml import PackError
from kernels.values.formats import FORMATS
from kernels.values.kernel import Argument, Role

NAMES: Final = {
    "double": "f64", "float64": "f64", "float": "f32", "float32": "f32", "bfloat16": "bf16", "int": "i32",
    "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
    "uint64": "u64",
}  # fmt: skip
SAME_STORAGE: Final = {"u8": ("u8", "e4m3", "e5m2", "e2m1"), "u16": ("u16", "bf16")}
LARGE: Final = 256 << 10  # bytes; larger arrays that are only read live in the ring, so that a call finds them cold
_FLOATS: Final = ("f32", "f64", "bf16")
Names = Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class Declared:
    """An argument, and what the shapes file says of it besides. chosen: whether it says where the array lives."""

    argument: Argument
    parameter: Parameter
    reduction: int | None
    chosen: bool


def declared(function: Function, shapes: Shapes, macros: Names) -> tuple[Declared, ...]:
    """Arguments in call order. macros: object-like macros of the source by name.

    Raises: PackError: an argument that one of the two does not have, another dtype or shape, no range where one is
    needed.
    """
    _same_names(function, shapes)
    names: Names = {**macros, **shapes.sizes}
    said = {p.name: shapes.arguments.get(p.name, _unsaid(shapes, p)) for p in function.parameters}
    made = [_declared(p, said[p.name], names, shapes.reduction) for p in function.parameters]
    _check_sizes(shapes, macros)
    return _with_roles(made)


def _same_names(function: Function, shapes: Shapes) -> None:
    listed = ", ".join(p.name or p.ctype for p in function.parameters) or "no arguments"
    asked = f"{function.name}({listed})"
    if not function.parameters:
        raise PackError(asked, "it takes no arguments", "Name a function that gets its arrays as arguments")
    for parameter in function.parameters:
        if parameter.odd:
            raise PackError(asked, f"parameter {parameter.name or parameter.ctype} {parameter.odd}", "Write a wrapper")
    known = {p.name for p in function.parameters}
    missing = [p.name for p in function.parameters if p.name not in shapes.arguments and not _needs_nothing(p, shapes)]
    if missing:
        found = f"{shapes.path.name} says nothing of {', '.join(missing)}"
        raise PackError(asked, found, f"Add {missing[0]} = {{ shape = [...], role = ... }} to its table [arguments]")
    extra = [name for name in shapes.arguments if name not in known]
    if extra:
        raise PackError(asked, f"{shapes.path.name} has {', '.join(extra)}, the function does not", f"It has {listed}")


def _needs_nothing(parameter: Parameter, shapes: Shapes) -> bool:
    """A parameter that is one of the sizes is a constant."""
    return not parameter.dims and parameter.name in shapes.sizes


def _unsaid(shapes: Shapes, parameter: Parameter) -> Said:
    return Said(f"{shapes.path.name}, argument {parameter.name}", value=shapes.sizes.get(parameter.name))


def _check_sizes(shapes: Shapes, macros: Names) -> None:
    for name, value in shapes.sizes.items():
        other = size_of(macros[name], macros) if name in macros else value
        if other != value:
            found = f"{name} is {value} there, and the source defines it as {macros[name]}"
            raise PackError(f"{shapes.path.name}, [sizes]", found, "Leave it out there, or in the source")


def _declared(parameter: Parameter, said: Said, names: Names, default: int | str | None) -> Declared:
    dtype = _dtype(parameter, said)
    shape = _shape(parameter, said, names)
    value = _value(said, dtype, names)
    role = _role(parameter, said, value)
    try:
        argument = Argument(parameter.name, dtype, shape, role, (), value)
    except ValueError as error:
        raise PackError(said.where, str(error), "Correct it") from error
    if role in ("weight", "input", "inout"):
        argument = replace(argument, generate=_generator(argument, said))
    summed = said.reduction if said.reduction is not None else default
    reduction = None if summed is None else _known(said, summed, names)
    return Declared(argument, parameter, reduction, said.role in ("weight", "input"))


def _dtype(parameter: Parameter, said: Said) -> str:
    asked = NAMES.get(said.dtype.removesuffix("_t"), said.dtype)
    if not asked:
        return parameter.dtype
    if asked not in FORMATS:
        known = ", ".join([*FORMATS, *NAMES])
        raise PackError(said.where, f"dtype is {said.dtype!r}", f"Use one of {known}, or leave it out: C says it")
    if asked not in SAME_STORAGE.get(parameter.dtype, (parameter.dtype,)):
        found = f"dtype is {said.dtype}, the function has {parameter.ctype}, which is {parameter.dtype}"
        raise PackError(said.where, found, "Leave dtype out, or correct the function")
    return asked


def _shape(parameter: Parameter, said: Said, names: Names) -> tuple[int, ...]:
    if not parameter.dims:
        if said.shape is not None and len(said.shape):
            raise PackError(said.where, f"shape {list(said.shape)} of a number", "Leave the shape out")
        return ()
    in_c = [size_of(text, names) if text else None for text in parameter.dims]
    if said.shape is None:
        if None in in_c:
            spelled = "".join(f"[{text}]" for text in parameter.dims)
            raise PackError(said.where, f"C says {spelled} only", 'Add its extents: shape = ["N", ...]')
        return tuple(n for n in in_c if n is not None)
    shape = tuple(_known(said, n, names) for n in said.shape)
    flat = len(in_c) == 1  # a pointer or one extent may hold any shape of as many elements
    wrong = (in_c[0] not in (None, prod(shape))) if flat else not _agree(in_c, shape)
    if wrong or not shape:
        spelled = "".join(f"[{'' if n is None else n}]" for n in in_c)
        raise PackError(
            said.where, f"shape {list(shape)}, and C declares {parameter.name}{spelled}", "Give both the same"
        )
    return shape


def _agree(in_c: list[int | None], shape: tuple[int, ...]) -> bool:
    return len(in_c) == len(shape) and all(c in (None, n) for c, n in zip(in_c, shape, strict=True))


def _known(said: Said, size: int | float | str, names: Names) -> int:
    value = size_of(size, names) if isinstance(size, int | str) else None
    if value is None:
        raise PackError(said.where, f"{size!r} is no size", f"Add it to [sizes]; known: {', '.join(names) or 'none'}")
    return value


def _value(said: Said, dtype: str, names: Names) -> int | float | None:
    if said.value is None or (isinstance(said.value, float) and dtype in _FLOATS):
        return said.value if not isinstance(said.value, str) else None
    number = _known(said, said.value, names)
    return float(number) if dtype in _FLOATS else number


def _role(parameter: Parameter, said: Said, value: float | None) -> Role:
    if value is not None or said.role == "constant":
        if said.role not in ("", "in", "constant") or value is None:
            raise PackError(said.where, f"role {said.role}, value {value}", "A constant has a value, and no other role")
        return "constant"
    known: dict[str, Role] = {"out": "output", "inout": "inout", "weight": "weight", "input": "input"}
    return known.get(said.role, "input")


def _generator(argument: Argument, said: Said) -> tuple[str | float, ...]:
    if said.generate:
        return tuple(part if isinstance(part, str) else float(part) for part in said.generate)
    if argument.format.whole:
        if not said.bounds:
            todo = "Add range = [low, high]: the values it may hold, high not included"
            raise PackError(said.where, f"no range for whole numbers ({argument.dtype})", todo)
        return ("int", int(said.bounds[0]), int(said.bounds[1]))
    if argument.dtype not in _FLOATS:
        raise PackError(said.where, f"no generator for {argument.dtype}", "Add generate = [...]")
    low, high = said.bounds or (-1.0, 1.0)
    return ("uniform", float(low), float(high))


def _with_roles(made: list[Declared]) -> tuple[Declared, ...]:
    """Large arrays that are only read become weights, as long as something is left that is new in every call."""
    fresh = [d for d in made if d.argument.role in ("input", "inout")]
    large = [d for d in fresh if d.argument.role == "input" and d.argument.nbytes > LARGE and not d.chosen]
    if len(large) == len(fresh):
        large = sorted(large, key=lambda d: d.argument.nbytes)[1:]
    return tuple(replace(d, argument=replace(d.argument, role="weight")) if d in large else d for d in made)
