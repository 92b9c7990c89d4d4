"""The GPU of this machine: what the driver says of it, and why there is none."""

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernels.sandbox.launch import system_binds
from kernels.targets.cuda.architecture import Architecture, of_capability
from kernels.targets.cuda.harness import DRIVER
from kernels.values.machine import Machine

DEV: Final = Path("/dev")
NODES: Final = ("nvidia[0-9]*", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-caps", "dxg")
"""What the driver opens; `dxg` is that of WSL."""
DRIVER_FOLDERS: Final = ("/usr/lib/wsl", "/usr/local/nvidia", "/usr/lib/x86_64-linux-gnu/nvidia", "/etc/ld.so.cache")
LIBRARIES: Final = ("/usr/lib/wsl/lib", "/usr/local/nvidia/lib64", "/usr/lib64/nvidia")
CHOICES: Final = ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER")
TIMEOUT_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Gpu:
    """clock_ghz: highest of its multiprocessors; memory_gbs: of the bus, 0 where the driver does not say."""

    name: str
    driver: str
    chip: Architecture
    multiprocessors: int
    clock_ghz: float
    memory_gbs: float
    l2_bytes: int
    memory_bytes: int


def nodes() -> tuple[Path, ...]:
    """Device files of NVIDIA's driver that are here."""
    return tuple(sorted({path for pattern in NODES for path in DEV.glob(pattern)}))


def no_gpu() -> str:
    """Why none can be here, "" when one may be; cheap."""
    if any(path.name == "dxg" or path.name[len("nvidia") :].isdigit() for path in nodes()):
        return ""
    return "there is no GPU of NVIDIA here: no /dev/nvidia0"


def library() -> str:
    """The driver's library: by path where LD_LIBRARY_PATH or a usual folder has it, which a confined process would not
    look at, else by the name that the loader knows."""
    listed = (folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder)
    places = (Path(folder) / DRIVER for folder in (*listed, *LIBRARIES))
    return next((str(path) for path in places if path.is_file()), DRIVER)


def environment() -> dict[str, str]:
    """What chooses among several GPUs, for a process that inherits nothing."""
    return {name: os.environ[name] for name in CHOICES if name in os.environ}


def seen() -> tuple[str, ...]:
    """What a confined process must see of the driver beside the system's folders."""
    shown = tuple(one for one in system_binds() if one.startswith("/"))
    return tuple(one for one in DRIVER_FOLDERS if Path(one).exists() and not _under(one, shown))


def _under(path: str, folders: tuple[str, ...]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)


def ask(describe: Path) -> Gpu | str:
    """describe: the built program. Why there is no GPU that can be used, as text. Raises: TargetError for a GPU whose
    capability is not known."""
    said = run(describe, "device")
    if isinstance(said, str):
        return said
    return read(said)


def health(describe: Path) -> str:
    """Why the GPU is not well, "" when it fills, writes and reads memory as it should."""
    said = run(describe, "health")
    return f"the GPU is not well: {said}" if isinstance(said, str) else ""


def run(describe: Path, what: str) -> dict[str, str] | str:
    """Lines `name: value` of a success, else what it says is wrong."""
    try:
        done = subprocess.run([describe, what], capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the driver cannot be asked: {error}"
    if done.returncode:
        return done.stdout.strip() or f"the driver's library ended the process with {done.returncode}"
    return dict(_pairs(done.stdout))


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, colon, value = line.partition(": ")
        if colon:
            yield name, value


def read(said: Mapping[str, str]) -> Gpu:
    """memory_gbs: two transfers a clock over the whole bus, as CUDA's sample deviceQuery computes it."""
    number = {name: int(value) for name, value in said.items() if value.isdigit()}
    return Gpu(
        said["name"], said["driver"], of_capability(number["major"], number["minor"]), number["multiprocessors"],
        number["clock_khz"] / 1e6, 2 * number["memory_khz"] * number["bus_bits"] / 8 / 1e6, number["l2_bytes"],
        number["memory_bytes"],
    )  # fmt: skip


def machine_of(here: Gpu | None, chip: str) -> Machine:
    """threads: multiprocessors; caches: shared memory of one, L2."""
    if here is None:
        return Machine(f"no GPU here, compiled for {chip}", chip, frozenset(), 1)
    return Machine(
        here.name, chip, frozenset(), here.multiprocessors, here.chip.shared_bytes, here.l2_bytes, here.l2_bytes,
        here.clock_ghz,
    )  # fmt: skip
