"""`kernel.toml` to `KernelSpec`: arguments, matrices, tolerances, and the checks that need no reference."""

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from kernels.packs.generator import Spec, problem_with
from kernels.packs.regimes import AUDIT_REGIMES
from kernels.packs.shapes import check_dimensions, concrete, read_factors, read_shapes, size_of
from kernels.packs.toml import PackError, Table, read_toml
from kernels.values.formats import INTEGERS
from kernels.values.kernel import Argument, KernelSpec, MatrixSpec, ReferenceKind, Role, ThreadContract, Tolerance

REGIMES: Final = ("random", "one_hot", "heavy_tailed", "large", "small", "negative")
ROLES: Final[tuple[Role, ...]] = ("weight", "input", "output", "inout", "constant", "dimension")
KINDS: Final[tuple[ReferenceKind, ...]] = ("numpy", "baseline")
THREADS: Final[tuple[ThreadContract, ...]] = ("pool", "openmp", "none")
T = TypeVar("T", bound=str)
_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_C_WORDS: Final = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if inline int long
    register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    main kw_entry""".split()
)
_DEFAULTS: Final[dict[str, Spec]] = {
    "i8": ("codes",), "u8": ("codes",), "e2m1": ("codes",), "i16": ("int", 0, 1 << 15), "u16": ("int", 0, 1 << 16),
    "i32": ("int", 0, 1 << 16), "u32": ("int", 0, 1 << 16), "i64": ("int", 0, 1 << 16), "u64": ("int", 0, 1 << 16),
    "e4m3": ("e4m3_field", 7, 14), "e5m2": ("e5m2_field", 15, 22),
}  # fmt: skip


def read_kernel(pack: str, folder: Path) -> KernelSpec:
    """Raises: PackError for anything absent, misspelt or contradictory, named by file, table and key."""
    where = f"{pack}/{folder.name}/kernel.toml"
    table = Table(read_toml(folder / "kernel.toml"), where)
    name = table.take("name", str)
    if name != folder.name:
        raise PackError(where, f"name is {name!r} in folder {folder.name!r}", "Give both the same name")
    try:
        spec = _spec(pack, name, folder, table)
    except ValueError as error:
        raise PackError(where, str(error), "Correct kernel.toml") from error
    table.done(
        "known are name, title, entry, operations, threads, ring_mib, regimes, audit_regimes, reference, flags, "
        "libraries, shapes, argument, matrix, tolerance"
    )
    _check(spec, where)
    return spec


def _spec(pack: str, name: str, folder: Path, table: Table) -> KernelSpec:
    """At its first shape, where it has some. Raises: ValueError, PackError."""
    shapes = read_shapes(table)
    sizes = shapes[0].sizes if shapes else {}
    factors = read_factors(table, sizes)
    spec = KernelSpec(
        pack, name, identifier(table.take("entry", str, name), table.where), table.take("title", str, name),
        tuple(read_argument(t, sizes)[0] for t in table.tables("argument")), _tolerances(table),
        tuple(_matrix(t) for t in table.tables("matrix")), _regimes(table, "regimes", REGIMES), folder,
        0 if factors else table.take("operations", int, 0), one_of(table, "threads", THREADS, "pool"),
        table.take("ring_mib", int, 120) << 20, _regimes(table, "audit_regimes", AUDIT_REGIMES),
        one_of(table, "reference", KINDS, "numpy"), table.words("flags"), table.words("libraries"),
        _headers(folder), shapes, factors=factors,
    )  # fmt: skip
    return spec.at(shapes[0]) if shapes else spec


def _check(spec: KernelSpec, where: str) -> None:
    _check_names(spec, where)
    _check_reference(spec, where)
    check_dimensions(spec, where)
    _check_sampled(spec, where)
    for case in spec.cases:
        for argument in case.arguments:
            _check_packed(argument, where)
        for matrix in case.matrices:
            _check_matrix(case, matrix, where)


def _headers(folder: Path) -> tuple[str, ...]:
    """What sources may include from the kernel's folder `include`."""
    place = folder / "include"
    return tuple(sorted(f.relative_to(place).as_posix() for f in place.rglob("*") if f.is_file()))


def _check_reference(spec: KernelSpec, where: str) -> None:
    rows_only = [name for name, tolerance in spec.tolerances.items() if tolerance.rows_only]
    if spec.reference == "baseline" and (spec.matrices or rows_only or spec.shapes):
        found = f"[[matrix]] {spec.matrices[0].name}" if spec.matrices else f"rows_only output {', '.join(rows_only)}"
        found = "[[shapes]]" if spec.shapes else found
        raise PackError(where, f"{found}, and the baseline as its reference", "Write reference.py, or leave that out")


def _check_sampled(spec: KernelSpec, where: str) -> None:
    for name, tolerance in spec.tolerances.items():
        asked, argument = f"{where}, [tolerance.{name}]", spec.argument(name)
        if tolerance.sampled < 0 or tolerance.sums < 0 or (tolerance.sums and not tolerance.sampled):
            raise PackError(asked, f"sampled {tolerance.sampled}, sums {tolerance.sums}", "sums go with sampled = 4096")
        plain = argument.role == "output" and argument.format.per_byte == 1 and spec.reference == "numpy"
        if tolerance.sampled and (not plain or tolerance.rows_only or tolerance.max_over_rms is not None):
            todo = "A sample is of an output with a numpy reference, without rows_only, packed elements or max_over_rms"
            raise PackError(asked, f"{name} is {argument.role}, {argument.dtype}, {spec.reference}", todo)


def identifier(name: str, where: str) -> str:
    """Raises: PackError unless the name can be a C identifier."""
    if not _IDENTIFIER.fullmatch(name) or name in _C_WORDS:
        raise PackError(where, f"{name!r} is no C identifier", "Use letters, digits and _, and no word of C")
    return name


def read_argument(table: Table, sizes: Mapping[str, int]) -> tuple[Argument, Spec | None]:
    """The argument, and its generator for the promotion epoch when it declares one. sizes: of the first shape.

    Raises: PackError, ValueError.
    """
    name = identifier(table.take("name", str), table.where)
    where = f"{table.where} ({name})"
    dtype, extents = table.take("dtype", str), tuple(table.take("shape", list))
    shape = concrete(extents, sizes, where)
    role = one_of(table, "role", ROLES, "")
    spec = _generator(table.take("generate", list, list(_DEFAULTS.get(dtype, ("uniform", -1.0, 1.0)))))
    uniform = table.maybe("generate_uniform", list)
    value = table.maybe("value", int if dtype in INTEGERS else float)
    if role == "dimension":
        value = size_of(name, sizes, where) if value is None else value
    table.done("known are name, dtype, shape, role, generate, generate_uniform, value")
    promotion = None if uniform is None else _generator(uniform)
    argument = Argument(name, dtype, shape, role, spec, value, extents if extents != shape else ())
    for generator in (spec, promotion):
        if generator is not None and problem_with(generator, dtype):
            raise PackError(where, problem_with(generator, dtype), "Choose a generator of kernels/packs/generator.py")
    return argument, promotion


def _check_packed(argument: Argument, where: str) -> None:
    shape = argument.shape
    if shape and shape[-1] % argument.format.per_byte:
        asked, todo = f"{where} ({argument.name})", f"{argument.dtype} stores two elements a byte"
        raise PackError(asked, f"the last extent {shape[-1]} is odd", todo)


def _generator(raw: list[Any]) -> Spec:
    return tuple(part if isinstance(part, str) else float(part) for part in raw)


def _matrix(table: Table) -> MatrixSpec:
    spec = MatrixSpec(
        table.take("name", str),
        table.take("codes", str),
        table.maybe("scales", str),
        table.take("round_bf16", bool, False),
    )
    table.done("known are name, codes, scales, round_bf16")
    return spec


def _tolerances(table: Table) -> dict[str, Tolerance]:
    found: dict[str, Tolerance] = {}
    for name, raw in table.take("tolerance", dict, {}).items():
        one = Table(raw, f"{table.where}, [tolerance.{name}]")
        numbers = [one.take("atol", float), one.take("rtol", float)]
        guards = [one.maybe("nrmse", float), one.maybe("max_over_rms", float)]
        for value in [*numbers, *(g for g in guards if g is not None)]:
            if not math.isfinite(value) or value < 0:
                raise PackError(one.where, f"a tolerance is {value}", "Write a finite number >= 0")
        found[name] = Tolerance(
            *numbers, *guards, one.take("rows_only", bool, False), one.take("sampled", int, 0), one.take("sums", int, 0)
        )
        one.done("known are atol, rtol, nrmse, max_over_rms, rows_only, sampled, sums")
    return found


def _regimes(table: Table, key: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """All of the known ones by default; only an audit may do without any."""
    regimes = tuple(str(r) for r in table.take(key, list, list(known)))
    if not set(regimes) <= set(known) or (key == "regimes" and not regimes):
        raise PackError(table.where, f"{key} = {list(regimes)}", f"Choose some of {', '.join(known)}")
    return regimes


def one_of(table: Table, key: str, known: tuple[T, ...], default: str) -> T:
    """The value of a key that must be one of a few words.

    Raises: PackError.
    """
    found = table.take(key, str, default)
    for word in known:
        if word == found:
            return word
    raise PackError(table.where, f"{key} is {found!r}", f"Use one of {', '.join(known)}")


def _check_names(spec: KernelSpec, where: str) -> None:
    names = [a.name for a in spec.arguments]
    doubled = sorted({n for n in [*names, *(m.name for m in spec.matrices)] if names.count(n) > 1})
    if doubled or len(names) > 32:
        raise PackError(where, f"arguments {', '.join(doubled) or len(names)}", "Name each argument once; at most 32")
    clash = sorted(set(names) & {m.name for m in spec.matrices})
    if clash:
        raise PackError(where, f"matrix {', '.join(clash)} is called like an argument", "Give the matrix another name")


def _check_matrix(spec: KernelSpec, matrix: MatrixSpec, where: str) -> None:
    codes = spec.argument(matrix.codes)
    if codes.role != "weight" or len(codes.shape) != 2:
        raise PackError(where, f"matrix {matrix.name}: {codes.name} is {codes.role} {codes.shape}", "Use a 2-D weight")
    if matrix.scales is None:
        return
    scales = spec.argument(matrix.scales)
    rows, columns = codes.shape
    if scales.role != "weight" or scales.shape[:1] != (rows,) or len(scales.shape) > 2:
        todo = f"Use a weight of shape [{rows}] or [{rows}, {columns} / block]"
        raise PackError(where, f"matrix {matrix.name}: {scales.name} is {scales.role} {scales.shape}", todo)
    if len(scales.shape) == 2 and columns % scales.shape[1]:
        raise PackError(where, f"matrix {matrix.name}: {columns} columns, {scales.shape[1]} scales", "Use whole blocks")
