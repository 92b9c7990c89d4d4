"""The shapes file: what the author of a foreign function says of its sizes and arguments.

    [sizes]                         # macros of the source, or integer parameters that never change
    N = 1200
    M = 1000

    [arguments]                     # one line a parameter, in any order
    A = { shape = ["N", "M"] }      # role "in" unless it says "out" or "inout"
    x = { shape = ["M"], range = [-1.0, 1.0] }
    y = { shape = ["N"], role = "out", reduction = "M" }

An array that C declares with its extents (`double A[N][M]`) needs no shape; nor does a number need one.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from kernels.packs.contract import REGIMES, one_of
from kernels.packs.regimes import AUDIT_REGIMES
from kernels.packs.toml import PackError, Table, read_toml

Direction = Literal["", "in", "out", "inout", "weight", "input", "constant"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("", "in", "out", "inout", "weight", "input", "constant")
KEYS: Final = "dtype, shape, role, range, generate, value, reduction"


@dataclass(frozen=True, slots=True)
class Said:
    """One argument. Everything may be left out: None, "" or ()."""

    where: str
    dtype: str = ""
    shape: tuple[int | str, ...] | None = None
    role: Direction = ""
    bounds: tuple[float, ...] = ()
    generate: tuple[str | float, ...] = ()
    value: int | float | str | None = None
    reduction: int | str | None = None


@dataclass(frozen=True, slots=True)
class Shapes:
    """reduction: additions behind one element of an output, where the output does not say its own."""

    path: Path
    sizes: dict[str, int]
    arguments: dict[str, Said]
    title: str = ""
    operations: int = 0
    ring_mib: int = 120
    reduction: int | str | None = None
    regimes: tuple[str, ...] = ()
    audit_regimes: tuple[str, ...] = field(default=AUDIT_REGIMES)


def read_shapes(path: Path) -> Shapes:
    """Raises: PackError for what is misspelt, of a wrong type or missing, by file, table and key."""
    table = Table(read_toml(path), path.name)
    sizes = {name: _size(path, name, value) for name, value in table.take("sizes", dict, {}).items()}
    raw = table.take("arguments", dict)
    shapes = Shapes(
        path, sizes, {name: _said(Table(one, f"{path.name}, argument {name}")) for name, one in raw.items()},
        table.take("title", str, ""), table.take("operations", int, 0), table.take("ring_mib", int, 120),
        _number(table, "reduction"), _regimes(table, "regimes", REGIMES, ()),
        _regimes(table, "audit_regimes", AUDIT_REGIMES, AUDIT_REGIMES),
    )  # fmt: skip
    table.done("known are sizes, arguments, title, operations, ring_mib, reduction, regimes, audit_regimes")
    return shapes


def _size(path: Path, name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise PackError(f"{path.name}, [sizes]", f"{name} is {value!r}", "Write a whole number above 0")
    return value


def _said(table: Table) -> Said:
    shape = table.maybe("shape", list)
    if shape is not None and any(isinstance(n, bool) or not isinstance(n, int | str) for n in shape):
        raise PackError(table.where, f"shape is {shape}", 'Write sizes or their names, e.g. [1200, "N"]')
    said = Said(
        table.where, table.take("dtype", str, ""), None if shape is None else tuple(shape),
        one_of(table, "role", DIRECTIONS, ""), _bounds(table), tuple(table.take("generate", list, [])),
        _number(table, "value"), _number(table, "reduction"),
    )  # fmt: skip
    table.done(f"known are {KEYS}")
    return said


def _bounds(table: Table) -> tuple[float, ...]:
    bounds = table.maybe("range", list)
    if bounds is None:
        return ()
    if len(bounds) != 2 or any(not isinstance(b, int | float) for b in bounds) or not bounds[0] < bounds[1]:
        raise PackError(table.where, f"range is {bounds}", "Write two numbers, e.g. [-1.0, 1.0]; the lower one first")
    return float(bounds[0]), float(bounds[1])


def _number(table: Table, key: str) -> Any:
    """A number, or the text of an expression of sizes; None when absent."""
    value = table.raw.pop(key, None)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float | str)):
        raise PackError(table.where, f"{key} is {value!r}", "Write a number, or the name of a size")
    return value


def _regimes(table: Table, key: str, known: tuple[str, ...], default: tuple[str, ...]) -> tuple[str, ...]:
    found = tuple(str(r) for r in table.take(key, list, list(default)))
    if not set(found) <= set(known):
        raise PackError(table.where, f"{key} = {list(found)}", f"Choose some of {', '.join(known)}")
    return found
