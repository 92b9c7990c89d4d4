"""The folder that a command is handed for one call: `manifest.json` and raw little-endian arrays.

    manifest.json   {"version", "name", "kernel", "entry", "artefact", "profile", "launches": {"untimed", "timed"},
                     "arguments": [{"name", "role", "dtype", "shape", "stored", "bytes", "file"} or {..., "value"}]}
    in/NAME.bin     weights, inputs, and what an inout argument holds before the call
    out/NAME.bin    outputs and inouts, there before the call with other contents; the command overwrites them

`shape` counts elements of `dtype`; `stored` is the numpy type of what the file holds ("<u1" for two 4-bit codes in a
byte). A scalar is a file of one element. Whether outputs are right is the referee's business alone.
"""

import json
import math
import os
import shutil
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernels.sandbox.runner import Segment
from kernels.values.kernel import Argument, KernelSpec

VERSION: Final = 1
MANIFEST: Final = "manifest.json"


class BadOutput(Exception):
    """An output that is not what the manifest says."""


@dataclass(frozen=True, slots=True)
class JobFolder:
    """One call. pointers: (segment, offset) of every argument of the kernel, in order."""

    folder: Path
    spec: KernelSpec
    segments: Sequence[Segment]

    def write(self, pointers: Sequence[tuple[int, int]], facts: Mapping[str, Any]) -> None:
        """A new folder with all that the command may read. facts: of the manifest, besides the arguments."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in ("in", "out", "log"):
            (self.folder / part).mkdir(parents=True)
        told = [self._written(one, at) for one, at in zip(self.spec.arguments, pointers, strict=True)]
        whole = {"version": VERSION, "kernel": self.spec.name, "entry": self.spec.entry, **facts, "arguments": told}
        (self.folder / MANIFEST).write_text(json.dumps(whole, indent=1), encoding="utf-8")

    def _written(self, one: Argument, at: tuple[int, int]) -> dict[str, Any]:
        told: dict[str, Any] = {"name": one.name, "role": one.role, "dtype": one.dtype, "shape": list(one.shape)}
        told |= {"stored": one.format.storage.newbyteorder("<").str, "bytes": one.nbytes}
        if one.role == "constant":
            return told | {"value": one.value}
        contents = self._read(one, at)
        if one.role != "output":
            (self.folder / "in" / f"{one.name}.bin").write_bytes(contents)
        if one.writable:
            (self.folder / "out" / f"{one.name}.bin").write_bytes(contents)
        return told | {"file": f"{'out' if one.role == 'output' else 'in'}/{one.name}.bin"}

    def _read(self, one: Argument, at: tuple[int, int]) -> bytes:
        segment, offset = at
        return os.pread(self.segments[segment].fd, one.nbytes, offset)

    def collect(self, pointers: Sequence[tuple[int, int]]) -> None:
        """Put the outputs where the referee looks for them. Raises: BadOutput."""
        for one, (segment, offset) in zip(self.spec.arguments, pointers, strict=True):
            if one.writable:
                os.pwrite(self.segments[segment].fd, self._output(one), offset)

    def _output(self, one: Argument) -> bytes:
        path = self.folder / "out" / f"{one.name}.bin"
        try:
            found = path.lstat()
            if not stat.S_ISREG(found.st_mode):
                raise BadOutput(f"output {one.name}: out/{path.name} is no plain file any more")
            if found.st_size != one.nbytes:
                stored = f"{math.prod(one.shape)} of {one.dtype}"
                raise BadOutput(f"output {one.name}: {found.st_size} bytes in place of {one.nbytes} ({stored})")
            return path.read_bytes()
        except OSError as error:
            raise BadOutput(f"output {one.name}: {error.strerror or error}") from error
