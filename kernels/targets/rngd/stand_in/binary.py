"""A built source on this host: called on a job's arrays, or on empty ones to be planned."""

import ctypes
import json
import mmap
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernels.targets.external import driver

DRY_BYTES: Final = 1 << 32
_PARAMETERS: Final = r"\bvoid\s+{entry}\s*\(([^)]*)\)"


@dataclass(frozen=True, slots=True)
class Signature:
    """arrays: for each parameter whether it is one. line: of the entry point, from 1."""

    arrays: tuple[bool, ...]
    line: int


def signature_of(source: str, entry: str) -> Signature:
    """Raises: ValueError when the source does not define it."""
    every = list(re.finditer(_PARAMETERS.format(entry=re.escape(entry)), source))
    if not every:
        raise ValueError(f"mir: {entry}: the entry point must be defined, got none")
    found = every[-1]
    arrays = tuple("*" in one or "[" in one for one in found.group(1).split(","))
    return Signature(arrays, source.count("\n", 0, found.start()) + 1)


class Binary:
    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self._blocks = (ctypes.c_uint64 * 2).in_dll(self._library, "kw_blocks")

    def dry(self, entry: str, signature: Signature) -> tuple[int, int]:
        """Blocks by cluster of a call on zeros: what a source with fixed loops takes."""
        memories = [mmap.mmap(-1, DRY_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000) for _ in signature.arrays]
        arguments = [
            ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(memory))) if array else ctypes.c_float(0)
            for memory, array in zip(memories, signature.arrays, strict=True)
        ]
        return self._called(getattr(self._library, entry), arguments)

    def _called(self, entry: Any, arguments: list[Any]) -> tuple[int, int]:
        self._blocks[0] = self._blocks[1] = 0
        entry(*arguments)
        return int(self._blocks[0]), int(self._blocks[1])

    def run(self, job: Path) -> tuple[tuple[int, int], dict[str, bytes]]:
        """Blocks of one launch, and the outputs by name."""
        manifest = json.loads((job / "manifest.json").read_text(encoding="utf-8"))
        memories: dict[str, Any] = {}
        arguments = [driver.argument(job, one, memories) for one in manifest["arguments"]]
        blocks = self._called(getattr(self._library, manifest["entry"]), arguments)
        written = [one for one in manifest["arguments"] if one["role"] in ("output", "inout")]
        return blocks, {one["name"]: bytes(memories[one["name"]][: one["bytes"]]) for one in written}
