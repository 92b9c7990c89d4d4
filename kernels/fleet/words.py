"""Devices by words: `local`; `dask:ADDRESS`, every device that the workers of a cluster serve; `command:WORDS`, the
device behind a command that runs `device-serve` there; `slurm:OPTIONS`, the one that a job of Slurm gets.
"""

import os
import shlex
from pathlib import Path
from typing import Final

LOCAL: Final = "local"
DASK: Final = "dask:"
COMMAND: Final = "command:"
SLURM: Final = "slurm:"
SRUN: Final = ("srun", "--quiet", "--unbuffered", "--ntasks=1")
ROOT: Final = Path(__file__).resolve().parents[2]


def known_device(words: str) -> str:
    """The words of one device as they are. Raises: ValueError that says what there is."""
    if words == LOCAL or (words.startswith(DASK) and "://" in words) or command_of(words):
        return words
    known = f"{LOCAL}, {DASK}tcp://HOST:8786, {COMMAND}WORDS (such as ssh HOST .../run.sh device-serve), {SLURM}OPTIONS"
    raise ValueError(f"no device {words!r}: it is one of {known}")


def command_of(words: str) -> tuple[str, ...]:
    """The command behind which this device is; () when it is not behind one. Slurm's options are those of srun, such as
    --gres=gpu:1 or --licenses=chip; the job sees this checkout at the same path."""
    if words.startswith(COMMAND):
        return tuple(shlex.split(words.removeprefix(COMMAND)))
    if words.startswith(SLURM):
        root = os.environ.get("KERNELWRIGHT_ROOT", str(ROOT))
        return (*SRUN, *shlex.split(words.removeprefix(SLURM)), f"{root}/run.sh", "device-serve")
    return ()
