"""Sections of a cubin, which is an ELF file, and the hash of what runs: code, constants and how a kernel is launched.

Layout of the headers: ELF-64, System V gABI. Names of sections: CUDA Binary Utilities, and cubins of CUDA 13.0.
"""

import hashlib
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_HEADER: Final = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_NOBITS: Final = 8
EM_CUDA: Final = 190
RUNS: Final = (".text.", ".nv.constant", ".nv.info.", ".nv.global", ".nv.shared.", ".rodata")


class NoCubin(Exception):
    """The file is none."""


@dataclass(frozen=True, slots=True)
class Section:
    """size: in memory; contents: empty for what is only reserved."""

    size: int
    contents: bytes


def sections(cubin: bytes) -> dict[str, Section]:
    """By name. Raises: NoCubin."""
    try:
        head = _HEADER.unpack_from(cubin)
        if head[0][:5] != b"\x7fELF\x02" or head[2] != EM_CUDA:
            raise NoCubin(f"it begins with {cubin[:5]!r} and is for machine {head[2]}, not {EM_CUDA}")
        rows = [_SECTION.unpack_from(cubin, head[6] + i * head[11]) for i in range(head[12])]
        names = rows[head[13]]
        return {_name(cubin, names[4] + row[0]): _section(cubin, row) for row in rows[1:]}
    except (struct.error, IndexError) as error:
        raise NoCubin(f"it is cut off: {error}") from error


def _name(cubin: bytes, at: int) -> str:
    return cubin[at : cubin.index(b"\0", at)].decode(errors="replace")


def _section(cubin: bytes, row: tuple[int, ...]) -> Section:
    return Section(row[5], b"" if row[1] == _NOBITS else cubin[row[4] : row[4] + row[5]])


def code_hash(found: Mapping[str, Section], calling: Iterable[str]) -> str:
    """calling: lines that say how it is called. Names of kernels count, since launches name them; comments, paths and
    debugging data do not."""
    whole = hashlib.sha256("\n".join(calling).encode())
    for name in sorted(found):
        if name.startswith(RUNS):
            whole.update(f"{name}\0{found[name].size}\0".encode() + found[name].contents)
    return whole.hexdigest()
