"""The sources of the contract for targets whose sources are C, and a pack of one kernel."""

from pathlib import Path

from kernels.values.candidate import Candidate
from tests.contract.target_contract import Sources
from tests.unit.targets.kit import HONEST, candidate, spec_of

KERNEL = """
name = "mv"
title = "y = W x * scale"
ring_mib = 1
regimes = ["random"]
argument = [
  {name = "W", dtype = "f32", shape = [8, 64], role = "weight", generate = ["uniform", -1.0, 1.0]},
  {name = "x", dtype = "f32", shape = [64], role = "input", generate = ["uniform", -1.0, 1.0]},
  {name = "scale", dtype = "f32", shape = [], role = "input", generate = ["uniform", 0.5, 2.0]},
  {name = "y", dtype = "f32", shape = [8], role = "output"},
]
matrix = [{name = "M", codes = "W"}]
[tolerance.y]
atol = 1e-4
rtol = 1e-4
"""
REFERENCE = 'def reference(a):\n    return {"y": a["M"].apply(a["x"]) * a["scale"].reshape(-1, 1)}\n'


def small_pack(folder: Path, baseline: Candidate, file: str = "baseline.c") -> Path:
    kernel = folder / "small" / "mv"
    kernel.mkdir(parents=True)
    (folder / "small" / "pack.toml").write_text('name = "small"\ntitle = "small"\nkernels = ["mv"]\n')
    (kernel / "kernel.toml").write_text(KERNEL)
    (kernel / "reference.py").write_text(REFERENCE)
    (kernel / file).write_text(baseline.source)
    return kernel.parent


def c_sources(folder: Path) -> Sources:
    return Sources(
        spec_of(), candidate(), candidate(f"/* the same */ {HONEST}"), candidate(HONEST.replace("* scale", "- scale")),
        candidate("int oops("), candidate("for (volatile int i = 0;; i++) y[0] = i;"),
        small_pack(folder, candidate()), broken_line=3,
    )  # fmt: skip
