"""The head of each kernel of a pack beside its numpy reference, a comparator that every user knows.

In turns: a pair of baseline and head on the device, then the reference in a process of its own while the machine is
held. Medians of the rounds count; numpy computes in float64 whatever the kernel's type, with all threads of its BLAS.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from app.home import workspace_folder
from app.text import table
from app.verdict.asked import Asked, resolve
from app.verdict.heads import head_of
from app.views import duration_ns
from kernels.device.building import build_under_lock
from kernels.device.client import Device
from kernels.packs.loader import baseline
from kernels.packs.toml import PackError
from kernels.targets.base import Target
from kernels.targets.registry import get_target
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from store.engine import Store

ROUNDS: Final = 7
SLOW_NS: Final = 40e6  # taken as the baseline's time until it was read: three calls
BASELINE, HEAD = "baseline", "head"
Numpy = subprocess.Popen[str]


@dataclass(slots=True)
class Row:
    """Nanoseconds, one value a round. head: what it is called. problem: why there is no figure."""

    kernel: str
    head: str
    problem: str = ""
    times: dict[str, list[float]] = field(default_factory=lambda: {"baseline": [], "head": [], "numpy": []})

    @property
    def figures(self) -> dict[str, Any]:
        """Medians, and numpy's time over the head's with its range over the rounds."""
        found: dict[str, Any] = {"kernel": self.kernel, "head": self.head, "problem": self.problem}
        ratios = sorted(n / h for n, h in zip(self.times["numpy"], self.times["head"], strict=True))
        if ratios:
            found |= {f"{name}_ns": statistics.median(values) for name, values in self.times.items()}
            found |= {"numpy_over_head": statistics.median(ratios), "range": [ratios[0], ratios[-1]]}
        return found


def run(home: Path, pack: str, seed: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Raises: UsageError, PackError, TargetError, DeviceUnhealthy, StoreError."""
    return asyncio.run(_run(resolve(home, workspace_folder(), "", pack=pack), seed, say))


async def _run(asked: Asked, seed: int, say: Callable[[str], None]) -> dict[str, Any]:
    target = get_target(asked.settings.target, asked.home / "cache")
    device = await Device.start(target, asked.pack, asked.home / "cache")
    rows: list[Row] = []
    try:
        for spec in asked.kernels:
            head, name = await asyncio.to_thread(_head, asked, spec)
            say(f"{spec.name}: {name} beside numpy")
            rows.append(await _kernel(device, target, asked, spec, Row(spec.name, name), head, seed))
    finally:
        await device.close()
    return {"pack": asked.pack.name, "rounds": ROUNDS, "rows": [row.figures for row in rows]}


def _head(asked: Asked, spec: KernelSpec) -> tuple[Candidate, str]:
    """The newest campaign's; the baseline where there is none."""
    with Store.open(asked.home) as store:
        return store.read_sync(lambda s: head_of(s, replace(asked, kernels=(spec,))))


async def _kernel(
    device: Device, target: Target, asked: Asked, spec: KernelSpec, row: Row, head: Candidate, seed: int
) -> Row:
    if spec.reference != "numpy":
        row.problem = "its reference is not numpy"
        return row
    if spec.shapes:
        row.problem = "it has shapes, and its head's time is the mean of all"
        return row
    for name, side in ((BASELINE, baseline(spec)), (HEAD, head)):
        place = asked.home / "bench" / side.id
        place.mkdir(parents=True, exist_ok=True)
        artefact = await build_under_lock(device, f"build {spec.name}", partial(target.compile, side, spec, place))
        await device.load(spec.name, name, artefact.path)
    test = await device.begin_test(spec.name, BASELINE, HEAD)
    with _numpy(asked, spec, seed) as numpy:
        for turn in range(ROUNDS):
            await _round(device, test, numpy, row, turn)
    report = await device.end_test(test)
    row.problem = "" if report.ok else f"{report.kind}: {report.reason}"
    for name in (BASELINE, HEAD):
        await device.unload(name)
    return row


async def _round(device: Device, test: str, numpy: Numpy, row: Row, turn: int) -> None:
    slow = row.times["baseline"][-1] if row.times["baseline"] else SLOW_NS
    pair = await device.pair(test, "head" if turn % 2 else "candidate", slow)
    async with device.host("bench numpy"):
        ns = await asyncio.to_thread(_ask, numpy, row.kernel)
    if pair.valid:
        for name, value in (("baseline", pair.head.ns), ("head", pair.candidate.ns), ("numpy", ns)):
            row.times[name].append(value)


@contextmanager
def _numpy(asked: Asked, spec: KernelSpec, seed: int) -> Generator[Numpy]:
    words = [sys.executable, "-m", "app.bench.numpy_calls", str(asked.pack.folder), spec.name, str(seed)]
    environment = {**os.environ, "OPENBLAS_THREAD_TIMEOUT": "4"}  # idle threads do not spin into the next reading
    environment.pop("OMP_NUM_THREADS", None)
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def _ask(numpy: Numpy, kernel: str) -> float:
    """Raises: PackError when the reference ended instead of answering; what it said went to stderr."""
    if numpy.stdin is None or numpy.stdout is None:
        raise RuntimeError("started without pipes")
    numpy.stdin.write("go\n")
    numpy.stdin.flush()
    line = numpy.stdout.readline()
    if not line:
        raise PackError(f"numpy reference of {kernel}", "it ended without an answer", "Run pack lint on the pack")
    return float(json.loads(line))


def text(found: dict[str, Any]) -> str:
    header = ("kernel", "head is", "baseline", "head", "numpy", "numpy / head", "range", "")
    rows = [
        [
            r["kernel"], r["head"], duration_ns(r.get("baseline_ns")), duration_ns(r.get("head_ns")),
            duration_ns(r.get("numpy_ns")), f"{r['numpy_over_head']:.2f}" if "range" in r else "-",
            "{:.2f}..{:.2f}".format(*r["range"]) if "range" in r else "-", r["problem"][:60],
        ]
        for r in found["rows"]
    ]  # fmt: skip
    return f"{table(header, rows)}\nmedian of {found['rounds']} rounds; numpy in float64 with all threads of its BLAS"
