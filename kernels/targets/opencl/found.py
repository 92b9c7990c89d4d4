"""The OpenCL platform that is used: the first place whose PoCL starts in the sandbox and builds a kernel there."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernels.sandbox.launch import Launcher
from kernels.targets.base import CompileFailed, TargetError
from kernels.targets.cpu_c.toolchain import Compiler
from kernels.targets.opencl.harness import BUILDER, built
from kernels.targets.opencl.platform import Place, places

INSTALL: Final = (
    "Install PoCL (Debian: apt-get install pocl-opencl-icd ocl-icd-libopencl1; or pip install 'kernelwright[opencl]')"
)
_TRIAL: Final = "__kernel void trial(__global float *x) { x[get_global_id(0)] += 1.0f; }\n"


@dataclass(frozen=True, slots=True)
class Found:
    """builder: the confined compiler. about: what the platform says of itself, as `kw-cl-build describe` names it."""

    place: Place
    builder: Compiler
    about: Mapping[str, str]

    @property
    def version(self) -> str:
        """Platform and driver, on one line."""
        words = f"{self.about['platform']}, {self.about['platform_version']}, driver {self.about['driver_version']}"
        return " ".join(words.split())

    @property
    def group_limit(self) -> int:
        """Work-items in a group, at most."""
        return int(self.about["work_group_size"])


@cache
def find_platform(compiler: Compiler, launcher: Launcher, folder: Path) -> Found:
    """folder: for what is built once. Raises: TargetError that names what is wrong with each place that was found."""
    tried: list[str] = []
    for place in places():
        path = built(BUILDER, compiler, place, folder)
        builder = Compiler(path, path.parent.name, place.sha256, launcher.tool, (path.parent, *place.seen))
        try:
            return Found(place, builder, _about(builder, folder))
        except CompileFailed as failure:
            tried.append(f"of {place.origin}: {failure.root_cause}")
    raise TargetError("target 'opencl'", "; ".join(tried) or "there is no OpenCL library here", INSTALL)


def _about(builder: Compiler, folder: Path) -> dict[str, str]:
    """From the file of an earlier look, as long as libraries and harness are the same. Raises: CompileFailed."""
    known = folder / f"platform-{builder.version}-{builder.sha256[:16]}.json"
    if known.is_file():
        return dict(json.loads(known.read_text(encoding="utf-8")))
    about = _looked_at(builder)
    partial = known.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(about, indent=1), encoding="utf-8")
    partial.replace(known)
    return about


def _looked_at(builder: Compiler) -> dict[str, str]:
    with TemporaryDirectory(prefix="kw-opencl-") as name:
        work = Path(name)
        about = dict(line.split(": ", 1) for line in builder.run(["describe"], work).splitlines() if ": " in line)
        (work / "trial.cl").write_text(_TRIAL, encoding="utf-8")
        builder.run(["build", "trial.cl", "trial.bin", "1-1-1", ""], work)
    return about
