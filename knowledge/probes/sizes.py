"""Sizes in definitions: a number of bytes, or a multiple of what the machine says of its caches."""

import re
from typing import Final

from kernels.values.machine import Machine

_UNITS: Final = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20}
_NUMBER: Final = re.compile(r"(\d+)(?: (KiB|MiB))?")
_OF_CACHE: Final = re.compile(r"(\d+(?:\.\d+)?) (l1|l2|llc)")
ALIGN: Final = 4096


def size_of(text: str, machine: Machine) -> int:
    """Bytes of "0.5 l1", "3 llc", "64 KiB" or "4096", rounded down to whole pages of 4096, at least one.

    Raises: ValueError.
    """
    if number := _NUMBER.fullmatch(text):
        size = int(number[1]) * _UNITS[number[2] or ""]
    elif share := _OF_CACHE.fullmatch(text):
        size = int(
            float(share[1]) * {"l1": machine.l1_bytes, "l2": machine.l2_bytes, "llc": machine.llc_bytes}[share[2]]
        )
    else:
        raise ValueError(f"size {text!r}: not a number of bytes, KiB or MiB, nor a multiple of l1, l2 or llc")
    return max(size // ALIGN, 1) * ALIGN
