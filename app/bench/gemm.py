"""cuBLAS at every shape of a product of matrices: the number to beat on a GPU of NVIDIA, or why there is none.

Shown is its time by CUDA's events, without the round trip of a launch; heads are measured by the referee's clock less
that round trip, as `status` shows them.
"""

from pathlib import Path
from typing import Any, Final

import numpy as np

from app.home import workspace_folder
from app.settings import UsageError
from app.text import table
from app.verdict.asked import resolve
from app.views import duration_ns
from kernels.packs.lint_trial import trial_of, values_of
from kernels.packs.reference import load_reference
from kernels.targets.base import TargetError
from kernels.targets.cuda import cublas
from kernels.targets.cuda.target import Cuda
from kernels.targets.registry import get_target
from kernels.values.formats import decode
from kernels.values.kernel import KernelSpec

TARGET: Final = "cuda"
Found = dict[str, Any]


def run(home: Path, kernel: str, seed: int) -> Found:
    """kernel: pack/kernel, or a name. Raises: UsageError for one that is no product of two bf16 matrices, PackError."""
    asked = resolve(home, workspace_folder(), kernel, target=TARGET)
    sizes = {case.shape: cublas.sizes_of(case) for case in asked.spec.cases}
    smallest = min(asked.spec.cases, key=lambda case: case.operations)
    if None in sizes.values() or not is_product(smallest, seed):
        raise UsageError(
            f"bench cublas: {asked.spec.name} is no product Y = X W^T of bf16 matrices; --kernel names one"
        )
    found: Found = {"bench": "cublas", "kernel": asked.spec.name, "skipped": "", "shapes": {}}
    try:
        target = get_target(TARGET, asked.home / "cache")
        assert isinstance(target, Cuda)
        timed = {name: (one, target.gemm(one)) for name, one in sizes.items() if one is not None}
    except TargetError as why:
        return {**found, "skipped": str(why)}
    return {**found, "shapes": {name: _figures(*both) for name, both in timed.items()}}


def is_product(case: KernelSpec, seed: int) -> bool:
    """Whether the reference says so: on drawn matrices, where it says all of its output."""
    x, w, y = (a for a in case.arguments if a.shape)
    if case.tolerances[y.name].sampled:
        return False
    trial = trial_of(case, seed, "generated", load_reference(case))
    want, right = values_of(trial.expected()[y.name]), decode(trial.weights[w.name], w.dtype).astype(np.float64).T
    got = np.stack([decode(call[x.name], x.dtype).astype(np.float64) @ right for call in trial.calls])
    scale = float(np.abs(want).max(initial=0.0))
    return want.shape == got.shape and bool(np.allclose(want, got, rtol=0.0, atol=0.01 * scale))


def _figures(sizes: cublas.Sizes, timed: cublas.Timed) -> Found:
    return {
        "m": sizes.m, "n": sizes.n, "k": sizes.k, "ns": timed.ns, "calls": len(timed.events), "version": timed.version,
        "tflops": sizes.operations / timed.ns / 1e3, "host_ns": sorted(timed.host)[len(timed.host) // 2],
    }  # fmt: skip


def text(found: Found) -> str:
    if found["skipped"]:
        return f"cuBLAS on {found['kernel']}: skipped: {found['skipped']}"
    rows = [
        [name, f"{one['m']} x {one['n']} x {one['k']}", duration_ns(one["ns"]), f"{one['tflops']:.1f}"]
        for name, one in found["shapes"].items()
    ]
    return table(("shape", "M x N x K", "cuBLAS", "TFLOP/s"), rows)
