"""C operators over abstract values."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kernels.levers.abstract import ByteValue, Number, Pointer, Unsupported, Value, add, multiply, negate

COMPARISONS: Final = frozenset({"<", ">", "<=", ">=", "==", "!="})


def binary(op: str, a: Value, b: Value) -> Value:
    """Raises: Unsupported."""
    if isinstance(a, int | float) and isinstance(b, int | float):
        return _numbers(op, a, b)
    if isinstance(a, Pointer) and isinstance(b, int) and op in "+-" and not a.dims:
        return replace(a, offset=a.offset + (b if op == "+" else -b))
    if isinstance(b, Pointer) and op == "+":
        return binary(op, b, a)
    if isinstance(a, ByteValue) or isinstance(b, ByteValue):
        found = _bytes(op, a, b)
        if found is not None:
            return found
    return _sums(op, a, b)


def _sums(op: str, a: Value, b: Value) -> Value:
    match op:
        case "+":
            return add(a, b)
        case "-":
            return add(a, negate(b))
        case "*":
            return multiply(a, b)
        case "/" if isinstance(b, int | float) and b and math.frexp(b)[0] == 0.5:
            return multiply(a, 1.0 / b)
    raise Unsupported(f"operator {op}")


def _numbers(op: str, a: Number, b: Number) -> Number:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%":
            return _divide(op, a, b)
        case _ if op in COMPARISONS:
            return int(_compared(op, a, b))
        case _ if isinstance(a, int) and isinstance(b, int):
            return _integers(op, a, b)
    raise Unsupported(f"operator {op}")


def _compared(op: str, a: Number, b: Number) -> bool:
    order = (a > b) - (a < b)
    unordered = math.isnan(a) or math.isnan(b)
    if unordered:
        return op == "!="
    return {"<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0, "==": order == 0, "!=": order != 0}[op]


def _integers(op: str, a: int, b: int) -> int:
    match op:
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "<<" if 0 <= b < 64:
            return a << b
        case ">>" if 0 <= b < 64:
            return a >> b
        case "&&":
            return int(bool(a) and bool(b))
        case "||":
            return int(bool(a) or bool(b))
    raise Unsupported(f"operator {op}")


def _divide(op: str, a: Number, b: Number) -> Number:
    if a == b == 0 and isinstance(a, float) and isinstance(b, float) and op == "/":
        return math.nan  # as IEEE arithmetic has it
    if not b:
        raise Unsupported("division by zero")
    if isinstance(a, int) and isinstance(b, int):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if op == "/" else a - quotient * b
    if op == "%":
        raise Unsupported("operator % on floats")
    return a / b


def _bytes(op: str, a: Value, b: Value) -> ByteValue | None:
    """Element by element over the 256 codes; None when the operands do not come from one byte."""
    whole = a if isinstance(a, ByteValue) else b
    if not isinstance(whole, ByteValue):
        return None
    sides = [_side(a, whole), _side(b, whole)]
    if sides[0] is None or sides[1] is None:
        return None
    (left, left_int), (right, right_int) = sides[0], sides[1]
    integer = left_int and right_int
    values = np.frombuffer(_over_codes(op, left.tobytes(), right.tobytes(), integer))
    return whole.mapped(values, integer or op in COMPARISONS)


@lru_cache(maxsize=4096)
def _over_codes(op: str, left: bytes, right: bytes, integer: bool) -> bytes:
    """256 float64 values of 256 and 256. Kept, since a loop's turns differ in what they load, not in what it means."""
    convert = int if integer else float
    pairs = zip(np.frombuffer(left), np.frombuffer(right), strict=True)
    return np.array([_numbers(op, convert(x), convert(y)) for x, y in pairs], dtype=np.float64).tobytes()


def _side(value: Value, whole: ByteValue) -> tuple[NDArray[np.float64], bool] | None:
    if isinstance(value, ByteValue):
        same = (value.root, value.address) == (whole.root, whole.address)
        return (value.values, value.integer) if same else None
    if isinstance(value, int | float):
        return np.full(256, float(value)), isinstance(value, int)
    return None


def unary(op: str, value: Value) -> Value:
    """Raises: Unsupported."""
    if op == "+":
        return value
    if op == "-":
        if isinstance(value, int | float):
            return -value
        return value.mapped(-value.values, value.integer) if isinstance(value, ByteValue) else negate(value)
    if op == "~" and isinstance(value, int):
        return ~value
    if op == "!" and isinstance(value, int | float):
        return int(not value)
    if op == "~" and isinstance(value, ByteValue) and value.integer:
        return value.mapped(-value.values - 1, True)
    raise Unsupported(f"operator {op}")


_WIDTHS: Final[Mapping[str, tuple[int, bool]]] = {
    "uint8_t": (8, False), "unsigned char": (8, False), "int8_t": (8, True), "signed char": (8, True),
    "char": (8, True), "uint16_t": (16, False), "int16_t": (16, True), "uint32_t": (32, False), "unsigned": (32, False),
    "unsigned int": (32, False), "int": (32, True), "int32_t": (32, True), "int64_t": (64, True), "long": (64, True),
    "size_t": (64, False), "uint64_t": (64, False), "ptrdiff_t": (64, True), "short": (16, True),
}  # fmt: skip


def cast(kind: str, value: Value) -> Value:
    """Raises: Unsupported."""
    if kind in ("float", "double"):
        if isinstance(value, int | float):
            return float(value)
        return value.mapped(value.values, False) if isinstance(value, ByteValue) else value
    if kind not in _WIDTHS:
        raise Unsupported(f"cast to {kind}")
    bits, signed = _WIDTHS[kind]
    if isinstance(value, int | float):
        return wrap(int(value), bits, signed)
    if isinstance(value, ByteValue):
        if not np.isfinite(value.values).all():
            raise Unsupported("cast of a value that is not finite")
        wrapped = [float(wrap(int(v), bits, signed)) for v in value.values]
        return value.mapped(np.array(wrapped), True)
    raise Unsupported(f"cast of {type(value).__name__} to {kind}")


def wrap(value: int, bits: int, signed: bool) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value
